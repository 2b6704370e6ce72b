//! Threads, and approvals that are good only for a while.

use std::sync::Arc;

use holdpoint_core::decision::{AnswerInput, New, Origin, Requirements};
use holdpoint_core::thread::{NewThread, Participant, Post, Side, ThreadAction};
use holdpoint_core::{
    Actor, Auth, Command, Decision, DecisionId, Event, Field, Kind, Numbering, Opt, Refusal, Role, Ruling,
    State, Status, Thread, Timestamp, apply, decide,
};
use serde_json::{Map, json};

fn ana() -> Actor {
    Actor::claimed("ana", "cli")
}

fn at(millis: i64) -> Timestamp {
    Timestamp::from_millis(millis)
}

fn id(number: i64) -> DecisionId {
    Numbering::new(7).id(number)
}

fn opened(new: NewThread) -> Result<Thread, Refusal> {
    let ruling = decide(&State::default(), &ana(), &Command::CreateThread(Box::new(new)), at(0))?;
    match ruling.events.into_iter().next() {
        Some(Event::ThreadCreated(thread)) => Ok(*thread),
        other => panic!("{other:?}"),
    }
}

fn new_thread() -> NewThread {
    NewThread { id: "thr-1".into(), ..NewThread::default() }
}

fn named(id: &str) -> Participant {
    Participant { id: id.into(), ..Participant::default() }
}

fn request(id: &str) -> New {
    let options = vec![Opt::new("a", "A"), Opt::new("b", "B")];
    let origin = Origin {
        protocol: "aitp".into(),
        id: Some(id.into()),
        schema: None,
        thread: None,
        extra: Map::new(),
    };
    New {
        prompt: Some("Which?".into()),
        fields: vec![Field::offering("choice", Kind::Choice, "Which?", options)],
        origin: Some(origin),
        ..New::default()
    }
}

fn post(content: &[&str], actions: Vec<ThreadAction>) -> Command {
    Command::Post(Box::new(Post {
        thread: "thr-1".into(),
        project: "default".into(),
        actor: None,
        role: None,
        content: content.iter().map(ToString::to_string).collect(),
        attachments: vec![],
        metadata: Map::new(),
        actions,
    }))
}

fn run(state: &State, command: &Command) -> Result<Ruling, Refusal> {
    decide(state, &ana(), command, at(1_000))
}

fn in_thread() -> State {
    let thread = opened(NewThread { actors: vec![named("shop")], ..new_thread() }).unwrap();
    State { thread: Some(thread), spare: (1..9).map(id).collect(), ..State::default() }
}

#[test]
fn what_cannot_be_a_thread_is_refused() {
    let long = Participant { capabilities: vec!["x".repeat(3_000)], ..named("a") };
    for (what, new) in [
        ("occurs twice", NewThread { actors: vec![named("a"), named("a")], ..new_thread() }),
        ("Holdpoint's own name", NewThread { actors: vec![named("holdpoint")], ..new_thread() }),
        ("must not be empty", NewThread { actors: vec![named("")], ..new_thread() }),
        ("must start with thr-", NewThread { id: "x".into(), ..NewThread::default() }),
        ("longer than 2048", NewThread { actors: vec![long], ..new_thread() }),
        (
            "at most 100",
            NewThread { actors: (0..101).map(|n| named(&n.to_string())).collect(), ..new_thread() },
        ),
        (
            "longer than 65536",
            NewThread { metadata: Map::from_iter([("x".into(), json!("y".repeat(70_000)))]), ..new_thread() },
        ),
    ] {
        let refusal = opened(new).unwrap_err().to_string();
        assert!(refusal.contains(what), "{what}: {refusal}");
    }
}

