use holdpoint_core::decision::{AnswerInput, New};
use holdpoint_core::*;
use holdpoint_store::{sqlite, *};

fn submission(command: Command) -> Submission {
    Submission::new(command, Actor::claimed("ana", "cli"), Timestamp::from_millis(1_000_000))
}
#[tokio::test]
async fn smoke() {
    let dir = tempfile::tempdir().unwrap();
    let store = sqlite::open(&dir.path().join("x/hold.db"), sqlite::Options::default()).unwrap();
    let new = New {
        prompt: Some("?".into()),
        fields: vec![Field::offering(
            "choice",
            Kind::Choice,
            "",
            vec![Opt::new("a", "A"), Opt::new("b", "B")],
        )],
        owner: Some("item:bd-1".parse().unwrap()),
        ..New::default()
    };
    let mut watch = store.watch().unwrap();
    let out = store.submit(submission(Command::Create(Box::new(new)))).await.unwrap();
    let id = out.decision.unwrap().id;
    watch.changed().await.unwrap();
    let input = AnswerInput { choice: Some("a".into()), ..AnswerInput::default() };
    let out = store.submit(submission(Command::Answer { id, input: Box::new(input) })).await.unwrap();
    assert_eq!(out.decision.unwrap().status, Status::Answered);
    assert_eq!(store.decision(id).await.unwrap().unwrap().status, Status::Answered);
    println!("{:?}", store.events(&EventQuery { limit: 10, ..EventQuery::default() }).await.unwrap());
    println!("{:?}", store.inspect(Repair::No).await.unwrap());
    println!("{:?}", store.inspect(Repair::Rebuild).await.unwrap());
    println!("{:?}", audit::verify(&store, &[]).await.unwrap());
    println!("{:?}", store.items(None).await.unwrap());
    println!("{:?}", store.counts(None).await.unwrap());
    println!("{:?}", store.find(&id.suffix()[..1], 10).await.unwrap());
    println!("{:?}", store.list(&Query { limit: 10, ..Query::default() }).await.unwrap().items.len());
    store.backup(&dir.path().join("b.db")).await.unwrap();
    let copy = sqlite::open(&dir.path().join("b.db"), sqlite::Options::default()).unwrap();
    assert_eq!(copy.decision(id).await.unwrap().unwrap().status, Status::Answered);
}
