//! An approval is bound to its subject and used once.

use crate::check;

#[test]
fn once_and_only_for_what_was_approved() {
    check(
        r#"
            ask d1 'Run?' yes|no subject={"cmd":"rm","n":1}
            show d1 source subject_digest
            consume d1 {"cmd":"rm","n":1}
            answer d1 yes by=bo
            consume d1 {"cmd":"rm"}
            consume d1 {"cmd":"rm","n":"1"}
            consume d1 {"n":9007199254740993}
            consume d1 {"n":1.0,"cmd":"rm"}
            show d1 consumed_at status
            wait 1s
            consume d1 {"cmd":"rm","n":1}
            answer d1 yes
        "#,
        r#"
            created d1
            source="approval" subject_digest="sha256:dbee78f63a426c4c3fde093196f6e71d888048a1bd120761e4c8302b4c9719ab"
            not_consumable: decision d1 cannot be consumed: nobody has answered yet
            resolved d1 {"choice":"yes"} by bo
            not_consumable: decision d1 cannot be consumed: the subject differs from what was approved (sha256:dd20044da0b499309407b37ce45eef4f595c71412894261f9e2df7bc2f271a4e is not sha256:dbee78f63a426c4c3fde093196f6e71d888048a1bd120761e4c8302b4c9719ab)
            not_consumable: decision d1 cannot be consumed: the subject differs from what was approved (sha256:8fff3a3b1ca596a9779c1f9a9f62f6985a1fa5245abb63ecbc4438cb5ddc7515 is not sha256:dbee78f63a426c4c3fde093196f6e71d888048a1bd120761e4c8302b4c9719ab)
            invalid: subject: the number at "/n" is beyond 2^53, where numbers lose digits; send it as a string
            consumed d1
            consumed_at="+0s" status="answered"
            …
            not_consumable: decision d1 cannot be consumed: it was consumed at +0s
            replayed, first by bo
        "#,
    );
}

#[test]
fn a_yes_that_was_given_unread_says_so_and_can_be_refused() {
    check(
        r"
            ask a 'Run?' yes|no subject=1
            answer a yes by=bo seen=no
            show a answer
            consume a 1 seen=1
            consume a 1
            ask b 'Run?' yes|no subject=1
            answer b yes by=bo seen=yes
            consume b 1 seen=1
            ask c 'Run?' yes|no subject=1
            answer c yes by=bo
            show c answer
            consume c 1 seen=1
            ask d 'A no needs no reading' yes|no subject=1
            answer d no by=bo seen=no
            show d answer
            ask e 'Nothing to read' yes|no
            answer e yes by=bo seen=no
            show e answer
        ",
        r#"
            created a
            resolved a {"choice":"yes"} by bo
            answer={"at":"+0s","auth":"claimed","by":"bo","message":null,"out":null,"seen":false,"values":{"choice":"yes"},"via":"test"}
            not_consumable: decision a cannot be consumed: bo consented unread, but the whole subject must have been seen
            consumed a
            created b
            resolved b {"choice":"yes"} by bo
            consumed b
            created c
            resolved c {"choice":"yes"} by bo
            answer={"at":"+0s","auth":"claimed","by":"bo","message":null,"out":null,"values":{"choice":"yes"},"via":"test"}
            not_consumable: decision c cannot be consumed: the answer of bo does not say that the whole subject was seen
            created d
            resolved d {"choice":"no"} by bo
            answer={"at":"+0s","auth":"claimed","by":"bo","message":null,"out":null,"values":{"choice":"no"},"via":"test"}
            created e
            resolved e {"choice":"yes"} by bo
            answer={"at":"+0s","auth":"claimed","by":"bo","message":null,"out":null,"values":{"choice":"yes"},"via":"test"}
        "#,
    );
}

