//! The asker revises what it asks: same id, new digest, and everything still fits.

use crate::check;
use crate::world::World;
use holdpoint_core::{Actor, Command};
use serde_json::json;

#[test]
fn what_is_left_out_stays() {
    check(
        r#"
            ask d1 'Which?' a|b title=T
            revise d1 {}
            revise d1 {"title":"T"}
            revise d1 {"title":"U"}
            show d1 title prompt
            revise d1 {"title":"  "}
            show d1 title prompt
            revise d1 {"prompt":""}
            revise d1 {"title":"V","prompt":""}
            show d1 title prompt
            revise d1 {"outs":[]}
            revise d1 {"status":"answered"}
        "#,
        r#"
            created d1
            invalid: revision: changes nothing; give a title, a prompt, fields or a subject
            replayed
            revised d1
            title="U" prompt="Which?"
            revised d1
            title=null prompt="Which?"
            invalid: prompt: give a prompt or a title: what is asked?
            revised d1
            title="V" prompt=null
            unread: unknown field `outs`, expected one of `title`, `prompt`, `fields`, `subject`, `default` at line 1 column 7
            unread: unknown field `status`, expected one of `title`, `prompt`, `fields`, `subject`, `default` at line 1 column 9
        "#,
    );
}

#[test]
fn a_draft_keeps_what_is_still_valid() {
    check(
        r#"
            ask d1 'Form' source=form fields=[{"id":"a","kind":"choice","options":[{"id":"x"},{"id":"y"}]},{"id":"b","kind":"text"},{"id":"c","kind":"text"}]
            draft d1 {"a":"x","b":"keep","c":"go"}
            revise d1 {"fields":[{"id":"a","kind":"choice","options":[{"id":"y"},{"id":"z"}]},{"id":"b","kind":"text"},{"id":"d","kind":"text"}]}
            show d1 draft
            revise d1 {"fields":[{"id":"a","kind":"text"},{"id":"b","kind":"text","visible_if":{"field":"a","op":"EXISTS"}}]}
            show d1 draft
        "#,
        r#"
            created d1
            drafted d1 draft={"a":"x","b":"keep","c":"go"}
            revised d1
            draft={"b":"keep"}
            revised d1
            draft={}
        "#,
    );
}

#[test]
fn a_pick_for_the_old_question_is_no_pick_for_the_new_one() {
    check(
        r#"
            ask d1 'Delete temp?' fields=[{"id":"a","kind":"choice","options":[{"id":"yes"},{"id":"no"}]},{"id":"b","kind":"text"}]
            draft d1 {"a":"yes","b":"typed"}
            revise d1 {"prompt":"Delete all?"}
            show d1 draft
        "#,
        r#"
            created d1
            drafted d1 draft={"a":"yes","b":"typed"}
            revised d1
            draft={"b":"typed"}
        "#,
    );
}

