//! Who is on call by a command, and steps that are taken when they are due.

use std::sync::Arc;

use holdpoint_core::people::{GROUP, GroupChange};
use holdpoint_core::{Command, Role, Status};
use holdpoint_engine::{Engine, Settings};

use crate::scene::{Scene, question};

/// Returns the engine with a command that says who is on call.
fn on_call(scene: &Scene, command: &str) -> Engine {
    let mut settings = Settings::default();
    settings.people.on_call = Some(command.into());
    Engine::new(Arc::clone(scene.engine.store()), scene.clock.clone(), settings)
}

async fn members(engine: &Engine) -> (Vec<String>, Option<String>) {
    let groups = engine.groups(&Scene::root()).await.unwrap();
    let group = groups.into_iter().find(|group| group.name == "oncall");
    group.map(|group| (group.members, group.problem)).unwrap_or_default()
}

#[tokio::test]
async fn a_command_says_who_is_on_call_and_its_failure_leaves_the_group() {
    let scene = Scene::new();
    for name in ["ana", "ben"] {
        scene.person(name, Role::Person, &[]).await;
    }
    let engine = on_call(&scene, "printf 'ana\\n'");
    engine.refresh_on_call().await.unwrap();
    assert_eq!(members(&engine).await, (vec!["ana".into()], None));
    let seq = engine.store().head().await.unwrap().seq;
    engine.refresh_on_call().await.unwrap();
    assert_eq!(engine.store().head().await.unwrap().seq, seq, "nothing is written where nothing changes");
    for (command, reason) in [
        ("exit 3", "failed"),
        ("echo nobody-here", "nobody who is known"),
        ("true", "nobody who is known"),
        ("echo '{\"who\": 1}'", "one name per line"),
        ("head -c 2000000 /dev/zero", "more than"),
    ] {
        let engine = on_call(&scene, command);
        engine.refresh_on_call().await.unwrap();
        let (left, problem) = members(&engine).await;
        assert_eq!(left, ["ana"], "{command}");
        assert!(problem.as_ref().is_some_and(|why| why.contains(reason)), "{command}: {problem:?}");
    }
    let engine = on_call(&scene, "echo '[\"ben\", \"zoe\"]'");
    engine.refresh_on_call().await.unwrap();
    let (now, problem) = members(&engine).await;
    assert_eq!(now, ["ben"], "who is known counts");
    assert!(problem.unwrap().contains("zoe"));
}

#[tokio::test]
async fn steps_that_are_due_are_taken_and_no_others() {
    let scene = Scene::new();
    let change = GroupChange { add: vec!["ben".into()], ..GroupChange::default() };
    scene.person("ben", Role::Person, &[]).await;
    scene.engine.change_group(&Scene::root(), &format!("{GROUP}oncall"), change).await.unwrap();
    let mut new = question();
    new.escalation = vec!["after=10m tell=group:oncall".parse().unwrap()];
    let mut ids = Vec::new();
    for _ in 0..70 {
        let asked =
            scene.engine.submit(Scene::root().actor, Command::Create(Box::new(new.clone()))).await.unwrap();
        ids.push(asked.decision.unwrap().id);
    }
    assert_eq!(scene.engine.escalate_due().await.unwrap(), 0);
    scene.pass(600);
    assert_eq!(scene.engine.escalate_due().await.unwrap(), 70);
    assert_eq!(scene.engine.escalate_due().await.unwrap(), 0, "each once");
    for id in ids {
        let decision = scene.engine.decision(id).await.unwrap().unwrap();
        assert_eq!((decision.status, decision.escalation.unwrap().fired), (Status::Pending, 1));
    }
}
