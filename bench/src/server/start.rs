//! Starts the measured programs, each in a separate process: the real server, the minimal one, and Redis.

use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use holdpoint_engine::Home;
use serde_json::{Value, json};

use super::wire::{Resp, Wire};
use crate::Result;
use crate::process::{Running, Setup, quiet};

/// How long a server may take until it listens.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Connections stay open between measurements, however long those take; and one credential does the work of many.
const SETTINGS: &str =
    "[server]\ntimeout = \"1h\"\n\n[limits]\nper_second = 0\nmegabytes_per_hour = 0\npending = 1000000\n";

/// A running server.
#[derive(Debug)]
pub(crate) struct Server {
    running: Running,
    /// Host and port.
    pub(crate) address: String,
}

impl Server {
    /// Starts a program that prints its address on standard error.
    pub(crate) fn start(mut command: Command) -> Result<Self> {
        let mut running = Running(command.stderr(Stdio::piped()).spawn()?);
        let stderr = running.0.stderr.take().ok_or("no standard error")?;
        let mut lines = BufReader::new(stderr).lines();
        for line in lines.by_ref() {
            if let Some(address) = line?.strip_prefix("Listening on http://") {
                // Later output is read, so that the program does not block on it.
                let address = address.to_owned();
                std::thread::spawn(move || lines.for_each(drop));
                return Ok(Self { running, address });
            }
        }
        Err(format!("{command:?} did not listen").into())
    }

    /// Returns the process id.
    pub(crate) fn process(&self) -> u32 {
        self.running.0.id()
    }
}

/// Starts the minimal HTTP server.
pub(crate) fn echo(setup: &Setup) -> Result<Server> {
    Server::start(quiet(&setup.bin.join("echo"), &[]))
}

/// The real server, and its clients: an asker and an answerer.
#[derive(Debug)]
pub(crate) struct Hold {
    pub(crate) server: Server,
    pub(crate) agent: String,
    pub(crate) person: String,
    admin: Wire,
}

impl Hold {
    /// Starts `hold serve` on a data folder and creates the tokens.
    pub(crate) async fn start(setup: &Setup, home: &Home) -> Result<Self> {
        Self::start_with(setup, home, "").await
    }

    /// Like [`Self::start`], with additional settings.
    pub(crate) async fn start_with(setup: &Setup, home: &Home, more: &str) -> Result<Self> {
        std::fs::create_dir_all(home.path())?;
        std::fs::write(home.path().join("config.toml"), format!("{SETTINGS}{more}"))?;
        let server = Server::start(setup.hold(home, &["serve", "--listen", "127.0.0.1:0"]))?;
        let local = std::fs::read_to_string(home.path().join("local.token"))?;
        let mut admin = Wire::connect(&server.address, local.trim()).await?;
        let agent = make_token(&mut admin, "asker", "agent").await?;
        let person = make_token(&mut admin, "ana", "person").await?;
        Ok(Self { server, agent, person, admin })
    }

    /// Creates a token for another person.
    pub(crate) async fn another_person(&mut self, name: &str) -> Result<String> {
        make_token(&mut self.admin, name, "person").await
    }

    /// Connects the asker.
    pub(crate) async fn asker(&self) -> Result<Wire> {
        Wire::connect(&self.server.address, &self.agent).await
    }

    /// Connects the follower of events.
    pub(crate) async fn follower(&self) -> Result<Wire> {
        let mut wire = self.answerer().await?;
        wire.follow("/v1/events").await?;
        Ok(wire)
    }

    /// Connects the answerer.
    pub(crate) async fn answerer(&self) -> Result<Wire> {
        Wire::connect(&self.server.address, &self.person).await
    }
}

async fn make_token(admin: &mut Wire, name: &str, role: &str) -> Result<String> {
    let new = json!({"name": name, "role": role}).to_string();
    let made: Value = serde_json::from_slice(&admin.ask("POST", "/v1/tokens", &new).await?)?;
    Ok(made["secret"].as_str().ok_or("a token without a secret")?.to_owned())
}

/// Starts Redis with a log that is synced at every write; none if it is not installed.
pub(crate) async fn redis(setup: &Setup) -> Result<Option<Server>> {
    let folder = setup.folder.join("redis");
    std::fs::create_dir_all(&folder)?;
    // Redis does not report which port it took, so it gets one that was free a moment ago.
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port().to_string();
    let mut command = quiet("redis-server".as_ref(), &["--bind", "127.0.0.1", "--port", &port]);
    command.args(["--appendonly", "yes", "--appendfsync", "always", "--save", "", "--maxclients", "20000"]);
    let running = match command.arg("--dir").arg(&folder).spawn() {
        Ok(child) => Running(child),
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(why) => return Err(why.into()),
    };
    let server = Server { running, address: format!("127.0.0.1:{port}") };
    let start = Instant::now();
    while start.elapsed() < TIMEOUT {
        if let Ok(mut connection) = Resp::connect(&server.address).await {
            connection.send(&[&["PING"]]).await?;
            if connection.receive(1).await.is_ok() {
                return Ok(Some(server));
            }
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    Err("redis-server did not listen".into())
}
