//! Commands on the machine of a server find it, and go through it.

use std::io::Write as _;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;

use serde_json::{Value, json};

use crate::process::Stream;
use crate::sandbox::{Sandbox, at};
use crate::server::Server;

#[test]
fn a_name_that_the_server_does_not_take_is_said() {
    let server = Server::start();
    let id = server.local().ask();
    let ran = server.sandbox.run(&["answer", &id, "a", "--by", "zoe"]).exits(0);
    assert!(ran.err.contains("so --by zoe was not used"), "{ran}");
    let id = server.local().ask();
    let ran = server.sandbox.run(&["answer", &id, "a"]).exits(0);
    assert!(!ran.err.contains("--by"), "{ran}");
}

#[test]
fn a_store_that_demands_authentication_is_written_by_its_server_alone() {
    let mut server = Server::start();
    let id = server.local().ask();
    server
        .token("ana", "person", &[])
        .send("PUT", "/v1/auth", Some(&json!({"required": true})))
        .refuses(403, "forbidden");
    at(
        &server.local().send("PUT", "/v1/auth", Some(&json!({"required": true}))).is(200).json(),
        "/required",
        true,
    );
    let store = format!("sqlite:{}", server.sandbox.store().display());
    let embedded = |arguments: &[&str]| {
        crate::process::finish(server.sandbox.command(arguments).env("HOLD_STORE", &store), b"")
    };
    let before = server.local().get("/v1/events").is(200).body;
    for write in [
        &["ask", "?", "--no-wait"][..],
        &["answer", &id, "a"],
        &["cancel", &id],
        &["item", "add", "x"],
        &["prune", "--older-than", "0s"],
    ] {
        let ran = embedded(write);
        assert!(ran.code != 0 || write[0] == "prune", "{write:?}\n{ran}");
    }
    assert_eq!(server.local().get("/v1/events").is(200).body, before, "nothing is written");
    embedded(&["show", &id]).exits(0);
    // Through the server it is answered as before.
    server.sandbox.ok(&["answer", &id, "a"]);
    server.stop();
    let refused = server.sandbox.run(&["serve", "--listen", "127.0.0.1:0", "--no-auth"]).exits(1);
    assert!(refused.err.contains("--no-auth"), "{refused}");
}

#[test]
fn no_auth_is_for_loopback_alone() {
    let sandbox = Sandbox::new();
    for listen in ["0.0.0.0:0", "[::]:0", "192.0.2.1:0"] {
        sandbox.run(&["serve", "--listen", listen, "--no-auth"]).exits(1).says("--no-auth");
    }
    assert!(!sandbox.home().join("server.json").exists());
    // Commands on this machine find it all the same, and act as whoever runs them.
    let server = Server::open();
    assert!(server.sandbox.home().join("server.json").exists());
}

#[test]
fn the_local_files_are_for_their_owner_and_lead_commands_to_the_server() {
    let mut server = Server::start();
    let home = server.sandbox.home();
    for name in ["server.json", "local.token", "keys", "hold.db"] {
        let mode = std::fs::metadata(home.join(name)).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode & 0o077, 0, "{name} has mode {mode:o}");
    }
    let found: Value = serde_json::from_slice(&std::fs::read(home.join("server.json")).unwrap()).unwrap();
    at(&found, "/address", server.url());
    let token = std::fs::read_to_string(home.join("local.token")).unwrap();
    let id = server.sandbox.ask_a_or_b();
    at(&server.sandbox.json(&["answer", &id, "a", "--json"]), "/answer/auth", "local");
    // Once others could read the token it is trusted no more.
    std::fs::set_permissions(home.join("local.token"), std::fs::Permissions::from_mode(0o644)).unwrap();
    server.sandbox.run(&["list"]).exits(1).says("token");
    std::fs::set_permissions(home.join("local.token"), std::fs::Permissions::from_mode(0o600)).unwrap();
    server.stop();
    assert!(!home.join("server.json").exists(), "a server that stopped is not found");
    let id = server.sandbox.ask_a_or_b();
    at(&server.sandbox.json(&["answer", &id, "a", "--json"]), "/answer/auth", "claimed");
    server.run();
    assert_eq!(
        std::fs::read_to_string(home.join("local.token")).unwrap(),
        token,
        "it stays from one start to the next"
    );
    server.kill();
    // What a killed server left behind leads nowhere.
    server.sandbox.ok(&["list"]);
}

#[test]
fn the_local_token_is_sent_only_to_its_own_server() {
    let server = Server::start();
    let token = std::fs::read_to_string(server.sandbox.home().join("local.token")).unwrap();
    let port = server.address.rsplit(':').next().unwrap();
    let own = |url: &str, arguments: &[&str]| {
        crate::process::finish(server.sandbox.command(arguments).env("HOLD_URL", url), b"")
    };
    for url in [server.url(), format!("{}/", server.url())] {
        own(&url, &["list"]).exits(0);
    }
    let thief = TcpListener::bind("127.0.0.1:0").unwrap();
    let stolen = thief.local_addr().unwrap();
    let heard = std::thread::spawn(move || {
        let mut heard = Vec::new();
        for stream in thief.incoming() {
            let mut stream = stream.unwrap();
            let mut bytes = [0; 4096];
            let read = std::io::Read::read(&mut stream, &mut bytes).unwrap();
            let text = String::from_utf8_lossy(&bytes[..read]).into_owned();
            let last = text.contains("/last/");
            heard.push(text);
            let body = r#"{"type":"","title":"","status":401,"code":"x","detail":"x"}"#;
            write!(
                stream,
                "HTTP/1.1 401 No\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
                body.len()
            )
            .unwrap();
            if last {
                return heard;
            }
        }
        heard
    });
    own(&format!("http://{stolen}"), &["list"]).exits(1);
    own(&format!("http://{stolen}/{}", server.address), &["list"]).exits(1);
    own(&format!("http://localhost:{}/last", stolen.port()), &["list"]).exits(1);
    let heard = heard.join().unwrap();
    assert_eq!(heard.len(), 3);
    assert!(
        heard
            .iter()
            .all(|request| !request.contains(token.trim())
                && !request.to_lowercase().contains("authorization")),
        "{heard:?}"
    );
    // Another name of the same place is not the address in server.json.
    own(&format!("http://localhost:{port}"), &["list"]).exits(1).says("token");
    for bad in ["ftp://x", "not a url", "http://", "http://u:p@127.0.0.1:1", "http://127.0.0.1:1/?x=1"] {
        let ran = own(bad, &["list"]).exits(1);
        assert!(ran.err.contains("HOLD_URL") && !ran.err.contains("u:p"), "{ran}");
    }
}

