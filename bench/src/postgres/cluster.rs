//! A separate PostgreSQL with default settings: what is acknowledged is on disk.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::Result;
use crate::process::Setup;

/// A running server; dropping it stops the server and removes its folder.
pub(crate) struct Cluster {
    folder: PathBuf,
    socket: PathBuf,
    bin: PathBuf,
}

impl Cluster {
    /// Starts a server beside the other data; none if PostgreSQL is not installed.
    pub(crate) fn start(setup: &Setup) -> Result<Option<Self>> {
        let Some(bin) = installed() else { return Ok(None) };
        // Not inside: the server runs as another user, who may not access that folder.
        let name = format!("bench-postgres-{}", std::process::id());
        let folder = setup.folder.parent().unwrap_or(&setup.folder).join(&name);
        // Socket paths are limited in length, and a build folder may be deep.
        let socket = std::env::temp_dir().join(&name);
        let cluster = Self { folder, socket, bin };
        let data = cluster.folder.join("data");
        fs::create_dir_all(&data)?;
        fs::set_permissions(&data, fs::Permissions::from_mode(0o700))?;
        if let Some((user, group)) = server_user()? {
            for path in [&cluster.folder, &data] {
                chown(path, Some(user), Some(group))?;
            }
        }
        let options = ["--auth=trust", "--username=hold", "--encoding=UTF8", "--locale=C", "-D"];
        run(as_user(&cluster.bin.join("initdb")).args(options).arg(&data))?;
        fs::create_dir_all(&cluster.socket)?;
        fs::set_permissions(&cluster.socket, fs::Permissions::from_mode(0o777))?;
        let settings = format!(
            "listen_addresses = ''\nunix_socket_directories = '{}'\nmax_connections = 100\nshared_buffers = 256MB\n\
             max_wal_size = 4GB\n",
            cluster.socket.display()
        );
        let before = fs::read_to_string(data.join("postgresql.conf"))?;
        fs::write(data.join("postgresql.conf"), format!("{before}\n{settings}"))?;
        let log = data.join("log");
        run(cluster.pg_ctl().args(["start", "--wait", "--silent", "-l"]).arg(log))?;
        Ok(Some(cluster))
    }

    /// Returns the address of the store.
    pub(crate) fn address(&self) -> String {
        format!("postgres:///postgres?host={}&user=hold", self.socket.display())
    }

    fn pg_ctl(&self) -> Command {
        let mut command = as_user(&self.bin.join("pg_ctl"));
        command.arg("-D").arg(self.folder.join("data"));
        command
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let _ = run(self.pg_ctl().args(["stop", "--mode=immediate", "--silent"]));
        let _ = fs::remove_dir_all(&self.folder);
        let _ = fs::remove_dir_all(&self.socket);
    }
}

/// Returns the folder of the newest server's programs.
fn installed() -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut bins: Vec<PathBuf> = versions.map(|version| version.path().join("bin")).collect();
    bins.sort();
    bins.into_iter().rev().find(|bin| bin.join("initdb").is_file())
}

/// Returns the user to run the server as if we are root, because its programs refuse root.
fn server_user() -> Result<Option<(u32, u32)>> {
    if !rustix::process::geteuid().is_root() {
        return Ok(None);
    }
    let users = fs::read_to_string("/etc/passwd")?;
    let user = users.lines().find(|line| line.starts_with("postgres:")).ok_or("there is no user postgres")?;
    let ids: Vec<u32> = user.split(':').skip(2).take(2).filter_map(|id| id.parse().ok()).collect();
    match ids.as_slice() {
        [user, group] => Ok(Some((*user, *group))),
        _ => Err("the user postgres has no number".into()),
    }
}

fn as_user(program: &Path) -> Command {
    let mut command = if rustix::process::geteuid().is_root() {
        let mut command = Command::new("runuser");
        command.args(["-u", "postgres", "--"]).arg(program);
        command
    } else {
        Command::new(program)
    };
    command.current_dir("/").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn run(command: &mut Command) -> Result<()> {
    let status = command.status()?;
    if status.success() { Ok(()) } else { Err(format!("{command:?}: {status}").into()) }
}