#[test]
fn whoever_opened_it_is_the_user() {
    let state = in_thread();
    let side = |actor: &Actor, role| {
        let Command::Post(mut said) = post(&["hello"], vec![]) else { panic!("it is a post") };
        said.role = role;
        let ruling = decide(&state, actor, &Command::Post(said), at(1_000)).unwrap();
        let Some(Event::ThreadPosted(posted)) = ruling.events.into_iter().next() else {
            panic!("it was said")
        };
        (posted.role, posted.actor)
    };
    assert_eq!(side(&ana(), None), (Side::User, "shop".into()));
    assert_eq!(side(&Actor::claimed("bo", "cli"), None), (Side::Assistant, "bo".into()));
    assert_eq!(side(&ana(), Some(Side::Assistant)).0, Side::Assistant, "nobody checks");
    let known = Actor { credential: Some("tok-1".into()), ..ana() };
    assert_eq!(side(&known, Some(Side::User)).0, Side::Assistant, "a name does not open a thread");
}

#[test]
fn what_cannot_be_done_is_said_in_return() {
    let state = in_thread();
    let actions = vec![
        ThreadAction::Ask(Box::new(request("r1"))),
        ThreadAction::Ask(Box::new(request("r1"))),
        ThreadAction::Ask(Box::default()),
        ThreadAction::Answer { id: id(77), input: Box::new(AnswerInput::default()) },
        ThreadAction::Say("in other words".into()),
    ];
    let ruling = run(&state, &post(&["{}"], actions)).unwrap();
    let tags: Vec<_> = ruling.events.iter().map(Event::tag).collect();
    assert_eq!(tags, ["thread:posted", "decision:created", "thread:posted"]);
    let Event::ThreadPosted(words) = &ruling.events[2] else { panic!("it answers") };
    assert_eq!(words.content.len(), 4);
    assert!(words.content[0].contains("\"r1\" is pending already"), "{:?}", words.content);
    assert_eq!(words.content[3], "in other words");
    for empty in [post(&[], vec![]), post(&["  "], vec![])] {
        assert_eq!(run(&state, &empty).unwrap_err().code(), "invalid");
    }
    assert_eq!(run(&State::default(), &post(&["x"], vec![])).unwrap_err().code(), "not_found");
}

/// Says something under a name.
fn as_whom(actor: Option<&str>, actions: Vec<ThreadAction>) -> Command {
    let Command::Post(mut said) = post(&["{}"], actions) else { panic!("it is a post") };
    said.actor = actor.map(str::to_owned);
    Command::Post(said)
}

#[test]
fn nobody_speaks_as_holdpoint() {
    for name in ["holdpoint", "Holdpoint"] {
        let said = as_whom(Some(name), vec![]);
        assert_eq!(run(&in_thread(), &said).unwrap_err().code(), "invalid");
        let service = Actor::claimed(name, "cli");
        let refusal = decide(&in_thread(), &service, &as_whom(None, vec![]), at(1)).unwrap_err();
        assert!(refusal.to_string().contains("choose another name"), "{refusal}");
    }
}

/// A credential, as a server has made sure of it.
fn known(by: &str, credential: &str, role: Role) -> Actor {
    Actor {
        auth: Auth::Token,
        role: Some(role),
        credential: Some(credential.into()),
        ..Actor::claimed(by, "http")
    }
}

