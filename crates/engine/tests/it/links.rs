//! Signed links: every way round them that we could think of.

use holdpoint_core::decision::{AnswerInput, New, Revision};
use holdpoint_core::{Auth, Command, Decision, Lane, Person, Refusal, Role, Span, Status};
use holdpoint_engine::auth::{LinkError, Links, NewPerson};
use holdpoint_engine::{Home, Result};
use holdpoint_store::Outcome;

use crate::scene::{Scene, fault, new_person, question, refusal};

fn yes() -> AnswerInput {
    AnswerInput { choice: Some("yes".into()), ..AnswerInput::default() }
}

async fn answer(scene: &Scene, link: &str, input: AnswerInput) -> Result<Outcome> {
    scene.engine.answer_by_link(&scene.links, link, input, "mail").await
}

/// Someone who is asked, what they are asked, and the link that was sent.
async fn sent(scene: &Scene, new: New) -> (Decision, String) {
    scene.person("bo", Role::Person, &[]).await;
    let decision = scene.ask(&Scene::root(), new).await;
    let link = scene.links.issue(&decision, "bo", scene.now()).unwrap();
    (decision, link)
}

#[tokio::test]
async fn looking_uses_nothing_up_and_answering_does() {
    let scene = Scene::new();
    let (decision, link) = sent(&scene, question()).await;
    for _ in 0..3 {
        let opened = scene.engine.open_link(&scene.links, &link, "web").await.unwrap();
        assert_eq!((opened.decision.id, opened.decision.status), (decision.id, Status::Pending));
        assert_eq!((opened.caller.actor.auth, opened.link.addressee.as_str()), (Auth::Link, "bo"));
    }
    let wrong = AnswerInput { choice: Some("maybe".into()), ..AnswerInput::default() };
    assert!(matches!(refusal(answer(&scene, &link, wrong).await), Refusal::Invalid(_)));
    let posing = AnswerInput { by: Some("boss".into()), ..yes() };
    let settled = answer(&scene, &link, posing).await.unwrap().decision.unwrap();
    let given = settled.answer.clone().unwrap();
    assert_eq!((given.by.as_str(), given.auth, given.via.as_str()), ("bo", Auth::Link, "mail"));
    assert_eq!(fault(scene.engine.open_link(&scene.links, &link, "web").await), LinkError::Used);
    assert!(
        matches!(refusal(answer(&scene, &link, yes()).await), Refusal::LinkUsed { .. }),
        "not even the same again"
    );
}

#[tokio::test]
async fn a_link_lasts_a_day_at_most_and_never_past_the_deadline() {
    let scene = Scene::new();
    let (_, link) = sent(&scene, question()).await;
    let soon = New { timeout: Some(Span::from_secs(600)), ..question() };
    let (_, hurried) = sent(&scene, soon).await;
    scene.pass(599);
    assert!(scene.links.read(&hurried, scene.now()).is_ok());
    scene.pass(1);
    assert_eq!(scene.links.read(&hurried, scene.now()), Err(LinkError::Expired));
    assert_eq!(fault(answer(&scene, &hurried, yes()).await), LinkError::Expired);
    scene.pass(24 * 60 * 60 - 601);
    assert!(scene.engine.open_link(&scene.links, &link, "web").await.is_ok());
    scene.pass(1);
    assert_eq!(fault(scene.engine.open_link(&scene.links, &link, "web").await), LinkError::Expired);
    assert_eq!(fault(answer(&scene, &link, yes()).await), LinkError::Expired);
}

#[tokio::test]
async fn a_link_dies_when_the_question_changes() {
    let scene = Scene::new();
    let (decision, link) = sent(&scene, question()).await;
    let revision = Revision { prompt: Some("Go, and delete everything?".into()), ..Revision::default() };
    let revise = Command::Revise { id: decision.id, revision: Box::new(revision) };
    let revised = scene.engine.submit_for(&Scene::root(), revise, None).await.unwrap().decision.unwrap();
    assert_eq!(fault(scene.engine.open_link(&scene.links, &link, "web").await), LinkError::Changed);
    // What was seen is what the link says, whatever the form claims.
    let claims = AnswerInput { digest: Some(revised.digest.clone()), ..yes() };
    assert!(matches!(refusal(answer(&scene, &link, claims).await), Refusal::Stale { .. }));
}

