//! Silence is not consent: deadlines, defaults, and what they may say.

use crate::check;

#[test]
fn each_way_to_end_in_silence() {
    check(
        r#"
            ask a 'A?' yes|no timeout=10m
            ask b 'B?' yes|no timeout=10m default=yes
            ask c 'C?' yes|no timeout=10m on_timeout=deny
            ask d 'D?' yes|no timeout=10m on_timeout=cancel owner=job:build
            ask e 'E?' yes|no timeout=10m on_timeout=cancel owner=crew:night
            ask f 'F?' yes|no timeout=10m on_timeout=cancel owner=item:bd-1
            ask g 'G?' yes|no timeout=10m default={"out":"cancel"} outs=cancel owner=job:other
            ask h 'H?' yes|no timeout=10m default=yes on_timeout=expire
            ask i 'I?' yes|no default=yes
            show a on_timeout default
            show b on_timeout default
            show h on_timeout default
            wait 10m
            show a status answer settled_at
            show b status answer settled_at
            wait 5m
            show b status answer settled_at
            expire a
            expire b
            expire b
            expire c
            expire d
            expire e
            expire f
            expire g
            expire h
            expire i
            show a status answer settled_at
            show b status answer settled_at
            show c status answer
            show i status
        "#,
        r#"
            created a
            created b
            created c
            created d
            created e
            item:created bd-1; created f
            created g
            created h
            created i
            on_timeout="expire" default=null
            on_timeout="default" default={"choice":"yes"}
            on_timeout="expire" default={"choice":"yes"}
            …
            status="timed_out" answer=null settled_at="+10m"
            status="timed_out" answer={"at":"+10m","auth":"system","by":"system:timeout","message":null,"out":null,"values":{"choice":"yes"},"via":"timeout"} settled_at="+10m"
            …
            status="timed_out" answer={"at":"+10m","auth":"system","by":"system:timeout","message":null,"out":null,"values":{"choice":"yes"},"via":"timeout"} settled_at="+10m"
            expired a
            expired b {"choice":"yes"} by system:timeout
            replayed
            expired c {"choice":"no"} by system:timeout
            expired d; job:cancel build
            expired e; crew:updated night status="failed" reason="cancelled"
            expired f
            expired g out="cancel" by system:timeout; job:cancel other
            expired h
            replayed
            status="timed_out" answer=null settled_at="+10m"
            status="timed_out" answer={"at":"+10m","auth":"system","by":"system:timeout","message":null,"out":null,"values":{"choice":"yes"},"via":"timeout"} settled_at="+10m"
            status="timed_out" answer={"at":"+10m","auth":"system","by":"system:timeout","message":null,"out":null,"values":{"choice":"no"},"via":"timeout"}
            status="pending"
        "#,
    );
}

#[test]
fn read_late_or_recorded_late_it_is_the_same_decision() {
    use holdpoint_core::{Actor, Command, OnTimeout, Span};
    for on_timeout in [OnTimeout::Expire, OnTimeout::Default, OnTimeout::Deny, OnTimeout::Cancel] {
        let mut world = crate::world::World::new();
        let actor = Actor::claimed("ana", "test");
        let new = serde_json::json!({
            "prompt": "Go?", "timeout": "10m", "on_timeout": on_timeout, "default": {"c": "no"}, "owner": "job:j",
            "fields": [{"id": "c", "kind": "confirm", "options": [{"id": "yes"}, {"id": "no"}]}],
        });
        world.submit(&actor, &Command::Create(Box::new(serde_json::from_value(new).unwrap()))).unwrap();
        let id = *world.decisions.keys().next().unwrap();
        world.wait(Span::from_secs(600));
        let read = world.decisions[&id].clone().as_of(world.now);
        world.wait(Span::from_secs(3_600));
        assert_eq!(read, world.decisions[&id].clone().as_of(world.now));
        world.submit(&actor, &Command::Expire { id }).unwrap();
        assert_eq!(read, world.decisions[&id], "{on_timeout:?}");
        assert_eq!(read, read.clone().as_of(world.now));
    }
}

#[test]
fn a_default_is_a_whole_answer() {
    check(
        r#"
            ask a 'A?' yes|no timeout=1h default=maybe
            ask b 'B?' timeout=1h default={"text":""}
            ask c 'C?' yes|no timeout=1h default={}
            ask d 'D?' yes|no timeout=1h default={"choice":"yes","more":1}
            ask e 'E?' yes|no timeout=1h default={"out":"cancel"}
            ask f 'F?' yes|no timeout=1h default={"out":"later"} outs=cancel|dismiss
            ask g 'G?' yes|no timeout=1h default={"out":"cancel","choice":"yes"} outs=cancel
            ask h 'H?' yes|no timeout=1h on_timeout=default
            ask i 'I?' yes|no on_timeout=default default=yes
            ask j 'J?' yes|no on_timeout=deny
            ask k 'K?' timeout=1h default={"out":"x"} fields=[{"id":"out","kind":"text"}] outs=cancel
            show k default
            ask l 'L?' timeout=1h default={"n":2.0,"hidden":"x"} fields=[{"id":"n","kind":"number"},{"id":"hidden","kind":"text","visible_if":{"field":"n","op":"EQUALS","value":3}}]
            show l default
        "#,
        r#"
            invalid: default.choice: "maybe" is not among the options: yes, no
            invalid: default.text: must not be empty
            invalid: default.choice: is required
            invalid: default.more: is not asked; the fields are: choice
            invalid: default: "cancel" is not an out; the outs are: (none)
            invalid: default: "later" is not an out; the outs are: cancel, dismiss
            invalid: default: the out "cancel" replaces values and cannot be combined with them
            invalid: on_timeout: default needs a default value
            invalid: on_timeout: needs a timeout or a deadline
            invalid: on_timeout: needs a timeout or a deadline
            created k
            default={"out":"x"}
            created l
            default={"n":2}
        "#,
    );
}