#[test]
fn whoever_is_known_speaks_under_their_own_name() {
    let shop = known("shop-agent", "tok-1", Role::Agent);
    let actors = ["shop", "buyer", "agent:courier"].map(named).to_vec();
    let new = NewThread { actors, ..new_thread() };
    let ruling = decide(&State::default(), &shop, &Command::CreateThread(Box::new(new)), at(0)).unwrap();
    let Some(Event::ThreadCreated(thread)) = ruling.events.into_iter().next() else { panic!("it is opened") };
    let state = State { thread: Some(*thread), spare: (1..9).map(id).collect(), ..State::default() };
    let speaks = |who: &Actor, name: Option<&str>| {
        let ruling =
            decide(&state, who, &as_whom(name, vec![ThreadAction::Ask(Box::new(request("r1")))]), at(1))?;
        let (Event::ThreadPosted(said), Event::Created(asked)) = (&ruling.events[0], &ruling.events[1])
        else {
            panic!("it asks")
        };
        Ok::<_, Refusal>((said.actor.clone(), said.by.clone(), asked.requested_by.clone().unwrap()))
    };
    let is = |actor: &str, by: &str| (actor.to_owned(), by.to_owned(), by.to_owned());
    let (buyer, courier) = (known("buyer", "tok-2", Role::Agent), known("courier", "tok-3", Role::Agent));
    let ana = known("ana", "tok-4", Role::Person);
    // The creator is the first participant; the others go by their own names.
    assert_eq!(speaks(&shop, None).unwrap(), is("shop", "shop-agent"));
    assert_eq!(speaks(&shop, Some("shop")).unwrap(), is("shop", "shop-agent"));
    assert_eq!(speaks(&shop, Some("shop-agent")).unwrap(), is("shop-agent", "shop-agent"));
    assert_eq!(speaks(&buyer, Some("buyer")).unwrap(), is("buyer", "buyer"));
    assert_eq!(speaks(&courier, None).unwrap(), is("agent:courier", "courier"));
    assert_eq!(speaks(&ana, None).unwrap(), is("ana", "ana"));
    for (who, name) in
        [(&shop, "buyer"), (&buyer, "shop"), (&courier, "buyer"), (&ana, "buyer"), (&ana, "anyone")]
    {
        let refusal = speaks(who, Some(name)).unwrap_err();
        assert_eq!(refusal.code(), "forbidden", "{name}");
        let words = format!("\"{}\" cannot speak as \"{name}\" here", who.by);
        assert!(refusal.to_string().contains(&words), "{refusal}");
    }
    // On the machine itself names are labels, which are shown beside the known sender.
    let local = Actor { auth: Auth::Local, ..Actor::claimed("me", "http") };
    assert_eq!(speaks(&local, Some("buyer")).unwrap().0, "buyer");
}

#[test]
fn a_report_names_its_sender_and_whether_there_was_a_yes() {
    let subject = Some(json!({"quote": "q1"}));
    let yes_or_no = vec![Opt::new("yes", "Yes"), Opt { refuses: true, ..Opt::new("no", "No") }];
    let price = New {
        subject,
        fields: vec![Field::offering("choice", Kind::Confirm, "Pay?", yes_or_no)],
        ..request("q1")
    };
    let pending = |new: New| {
        let ruling = run(&in_thread(), &post(&["{}"], vec![ThreadAction::Ask(Box::new(new))])).unwrap();
        apply(None, &ruling.events[1], at(1_000)).unwrap()
    };
    let answered = |decision: &Decision, choice: &str| {
        let state = State { decision: Some(Arc::new(decision.clone())), ..State::default() };
        let digest = Some(decision.digest.clone());
        let input = Box::new(AnswerInput { choice: Some(choice.into()), digest, ..AnswerInput::default() });
        let ruling = run(&state, &Command::Answer { id: decision.id, input }).unwrap();
        apply(Some(decision.clone()), &ruling.events[0], at(1_000)).unwrap()
    };
    let report = |decision: &Decision| {
        let action =
            ThreadAction::Report { id: decision.id, message: "payment_result".into(), content: json!({}) };
        let state = State { siblings: vec![Arc::new(decision.clone())], ..in_thread() };
        let ruling = run(&state, &as_whom(Some("shop"), vec![action])).unwrap();
        let Event::Reported { report, .. } = &ruling.events[1] else { panic!("it reports") };
        let said = ruling.events.get(2).map(|event| match event {
            Event::ThreadPosted(words) => words.content.join(" "),
            other => panic!("{other:?}"),
        });
        assert_eq!((report.by.as_str(), report.actor.as_deref()), ("ana", Some("shop")));
        assert_eq!(report.auth, Some(Auth::Claimed));
        (report.approved, said)
    };
    let price = pending(price);
    let words = "Nobody here has approved \"q1\"; this is stored, and marked as unapproved.".to_owned();
    assert_eq!(report(&price), (Some(false), Some(words.clone())));
    assert_eq!(report(&answered(&price, "no")), (Some(false), Some(words)));
    assert_eq!(report(&answered(&price, "yes")), (Some(true), None));
    assert_eq!(report(&pending(request("r1"))), (None, None), "a choice needs no approval");
}

