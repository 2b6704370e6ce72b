//! Deciding a batch without a driver.

use holdpoint_core::{Field, Kind, Numbering};

use super::*;
use crate::chain::GENESIS;

fn submission(command: Command) -> Submission {
    let now = Timestamp::from_millis(1_000);
    Submission::new(command, Actor::claimed("ana", "cli"), now)
}

fn create() -> Submission {
    let fields = vec![Field::new("text", Kind::Text, "Why?")];
    let owner = "job:build".parse().ok();
    submission(Command::Create(Box::new(New {
        prompt: Some("Why?".into()),
        fields,
        owner,
        ..New::default()
    })))
}

fn end() -> Submission {
    let owner = "job:build".parse().unwrap();
    submission(Command::EndOwner { project: "default".into(), owner, deleted: true })
}

#[test]
fn a_number_counts_as_given_though_its_decision_is_gone_within_the_batch() {
    let mut snapshot = Snapshot::new(Numbering::new(1), 0, GENESIS, None, 7);
    let mut writes = Writes::default();
    plan(&mut snapshot, &mut writes, &create()).unwrap();
    plan(&mut snapshot, &mut writes, &end()).unwrap();
    assert_eq!(writes.last_number, Some(8));
    assert_eq!(writes.decisions[&8], DecisionWrite::Delete);
    assert_eq!(writes.erased, [("decision/8".to_owned(), 2)]);
    assert!(writes.counts.values().all(|by| *by == 0));
}

#[test]
fn a_refused_command_leaves_no_trace() {
    let mut snapshot = Snapshot::new(Numbering::new(1), 3, GENESIS, None, 0);
    let mut writes = Writes::default();
    let id = snapshot.numbering().id(1);
    assert!(plan(&mut snapshot, &mut writes, &submission(Command::Cancel { id, reason: None })).is_err());
    assert!(plan(&mut snapshot, &mut writes, &submission(Command::Create(Box::default()))).is_err());
    assert!(writes.is_empty());
    assert_eq!((snapshot.seq(), snapshot.last_number()), (3, 0));
}
