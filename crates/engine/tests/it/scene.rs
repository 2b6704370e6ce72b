//! An engine on a store of its own, with a clock that stands until it is moved.

use std::sync::Arc;

use holdpoint_core::decision::New;
use holdpoint_core::{Command, Decision, Field, Kind, Opt, Refusal, Role, Span, Timestamp};
use holdpoint_engine::auth::{Caller, LinkError, Links, NewPerson, NewToken, Password};
use holdpoint_engine::{Clock, Engine, Error, Home, Result, Settings};
use holdpoint_store::{Options, sqlite};

pub(crate) struct Scene {
    pub(crate) engine: Engine,
    pub(crate) links: Links,
    pub(crate) home: Home,
    pub(crate) clock: Clock,
    _folder: tempfile::TempDir,
}

pub(crate) const PASSWORD: &str = "correct horse battery";

impl Scene {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::at(folder.path().join("home"));
        let store = sqlite::open(&home.store(), Options::default()).unwrap();
        let clock = Clock::fixed(Timestamp::from_millis(1_800_000_000_000));
        let engine = Engine::new(Arc::new(store), clock.clone(), Settings::default());
        let links = Links::load_or_make(&home).unwrap();
        Self { engine, links, home, clock, _folder: folder }
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    pub(crate) fn pass(&self, seconds: i64) {
        self.clock.advance(Span::from_secs(seconds));
    }

    pub(crate) fn root() -> Caller {
        Caller::claimed("root", "cli")
    }

    /// Makes a token and returns who holds it.
    pub(crate) async fn holder(&self, name: &str, role: Role, projects: &[&str]) -> Caller {
        let new = NewToken {
            name: name.into(),
            role,
            projects: owned(projects),
            permissions: vec![],
            lasts: None,
            owner: None,
        };
        let made = self.engine.create_token(&Self::root(), new).await.unwrap();
        self.engine.authenticate_token(&made.secret.reveal(), "http").await.unwrap().unwrap()
    }

    pub(crate) async fn person(&self, name: &str, role: Role, projects: &[&str]) {
        self.engine.put_person(&Self::root(), new_person(name, role, projects)).await.unwrap();
    }

    pub(crate) async fn ask(&self, caller: &Caller, new: New) -> Decision {
        let outcome = self.engine.submit_for(caller, Command::Create(Box::new(new)), None).await;
        outcome.unwrap().decision.unwrap().into_decision()
    }
}

pub(crate) fn new_person(name: &str, role: Role, projects: &[&str]) -> NewPerson {
    NewPerson {
        name: name.into(),
        role,
        email: None,
        projects: owned(projects),
        password: Some(Password::new(PASSWORD)),
    }
}

pub(crate) fn question() -> New {
    let options = vec![Opt::new("yes", "Yes"), Opt::new("no", "No")];
    New {
        prompt: Some("Go?".into()),
        fields: vec![Field::offering("choice", Kind::Choice, "Go?", options)],
        ..New::default()
    }
}

pub(crate) fn refusal<T: std::fmt::Debug>(result: Result<T>) -> Refusal {
    match result {
        Err(Error::Refused(refusal)) => refusal,
        other => panic!("{other:?} is not a refusal"),
    }
}

pub(crate) fn fault<T: std::fmt::Debug>(result: Result<T>) -> LinkError {
    match result {
        Err(Error::Link(fault)) => fault,
        other => panic!("{other:?} is not a link's fault"),
    }
}

pub(crate) fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}
