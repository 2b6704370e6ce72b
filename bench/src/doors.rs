//! The cost of the interfaces for agents: parking a permission, waking its hook, the first answer of `hold mcp`, and
//! a thousand held calls.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use holdpoint_core::decision::AnswerInput;
use holdpoint_core::{Decision, Status};
use holdpoint_engine::{Client as _, Embedded, Engine, Home, ListQuery, Role};
use tokio::runtime::Runtime;

use crate::parked::memory;
use crate::process::{Running, Setup, time};
use crate::sample::Times;
use crate::table::{Quantity, Row, Target};
use crate::{Extent, Result};

/// How many calls are held at once.
const HELD: usize = 1_000;

pub(crate) fn measure(setup: &Setup, extent: Extent) -> Result<Vec<Row>> {
    let rounds = if extent == Extent::Full { 40 } else { 15 };
    let mut rows = hooks(setup, rounds)?;
    rows.push(first_list(setup, rounds)?);
    rows.push(held(setup)?);
    Ok(rows)
}

/// Parks permissions and answers them, in turn with `hold --version`.
fn hooks(setup: &Setup, rounds: usize) -> Result<Vec<Row>> {
    let home = setup.home("doors");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let engine = runtime.block_on(Engine::open(&home, None, Role::Writer))?;
    let client = Embedded::new(engine, "bench", "bench");
    let (mut parked, mut woken, mut start) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..=rounds {
        let (parking, waking) = permission(setup, &home, &runtime, &client)?;
        let version = time(setup.hold(&home, &["--version"]))?;
        // The first turn is a warm-up.
        if round > 0 {
            parked.push(parking);
            woken.push(waking);
            start.push(version);
        }
    }
    let (parked, woken, start) = (Times::new(parked), Times::new(woken), Times::new(start));
    let peer = || Some((Quantity::Time(start.median()), "hold --version"));
    Ok(vec![
        row("hook: Claude Code calls → permission parked, p50", parked.median(), peer(), 25),
        row("hook: answer sent → hook has ended, p50", woken.median(), peer(), 30),
    ])
}

/// Returns how long it took until a permission was asked for, and from its answer until the hook had ended.
fn permission(
    setup: &Setup,
    home: &Home,
    runtime: &Runtime,
    client: &Embedded,
) -> Result<(Duration, Duration)> {
    const INPUT: &str = r#"{"session_id":"bench","cwd":"/","hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":"true"}}"#;
    let store = client.engine().store();
    let before = runtime.block_on(store.head())?.seq;
    let mut changed = store.watch()?;
    changed.mark_unchanged();
    let mut command = setup.hold(home, &["hook", "claude", "PermissionRequest"]);
    let start = Instant::now();
    let mut hook = Running(command.stdin(Stdio::piped()).spawn()?);
    hook.0.stdin.take().ok_or("no standard input")?.write_all(INPUT.as_bytes())?;
    while runtime.block_on(store.head())?.seq == before {
        runtime
            .block_on(async { tokio::time::timeout(Duration::from_millis(20), changed.changed()).await })
            .map_or(Ok(()), |signal| signal)?;
    }
    let parked = start.elapsed();
    let asked = pending(runtime, client)?;
    // Let the asker go to sleep first.
    std::thread::sleep(Duration::from_millis(30));
    let digest = Some(asked.digest);
    let input = AnswerInput { choice: Some("approve".into()), digest, ..AnswerInput::default() };
    let start = Instant::now();
    runtime.block_on(client.answer(asked.id, input))?;
    let ended = hook.0.wait()?;
    let woken = start.elapsed();
    if ended.success() { Ok((parked, woken)) } else { Err("the hook failed".into()) }
}

fn pending(runtime: &Runtime, client: &Embedded) -> Result<Decision> {
    let query = ListQuery { statuses: vec![Status::Pending], limit: 1, ..ListQuery::default() };
    let listed = runtime.block_on(client.list(&query))?;
    Ok(listed.items.into_iter().next().ok_or("nothing is pending")?)
}

