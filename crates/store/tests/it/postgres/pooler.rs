//! A pooler (`PgBouncer`) in transaction mode: everything works but listening, and that is said.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use holdpoint_core::{Actor, Timestamp};
use holdpoint_store::conformance::{choose, question};
use holdpoint_store::postgres::{self, Address};
use holdpoint_store::{Options, Repair, Store, Submission};

use super::bench::Schema;
use super::cluster::{as_user, cluster};

const TIMEOUT: Duration = Duration::from_secs(20);

/// A pooler in front of the server, with a socket of its own.
struct Pooler {
    folder: tempfile::TempDir,
    child: Child,
}

impl Pooler {
    /// Starts it.
    fn start(cluster: &Path) -> Self {
        let program = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/opt/homebrew/bin/pgbouncer"];
        let program = program.iter().map(Path::new).find(|path| path.exists());
        assert!(program.is_some(), "PgBouncer is not installed; scripts/test installs it");
        let program = program.unwrap();
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path().display();
        let settings = format!(
            "[databases]\npostgres = user=hold host={}\n[pgbouncer]\nlisten_addr =\nunix_socket_dir = {at}\nlisten_port = 6432\n\
             pool_mode = transaction\nauth_type = any\ndefault_pool_size = 4\npidfile = {at}/pid\n",
            cluster.display()
        );
        std::fs::write(folder.path().join("settings"), settings).unwrap();
        super::tls::give(folder.path(), cluster);
        let mut command: Command = as_user(program);
        let child = command
            .args(["-q"])
            .arg(folder.path().join("settings"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let pooler = Self { folder, child };
        let end = std::time::Instant::now() + TIMEOUT;
        // The socket is there a moment before anybody listens at it.
        while std::os::unix::net::UnixStream::connect(pooler.folder.path().join(".s.PGSQL.6432")).is_err() {
            assert!(std::time::Instant::now() < end, "the pooler does not start");
            std::thread::yield_now();
        }
        pooler
    }

    fn address(&self, schema: &str) -> String {
        let at = self.folder.path().display();
        format!("postgres:///postgres?host={at}&port=6432&user=hold&prepared_statements=off&schema={schema}")
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        // Not the child: that may be who started it as another user.
        let pid = std::fs::read_to_string(self.folder.path().join("pid")).ok();
        let pid = pid.and_then(|pid| rustix::process::Pid::from_raw(pid.trim().parse().ok()?));
        if let Some(pid) = pid {
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
        }
        let _ = self.child.wait();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_nothing_is_told_one_looks() {
    let cluster = cluster();
    let pooler = Pooler::start(&cluster.folder);
    let schema = Schema::new(cluster);
    let address = Address::parse(&pooler.address(&schema.name)).unwrap();
    let through = postgres::open(address, Options::default()).await.unwrap();
    let mut seen = through.watch().unwrap();
    let direct = schema.store().await;
    let submission =
        |command| Submission::new(command, Actor::claimed("ana", "cli"), Timestamp::from_millis(0));
    let create = holdpoint_core::Command::Create(Box::new(question()));
    let id = direct.submit(submission(create)).await.unwrap().decision.unwrap().id;
    tokio::time::timeout(TIMEOUT, seen.wait_for(|seq| *seq >= 1)).await.unwrap().unwrap();
    // It also writes through the pooler, and again and again.
    through.submit(submission(choose(id, "a"))).await.unwrap();
    for _ in 0..10 {
        let create = holdpoint_core::Command::Create(Box::new(question()));
        through.submit(submission(create)).await.unwrap();
    }
    let found = through.inspect(Repair::No).await.unwrap();
    assert_eq!((found.findings, found.remarks.len()), (Vec::<String>::new(), 1));
    assert!(found.remarks[0].contains("does not support LISTEN"), "{:?}", found.remarks);
    assert_eq!(direct.inspect(Repair::No).await.unwrap().remarks, Vec::<String>::new());
}
