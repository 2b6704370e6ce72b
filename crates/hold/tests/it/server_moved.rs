//! A server that goes while somebody holds: it comes back elsewhere, or not at all; and one that is not there yet.

use std::net::TcpListener;

use crate::process::{Running, Stream};
use crate::sandbox::Sandbox;
use crate::serving::Serving;

#[test]
fn who_holds_follows_the_server_to_another_port() {
    let sandbox = Sandbox::new();
    let server = Serving::start(&sandbox);
    let mut agent = sandbox.spawn(&["ask", "Go?", "--kind", "confirm"]);
    let id = agent.holding();
    let waiting = sandbox.spawn(&["wait", &id]);
    server.kill();
    let _server = Serving::start(&sandbox);
    sandbox.ok(&["answer", &id, "yes"]);
    agent.end().exits(0).prints("yes");
    waiting.end().exits(0).prints("yes");
}

#[test]
fn who_holds_hears_of_an_answer_although_no_server_comes_back() {
    let sandbox = Sandbox::new();
    let server = Serving::start(&sandbox);
    let mut agent = sandbox.spawn(&["ask", "Go?", "--kind", "confirm"]);
    let id = agent.holding();
    let address = server.url.clone();
    server.stop();
    // Nobody is asked for a server that is not there.
    sandbox.ok(&["answer", &id, "yes"]);
    let ran = agent.end().exits(0).prints("yes");
    assert!(ran.err.contains(&format!("warning: the server at {address} cannot be reached")), "{ran}");
    sandbox.is_well();
}

#[test]
fn a_server_that_is_named_and_not_there_yet_is_waited_for() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask(&["Go?", "--kind", "confirm"]);
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let url = format!("http://{address}");
    Serving::start(&sandbox).stop();
    let token = std::fs::read_to_string(sandbox.home().join("local.token")).unwrap();
    let mut waiting =
        Running::start(sandbox.command(&["wait", &id]).env("HOLD_URL", url).env("HOLD_TOKEN", token.trim()));
    let said = waiting.until(Stream::Err, "cannot be reached");
    assert!(said.contains("holding on until it is back"), "{said}");
    let _server = Serving::start_at(&sandbox, &address);
    sandbox.ok(&["answer", &id, "yes"]);
    waiting.end().exits(0).prints("yes");
}

/// What does not hold says so soon.
#[test]
fn a_server_that_is_named_and_not_there_is_told_of() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask(&["Go?", "--kind", "confirm"]);
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let url = format!("http://{address}");
    for arguments in
        [&["answer", &id, "yes"][..], &["list"], &["ask", "Q?"], &["wait", &id, "--timeout", "1s"]]
    {
        let ran = Running::start(sandbox.command(arguments).env("HOLD_URL", &url)).end().exits(1);
        assert!(ran.err.contains(&format!("error: the server at {url} cannot be reached")), "{ran}");
    }
}
