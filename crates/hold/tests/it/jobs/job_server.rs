//! A server that supervises jobs, and short ways to say common things.

use std::path::PathBuf;
use std::time::Instant;

use rustix::process::Pid;
use serde_json::{Value, json};

use crate::fake_agent::fake_agent;
use crate::process::TIMEOUT;
use crate::sandbox::{HOLD, Sandbox};
use crate::server::Api;
use crate::serving::Serving;
use crate::terminal::{Colour, Terminal};

pub(crate) struct JobServer {
    pub(crate) sandbox: Sandbox,
    pub(crate) server: Option<Serving>,
}

/// An agent that plays steps, with more said about it in JSON.
pub(crate) fn agent(steps: &[&str], more: Value) -> Value {
    let mut words = vec![format!("exec {} --keys \"$HOLD_STEP.keys\"", fake_agent().display())];
    words.extend(steps.iter().map(|step| format!("'{}'", step.replace('\'', r"'\''"))));
    let mut agent = json!({ "run": words.join(" "), "idle_after": "1s" });
    if let (Some(to), Value::Object(more)) = (agent.as_object_mut(), more) {
        to.extend(more);
    }
    agent
}

impl JobServer {
    #[track_caller]
    pub(crate) fn new() -> Self {
        let sandbox = Sandbox::new().looking();
        let server = Serving::start(&sandbox);
        Self { sandbox, server: Some(server) }
    }

    /// Kills the server and starts another.
    #[track_caller]
    pub(crate) fn restart(&mut self) {
        if let Some(server) = self.server.take() {
            server.kill();
        }
        self.server = Some(Serving::start(&self.sandbox));
    }

    /// The same where the other was, for those who hold on to it.
    #[track_caller]
    pub(crate) fn restart_in_place(&mut self) {
        let server = self.server.take().unwrap();
        let address = server.url.strip_prefix("http://").unwrap().to_owned();
        server.kill();
        self.server = Some(Serving::start_at(&self.sandbox, &address));
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.sandbox.path(name)
    }

    /// Writes a runbook with one job: the agent's step, then one that leaves a file.
    pub(crate) fn book(&self, agent: &Value) -> String {
        let book = json!({
            "job": {"build": {"steps": [
                {"name": "work", "run": {"agent": "w"}},
                {"name": "after", "run": "echo ${job.id} >> after.txt"},
            ]}},
            "agent": {"w": agent},
        });
        self.sandbox.file("book.json", book.to_string())
    }

    /// Starts that job and returns its id.
    #[track_caller]
    pub(crate) fn start(&self, agent: &Value) -> String {
        let book = self.book(agent);
        self.sandbox.ok(&["job", "start", &book])
    }

    /// Starts the agent alone.
    #[track_caller]
    pub(crate) fn start_crew(&self, agent: &Value) -> String {
        let book = self.book(agent);
        self.sandbox.ok(&["job", "start", &book, "--agent", "w"])
    }

    #[track_caller]
    pub(crate) fn job(&self, id: &str) -> Value {
        self.sandbox.json(&["job", "show", id, "--json"])
    }