#[test]
fn where_something_is_decided_on_silence_refuses() {
    check(
        r#"
            ask a 'A' approve|deny source=approval timeout=1h default=approve
            ask b 'B' approve|deny source=approval timeout=1h default=deny
            ask c 'C' accept_auto|revise source=plan timeout=1h default=accept_auto
            ask d 'D' accept_auto|revise source=plan timeout=1h default=revise
            ask e 'E' commit|retry|abandon|rollback source=verdict timeout=1h default=rollback
            ask f 'F' commit|retry|abandon source=verdict timeout=1h default=retry
            ask g 'G' commit|retry|abandon source=verdict timeout=1h default=abandon
            ask h 'H' yes|no source=question subject={"cmd":"rm"} timeout=1h default=yes
            ask i 'I' yes|no source=question subject={"cmd":"rm"} timeout=1h default=no
            ask j 'J' yes|no subject={"cmd":"rm"} default=yes
            ask k 'K' approve|deny source=approval outs=dismiss timeout=1h default={"out":"dismiss"}
            ask l 'L' source=approval timeout=1h default={"c":"ok"} fields=[{"id":"c","kind":"choice","options":[{"id":"ok"},{"id":"nope","refuses":true}]}]
            ask m 'M' source=approval timeout=1h default={"c":"nope"} fields=[{"id":"c","kind":"choice","options":[{"id":"ok"},{"id":"nope","refuses":true}]}]
            ask n 'N' source=gate retry|skip timeout=1h default=skip
            ask o 'O' source=approval timeout=1h default={"c":["deny"]} fields=[{"id":"c","kind":"choices","options":[{"id":"a"},{"id":"deny"}]}]
            ask p 'P' source=approval timeout=1h default={} fields=[{"id":"c","kind":"text","required":false}]
        "#,
        r"
            invalid: default: for an approval, a plan, a verdict, what has a subject and what takes certain people, silence may only refuse: take a refusing option or an out
            created b
            invalid: default: for an approval, a plan, a verdict, what has a subject and what takes certain people, silence may only refuse: take a refusing option or an out
            created d
            invalid: default: for an approval, a plan, a verdict, what has a subject and what takes certain people, silence may only refuse: take a refusing option or an out
            created f
            created g
            invalid: default: for an approval, a plan, a verdict, what has a subject and what takes certain people, silence may only refuse: take a refusing option or an out
            created i
            invalid: default: for an approval, a plan, a verdict, what has a subject and what takes certain people, silence may only refuse: take a refusing option or an out
            created k
            invalid: default: for an approval, a plan, a verdict, what has a subject and what takes certain people, silence may only refuse: take a refusing option or an out
            created m
            created n
            created o
            invalid: default: for an approval, a plan, a verdict, what has a subject and what takes certain people, silence may only refuse: take a refusing option or an out
        ",
    );
}