#[tokio::test]
async fn any_other_character_makes_it_no_link() {
    let scene = Scene::new();
    let (_, link) = sent(&scene, question()).await;
    let (_, other) = sent(&scene, question()).await;
    for at in 0..link.len() {
        let mut bytes = link.clone().into_bytes();
        bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
        let text = String::from_utf8(bytes).unwrap();
        assert_eq!(scene.links.read(&text, scene.now()), Err(LinkError::Invalid), "at {at}");
    }
    for end in 0..link.len() {
        assert_eq!(scene.links.read(&link[..end], scene.now()), Err(LinkError::Invalid));
    }
    let (body, mac) = link.split_once('.').unwrap();
    let (other_body, other_mac) = other.split_once('.').unwrap();
    let huge = format!("{}.{mac}", "A".repeat(10 << 20));
    let forged = [
        format!("{body}.{other_mac}"),
        format!("{other_body}.{mac}"),
        format!("{link}."),
        format!("{link}={}", ""),
        format!("{link}.{mac}"),
        format!("{body}."),
        format!(".{mac}"),
        format!("{body}.{}", &mac[..10]),
        format!("{body} .{mac}"),
        ".".into(),
        String::new(),
        "ü".repeat(100),
        huge,
    ];
    for text in forged {
        assert_eq!(scene.links.read(&text, scene.now()), Err(LinkError::Invalid), "{} bytes", text.len());
    }
}

#[tokio::test]
async fn another_key_makes_no_link_of_ours() {
    let scene = Scene::new();
    let (decision, _) = sent(&scene, question()).await;
    let elsewhere = tempfile::tempdir().unwrap();
    let foreign = Links::load_or_make(&Home::at(elsewhere.path())).unwrap();
    let link = foreign.issue(&decision, "bo", scene.now()).unwrap();
    assert_eq!(fault(answer(&scene, &link, yes()).await), LinkError::Invalid);
    let again = Links::load_or_make(&scene.home).unwrap();
    let ours = scene.links.issue(&decision, "bo", scene.now()).unwrap();
    assert!(again.read(&ours, scene.now()).is_ok(), "the key is kept");
    let path = scene.home.keys().join("link.key");
    let kept = std::fs::read_to_string(&path).unwrap();
    assert!(!format!("{again:?}").contains(kept.trim()));
    let mode = std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(&path).unwrap().permissions());
    assert_eq!(mode & 0o777, 0o600);
    std::fs::write(&path, "short").unwrap();
    let error = Links::load_or_make(&scene.home).unwrap_err().to_string();
    assert!(error.contains("link.key"), "a damaged key is no key: {error}");
}

#[tokio::test]
async fn each_kind_of_link_is_for_one_thing() {
    let scene = Scene::new();
    let (_, link) = sent(&scene, question()).await;
    let sign_in = scene.links.issue_sign_in("bo", scene.now()).unwrap();
    assert_eq!(fault(scene.engine.sign_in_by_link(&scene.links, &link).await), LinkError::Invalid);
    assert_eq!(fault(scene.engine.open_link(&scene.links, &sign_in, "web").await), LinkError::Invalid);
    assert_eq!(fault(answer(&scene, &sign_in, yes()).await), LinkError::Invalid);
    assert!(scene.engine.authenticate_token(&link, "http").await.unwrap().is_none());
    assert!(scene.engine.session(&link, "web").await.unwrap().is_none());
}

#[tokio::test]
async fn links_are_for_people_who_are_asked_and_still_known() {
    let scene = Scene::new();
    let (decision, link) = sent(&scene, question()).await;
    assert!(matches!(refusal(scene.links.issue(&decision, "agent:a1", scene.now())), Refusal::Forbidden(_)));
    scene.engine.remove_person(&Scene::root(), "bo").await.unwrap();
    assert_eq!(fault(scene.engine.open_link(&scene.links, &link, "web").await), LinkError::Unknown);
    assert_eq!(fault(answer(&scene, &link, yes()).await), LinkError::Unknown);
    scene.person("bo", Role::Person, &["other"]).await;
    assert_eq!(fault(scene.engine.open_link(&scene.links, &link, "web").await), LinkError::Unknown);
    assert!(matches!(refusal(answer(&scene, &link, yes()).await), Refusal::NotFound { .. }));
    // Sent to someone who was not asked, it shows and does not answer; not even an admin's.
    scene.person("cy", Role::Admin, &[]).await;
    let assigned = scene.ask(&Scene::root(), New { assignees: vec!["di".into()], ..question() }).await;
    let link = scene.links.issue(&assigned, "cy", scene.now()).unwrap();
    assert!(scene.engine.open_link(&scene.links, &link, "web").await.is_ok());
    assert!(matches!(refusal(answer(&scene, &link, yes()).await), Refusal::Forbidden(_)));
}

