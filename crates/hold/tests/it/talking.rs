//! A client of the Model Context Protocol on the real binary's standard streams: every message is the test's.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::process::TIMEOUT;
use crate::sandbox::Sandbox;

/// `hold mcp` under way.
pub(crate) struct Talking {
    child: Child,
    to: Option<ChildStdin>,
    from: Receiver<Value>,
    next: i64,
    meta: Value,
    /// Messages that came while another was waited for.
    kept: Vec<Value>,
    /// The last line that came.
    last: Arc<Mutex<String>>,
}

impl Talking {
    /// Starts and shakes hands as clients of 2025 do.
    pub(crate) fn legacy(sandbox: &Sandbox, arguments: &[&str]) -> Self {
        Self::shaking(sandbox, arguments, "2025-11-25", &json!({}))
    }

    /// Starts as a client of another name.
    pub(crate) fn named(sandbox: &Sandbox, arguments: &[&str], name: &str) -> Self {
        Self::greeting(sandbox, arguments, "2025-11-25", &json!({}), name)
    }

    /// Starts in a folder.
    pub(crate) fn within(sandbox: &Sandbox, folder: &Path, arguments: &[&str]) -> Self {
        let mut command = sandbox.command(&[&["mcp"], arguments].concat());
        Self::greeted(command.current_dir(folder), "2025-11-25", &json!({}), "test")
    }

    /// Starts and shakes hands on a revision.
    pub(crate) fn shaking(sandbox: &Sandbox, arguments: &[&str], version: &str, can: &Value) -> Self {
        Self::greeting(sandbox, arguments, version, can, "test")
    }

    fn greeting(sandbox: &Sandbox, arguments: &[&str], version: &str, can: &Value, name: &str) -> Self {
        Self::greeted(&mut sandbox.command(&[&["mcp"], arguments].concat()), version, can, name)
    }

    fn greeted(command: &mut Command, version: &str, can: &Value, name: &str) -> Self {
        let mut talking = Self::start(command, json!({}));
        let hello = json!({"protocolVersion": version, "capabilities": can, "clientInfo": {"name": name, "version": "1"}});
        talking.ok("initialize", hello);
        talking.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        talking
    }

    /// Starts; every request says by itself what the client can do.
    pub(crate) fn modern(sandbox: &Sandbox, arguments: &[&str], capabilities: &Value) -> Self {
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": capabilities,
        });
        Self::start(&mut sandbox.command(&[&["mcp"], arguments].concat()), meta)
    }

    fn start(command: &mut Command, meta: Value) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let mut child = command.spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        let (sender, from) = channel();
        let last = Arc::new(Mutex::new(String::new()));
        let shared = Arc::clone(&last);
        std::thread::spawn(move || {
            for line in out.lines().map_while(Result::ok) {
                shared.lock().unwrap().clone_from(&line);
                let message = serde_json::from_str(&line).unwrap_or(Value::String(line));
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let to = child.stdin.take();
        Self { child, to, from, next: 0, meta, kept: Vec::new(), last }
    }

    /// Sends a message as it is.
    pub(crate) fn say(&mut self, message: &Value) {
        self.write(message.to_string().as_bytes());
    }

    /// Sends a line of bytes.
    pub(crate) fn write(&mut self, line: &[u8]) {
        let to = self.to.as_mut().unwrap();
        to.write_all(line).unwrap();
        to.write_all(b"\n").unwrap();
        to.flush().unwrap();
    }

    /// Sends a request and returns its id.
    pub(crate) fn ask(&mut self, method: &str, mut params: Value) -> i64 {
        self.next += 1;
        if let Some(meta) = self.meta.as_object().filter(|meta| !meta.is_empty()) {
            let known = params["_meta"].as_object().cloned().unwrap_or_default();
            params["_meta"] = Value::Object(meta.clone().into_iter().chain(known).collect());
        }
        self.say(&json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params}));
        self.next
    }

    /// Calls a tool under a token for progress and returns the request's id.
    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> i64 {
        let params = json!({"name": tool, "arguments": arguments, "_meta": {"progressToken": "p"}});
        self.ask("tools/call", params)
    }

    /// Waits for the next message.
    #[track_caller]
    pub(crate) fn hear(&mut self) -> Value {
        if !self.kept.is_empty() {
            return self.kept.remove(0);
        }
        self.from.recv_timeout(TIMEOUT).unwrap()
    }

    /// Returns the last line that came, as it was written.
    pub(crate) fn last(&self) -> String {
        self.last.lock().unwrap().clone()
    }

    /// Waits for the answer to a request; what else comes is kept.
    #[track_caller]
    pub(crate) fn answer(&mut self, id: i64) -> Value {
        if let Some(at) = self.kept.iter().position(|message| message["id"] == id) {
            return self.kept.remove(at);
        }
        loop {
            let message = self.from.recv_timeout(TIMEOUT).unwrap();
            if message["id"] == id {
                return message;
            }
            self.kept.push(message);
        }
    }

    /// Sends a request and expects a result.
    #[track_caller]
    pub(crate) fn ok(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        let message = self.answer(id);
        assert!(message.get("result").is_some(), "{method}: {message}");
        message["result"].clone()
    }

    /// Sends a request and expects the protocol's own error.
    #[track_caller]
    pub(crate) fn fault(&mut self, method: &str, params: Value) -> i64 {
        let id = self.ask(method, params);
        let message = self.answer(id);
        message["error"]["code"].as_i64().unwrap_or_else(|| panic!("{method}: {message}"))
    }

    /// Calls a tool that does not hold and returns its structured content.
    #[track_caller]
    pub(crate) fn done(&mut self, tool: &str, arguments: &Value) -> Value {
        let result = self.ok("tools/call", json!({"name": tool, "arguments": arguments}));
        assert_eq!(result.get("isError"), None, "{tool}: {result}");
        result["structuredContent"].clone()
    }

    /// Calls a tool and expects that it fails in words.
    #[track_caller]
    pub(crate) fn fails(&mut self, tool: &str, arguments: &Value) -> String {
        let result = self.ok("tools/call", json!({"name": tool, "arguments": arguments}));
        assert_eq!(result["isError"], true, "{tool}: {result}");
        result["content"][0]["text"].as_str().unwrap().to_owned()
    }

    /// Waits until it tells that it holds, and returns the decision's id.
    #[track_caller]
    pub(crate) fn holding(&mut self) -> String {
        loop {
            let message = self.from.recv_timeout(TIMEOUT).unwrap();
            if message["method"] == "notifications/progress" {
                let words = message["params"]["message"].as_str().unwrap();
                return words.split("decision ").nth(1).unwrap().split(' ').next().unwrap().to_owned();
            }
            self.kept.push(message);
        }
    }

    /// Tells it to end, as a client does that is in a hurry, and waits until it has.
    #[track_caller]
    pub(crate) fn terminate(mut self) {
        kill_process(Pid::from_child(&self.child), Signal::TERM).unwrap();
        let until = Instant::now() + TIMEOUT;
        while self.child.try_wait().unwrap().is_none() {
            assert!(Instant::now() < until, "it does not end");
        }
    }

    /// Closes its input and waits for its end.
    #[track_caller]
    pub(crate) fn end(mut self) {
        drop(self.to.take());
        assert!(self.child.wait().unwrap().success());
    }
}

impl Drop for Talking {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
