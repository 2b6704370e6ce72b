//! A PostgreSQL of our own, for the length of the test run: started once, in a temporary folder, on a Unix socket.
//!
//! Nothing tells a test that it is the last, so the server is minded by a small process that waits for the end of
//! the run, however it ends: of this process or, where every test is a process of its own, of the runner.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::parent_id;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use rustix::fs::{FlockOperation, flock};

/// A running server.
pub(crate) struct Cluster {
    /// Where it lives, its socket too.
    pub(crate) folder: PathBuf,
    /// Where its programs are.
    pub(crate) bin: PathBuf,
}

/// Returns the server of this test run.
pub(crate) fn cluster() -> &'static Cluster {
    static CLUSTER: OnceLock<Cluster> = OnceLock::new();
    CLUSTER.get_or_init(|| match std::env::var("NEXTEST_RUN_ID") {
        Ok(run) => Cluster::shared(&run, parent_id()),
        Err(_) => Cluster::own(),
    })
}

/// Where the newest server's programs are. A test that needs them and returned without them would look like one that passed.
fn installed() -> PathBuf {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut bins: Vec<PathBuf> = versions.map(|version| version.path().join("bin")).collect();
    bins.sort();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut all = bins.into_iter().rev().chain(std::env::split_paths(&path));
    let bin = all.find(|bin| bin.join("initdb").is_file());
    assert!(bin.is_some(), "PostgreSQL is not installed; scripts/test installs it");
    bin.unwrap()
}

impl Cluster {
    /// Starts a server for this process alone.
    pub(crate) fn own() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let id = std::process::id();
        Self::shared(&format!("{id}-{}", NEXT.fetch_add(1, Ordering::Relaxed)), id)
    }

    /// Starts the server of a run, or finds that another process has; it goes with the process named.
    fn shared(run: &str, until: u32) -> Self {
        let folder = std::env::temp_dir().join(format!("hold-pg-{run}"));
        let cluster = Self { folder, bin: installed() };
        let lock = fs::File::create(cluster.folder.with_extension("lock")).unwrap();
        flock(&lock, FlockOperation::LockExclusive).unwrap();
        if !cluster.folder.join("ready").exists() {
            cluster.make(until);
            fs::write(cluster.folder.join("ready"), "").unwrap();
        }
        cluster
    }

    fn make(&self, until: u32) {
        let data = self.folder.join("data");
        fs::create_dir_all(&data).unwrap();
        fs::set_permissions(&self.folder, fs::Permissions::from_mode(0o755)).unwrap();
        fs::set_permissions(&data, fs::Permissions::from_mode(0o700)).unwrap();
        if is_root() {
            let (uid, gid) = postgres_user();
            for path in [&data, &self.folder, &self.folder.with_extension("lock")] {
                chown(path, Some(uid), Some(gid)).unwrap();
            }
        }
        // The minder is there before the server: whatever happens from here on, it is stopped.
        self.mind(until);
        let options = ["--no-sync", "--auth=trust", "--username=hold", "--encoding=UTF8", "--locale=C", "-D"];
        run(as_user(&self.bin.join("initdb")).args(options).arg(&data));
        let settings = format!(
            "listen_addresses = ''\nunix_socket_directories = '{}'\nfsync = off\nfull_page_writes = off\n\
             max_connections = 300\nshared_buffers = 32MB\nlog_min_messages = fatal\n",
            self.folder.display()
        );
        let config = fs::OpenOptions::new().append(true).open(data.join("postgresql.conf"));
        config.and_then(|mut file| file.write_all(settings.as_bytes())).unwrap();
        self.start_server();
    }

    /// Starts the process that stops the server and removes its folder once another process is gone.
    fn mind(&self, until: u32) {
        let script = r#"(while [ -d /proc/"$3" ] || kill -0 "$3" 2>/dev/null; do sleep 0.5; done
            "$1"/pg_ctl -D "$2"/data stop --mode=immediate --silent
            rm -rf "$2" "$2.lock") &"#;
        let mut command = as_user(Path::new("sh"));
        run(command.args(["-c", script, "minder"]).args([&self.bin, &self.folder]).arg(until.to_string()));
    }

    /// Starts the server.
    pub(crate) fn start_server(&self) {
        let log = self.folder.join("data/log");
        run(self.pg_ctl().args(["start", "--wait", "--silent", "-l"]).arg(log));
    }

    /// Stops the server as a crash would: connections are cut, nothing is written back.
    pub(crate) fn crash(&self) {
        run(self.pg_ctl().args(["stop", "--mode=immediate", "--silent"]));
    }

    /// Returns the address of a schema, by host and socket.
    pub(crate) fn address(&self, schema: &str) -> String {
        format!("postgres:///postgres?host={}&user=hold&schema={schema}", self.folder.display())
    }

    fn pg_ctl(&self) -> Command {
        let mut command = as_user(&self.bin.join("pg_ctl"));
        command.arg("-D").arg(self.folder.join("data"));
        command
    }
}

/// Returns a name for a schema that no other test has, in this process or another.
pub(crate) fn fresh_schema() -> String {
    format!("t{:x}", getrandom::u64().unwrap())
}

/// Runs a program as someone whom the server's programs accept: they refuse root.
pub(crate) fn as_user(program: &Path) -> Command {
    let mut command = if is_root() {
        let mut command = Command::new("runuser");
        command.args(["-u", "postgres", "--"]).arg(program);
        command
    } else {
        Command::new(program)
    };
    command.current_dir("/").stdin(Stdio::null());
    command
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

fn postgres_user() -> (u32, u32) {
    let users = fs::read_to_string("/etc/passwd").unwrap();
    let user = users.lines().find(|line| line.starts_with("postgres:")).unwrap();
    let mut ids = user.split(':').skip(2).map(|id| id.parse().unwrap());
    (ids.next().unwrap(), ids.next().unwrap())
}

fn run(command: &mut Command) {
    // Not its output: a server started by pg_ctl would keep the pipe open.
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
    assert!(status.success(), "{command:?}: {status}");
}