#[test]
fn what_is_not_a_yes_is_not_consumed() {
    check(
        r#"
            ask a 'No' yes|no subject=1
            answer a no
            consume a 1
            ask b 'Out' yes|no subject=1 outs=cancel
            answer b out=cancel
            consume b 1
            ask c 'Words' yes|no subject=1
            answer c m='hm'
            consume c 1
            ask d 'Text' subject=1
            answer d {"text":"yes"}
            consume d 1
            ask e 'Custom' yes|no subject=1 custom=1
            answer e {"choice":{"text":"yes"}}
            consume e 1
            ask f 'Several' choices:read|write|no subject=1
            answer f ["read","no"]
            consume f 1
            ask g 'Timed out' yes|no subject=1 timeout=1m default=no
            wait 1m
            consume g 1
            ask h 'Cancelled' yes|no subject=1
            cancel h
            consume h 1
            ask i 'Nothing exact' yes|no source=approval
            answer i yes
            consume i null
            ask j 'Verdict' commit|retry source=verdict subject=1
            answer j commit
            consume j 1
            ask k 'Superseded' yes|no subject=1 owner=job:x
            ask l 'Newer' yes|no subject=1 owner=job:x
            consume k 1
            ask m 'Refined' yes|no subject=1 source=question
            guide m 'x' next=n
            consume m 1
            consume n 1
            answer n yes
            consume n 1
            ask o 'Marked' subject=1 fields=[{"id":"c","kind":"choice","options":[{"id":"a"},{"id":"b","refuses":true},{"id":"c","effect":"deny"}]}]
            answer o b
            consume o 1
            ask p 'By effect' subject=1 fields=[{"id":"c","kind":"choice","options":[{"id":"a"},{"id":"c","effect":"deny"}]}]
            answer p c
            consume p 1
            ask q 'Variant' subject=1 fields=[{"id":"c","kind":"products","options":[{"id":"a","variants":[{"id":"no"}]}]}]
            answer q ["no"]
            consume q 1
            ask r 'Foreign' yes|no source=request subject=1
            answer r no
            consume r 1
            ask s 'No beside a value' subject=1 fields=[{"id":"b","kind":"boolean"},{"id":"c","kind":"choice","options":[{"id":"x"}]}]
            answer s {"b":false,"c":"x"}
            consume s 1
        "#,
        r#"
            created a
            resolved a {"choice":"no"} by ana
            not_consumable: decision a cannot be consumed: it was refused by ana
            created b
            resolved b out="cancel" by ana
            not_consumable: decision b cannot be consumed: it was refused by ana
            created c
            resolved c message="hm" by ana
            not_consumable: decision c cannot be consumed: no option was chosen, so nothing was approved
            created d
            resolved d {"text":"yes"} by ana
            not_consumable: decision d cannot be consumed: no option was chosen, so nothing was approved
            created e
            resolved e {"choice":{"text":"yes"}} by ana
            not_consumable: decision e cannot be consumed: no option was chosen, so nothing was approved
            created f
            resolved f {"choice":["read","no"]} by ana
            not_consumable: decision f cannot be consumed: it was refused by ana
            created g
            …
            not_consumable: decision g cannot be consumed: it is timed_out, which is not a person's yes
            created h
            cancelled h
            not_consumable: decision h cannot be consumed: it is cancelled, which is not a person's yes
            created i
            resolved i {"choice":"yes"} by ana
            not_consumable: decision i cannot be consumed: it has no subject: nothing exact was approved
            created j
            resolved j {"choice":"commit"} by ana
            not_consumable: decision j cannot be consumed: a verdict is carried out, not consumed
            created k
            superseded k superseded_by="l"; created l
            not_consumable: decision k cannot be consumed: it is superseded, which is not a person's yes
            created m
            refined m next="n" message="x" by ana; created n
            not_consumable: decision m cannot be consumed: it is refined, which is not a person's yes
            not_consumable: decision n cannot be consumed: nobody has answered yet
            resolved n {"choice":"yes"} by ana
            consumed n
            created o
            resolved o {"c":"b"} by ana
            not_consumable: decision o cannot be consumed: it was refused by ana
            created p
            resolved p {"c":"c"} by ana
            not_consumable: decision p cannot be consumed: it was refused by ana
            created q
            resolved q {"c":[{"id":"no","quantity":1}]} by ana
            not_consumable: decision q cannot be consumed: it was refused by ana
            created r
            resolved r {"choice":"no"} by ana
            not_consumable: decision r cannot be consumed: it was refused by ana
            created s
            resolved s {"b":false,"c":"x"} by ana
            not_consumable: decision s cannot be consumed: it was refused by ana
        "#,
    );
}

