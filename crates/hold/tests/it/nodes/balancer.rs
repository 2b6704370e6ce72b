//! A small proxy in front of several nodes: each connection goes to the first that takes it.

use std::io::Read as _;
use std::io::Write as _;
use std::net::{Shutdown, TcpListener, TcpStream};

/// A proxy; it ends with the test.
pub(super) struct Balancer {
    port: u16,
}

impl Balancer {
    pub(super) fn start(nodes: &[&str]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let nodes: Vec<String> = nodes.iter().map(|&node| node.to_owned()).collect();
        std::thread::spawn(move || {
            for client in listener.incoming() {
                let node = nodes.iter().find_map(|node| TcpStream::connect(node).ok());
                if let (Ok(client), Some(node)) = (client, node) {
                    carry(&client, &node);
                    carry(&node, &client);
                }
            }
        });
        Self { port }
    }

    pub(super) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }
}

/// Carries one direction until either side ends; then both are closed.
fn carry(from: &TcpStream, to: &TcpStream) {
    let (mut from, mut to) = (from.try_clone().unwrap(), to.try_clone().unwrap());
    std::thread::spawn(move || {
        let mut bytes = [0; 16 << 10];
        while let Ok(length @ 1..) = from.read(&mut bytes) {
            if to.write_all(&bytes[..length]).is_err() {
                break;
            }
        }
        let _ = (to.shutdown(Shutdown::Both), from.shutdown(Shutdown::Both));
    });
}