    /// Waits until a job is as wanted.
    #[track_caller]
    pub(crate) fn until(&self, id: &str, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            let ran = self.sandbox.run(&["job", "show", id, "--json"]);
            if ran.code == 0 {
                let job = ran.json();
                if wanted(&job) {
                    return job;
                }
                assert!(
                    Instant::now() < deadline,
                    "{what} does not come; {job:#}\n{}",
                    self.sandbox.run(&["job", "show", id]).out
                );
            }
            assert!(Instant::now() < deadline, "{what} does not come: {ran}");
        }
    }

    #[track_caller]
    pub(crate) fn until_status(&self, id: &str, status: &str) -> Value {
        self.until(id, status, |job| job["status"] == status)
    }

    /// Waits until a person is asked, and returns the decision.
    #[track_caller]
    pub(crate) fn asked(&self, id: &str) -> Value {
        let pending = |job: &Value| {
            let all = job["decisions"].as_array().unwrap();
            all.iter().find(|one| one["status"] == "pending").cloned()
        };
        let job = self.until(id, "a decision", |job| job["status"] == "waiting" && pending(job).is_some());
        pending(&job).unwrap()
    }

    /// Waits until a person is asked for a reason, and returns the decision.
    #[track_caller]
    pub(crate) fn asked_for(&self, id: &str, source: &str) -> Value {
        let decision = self.asked(id);
        assert_eq!(decision["source"], source, "{decision:#}");
        decision
    }

    #[track_caller]
    pub(crate) fn answer(&self, decision: &Value, choice: &str, more: &[&str]) {
        let id = decision["id"].as_str().unwrap();
        self.sandbox.ok(&[&["answer", id, choice], more].concat());
    }

    /// What was typed into the agent of a step so far.
    pub(crate) fn typed(&self, step: &str) -> String {
        let bytes = std::fs::read(self.path(&format!("{step}.keys"))).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Waits until something was typed.
    #[track_caller]
    pub(crate) fn until_typed(&self, text: &str) {
        let deadline = Instant::now() + TIMEOUT;
        while !self.typed("work").contains(text) {
            assert!(Instant::now() < deadline, "{text:?} is not typed: {:?}", self.typed("work"));
        }
    }

    /// The folder of the session that a job has, or had last.
    #[track_caller]
    pub(crate) fn session(&self, id: &str) -> PathBuf {
        let job = self.job(id);
        let last = job["history"].as_array().unwrap().last().unwrap();
        self.sandbox.home().join("sessions").join(last["agent_id"].as_str().unwrap())
    }

    /// The process that holds its terminal.
    #[track_caller]
    pub(crate) fn host(&self, id: &str) -> Pid {
        let text = std::fs::read_to_string(self.session(id).join("session.json")).unwrap();
        let session: Value = serde_json::from_str(&text).unwrap();
        Pid::from_raw(i32::try_from(session["host"]["pid"].as_i64().unwrap()).unwrap()).unwrap()
    }

    /// Types as a person who joined the terminal does.
    #[track_caller]
    pub(crate) fn type_by_hand(&self, id: &str, shown: &str, keys: &str) {
        let attach = ["job", "attach", id];
        let mut terminal = Terminal::sized(&self.sandbox, HOLD, &attach, Colour::No, (24, 80));
        terminal.shows(shown);
        terminal.press(keys);
        terminal.press("\u{1d}");
        assert_eq!(terminal.end(), 0);
    }

    /// Nobody, over HTTP.
    pub(crate) fn nobody(&self) -> Api {
        Api::at(self.server.as_ref().unwrap().url.strip_prefix("http://").unwrap())
    }

    /// A caller that can read the local token, over HTTP.
    pub(crate) fn api(&self) -> Api {
        let token = std::fs::read_to_string(self.sandbox.home().join("local.token")).unwrap();
        self.nobody().bearing(token.trim())
    }

    /// Returns the tags of events that happened to a job, in order.
    pub(crate) fn tags(&self) -> Vec<String> {
        self.sandbox.tags()
    }
}

impl Drop for JobServer {
    /// No agent may outlive the test.
    fn drop(&mut self) {
        // A test may have a server of its own.
        let served = self.sandbox.run(&["oj", "status"]).out.starts_with("Server at ");
        if self.server.is_none() && !served {
            self.server = Some(Serving::start(&self.sandbox));
        }
        let jobs = self.sandbox.run(&["job", "list", "--json"]);
        if let Ok(Value::Array(jobs)) = serde_json::from_str(&jobs.out) {
            let ids: Vec<&str> = jobs.iter().filter_map(|job| job["id"].as_str()).collect();
            for id in &ids {
                self.sandbox.run(&["job", "cancel", id]);
            }
            for id in &ids {
                self.sandbox.run(&["job", "wait", id, "--timeout", "10s"]);
            }
        }
    }
}
