//! Lists of runs, and runs by a part of their name, among very many.

use holdpoint_core::run::{NewRun, ObjectId, RunCommand, Task};
use holdpoint_core::{Actor, Command, Role, Timestamp};
use holdpoint_engine::Error;
use holdpoint_engine::run::RunList;
use holdpoint_store::{Order, RunQuery};

use crate::scene::Scene;

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_finds_its_own_behind_ten_thousand_of_others() {
    let scene = Scene::new();
    let begin = |actor: Actor, number: u32| {
        let mut chance = [0; 10];
        chance[6..].copy_from_slice(&number.to_be_bytes());
        let id = ObjectId::at(Timestamp::from_millis(1_800_000_000_000 + i64::from(number)), chance);
        let created_at = Timestamp::from_millis(0);
        let task = Task {
            id,
            title: format!("Task {number}"),
            description: None,
            created_by: "x".into(),
            created_at,
        };
        let new = NewRun {
            task,
            intent: None,
            repo: "/nowhere".into(),
            base: "0".repeat(40),
            branch: "refs/heads/x".into(),
            origin: None,
            job: None,
            saved: None,
            reverts: None,
            guidance: None,
            parameters: None,
        };
        let command = Box::new(RunCommand::Start(Box::new(new)));
        let engine = scene.engine.clone();
        async move {
            engine.submit(actor, Command::Run { project: "default".into(), id, command }).await.unwrap();
            id
        }
    };
    let mut own = scene.holder("agent-7", Role::Agent, &[]).await;
    own.actor.permissions.push(holdpoint_core::Permission::Jobs);
    let mut mine = Vec::new();
    for number in [0, 1, 2] {
        mine.push(begin(own.actor.clone(), number).await);
    }
    let mut others = tokio::task::JoinSet::new();
    for number in 3..10_203 {
        others.spawn(begin(Actor::claimed("ben", "cli"), number));
        if others.len() >= 500 {
            others.join_next().await.unwrap().unwrap();
        }
    }
    while let Some(done) = others.join_next().await {
        done.unwrap();
    }
    let query = RunQuery { order: Order::NewestFirst, limit: 2, ..RunQuery::default() };
    let page = scene.engine.list_runs(&own, &query).await.unwrap();
    let ids = |page: &RunList| page.items.iter().map(|run| run.id).collect::<Vec<_>>();
    assert_eq!((ids(&page), page.next), (vec![mine[2], mine[1]], Some(mine[1])));
    let rest = RunQuery { after: page.next, ..query };
    let page = scene.engine.list_runs(&own, &rest).await.unwrap();
    assert_eq!((ids(&page), page.next), (vec![mine[0]], None));
    // Of all others' the part of a name finds its own, too, and nobody else's.
    let end = mine[0].to_string();
    assert_eq!(scene.engine.find_run(&own, &end[end.len() - 12..]).await.unwrap().id, mine[0]);
    let start = mine[0].to_string()[..8].to_owned();
    assert!(
        matches!(scene.engine.find_run(&own, &start).await, Err(Error::SeveralRuns { candidates, .. }) if candidates.len() == 3)
    );
}