/// Whoever gets the name of somebody who was removed is somebody else.
#[tokio::test]
async fn a_link_is_for_a_person_and_not_for_a_name() {
    let scene = Scene::new();
    let (decision, link) = sent(&scene, question()).await;
    let sign_in = scene.links.issue_sign_in("bo", scene.now()).unwrap();
    let unsubscribe = scene.links.issue_unsubscribe("bo", scene.now()).unwrap();
    let remove = Command::RemovePerson { name: "bo".into() };
    scene.engine.submit_for(&Scene::root(), remove, None).await.unwrap();
    scene.pass(1);
    scene.person("bo", Role::Admin, &[]).await;
    assert_eq!(fault(scene.engine.open_link(&scene.links, &link, "web").await), LinkError::Unknown);
    assert_eq!(fault(answer(&scene, &link, yes()).await), LinkError::Unknown);
    assert_eq!(fault(scene.engine.sign_in_by_link(&scene.links, &sign_in).await), LinkError::Unknown);
    assert_eq!(fault(scene.engine.read_unsubscribe(&scene.links, &unsubscribe).await), LinkError::Unknown);
    assert_eq!(scene.engine.decision(decision.id).await.unwrap().unwrap().status, Status::Pending);
    // What is sent to them counts.
    let again = scene.links.issue(&decision, "bo", scene.now()).unwrap();
    assert!(answer(&scene, &again, yes()).await.is_ok());
}

#[tokio::test]
async fn who_asked_in_a_session_does_not_answer_by_link() {
    let scene = Scene::new();
    scene.person("bo", Role::Person, &[]).await;
    let cookie =
        scene.engine.sign_in("bo", holdpoint_engine::auth::Password::new(crate::scene::PASSWORD)).await;
    let cookie = cookie.unwrap().unwrap().cookie.reveal();
    let caller = scene.engine.session(&cookie, "web").await.unwrap().unwrap().caller;
    let asked = scene.ask(&caller, question()).await;
    let link = scene.links.issue(&asked, "bo", scene.now()).unwrap();
    assert!(matches!(refusal(answer(&scene, &link, yes()).await), Refusal::Forbidden(_)));
}

#[tokio::test]
async fn what_is_settled_gets_no_link_and_takes_no_second_answer() {
    let scene = Scene::new();
    let (decision, link) = sent(&scene, question()).await;
    let cancel = Command::Cancel { id: decision.id, reason: None };
    let cancelled = scene.engine.submit_for(&Scene::root(), cancel, None).await.unwrap().decision.unwrap();
    assert!(matches!(refusal(scene.links.issue(&cancelled, "bo", scene.now())), Refusal::Settled(_)));
    assert!(matches!(refusal(answer(&scene, &link, yes()).await), Refusal::Settled(_)));
    let opened = scene.engine.open_link(&scene.links, &link, "web").await.unwrap();
    assert_eq!(opened.decision.status, Status::Cancelled, "it shows what became of it");
    let due = scene.ask(&Scene::root(), New { timeout: Some(Span::from_secs(60)), ..question() }).await;
    scene.pass(60);
    assert!(matches!(refusal(scene.links.issue(&due, "bo", scene.now())), Refusal::Settled(_)));
}

#[tokio::test]
async fn guidance_by_link_uses_it_up_too() {
    let scene = Scene::new();
    let (_, link) = sent(&scene, question()).await;
    let guidance = AnswerInput { guidance: Some("say more".into()), ..AnswerInput::default() };
    let outcome = answer(&scene, &link, guidance).await.unwrap();
    assert_eq!(outcome.decision.unwrap().status, Status::Refined);
    let next = outcome.next.unwrap();
    assert!(matches!(refusal(answer(&scene, &link, yes()).await), Refusal::LinkUsed { .. }));
    assert_eq!(scene.engine.decision(next.id).await.unwrap().unwrap().status, Status::Pending);
}

/// A message stays where it was sent; who reads it there later may be somebody else.
#[tokio::test]
async fn a_link_ends_with_the_account_or_address_that_it_was_sent_to() {
    let scene = Scene::new();
    let decision = scene.ask(&Scene::root(), question()).await;
    let with = |email: Option<&str>| NewPerson {
        email: email.map(str::to_owned),
        ..new_person("bo", Role::Person, &[])
    };
    let put = async |email: Option<&str>| {
        scene.engine.put_person(&Scene::root(), with(email)).await.unwrap();
        scene.engine.store().person("bo").await.unwrap().unwrap().person
    };
    let bo = put(Some("bo@example.org")).await;
    let issue =
        |person: &Person, channel| scene.links.issue_by(&decision, person, channel, scene.now()).unwrap();
    let by_mail = issue(&bo, Lane::Mail);
    let linked = Person { accounts: [("slack".to_owned(), "U1".to_owned())].into(), ..bo.clone() };
    let by_slack = issue(&linked, Lane::Slack);
    // A channel that knows no accounts has none that could be taken away.
    let by_ntfy = issue(&bo, Lane::Ntfy);
    scene.engine.open_link(&scene.links, &by_mail, "web").await.unwrap();
    put(Some("bo@example.com")).await;
    for link in [&by_mail, &by_slack] {
        assert_eq!(fault(scene.engine.open_link(&scene.links, link, "web").await), LinkError::Unlinked);
        assert_eq!(fault(answer(&scene, link, yes()).await), LinkError::Unlinked);
    }
    assert!(answer(&scene, &by_ntfy, yes()).await.is_ok());
}