#[test]
fn ask_says_what_it_waits_for_and_where() {
    let server = Server::start();
    let mut asking = server.sandbox.spawn(&["ask", "Which?", "-o", "a:First", "--timeout", "1h"]);
    let line = asking.until(Stream::Err, "Holding on ");
    assert!(line.contains(", until "), "{line}");
    let id = line.split("Holding on ").nth(1).unwrap().split(',').next().unwrap().to_owned();
    asking.until(Stream::Err, &format!("{}/d/{id}", server.url()));
    asking.until(Stream::Err, "Ctrl-C");
    server.sandbox.ok(&["answer", &id, "a"]);
    asking.end().exits(0).prints("a");
}

#[test]
fn what_looks_after_the_store_runs_where_the_store_is() {
    let server = Server::open();
    let afar = Sandbox::new().with("HOLD_URL", &server.url());
    for arguments in [
        &["audit", "verify"][..],
        &["audit", "export"],
        &["doctor"],
        &["prune"],
        &["doctor", "--backup", "b"],
    ] {
        afar.run(arguments).exits(1).says("runs where the store is");
    }
    assert!(!afar.store().exists(), "no store is made by the way");
}

#[test]
fn what_looks_after_the_store_takes_no_other_for_the_servers() {
    let sandbox = Sandbox::new();
    let elsewhere = format!("sqlite:{}", sandbox.path("elsewhere.db").display());
    let mut serve = sandbox.command(&["serve", "--listen", "127.0.0.1:0"]);
    serve.env("HOLD_STORE", &elsewhere);
    let mut server = crate::process::Running::start(&mut serve);
    server.until(Stream::Err, "Listening on ");
    let id = sandbox.ask_a_or_b();
    let all: [&[&str]; 4] = [&["audit", "verify"], &["audit", "export"], &["doctor"], &["prune"]];
    for arguments in all {
        sandbox.run(arguments).exits(1).says("no store at").says("HOLD_STORE");
    }
    assert!(!sandbox.store().exists(), "an empty store is made by the way");
    let there = |arguments: &[&str]| {
        let mut command = sandbox.command(arguments);
        command.env("HOLD_STORE", &elsewhere);
        crate::process::Running::start(&mut command).end()
    };
    assert!(there(&["doctor"]).exits(0).out.contains("elsewhere.db"));
    assert!(there(&["show", &id]).exits(0).out.contains("pending"));
    // One that lies there already, of another time, is not the server's either.
    there(&["doctor", "--backup", sandbox.path("copy.db").to_str().unwrap()]).exits(0);
    Sandbox::new().with("HOLD_STORE", &format!("sqlite:{}", sandbox.store().display())).ask_a_or_b();
    for arguments in all {
        sandbox.run(arguments).exits(1).says("not the store of the server").says("HOLD_STORE");
    }
    server.signal(rustix::process::Signal::TERM);
    server.end().exits(0);
}

#[test]
fn commands_find_a_server_that_asks_nobody() {
    let sandbox = Sandbox::new();
    let mut server = sandbox.spawn(&["serve", "--no-auth", "--listen", "127.0.0.1:0"]);
    server.until(Stream::Err, "Listening on ");
    assert!(sandbox.home().join("server.json").exists());
    let status = sandbox.ok(&["oj", "status"]);
    assert!(status.starts_with("Server at http://127.0.0.1:"), "{status}");
    let book = json!({"job": {"build": {"steps": [{"name": "make", "run": "true"}]}}});
    let job = sandbox.ok(&["job", "start", &sandbox.file("b.json", book.to_string())]);
    sandbox.ok(&["job", "wait", job.trim()]);
    let id = sandbox.ask_a_or_b();
    sandbox.ok(&["answer", &id, "a"]);
    at(&sandbox.show(&id), "/answer/auth", "local");
    server.signal(rustix::process::Signal::TERM);
    server.end().exits(0);
    assert!(!sandbox.home().join("server.json").exists());
}

#[test]
fn a_data_folder_has_one_server_at_a_time() {
    let mut server = Server::start();
    let second = server.sandbox.run(&["serve", "--listen", "127.0.0.1:0"]).exits(1);
    assert!(second.err.contains("a server already runs for this data folder"), "{second}");
    assert!(second.err.contains(&server.url()), "{second}");
    // The first one is still found.
    let id = server.sandbox.ask_a_or_b();
    at(&server.sandbox.json(&["answer", &id, "a", "--json"]), "/answer/auth", "local");
    // One that was killed holds nothing.
    server.kill();
    server.run();
    server.stop();
    server.run();
}
