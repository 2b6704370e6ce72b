//! A store that goes away under a running server, fills its disk, or cannot be written: nothing is made up for it.

use rusqlite::OpenFlags;
use serde_json::json;

use crate::bad_store::{Mount, allow, as_nobody};
use crate::sandbox::Sandbox;
use crate::server::{Server, question, question_with};

fn remove_store(sandbox: &Sandbox) {
    for name in ["hold.db", "hold.db-wal", "hold.db-shm"] {
        let _ = std::fs::remove_file(sandbox.home().join(name));
    }
}

#[test]
fn a_store_deleted_under_a_server_is_not_made_anew() {
    let mut server = Server::open();
    let id = server.nobody().ask();
    server.nobody().get("/readyz").is(200);
    remove_store(&server.sandbox);
    let problem = server.nobody().post("/v1/decisions", &question()).refuses(503, "store_gone");
    assert!(problem["detail"].as_str().unwrap().contains("hold.db was removed"), "{problem}");
    server.nobody().get("/readyz").refuses(503, "store_gone");
    server.nobody().decision(&id).refuses(503, "store_gone");
    assert!(!server.sandbox.store().exists(), "an empty store was made");
    // Whether it is there can be asked all the same: the process runs.
    server.nobody().get("/healthz").is(200);
    // Another file in its place is not the one that was opened.
    let elsewhere = Sandbox::new();
    elsewhere.ask_a_or_b();
    elsewhere.ok(&["doctor", "--backup", server.sandbox.store().to_str().unwrap()]);
    server.nobody().post("/v1/decisions", &question()).refuses(503, "store_gone");
    let problem = server.nobody().get("/readyz").refuses(503, "store_gone");
    assert!(problem["detail"].as_str().unwrap().contains("was replaced"), "{problem}");
    let ended = server.stop();
    assert_eq!(ended.err.matches("Nothing is written").count(), 1, "{ended}");
    assert_eq!(elsewhere.tags().len(), 1);
}

#[test]
fn doctor_misses_a_store_that_was_there() {
    let sandbox = Sandbox::new();
    assert!(sandbox.ok(&["doctor"]).contains("none yet"));
    sandbox.ask_a_or_b();
    remove_store(&sandbox);
    let said = sandbox.run(&["doctor"]);
    assert_eq!(said.code, 1, "{said}");
    assert!(said.out.contains("the store is gone") && said.out.contains("had 1 events"), "{said}");
    assert!(!sandbox.store().exists(), "an empty store was made");
}

#[test]
fn a_backup_put_over_a_served_store_stops_the_server_writing_and_ends_nothing() {
    type Put = fn(&std::path::Path, &std::path::Path);
    let puts: [(Put, &str); 2] = [
        (|backup, store| std::fs::rename(backup, store).unwrap(), "was replaced"),
        (|backup, store| assert!(std::fs::copy(backup, store).unwrap() > 0), "was overwritten"),
    ];
    for (put, what) in puts {
        let mut server = Server::open();
        let long = question_with(&json!({"prompt": "words ".repeat(200)}));
        let ask = || server.nobody().post("/v1/decisions", &long);
        let id = server.nobody().ask();
        let backup = server.sandbox.home().join("backup.db");
        server.sandbox.ok(&["doctor", "--backup", backup.to_str().unwrap()]);
        let length = || std::fs::metadata(server.sandbox.store()).unwrap().len();
        let before = length();
        // The write-ahead log is moved back at least once, so that the file is another than in the backup.
        while length() < before + 100_000 {
            ask().is(201);
        }
        // Nothing is being moved back meanwhile: that would make the file longer again before anybody looks.
        let other =
            rusqlite::Connection::open_with_flags(server.sandbox.store(), OpenFlags::SQLITE_OPEN_READ_WRITE)
                .unwrap();
        let is_busy =
            || other.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |row| row.get::<_, bool>(0)).unwrap();
        while is_busy() {}
        drop(other);
        std::thread::scope(|scope| {
            for _ in 0..3 {
                let reader = server.nobody();
                scope.spawn(move || (0..60).for_each(|_| drop(reader.get("/v1/decisions?limit=5"))));
            }
            put(&backup, &server.sandbox.store());
        });
        ask().refuses(503, "store_gone");
        let problem = server.nobody().get("/readyz").refuses(503, "store_gone");
        assert!(problem["detail"].as_str().unwrap().contains(what), "{problem}");
        server.nobody().decision(&id).refuses(503, "store_gone");
        server.nobody().get("/healthz").is(200);
        let ended = server.stop();
        assert_eq!(ended.err.matches("Nothing is written").count(), 1, "{ended}");
    }
}

#[test]
fn a_backup_put_back_after_the_store_was_gone_is_noticed() {
    let mut server = Server::open();
    let kept = server.nobody().ask();
    server.stop();
    let backup = server.sandbox.home().join("backup.db");
    server.sandbox.ok(&["doctor", "--backup", backup.to_str().unwrap()]);
    server.run();
    let lost: Vec<String> = (0..3).map(|_| server.nobody().ask()).collect();
    remove_store(&server.sandbox);
    server.stop();
    std::fs::rename(&backup, server.sandbox.store()).unwrap();
    let verified = server.sandbox.run(&["audit", "verify"]).exits(1);
    assert!(verified.out.contains("the log ends"), "{verified}");
    server.run();
    let new: Vec<String> = (0..3).map(|_| server.nobody().ask()).collect();
    assert!(new.iter().all(|id| *id != kept && !lost.contains(id)), "{new:?} after {lost:?}");
}

