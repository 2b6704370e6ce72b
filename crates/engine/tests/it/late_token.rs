//! A server listens a moment before it says how to come in: who came too early comes again, and nobody else does.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};

use holdpoint_core::{Command, Role, Status};
use holdpoint_engine::{Client as _, Error, Http, OpeningClient, ServerLocator};
use serde_json::json;

use crate::scene::{Scene, question};

/// Knows the token from some time on.
#[derive(Default)]
struct Published(AtomicBool);

impl ServerLocator for Published {
    fn find(&self) -> Option<String> {
        None
    }

    fn token(&self, _: &str) -> Option<String> {
        self.0.load(Ordering::SeqCst).then(|| "secret".to_owned())
    }

    fn open(&self) -> OpeningClient<'_> {
        Box::pin(async { None })
    }

    fn lost(&self, why: &str) {
        panic!("it was there: {why}");
    }
}

/// Answers each request by what it carries, and tells what that was. The token is there from then on where it is written.
fn serve(
    settled: String,
    token_file: Arc<Published>,
    is_written: bool,
) -> (String, Receiver<Option<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (sender, requests) = channel();
    let sender = Mutex::new(sender);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream: TcpStream = stream.unwrap();
            let lines = BufReader::new(stream.try_clone().unwrap()).lines().map(Result::unwrap);
            let head: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
            let token = head.iter().find_map(|line| line.strip_prefix("authorization: Bearer "));
            let unknown = json!({"type": "about:blank", "title": "Unauthorized", "status": 401,
                "code": "unauthorized", "detail": "this needs a token"});
            let (status, body) = match token {
                Some("secret") => ("200 OK", settled.clone()),
                _ => ("401 Unauthorized", unknown.to_string()),
            };
            // It is written after the request has come in, and before its answer goes out.
            token_file.0.fetch_or(is_written, Ordering::SeqCst);
            let length = body.len();
            let reply =
                format!("HTTP/1.1 {status}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}");
            // Noted before the answer goes out: the client may look as soon as it has it.
            if sender.lock().unwrap().send(token.map(str::to_owned)).is_err() {
                return;
            }
            stream.write_all(reply.as_bytes()).unwrap();
        }
    });
    (address, requests)
}

#[tokio::test]
async fn who_came_before_the_token_comes_again_with_it() {
    let scene = Scene::new();
    let agent = scene.holder("codex", Role::Agent, &[]).await;
    let id = scene.ask(&agent, question()).await.id;
    let cancel = Command::Cancel { id, reason: None };
    scene.engine.submit_for(&agent, cancel, None).await.unwrap();
    let settled =
        serde_json::to_string(&scene.engine.find_for(&agent, &id.to_string()).await.unwrap()).unwrap();
    let table: [(bool, bool, &[Option<&str>], bool); 3] = [
        // The token is there by the time of the answer.
        (false, true, &[None, Some("secret")], true),
        // It never is: one request, and no more.
        (false, false, &[None], false),
        // It was there before.
        (true, false, &[Some("secret")], true),
    ];
    let cases = table.iter().flat_map(|&row| [(row, true), (row, false)]);
    for ((before, is_written, wanted, comes), holds) in cases {
        let published = Arc::new(Published(AtomicBool::new(before)));
        let (address, requests) = serve(settled.clone(), Arc::clone(&published), is_written);
        let client = Http::new(&address, None).unwrap().known_to(published);
        let read = if holds { client.wait(id, None).await } else { client.get(&id.to_string()).await };
        match read {
            Ok(decision) => assert!(comes && decision.status == Status::Cancelled, "{decision:?}"),
            Err(Error::Remote(problem)) => assert!(!comes && problem.status == 401, "{problem:?}"),
            Err(error) => panic!("{error}"),
        }
        let came: Vec<_> = requests.try_iter().collect();
        assert_eq!(came.iter().map(Option::as_deref).collect::<Vec<_>>(), wanted);
    }
    // A token that is given and not known is wrong, and stays so.
    let published = Arc::new(Published::default());
    let (address, requests) = serve(settled, Arc::clone(&published), true);
    let client = Http::new(&address, Some("wrong".into())).unwrap().known_to(published);
    assert!(matches!(client.wait(id, None).await, Err(Error::Remote(problem)) if problem.status == 401));
    assert_eq!(requests.try_iter().count(), 1);
}
