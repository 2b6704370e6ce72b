//! Who the server is and who we are: certificates, passwords, and words that help where either is wrong.

use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::path::Path;
use std::process::{Command, Stdio};

use holdpoint_store::postgres::{self, Address, Postgres};
use holdpoint_store::{Error, Options, Store};

use super::cluster::{Cluster, fresh_schema};

/// Makes a root, and a certificate of it for `localhost`; returns the file of the root.
fn certificates(folder: &Path) -> String {
    let openssl = |arguments: &str| {
        let mut command = Command::new("openssl");
        command.args(arguments.split(' ')).current_dir(folder).stderr(Stdio::null());
        assert!(command.status().unwrap().success(), "openssl {arguments}");
    };
    let new = "req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
    openssl(&format!("{new} -x509 -keyout ca.key -out ca.pem -subj /CN=root -days 2"));
    openssl(&format!("{new} -keyout server.key -out server.csr -subj /CN=localhost"));
    std::fs::write(folder.join("names"), "subjectAltName=DNS:localhost\n").unwrap();
    openssl(
        "x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out server.pem -days 2 -extfile names",
    );
    folder.join("ca.pem").display().to_string()
}

/// Gives a file or folder to the owner of another.
pub(super) fn give(path: &Path, like: &Path) {
    let owner = std::fs::metadata(like).unwrap();
    chown(path, Some(owner.uid()), Some(owner.gid())).unwrap();
}

/// Has the server restarted with more settings, and with more lines of who may come in how.
fn set(cluster: &Cluster, settings: &str, doors: &str) {
    let data = cluster.folder.join("data");
    let edit = |name: &str, edit: &dyn Fn(&str) -> String| {
        let path = data.join(name);
        let text = edit(&std::fs::read_to_string(&path).unwrap());
        std::fs::write(&path, text).unwrap();
    };
    // The last setting counts, and the first door that fits.
    edit("postgresql.conf", &|before| format!("{before}\n{settings}\n"));
    edit("pg_hba.conf", &|before| format!("{doors}\n{before}"));
    cluster.crash();
    cluster.start_server();
}

async fn open(url: &str) -> Result<Postgres, Error> {
    postgres::open(Address::parse(url)?, Options::default()).await
}

#[track_caller]
fn says(opened: Result<Postgres, Error>, words: &[&str]) {
    let error = opened.unwrap_err();
    let text = error.to_string();
    assert!(words.iter().all(|word| text.contains(word)) && !text.contains("s3cret"), "{error:?}");
    assert!(matches!(error, Error::Unsuitable(_)), "{error:?}");
}

#[tokio::test]
async fn the_line_is_private_and_leads_to_whom_it_should() {
    let cluster = Cluster::own();
    let folder = tempfile::tempdir().unwrap();
    let root = certificates(folder.path());
    for name in ["server.pem", "server.key"] {
        let to = cluster.folder.join(name);
        std::fs::copy(folder.path().join(name), &to).unwrap();
        std::fs::set_permissions(&to, std::fs::Permissions::from_mode(0o600)).unwrap();
        give(&to, &cluster.folder);
    }
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let at = cluster.folder.display();
    let settings = format!(
        "listen_addresses = '127.0.0.1'\nport = {port}\nssl = on\nssl_cert_file = '{at}/server.pem'\nssl_key_file = '{at}/server.key'"
    );
    set(
        &cluster,
        &settings,
        "hostssl all guarded 127.0.0.1/32 scram-sha-256\nhostnossl all hold 127.0.0.1/32 reject",
    );
    let schema = fresh_schema();
    let url =
        |host: &str, more: &str| format!("postgres://hold@{host}:{port}/postgres?schema={schema}&{more}");
    let store = open(&url("127.0.0.1", "sslmode=require")).await.unwrap();
    assert_eq!(store.head().await.unwrap().seq, 0);
    open(&url("127.0.0.1", "sslmode=prefer")).await.unwrap();
    open(&url("localhost", &format!("sslmode=verify-full&sslrootcert={root}"))).await.unwrap();
    // Not the name that it is certified for, a root that the system does not know, no privacy.
    says(
        open(&url("127.0.0.1", &format!("sslrootcert={root}"))).await,
        &["no encrypted connection", "certificate"],
    );
    says(
        open(&url("localhost", "sslmode=verify-full")).await,
        &["no encrypted connection", "sslrootcert=FILE"],
    );
    says(open(&url("127.0.0.1", "sslmode=disable")).await, &["refuses the sign-in"]);
    // Who we are.
    let socket = format!("postgres://hold@/postgres?host={at}&port={port}");
    let (client, carrier) = tokio_postgres::connect(&socket, tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(carrier);
    client.batch_execute("CREATE ROLE guarded LOGIN PASSWORD 's3cret'").await.unwrap();
    let guarded = |password: &str, base: &str| {
        format!("postgres://guarded:{password}@127.0.0.1:{port}/{base}?sslmode=require&schema={schema}")
    };
    says(open(&guarded("wrong-s3cret", "postgres")).await, &["password authentication failed", "%XX"]);
    says(open(&guarded("s3cret", "nowhere")).await, &["nowhere", "createdb"]);
    says(open(&guarded("s3cret", "postgres")).await, &["permission denied", "grant"]);
}

#[tokio::test]
async fn a_host_that_is_not_there_is_out_of_reach() {
    for host in ["db.invalid", "127.0.0.1:1"] {
        let error =
            open(&format!("postgres://hold:s3cret@{host}/postgres?connect_timeout=2")).await.unwrap_err();
        assert!(matches!(error, Error::Unreachable(_)), "{error:?}");
        assert!(!format!("{error} {error:?}").contains("s3cret"));
    }
}
