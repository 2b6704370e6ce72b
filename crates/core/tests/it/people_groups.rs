//! Groups of people: who is in them, and how deep they may stand in each other.

use holdpoint_core::people::GroupChange;
use holdpoint_core::{Actor, Command, Refusal, Role};

use crate::people::{admin, person};
use crate::world::World;

fn change(world: &mut World, actor: &Actor, name: &str, add: &[&str]) -> Result<(), Refusal> {
    let add = add.iter().map(ToString::to_string).collect();
    let change = GroupChange { add, ..GroupChange::default() };
    world.submit(actor, &Command::Group { name: name.into(), change }).map(drop)
}

#[test]
fn groups_stand_at_most_three_deep_and_never_in_a_circle() {
    let mut world = World::new();
    change(&mut world, &admin(), "c", &["cem"]).unwrap();
    change(&mut world, &admin(), "b", &["ben", "group:c"]).unwrap();
    change(&mut world, &admin(), "a", &["ana", "group:b"]).unwrap();
    assert_eq!(world.roster.people("a").into_iter().collect::<Vec<_>>(), ["ana", "ben", "cem"]);
    let table = [
        ("c", "group:a", "circle"),
        ("c", "group:c", "circle"),
        ("top", "group:a", "3 deep"),
        ("c", "group:d", "3 deep"),
        ("x:y", "ana", "must not contain a colon"),
        ("x", "agent:ci", "neither a person"),
    ];
    for (name, member, reason) in table {
        let refused = change(&mut world, &admin(), name, &[member]).unwrap_err().to_string();
        assert!(refused.contains(reason), "{name} + {member}: {refused}");
    }
    assert_eq!(world.roster.groups().count(), 3, "what was refused left no trace");
}

#[test]
fn groups_are_an_admins() {
    let mut world = World::new();
    let refused = change(&mut world, &person("ana"), "a", &["ana"]).unwrap_err().to_string();
    assert!(refused.contains("admin"), "{refused}");
    change(&mut world, &Actor { role: Some(Role::Admin), ..person("ana") }, "a", &["ana"]).unwrap();
    let gone = GroupChange { delete: true, ..GroupChange::default() };
    world.submit(&admin(), &Command::Group { name: "a".into(), change: gone.clone() }).unwrap();
    assert!(world.roster.people("a").is_empty());
    assert!(world.submit(&admin(), &Command::Group { name: "a".into(), change: gone }).is_err());
}