#[test]
fn what_silence_would_say_must_still_fit() {
    check(
        r#"
            ask d1 'Which?' a|b timeout=1h default=a
            revise d1 {"fields":[{"id":"choice","kind":"choice","options":[{"id":"b"},{"id":"c"}]}]}
            revise d1 {"fields":[{"id":"choice","kind":"choice","options":[{"id":"b"}]}],"default":{"choice":"c"}}
            revise d1 {"fields":[{"id":"choice","kind":"choice","options":[{"id":"b"}]}],"default":{"choice":"b"}}
            show d1 default
            revise d1 {"subject":{"cmd":"rm"}}
            revise d1 {"subject":{"cmd":"rm"},"fields":[{"id":"c","kind":"confirm","options":[{"id":"yes"},{"id":"no"}]}],"default":{"c":"no"}}
            show d1 subject default
            ask d2 'Go?' yes|no timeout=1h on_timeout=deny
            revise d2 {"fields":[{"id":"c","kind":"choice","options":[{"id":"yes"},{"id":"maybe"}]}]}
            ask d3 'Go?' yes|no timeout=1h default={"out":"cancel"} outs=cancel
            revise d3 {"fields":[{"id":"out","kind":"text"}]}
            revise d3 {"fields":[{"id":"out","kind":"text"}],"default":{"out":"later"}}
            show d3 default
            revise d3 {"fields":[{"id":"c","kind":"choice","options":[{"id":"cancel"}]}]}
            ask d4 'Go?' yes|no
            revise d4 {"default":{"choice":"yes"}}
            show d4 default on_timeout
        "#,
        r#"
            created d1
            invalid: default.choice: "a" is not among the options: b, c; give a new default too: the previous one no longer fits
            invalid: default.choice: "c" is not among the options: b
            revised d1
            default={"choice":"b"}
            invalid: default: for an approval, a plan, a verdict, what has a subject and what takes certain people, silence may only refuse: take a refusing option or an out; give a new default too: the previous one no longer fits
            revised d1
            subject={"cmd":"rm"} default={"c":"no"}
            created d2
            invalid: on_timeout: deny needs exactly one option that refuses ("refuses": true)
            created d3
            invalid: default: "out" is a field now; give a new default too: the previous one no longer fits
            revised d3
            default={"out":"later"}
            invalid: outs: "cancel" is already an option; ids must differ
            created d4
            revised d4
            default={"choice":"yes"} on_timeout="expire"
        "#,
    );
}

#[test]
fn new_fields_are_checked_like_the_first() {
    check(
        r#"
            ask d1 'Which?' a|b
            revise d1 {"fields":[]}
            revise d1 {"fields":[{"id":"a","kind":"text"},{"id":"a","kind":"text"}]}
            revise d1 {"fields":[{"id":"a","kind":"colour"}]}
            revise d1 {"fields":[{"id":"a","kind":"choice","options":[{"id":"no"}]}]}
            show d1 fields
        "#,
        r#"
            created d1
            invalid: fields: at least one field must be asked
            invalid: a: this field id occurs twice; ids must differ
            unread: unknown variant `colour`, expected one of `choice`, `choices`, `confirm`, `products`, `text`, `multiline`, `email`, `tel`, `url`, `number`, `integer`, `boolean`, `date`, `time`, `datetime`, `location` at line 1 column 36
            revised d1
            fields=[{"id":"a","kind":"choice","label":"a","options":[{"id":"no","label":"no","refuses":true}],"required":true}]
        "#,
    );
}

#[test]
fn a_revision_changes_the_digest_and_a_non_revision_does_not() {
    let mut world = World::new();
    let actor = Actor::claimed("ana", "test");
    let new = json!({"prompt": "P", "fields": [{"id": "c", "kind": "choice", "options": [{"id": "a"}]}]});
    world.submit(&actor, &Command::Create(Box::new(serde_json::from_value(new).unwrap()))).unwrap();
    let id = *world.decisions.keys().next().unwrap();
    let mut seen = vec![world.decisions[&id].digest.clone()];
    for (revision, changes) in [
        (json!({"title": "T"}), true),
        (json!({"title": "T"}), false),
        (json!({"prompt": "Q"}), true),
        (json!({"subject": {"n": 1}}), true),
        (json!({"subject": {"n": 1.0}}), false),
        (json!({"fields": [{"id": "c", "kind": "choice", "options": [{"id": "a"}]}]}), false),
        (json!({"fields": [{"id": "c", "kind": "choice", "label": "C", "options": [{"id": "a"}]}]}), true),
        (json!({"default": {"c": "a"}}), false),
    ] {
        let command =
            Command::Revise { id, revision: Box::new(serde_json::from_value(revision.clone()).unwrap()) };
        let outcome = world.submit(&actor, &command);
        let digest = world.decisions[&id].digest.clone();
        assert_eq!(!seen.contains(&digest), changes, "{revision}: {outcome:?}");
        seen.push(digest);
    }
}
