//! A store that is damaged, foreign, newer, read-only or on a full disk: said plainly, and nothing is lost.

use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{Ran, finish};
use crate::sandbox::{Sandbox, at, skipped};

/// Commands that read, and commands that write.
const READ: [&[&str]; 3] = [&["list"], &["log", "--json"], &["audit", "verify"]];
const WRITE: [&[&str]; 2] = [&["ask", "Q?", "--no-wait"], &["item", "add", "x"]];

#[track_caller]
fn all_say(sandbox: &Sandbox, commands: &[&[&str]], words: &[&str]) {
    for arguments in commands {
        let ran = sandbox.run(arguments).exits(1);
        assert!(ran.err.starts_with("error: "), "{arguments:?}: {ran}");
        for word in words {
            assert!(ran.err.contains(word), "{arguments:?} says nothing of {word:?}: {ran}");
        }
        assert!(!ran.err.contains("panicked"), "{ran}");
    }
}

#[test]
fn a_file_that_is_no_store() {
    let sandbox = Sandbox::new();
    std::fs::create_dir_all(sandbox.home()).unwrap();
    let garbage = "This is not a database, but it is long enough to look like a page of one.\n".repeat(200);
    std::fs::write(sandbox.store(), &garbage).unwrap();
    all_say(&sandbox, &READ, &["damaged", "backup"]);
    all_say(&sandbox, &WRITE, &["damaged", "backup"]);
    all_say(&sandbox, &[&["doctor"], &["doctor", "--backup", "copy.db"]], &["damaged"]);
    assert_eq!(std::fs::read_to_string(sandbox.store()).unwrap(), garbage, "what is there is left alone");
    assert!(!sandbox.path("copy.db").exists());
}

#[test]
fn a_store_with_a_damaged_page() {
    let sandbox = Sandbox::new();
    for _ in 0..30 {
        sandbox.ask(&[&"a long question ".repeat(100)]);
    }
    let copy = sandbox.path("copy.db");
    sandbox.ok(&["doctor", "--backup", copy.to_str().unwrap()]);
    let mut bytes = std::fs::read(&copy).unwrap();
    // Everything but the first pages, so that the file still opens.
    let start = bytes.len() / 3;
    for byte in &mut bytes[start..] {
        *byte = 0xA5;
    }
    for name in ["hold.db-wal", "hold.db-shm"] {
        let _ = std::fs::remove_file(sandbox.home().join(name));
    }
    std::fs::write(sandbox.store(), bytes).unwrap();
    let ran = sandbox.run(&["doctor"]);
    assert!(ran.code == 1 && format!("{ran}").contains("damaged"), "{ran}");
    let ran = sandbox.run(&["log", "--json"]);
    assert!(ran.code == 1 && ran.err.contains("damaged") && ran.err.contains("backup"), "{ran}");
}

#[test]
fn a_cut_file_is_found() {
    let sandbox = Sandbox::new();
    for _ in 0..30 {
        sandbox.ask(&[&"a long question ".repeat(100)]);
    }
    let copy = sandbox.path("copy.db");
    sandbox.ok(&["doctor", "--backup", copy.to_str().unwrap()]);
    let bytes = std::fs::read(&copy).unwrap();
    for name in ["hold.db-wal", "hold.db-shm"] {
        let _ = std::fs::remove_file(sandbox.home().join(name));
    }
    std::fs::write(sandbox.store(), &bytes[..bytes.len() / 2]).unwrap();
    let ran = sandbox.run(&["doctor"]);
    assert!(ran.code == 1 && format!("{ran}").contains("damaged"), "{ran}");
}

#[test]
fn a_store_of_a_newer_version() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask_a_or_b();
    let connection =
        rusqlite::Connection::open_with_flags(sandbox.store(), rusqlite::OpenFlags::SQLITE_OPEN_READ_WRITE)
            .unwrap();
    connection.pragma_update(None, "user_version", 99).unwrap();
    drop(connection);
    all_say(&sandbox, &READ, &["version 99", "newer", "hint:"]);
    all_say(&sandbox, &WRITE, &["version 99", "newer", "hint:"]);
    all_say(&sandbox, &[&["answer", &id, "a"], &["doctor"], &["doctor", "--rebuild"]], &["version 99"]);
}

#[test]
fn a_database_of_another_program() {
    let sandbox = Sandbox::new();
    std::fs::create_dir_all(sandbox.home()).unwrap();
    let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_WRITE | rusqlite::OpenFlags::SQLITE_OPEN_CREATE;
    let connection = rusqlite::Connection::open_with_flags(sandbox.store(), flags).unwrap();
    connection
        .execute_batch("CREATE TABLE bookmarks (url TEXT); INSERT INTO bookmarks VALUES ('x');")
        .unwrap();
    all_say(&sandbox, &WRITE, &["another program", "bookmarks"]);
    all_say(&sandbox, &READ[..1], &["another program"]);
    assert_eq!(
        connection.query_row("SELECT count(*) FROM bookmarks", [], |row| row.get::<_, i64>(0)).unwrap(),
        1
    );
    assert_eq!(
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get::<_, i64>(0)).unwrap(),
        1
    );
}

#[test]
fn a_store_that_is_a_folder() {
    let sandbox = Sandbox::new();
    std::fs::create_dir_all(sandbox.store()).unwrap();
    all_say(&sandbox, &READ[..1], &["hold.db"]);
    all_say(&sandbox, &WRITE[..1], &["hold.db"]);
}

/// Runs as a user without any rights on the sandbox, where that can be done; as oneself otherwise.
pub(crate) fn as_nobody(mut command: Command) -> Ran {
    if rustix::process::getuid().is_root() {
        command.uid(65_534).gid(65_534);
    }
    finish(&mut command, b"")
}