#[test]
fn as_surely_as_needed() {
    check(
        r"
            ask d1 'Run?' yes|no subject=1
            answer d1 yes
            consume d1 1 min=local
            consume d1 1 min=system
            ask d2 'Run?' yes|no subject=1
            answer d2 yes as=person:bo:tok auth=token
            consume d2 1 min=session
            consume d2 1 min=token
            ask d3 'Run?' yes|no subject=1
            answer d3 yes as=person:bo:tok auth=link
            consume d3 1 min=token
            consume d3 1 min=link
        ",
        r#"
            created d1
            resolved d1 {"choice":"yes"} by ana
            not_consumable: decision d1 cannot be consumed: it was answered with assurance claimed, but local is needed
            consumed d1
            created d2
            resolved d2 {"choice":"yes"} by bo
            not_consumable: decision d2 cannot be consumed: it was answered with assurance token, but session is needed
            consumed d2
            created d3
            resolved d3 {"choice":"yes"} by bo
            not_consumable: decision d3 cannot be consumed: it was answered with assurance link, but token is needed
            consumed d3
        "#,
    );
}

#[test]
fn a_no_is_a_no_by_whatever_name() {
    use holdpoint_core::decision::is_refusal;
    use holdpoint_core::{Actor, Command};
    use serde_json::json;
    for (source, options, answer, refusal) in [
        ("question", json!([{"id": "yes"}, {"id": "no"}]), json!({"choice": "no"}), true),
        ("question", json!([{"id": "yes"}, {"id": "no"}]), json!({"choice": "yes"}), false),
        ("question", json!([{"id": "deny"}]), json!({"choice": "deny"}), true),
        ("plan", json!([{"id": "revise"}]), json!({"choice": "revise"}), true),
        ("verdict", json!([{"id": "retry"}]), json!({"choice": "retry"}), true),
        ("verdict", json!([{"id": "abandon"}]), json!({"choice": "abandon"}), true),
        ("verdict", json!([{"id": "rollback"}]), json!({"choice": "rollback"}), false),
        ("gate", json!([{"id": "retry"}]), json!({"choice": "retry"}), false),
        ("question", json!([{"id": "abandon"}]), json!({"choice": "abandon"}), false),
        ("request", json!([{"id": "no"}]), json!({"choice": "no"}), false),
        ("request", json!([{"id": "no", "refuses": true}]), json!({"choice": "no"}), true),
        ("question", json!([{"id": "No"}]), json!({"choice": "No"}), true),
        ("question", json!([{"id": "a", "variants": [{"id": "no"}]}]), json!({"choice": "no"}), true),
        ("question", json!([{"id": "a"}]), json!({"out": "later"}), true),
        ("approval", json!([{"id": "a"}]), json!({"message": "wait"}), true),
        ("idle", json!([{"id": "a"}]), json!({"message": "go on"}), false),
    ] {
        let mut world = crate::world::World::new();
        let actor = Actor::claimed("ana", "test");
        let new = json!({
            "prompt": "?", "source": source, "outs": [{"id": "later"}],
            "fields": [{"id": "c", "kind": "choice", "options": options}],
        });
        world.submit(&actor, &Command::Create(Box::new(serde_json::from_value(new).unwrap()))).unwrap();
        let id = *world.decisions.keys().next().unwrap();
        let input = Box::new(serde_json::from_value(answer.clone()).unwrap());
        world.submit(&actor, &Command::Answer { id, input }).unwrap();
        assert_eq!(is_refusal(&world.decisions[&id]), refusal, "{source} {options} {answer}");
    }
}