#[test]
fn a_message_carries_no_digest_and_so_answers_nothing_with_a_subject() {
    let yes_or_no = vec![Opt::new("yes", "Yes"), Opt { refuses: true, ..Opt::new("no", "No") }];
    let price = New {
        subject: Some(json!({"quote": "q1"})),
        fields: vec![Field::offering("choice", Kind::Confirm, "Pay?", yes_or_no)],
        ..request("q1")
    };
    let ruling = run(&in_thread(), &post(&["{}"], vec![ThreadAction::Ask(Box::new(price))])).unwrap();
    let decision = apply(None, &ruling.events[1], at(1_000)).unwrap();
    let input = Box::new(AnswerInput { choice: Some("yes".into()), ..AnswerInput::default() });
    let action = ThreadAction::Answer { id: decision.id, input };
    let state = State { siblings: vec![Arc::new(decision)], ..in_thread() };
    let ruling = run(&state, &as_whom(None, vec![action])).unwrap();
    assert!(ruling.events.iter().all(|event| event.tag() != "decision:resolved"));
    let Some(Event::ThreadPosted(words)) = ruling.events.last() else { panic!("it says why") };
    assert!(words.content.join(" ").contains("does not carry the digest"), "{words:?}");
}

#[test]
fn a_decision_keeps_so_many_reports() {
    let ruling = run(&in_thread(), &post(&["{}"], vec![ThreadAction::Ask(Box::new(request("r1")))])).unwrap();
    let decision = apply(None, &ruling.events[1], at(1_000)).unwrap();
    let id = decision.id;
    let state = State { siblings: vec![Arc::new(decision)], ..in_thread() };
    let report = || ThreadAction::Report { id, message: "payment_result".into(), content: json!({}) };
    let ruling = run(&state, &post(&["{}"], (0..30).map(|_| report()).collect())).unwrap();
    let reported = ruling.events.iter().filter(|event| event.tag() == "decision:reported").count();
    assert_eq!(reported, 20);
}

#[test]
fn an_approval_ends_with_what_it_was_for() {
    let subject = json!({ "pay": 5 });
    let new = New {
        subject: Some(subject.clone()),
        fields: vec![Field::offering(
            "choice",
            Kind::Confirm,
            "Pay?",
            vec![Opt::new("yes", "Yes"), Opt::new("no", "No")],
        )],
        valid_until: Some(at(10_000)),
        ..request("q1")
    };
    let fresh = State { fresh: Some(id(1)), ..State::default() };
    let ask = |new: &New| decide(&fresh, &ana(), &Command::Create(Box::new(new.clone())), at(1_000));
    let decision = apply(None, &ask(&new).unwrap().events[0], at(1_000)).unwrap();
    assert_eq!(decision.deadline, Some(at(10_000)), "silence settles it then");
    let late = New { valid_until: Some(at(1_000)), ..new.clone() };
    assert!(ask(&late).unwrap_err().to_string().contains("has passed already"));
    let with = |decision: Decision| State { decision: Some(Arc::new(decision)), ..State::default() };
    let digest = Some(decision.digest.clone());
    let input = Box::new(AnswerInput { choice: Some("yes".into()), digest, ..AnswerInput::default() });
    let answer = Command::Answer { id: id(1), input };
    let ruling = decide(&with(decision.clone()), &ana(), &answer, at(9_999)).unwrap();
    let answered = apply(Some(decision), &ruling.events[0], at(9_999)).unwrap();
    assert_eq!(answered.status, Status::Answered);
    let consume = Command::Consume { id: id(1), subject, required: Requirements::default() };
    assert!(decide(&with(answered.clone()), &ana(), &consume, at(9_999)).is_ok());
    let late = decide(&with(answered), &ana(), &consume, at(10_000)).unwrap_err();
    assert!(late.to_string().contains("was valid until"), "{late}");
}