pub(crate) fn allow(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn a_store_that_may_only_be_read() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask_a_or_b();
    allow(sandbox.home().parent().unwrap(), 0o755);
    // Keys are secret; a user who may not read them may not sign either, and must be told so.
    for name in std::fs::read_dir(sandbox.home()).unwrap() {
        let path = name.unwrap().path();
        allow(&path, if path.is_dir() { 0o755 } else { 0o444 });
    }
    allow(&sandbox.home(), 0o555);
    for arguments in [&["answer", &id, "a"][..], &["ask", "Q?", "--no-wait"], &["cancel", &id]] {
        let ran = as_nobody(sandbox.command(arguments)).exits(1).prints("");
        assert!(ran.err.contains("error: ") && !ran.err.contains("panicked"), "{arguments:?}: {ran}");
        assert!(
            ran.err.contains("ermission denied")
                || ran.err.contains("read only")
                || ran.err.contains("cannot be written"),
            "{ran}"
        );
    }
    // Looking needs no right to write.
    let shown = as_nobody(sandbox.command(&["show", &id, "--json"])).exits(0).json();
    at(&shown, "/status", "pending");
    as_nobody(sandbox.command(&["list"])).exits(0);
    allow(&sandbox.home(), 0o755);
    assert_eq!(sandbox.tags(), ["decision:created"]);
}

#[test]
fn a_folder_that_may_not_be_written() {
    let sandbox = Sandbox::new();
    std::fs::create_dir_all(sandbox.home()).unwrap();
    allow(sandbox.home().parent().unwrap(), 0o755);
    allow(&sandbox.home(), 0o555);
    for arguments in [&["ask", "Q?", "--no-wait"][..], &["list"], &["init"]] {
        let ran = as_nobody(sandbox.command(arguments)).exits(1).prints("");
        assert!(ran.err.contains(sandbox.home().to_str().unwrap()), "names the folder: {ran}");
    }
    allow(&sandbox.home(), 0o755);
}

/// A file system of its own, unmounted at the end. None where mounting is not allowed.
pub(crate) struct Mount(PathBuf);

impl Mount {
    pub(crate) fn new(at: &Path, options: &str) -> Option<Self> {
        std::fs::create_dir_all(at).unwrap();
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(at).output();
        if mounted.is_ok_and(|output| output.status.success()) {
            return Some(Self(at.to_owned()));
        }
        skipped("it needs the right to mount a file system");
        None
    }

    fn remount(&self, options: &str) {
        let status = Command::new("mount").args(["-o", &format!("remount,{options}")]).arg(&self.0).status();
        assert!(status.unwrap().success());
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[test]
fn a_store_on_a_full_disk() {
    let sandbox = Sandbox::new();
    let Some(_mount) = Mount::new(&sandbox.home(), "size=2m") else { return };
    let id = sandbox.ask_a_or_b();
    let filler = sandbox.home().join("filler");
    let mut size = 1 << 20;
    while size > 512 {
        // Takes what is left, ever more finely.
        let mut file = std::fs::OpenOptions::new().append(true).create(true).open(&filler).unwrap();
        if std::io::Write::write_all(&mut file, &vec![b'x'; size]).is_err() {
            size /= 2;
        }
    }
    let big = format!("Which of these? {}", "words ".repeat(20_000));
    let before = sandbox.ok(&["log", "--json"]);
    let ran = sandbox.run(&["ask", &big, "--no-wait"]).exits(1).prints("");
    assert!(ran.err.contains("full") && ran.err.contains("hint:"), "{ran}");
    assert_eq!(sandbox.ok(&["log", "--json"]), before, "nothing was written");
    at(&sandbox.show(&id), "/status", "pending");
    std::fs::remove_file(&filler).unwrap();
    let after = sandbox.ask(&[&big]);
    at(&sandbox.show(&after), "/status", "pending");
    sandbox.ok(&["answer", &id, "a"]);
    sandbox.is_well();
}

#[test]
fn a_disk_that_fills_while_asking_loses_nothing_acknowledged() {
    let sandbox = Sandbox::new();
    let Some(_mount) = Mount::new(&sandbox.home(), "size=1m") else { return };
    let mut ids = Vec::new();
    let question = "words ".repeat(2_000);
    let refused = (0..200).map(|_| sandbox.run(&["ask", &question, "--no-wait"])).find(|ran| {
        if ran.code == 0 {
            ids.push(ran.out.trim().to_owned());
        }
        ran.code != 0
    });
    let refused = refused.unwrap().exits(1).prints("");
    assert!(refused.err.contains("full"), "{refused}");
    assert!(ids.len() > 3, "{}", ids.len());
    for id in &ids {
        at(&sandbox.show(id), "/status", "pending");
    }
    assert_eq!(sandbox.json(&["list", "--json"]).as_array().unwrap().len(), ids.len());
}

#[test]
fn a_store_on_a_disk_mounted_read_only() {
    let sandbox = Sandbox::new();
    let Some(mount) = Mount::new(&sandbox.home(), "size=8m") else { return };
    let id = sandbox.ask_a_or_b();
    mount.remount("ro");
    let ran = sandbox.run(&["answer", &id, "a"]).exits(1).prints("");
    assert!(
        ran.err.contains("cannot be written") && ran.err.contains("hold.db") && ran.err.contains("hint:"),
        "{ran}"
    );
    at(&sandbox.show(&id), "/status", "pending");
    mount.remount("rw");
    sandbox.ok(&["answer", &id, "a"]);
}