#[test]
fn a_store_emptied_or_overwritten_where_it_lies_is_gone() {
    for (content, what) in [("", "was emptied"), ("not a store any more\n", "was overwritten")] {
        let mut server = Server::open();
        let id = server.nobody().ask();
        let whole = std::fs::read(server.sandbox.store()).unwrap();
        // The same file, as a shell does it: > hold.db
        std::fs::write(server.sandbox.store(), content).unwrap();
        let problem = server.nobody().post("/v1/decisions", &question()).refuses(503, "store_gone");
        assert!(problem["detail"].as_str().unwrap().contains(what), "{problem}");
        server.nobody().get("/readyz").refuses(503, "store_gone");
        let ended = server.stop();
        assert_eq!(ended.err.matches("Nothing is written").count(), 1, "{ended}");
        // What is left of it is not taken for a new store.
        server.sandbox.run(&["ask", "Anybody?", "--no-wait"]).exits(1);
        std::fs::write(server.sandbox.store(), &whole).unwrap();
        server.sandbox.run(&["show", &id]).exits(0);
    }
}

#[test]
fn another_program_that_closes_the_store_takes_nothing_away() {
    let mut server = Server::open();
    server.nobody().ask();
    let log = server.sandbox.home().join("hold.db-wal");
    // As `sqlite3 hold.db 'select …'` does.
    let other =
        rusqlite::Connection::open_with_flags(server.sandbox.store(), OpenFlags::SQLITE_OPEN_READ_WRITE)
            .unwrap();
    other.query_row("SELECT count(*) FROM event", [], |row| row.get::<_, i64>(0)).unwrap();
    other.close().unwrap();
    assert!(log.exists(), "the write-ahead log was removed under the server");
    let ids: Vec<String> = (0..3).map(|_| server.nobody().ask()).collect();
    server.kill();
    for id in &ids {
        server.sandbox.run(&["show", id]).exits(0);
    }
    server.sandbox.run(&["audit", "verify"]).exits(0);
}

#[test]
fn what_is_in_a_removed_write_ahead_log_is_not_lost() {
    let mut server = Server::open();
    let id = server.nobody().ask();
    std::fs::remove_file(server.sandbox.home().join("hold.db-wal")).unwrap();
    let problem = server.nobody().post("/v1/decisions", &question()).refuses(503, "store_gone");
    assert!(problem["detail"].as_str().unwrap().contains("hold.db-wal was removed"), "{problem}");
    server.nobody().get("/readyz").refuses(503, "store_gone");
    server.nobody().post("/v1/decisions", &question()).refuses(503, "store_gone");
    server.kill();
    server.sandbox.run(&["show", &id]).exits(0);
    server.sandbox.run(&["audit", "verify"]).exits(0);
}

#[test]
fn a_full_disk_is_not_ready() {
    let sandbox = Sandbox::new();
    let Some(_mount) = Mount::new(&sandbox.home(), "size=8m") else { return };
    let server = Server::on(sandbox, &["--no-auth"]);
    let id = server.nobody().ask();
    server.nobody().get("/readyz").is(200);
    let filler = server.sandbox.home().join("filler");
    let mut size = 8 << 20;
    while size > 512 {
        let mut file = std::fs::OpenOptions::new().append(true).create(true).open(&filler).unwrap();
        if std::io::Write::write_all(&mut file, &vec![b'x'; size]).is_err() {
            size /= 2;
        }
    }
    server.nobody().get("/readyz").refuses(507, "full");
    let large = question_with(&json!({"prompt": "words ".repeat(100_000)}));
    server.nobody().post("/v1/decisions", &large).refuses(507, "full");
    // What is there can be read.
    server.nobody().decision(&id).is(200);
    std::fs::remove_file(&filler).unwrap();
    server.nobody().get("/readyz").is(200);
    server.nobody().post("/v1/decisions", &large).is(201);
}

#[test]
fn a_read_only_store_is_listed_and_verified() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask_a_or_b();
    let folder = sandbox.path("archive");
    std::fs::create_dir(&folder).unwrap();
    let copy = folder.join("a copy.db");
    sandbox.ok(&["doctor", "--backup", copy.to_str().unwrap()]);
    for path in [sandbox.home().parent().unwrap(), &sandbox.home(), &sandbox.home().join("keys")] {
        allow(path, 0o755);
    }
    allow(&copy, 0o444);
    allow(&folder, 0o555);
    let named = format!("sqlite:{}", copy.display());
    let run = |arguments: &[&str]| as_nobody_on(&sandbox, &named, arguments);
    assert!(run(&["list", "--json"]).exits(0).out.contains(&id));
    assert!(run(&["show", &id]).exits(0).out.contains("Which?"));
    assert!(run(&["audit", "verify"]).exits(0).out.contains("OK: "));
    let ran = run(&["answer", &id, "a"]).exits(1);
    assert!(!ran.err.contains("panicked"), "{ran}");
    allow(&folder, 0o755);
}

fn as_nobody_on(sandbox: &Sandbox, store: &str, arguments: &[&str]) -> crate::process::Ran {
    let mut command = sandbox.command(arguments);
    command.env("HOLD_STORE", store);
    as_nobody(command)
}