/// Measures from the start of `hold mcp` until it has listed its tools.
fn first_list(setup: &Setup, rounds: usize) -> Result<Row> {
    let home = setup.home("doors-mcp");
    let [listed, start] = crate::sample::in_turn(
        rounds,
        [&mut || list(setup.hold(&home, &["mcp"])), &mut || time(setup.hold(&home, &["--version"]))],
    )?;
    let peer = Some((Quantity::Time(start.median()), "hold --version"));
    Ok(row("mcp: starts → tools/list answered, p50", listed.median(), peer, 50))
}

fn list(mut command: Command) -> Result<Duration> {
    let start = Instant::now();
    let mut agent = Running(command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?);
    let mut to = agent.0.stdin.take().ok_or("no standard input")?;
    to.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n")?;
    let mut line = String::new();
    BufReader::new(agent.0.stdout.take().ok_or("no standard output")?).read_line(&mut line)?;
    let took = start.elapsed();
    if line.contains("approval_prompt") { Ok(took) } else { Err(format!("no tools: {line}").into()) }
}

/// Measures what a thousand held calls cost the server.
fn held(setup: &Setup) -> Result<Row> {
    raise_limit()?;
    let home = setup.home("doors-held");
    let mut command = setup.hold(&home, &["serve", "--no-auth", "--listen", "127.0.0.1:0"]);
    let mut server = Running(command.stderr(Stdio::piped()).spawn()?);
    let address = listening(&mut server.0)?;
    ask(&address, "0s")?.read_to_end(&mut Vec::new())?;
    let before = memory(server.0.id())?;
    let mut calls = Vec::with_capacity(HELD);
    for _ in 0..HELD {
        calls.push(ask(&address, "10m")?);
    }
    let timeout = Instant::now() + Duration::from_secs(30);
    while !metrics(&address)?.contains(&format!("hold_waiters {HELD}\n")) {
        if Instant::now() > timeout {
            return Err("not all calls are held".into());
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let after = memory(server.0.id())?;
    Ok(Row {
        what: format!("mcp: {HELD} calls held on one node, memory beyond an idle server"),
        measured: Quantity::Memory((after - before).max(0.0)),
        peer: Some((Quantity::Memory(before), "idle server")),
        target: Target::Under(Quantity::Memory(50.0 * 1024.0)),
    })
}

fn listening(server: &mut Child) -> Result<String> {
    let mut lines = BufReader::new(server.stderr.take().ok_or("no standard error")?).lines();
    let line = lines.next().ok_or("the server says nothing")??;
    // Further output must not fill the pipe.
    std::thread::spawn(move || lines.for_each(drop));
    Ok(line.rsplit("http://").next().unwrap_or_default().to_owned())
}

fn ask(address: &str, wait: &str) -> Result<TcpStream> {
    let body = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"ask","arguments":{{"prompt":"Which?","options":["a","b"],"wait":"{wait}"}}}}}}"#
    );
    let head = format!(
        "POST /mcp HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    let mut stream = TcpStream::connect(address)?;
    stream.write_all(head.as_bytes())?;
    stream.write_all(body.as_bytes())?;
    Ok(stream)
}

fn metrics(address: &str) -> Result<String> {
    let mut stream = TcpStream::connect(address)?;
    write!(stream, "GET /metrics HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")?;
    let mut text = String::new();
    stream.read_to_string(&mut text)?;
    Ok(text)
}

/// Raises the limit of open connections of this process and the server to the maximum.
fn raise_limit() -> Result<()> {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    Ok(setrlimit(Resource::Nofile, limit)?)
}

fn row(what: &str, measured: Duration, peer: Option<(Quantity, &'static str)>, under: u64) -> Row {
    Row {
        what: what.to_owned(),
        measured: Quantity::Time(measured),
        peer,
        target: Target::Under(Quantity::Time(Duration::from_millis(under))),
    }
}