#[test]
fn deny_needs_exactly_one_no_that_stands_alone() {
    check(
        r#"
            ask a 'A' yes|maybe timeout=1h on_timeout=deny
            ask b 'B' yes|no|deny timeout=1h on_timeout=deny
            ask c 'C' yes|maybe outs=no timeout=1h on_timeout=deny
            ask d 'D' yes|no outs=cancel timeout=1h on_timeout=deny
            ask e 'E' commit|retry source=verdict timeout=1h on_timeout=deny
            ask f 'F' commit|retry source=gate timeout=1h on_timeout=deny
            ask g 'G' yes|no source=request timeout=1h on_timeout=deny
            ask h 'H' source=request timeout=1h on_timeout=deny fields=[{"id":"c","kind":"choice","options":[{"id":"a"},{"id":"b","refuses":true}]}]
            ask i 'I' timeout=1h on_timeout=deny fields=[{"id":"c","kind":"confirm","options":[{"id":"yes"},{"id":"no"}]},{"id":"why","kind":"text"}]
            ask j 'J' timeout=1h on_timeout=deny fields=[{"id":"c","kind":"confirm","options":[{"id":"yes"},{"id":"no"}]},{"id":"why","kind":"text","required":false}]
            ask k 'K' timeout=1h on_timeout=deny fields=[{"id":"c","kind":"confirm","options":[{"id":"yes"},{"id":"no"}]},{"id":"how","kind":"text","visible_if":{"field":"c","op":"EQUALS","value":"yes"}}]
            ask l 'L' timeout=1h on_timeout=deny fields=[{"id":"a","kind":"text","required":false},{"id":"c","kind":"confirm","visible_if":{"field":"a","op":"EXISTS"},"options":[{"id":"yes"},{"id":"no"}]}]
            ask m 'M' timeout=1h on_timeout=deny fields=[{"id":"c","kind":"choices","options":[{"id":"yes"},{"id":"no"}]}]
            ask n 'N' timeout=1h on_timeout=deny fields=[{"id":"c","kind":"products","options":[{"id":"shirt","variants":[{"id":"s"},{"id":"none","refuses":true}]}]}]
            ask o 'O' timeout=1h on_timeout=deny fields=[{"id":"c","kind":"choices","min":2,"options":[{"id":"yes"},{"id":"no"}]}]
            wait 1h
            expire d
            expire m
            expire n
        "#,
        r#"
            invalid: on_timeout: deny needs exactly one option that refuses ("refuses": true)
            invalid: on_timeout: deny needs exactly one option that refuses ("refuses": true)
            invalid: on_timeout: deny needs exactly one option that refuses ("refuses": true)
            created d
            created e
            invalid: on_timeout: deny needs exactly one option that refuses ("refuses": true)
            invalid: on_timeout: deny needs exactly one option that refuses ("refuses": true)
            created h
            invalid: on_timeout: deny would answer "no" in "c" only, but why: is required
            created j
            created k
            invalid: on_timeout: deny would answer "no" in "c", which is hidden while nothing else is answered
            created m
            created n
            invalid: on_timeout: deny would answer "no" in "c" only, but c: 1 choices, but must be at least 2
            …
            expired d {"choice":"no"} by system:timeout
            expired m {"c":["no"]} by system:timeout
            expired n {"c":[{"id":"none","quantity":1}]} by system:timeout
        "#,
    );
}

#[test]
fn deadlines_lie_ahead() {
    check(
        r"
            ask a 'A?' yes|no timeout=0s
            ask b 'B?' yes|no timeout=5m deadline=2030-01-01T00:00:00Z
            ask c 'C?' yes|no deadline=2025-11-15T00:00:00Z
            ask d 'D?' yes|no deadline=2025-11-15T00:00:00.001Z
            ask e 'E?' yes|no timeout=1ms
            wait 1ms
            show d status
            show e status
        ",
        r#"
            invalid: timeout: must be longer than zero, e.g. 30m
            invalid: timeout: give a timeout or a deadline, not both
            invalid: deadline: has passed already
            created d
            created e
            …
            status="timed_out"
            status="timed_out"
        "#,
    );
}

#[test]
fn an_agents_default_waits_for_someone_to_see_it() {
    check(
        r"
            ask a 'A?' yes|no timeout=59s default=yes as=agent:a1:tok
            ask b 'B?' yes|no timeout=60s default=yes as=agent:a1:tok
            ask c 'C?' yes|no timeout=1s as=agent:a1:tok
            ask d 'D?' yes|no timeout=1s on_timeout=deny as=agent:a1:tok
            ask e 'E?' yes|no timeout=1s default=yes on_timeout=expire as=agent:a1:tok
            ask f 'F?' yes|no timeout=1s default=yes as=person:ana:tok
            ask g 'G?' yes|no timeout=1s default=yes
            ask h 'H?' yes|no deadline=2025-11-15T00:00:30Z default=yes as=agent:a1:tok
            project min=10m
            project min=10m
            ask i 'I?' yes|no timeout=9m default=yes as=agent:a1:tok
            ask j 'J?' yes|no timeout=9m default=yes project=other as=agent:a1:tok
        ",
        r#"
            invalid: timeout: must be at least 1m where the default is taken
            created b
            created c
            created d
            created e
            created f
            created g
            invalid: timeout: must be at least 1m where the default is taken
            project:updated default min_timeout="10m"
            replayed
            invalid: timeout: must be at least 10m where the default is taken
            created j
        "#,
    );
}

#[test]
fn an_agent_cannot_put_its_default_in_front_of_nobody_by_revising_late() {
    check(
        r#"
            ask a 'A?' yes|no timeout=61s default=no as=agent:a1:tok
            revise a {"default":{"choice":"yes"}} as=agent:a1:tok
            wait 2s
            revise a {"default":{"choice":"no"}} as=agent:a1:tok
            revise a {"prompt":"Something else?"} as=agent:a1:tok
            ask b 'B?' yes|no timeout=61s as=agent:a1:tok
            wait 58s
            revise b {"prompt":"Something else?"} as=agent:a1:tok
        "#,
        r"
            created a
            revised a
            …
            invalid: deadline: passes in less than 1m: cancel this and ask again, because silence would answer before anyone had time to look
            invalid: deadline: passes in less than 1m: cancel this and ask again, because silence would answer before anyone had time to look
            created b
            …
            revised b
        ",
    );
}
