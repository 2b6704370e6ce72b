//! First answer wins, the same answer again is a replay, and a person answers what they saw.

use crate::check;

#[test]
fn the_first_answer_wins() {
    check(
        r#"
            ask d1 'Deploy?' yes|no
            answer d1 yes by=bo
            answer d1 yes by=cy
            answer d1 no by=bo
            answer d1 yes m='and quickly'
            answer d1 nonsense
            answer d1 out=cancel
            answer d1
            guide d1 'smaller'
            revise d1 {"title":"T"}
            draft d1 {}
            cancel d1
            expire d1
        "#,
        r#"
            created d1
            resolved d1 {"choice":"yes"} by bo
            replayed, first by bo
            already_settled: decision d1 is already answered: yes by bo
            already_settled: decision d1 is already answered: yes by bo
            already_settled: decision d1 is already answered: yes by bo
            already_settled: decision d1 is already answered: yes by bo
            already_settled: decision d1 is already answered: yes by bo
            already_settled: decision d1 is already answered: yes by bo
            already_settled: decision d1 is already answered: yes by bo
            already_settled: decision d1 is already answered: yes by bo
            already_settled: decision d1 is already answered: yes by bo
            replayed
        "#,
    );
}

#[test]
fn several_choices_replay_as_sets() {
    check(
        r#"
            ask d1 'Which?' choices:a|b|c custom=1
            answer d1 ["a","b",{"text":"x"}] m='go'
            answer d1 [{"text":"x"},"b","a","b"] m='go'
            answer d1 ["a","b",{"text":"x"}]
            answer d1 ["a","b"] m='go'
            ask d2 'Buy?' products:x|y
            answer d2 ["x",{"id":"y","quantity":2.0}]
            answer d2 [{"id":"y","quantity":2},{"id":"x","quantity":1}]
            answer d2 [{"id":"y","quantity":2},{"id":"x","quantity":2}]
            ask d3 'How many?' number:
            answer d3 {"choice":2.0}
            answer d3 {"choice":2}
            ask d4 'Now?' yes|no outs=cancel
            answer d4 out=cancel m='no'
            answer d4 out=cancel m='no'
            answer d4 out=cancel
        "#,
        r#"
            created d1
            resolved d1 {"choice":["a","b",{"text":"x"}]} message="go" by ana
            replayed, first by ana
            already_settled: decision d1 is already answered: a, b, x by ana
            already_settled: decision d1 is already answered: a, b, x by ana
            created d2
            resolved d2 {"choice":[{"id":"x","quantity":1},{"id":"y","quantity":2}]} by ana
            replayed, first by ana
            already_settled: decision d2 is already answered: 1 × x, 2 × y by ana
            created d3
            resolved d3 {"choice":2} by ana
            replayed, first by ana
            created d4
            resolved d4 out="cancel" message="no" by ana
            replayed, first by ana
            already_settled: decision d4 is already answered: cancel by ana
        "#,
    );
}

#[test]
fn only_an_answer_replays() {
    check(
        r"
            ask d1 'Now?' yes|no timeout=10m default=no
            wait 10m
            answer d1 no
            show d1 status
            ask d2 'Now?' yes|no
            guide d2 'later' next=d3
            guide d2 'later'
            cancel d3 'not needed'
            cancel d3 ' not needed '
            cancel d3 'other'
            answer d3 yes
        ",
        r#"
            created d1
            …
            already_settled: decision d1 is already timed out: no by system:timeout
            status="timed_out"
            created d2
            refined d2 next="d3" message="later" by ana; created d3
            already_settled: decision d2 is already refined: later by ana, now d3
            cancelled d3 reason="not needed"
            replayed
            already_settled: decision d3 is already cancelled: "not needed"
            already_settled: decision d3 is already cancelled: "not needed"
        "#,
    );
}

#[test]
fn late_answers_are_refused_with_the_outcome() {
    let script = |late: &str| {
        format!(
            r#"
            ask d1 'Deploy?' yes|no timeout=10m default=no
            wait 9m59s999ms
            show d1 status
            wait 1ms
            show d1 status
            answer d1 yes by=ana {late}
            revise d1 {{"title":"T"}} {late}
            draft d1 {{}} {late}
            cancel d1 {late}
            consume d1 {{}} {late}
            "#
        )
    };
    let expected = r#"
            created d1
            …
            status="pending"
            …
            status="timed_out"
            already_settled: decision d1 is already timed out: no by system:timeout
            already_settled: decision d1 is already timed out: no by system:timeout
            already_settled: decision d1 is already timed out: no by system:timeout
            already_settled: decision d1 is already timed out: no by system:timeout
            not_consumable: decision d1 cannot be consumed: it is timed_out, which is not a person's yes
        "#;
    check(&script(""), expected);
    // Even where nobody has recorded it yet.
    check(&script("late=1"), expected);
}

#[test]
fn a_person_answers_what_they_saw() {
    check(
        r#"
            ask d1 'Which?' a|b
            answer d1 a digest=sha256:00
            revise d1 {"prompt":"Which, really?"}
            answer d1 a digest=first
            guide d1 'neither' digest=first
            revise d1 {"fields":[{"id":"t","kind":"text"}]}
            answer d1 a digest=first
            answer d1 {} digest=first
            revise d1 {"fields":[{"id":"choice","kind":"choice","options":[{"id":"a"}]}]}
            answer d1 a digest=now
            answer d1 a digest=first
        "#,
        r#"
            created d1
            stale: decision d1 has changed since it was shown
            revised d1
            stale: decision d1 has changed since it was shown
            stale: decision d1 has changed since it was shown
            revised d1
            stale: decision d1 has changed since it was shown
            stale: decision d1 has changed since it was shown
            revised d1
            resolved d1 {"choice":"a"} by ana
            replayed, first by ana
        "#,
    );
}

#[test]
fn every_way_to_say_it() {
    check(
        r#"
            ask d1 'Both?' fields=[{"id":"a","kind":"choice","options":[{"id":"x"}]},{"id":"b","kind":"choices","options":[{"id":"y"}]}]
            answer d1 x
            answer d1 ["y"]
            answer d1 {"a":"x"}
            answer d1 {"a":"x","c":1}
            answer d1 {"a":"x","b":["y"]}
            ask d2 'Two?' fields=[{"id":"a","kind":"choice","options":[{"id":"x"}]},{"id":"b","kind":"confirm","options":[{"id":"y"},{"id":"n"}]}]
            answer d2 x
            ask d3 'Text?' 
            answer d3 x
            answer d3 ["x"]
            answer d3 {"text":"x"} out=cancel
            answer d3 out=cancel
            answer d3 {"text":null}
            answer d3 {"text":""}
            answer d3 {"text":"x"} m='  '
            ask d4 'Optional?' fields=[{"id":"a","kind":"choices","required":false,"options":[{"id":"x"}]}] outs=cancel|dismiss
            answer d4 out=later
            answer d4 {}
            answer d4 {"a":[]}
        "#,
        r#"
            created d1
            invalid: b: is required
            invalid: a: is required
            invalid: b: is required
            invalid: c: is not asked; the fields are: a, b / b: is required
            resolved d1 {"a":"x","b":["y"]} by ana
            created d2
            invalid: choice: name the field in values: several fields accept this
            created d3
            invalid: choice: name the field in values: no field accepts this by itself
            invalid: choices: name the field in values: no field accepts this by itself
            invalid: out: replaces the answer and cannot be combined with values
            invalid: out: "cancel" is not an out; the outs are: (none)
            invalid: text: is required
            invalid: text: must not be empty
            resolved d3 {"text":"x"} by ana
            created d4
            invalid: out: "later" is not an out; the outs are: cancel, dismiss
            invalid: answer: is empty; choose one of: x
            resolved d4 {"a":[]} by ana
        "#,
    );
}

#[test]
fn a_message_alone_means_what_its_source_says() {
    check(
        r#"
            ask q1 'Which?' a|b custom=1
            answer q1 m='neither'
            answer q1 m='neither'
            answer q1 {"choice":{"text":"neither"}} m='neither'
            answer q1 {"choice":{"text":"neither"}}
            ask q2 'Which?' a|b
            answer q2 m='a'
            ask q3 'Sure?' confirm:yes|no
            answer q3 m='yes'
            ask q4 'Several?' choices:a|b custom=1
            answer q4 m='x'
            ask q5 'More?' fields=[{"id":"t","kind":"text"},{"id":"u","kind":"multiline","visible_if":{"field":"t","op":"EXISTS"}},{"id":"n","kind":"integer","required":false}]
            answer q5 m='words'
            answer q5 {"t":"words","u":"more"} m='words'
            ask q5b 'Only?' fields=[{"id":"t","kind":"text"},{"id":"u","kind":"text","required":false}]
            answer q5b m='words'
            ask q5c 'Both?' fields=[{"id":"c","kind":"choice","custom":true,"options":[{"id":"a","label":"A"}]},{"id":"d","kind":"choice","custom":true,"options":[{"id":"b","label":"B"}]}]
            answer q5c m='neither'
            ask q5d 'Neither?' fields=[{"id":"t","kind":"text","required":false},{"id":"u","kind":"text","required":false}]
            answer q5d m='words'
            ask q6 'Number?' fields=[{"id":"n","kind":"integer"}]
            answer q6 m='words'
            ask p1 'Plan' accept_auto|revise source=plan
            answer p1 m='split it'
            ask p2 'Plan' yes|no source=plan
            answer p2 m='split it'
            ask p3 'Plan' yes|maybe source=plan
            answer p3 m='split it'
            ask i 'Idle' nudge|done source=idle
            answer i m='go on'
            ask d 'Dead' retry|skip source=dead
            answer d m='go on'
            ask e 'Error' retry|skip source=error
            answer e m='go on'
            ask g 'Gate' retry|skip source=gate
            answer g m='go on'
            ask a 'Approval' approve|deny source=approval subject={}
            answer a m='go on'
            answer a m='go on'
            consume a {}
            ask r 'Request' a|b source=request
            answer r m='go on'
            ask f 'Form' a|b source=form custom=1
            answer f m='go on'
            ask v 'Verdict' commit|retry source=verdict
            answer v m='go on'
            ask w 'Words' a|b custom=1
            answer w m='   '
        "#,
        r#"
            created q1
            resolved q1 {"choice":{"text":"neither"}} message="neither" by ana
            replayed, first by ana
            replayed, first by ana
            already_settled: decision q1 is already answered: neither by ana
            created q2
            invalid: choice: free text is not accepted here; choose one of: a, b
            created q3
            invalid: choice: free text is not accepted here; choose one of: yes, no
            created q4
            resolved q4 {"choice":[{"text":"x"}]} message="x" by ana
            created q5
            invalid: message: alone does not say which field it answers; give values for: t, u, n
            resolved q5 {"t":"words","u":"more"} message="words" by ana
            created q5b
            resolved q5b {"t":"words"} message="words" by ana
            created q5c
            resolved q5c {"c":{"text":"neither"},"d":{"text":"neither"}} message="neither" by ana
            created q5d
            invalid: message: alone does not say which field it answers; give values for: t, u
            created q6
            invalid: n: "words" is not a whole number
            created p1
            resolved p1 {"choice":"revise"} message="split it" by ana
            created p2
            resolved p2 {"choice":"no"} message="split it" by ana
            created p3
            invalid: message: this plan offers no option to revise it
            created i
            resolved i message="go on" by ana
            created d
            resolved d message="go on" by ana
            created e
            resolved e message="go on" by ana
            created g
            resolved g message="go on" by ana
            created a
            resolved a message="go on" by ana
            replayed, first by ana
            not_consumable: decision a cannot be consumed: no option was chosen, so nothing was approved
            created r
            invalid: message: alone answers no request; choose one of: a, b
            created f
            invalid: message: alone answers no form; choose one of: a, b
            created v
            invalid: message: alone answers no verdict; choose one of: commit, retry
            created w
            invalid: answer: is empty; choose one of: a, b
        "#,
    );
}

#[test]
fn drafts_hold_valid_values_and_answer_nothing() {
    check(
        r#"
            ask d1 'Leave' source=form fields=[{"id":"type","kind":"choice","options":[{"id":"sick"},{"id":"annual"}]},{"id":"note","kind":"text","visible_if":{"field":"type","op":"EQUALS","value":"sick"}}]
            draft d1 {"type":"sick"}
            draft d1 {"type":"sick"}
            draft d1 {"type":"sick","note":"flu"}
            draft d1 {"type":"annual","note":"flu"}
            draft d1 {"type":"x","zzz":1}
            draft d1 {"note":""}
            show d1 draft status
            answer d1 {}
            answer d1 {"type":"annual"}
            show d1 draft
        "#,
        r#"
            created d1
            drafted d1 draft={"type":"sick"}
            replayed
            drafted d1 draft={"note":"flu","type":"sick"}
            drafted d1 draft={"type":"annual"}
            invalid: type: "x" is not among the options: sick, annual / zzz: is not asked; the fields are: type, note
            drafted d1 draft={}
            draft={} status="pending"
            invalid: answer: is empty; give values for: type, note
            resolved d1 {"type":"annual"} by ana
            draft={}
        "#,
    );
}

#[test]
fn a_claimed_name_counts_and_a_proven_one_stays() {
    check(
        r"
            ask d1 'Go?' yes|no
            answer d1 yes by='a␛b'
            answer d1 yes by=' bo '
            ask d2 'Go?' yes|no
            answer d2 yes by=mallory as=person:cy:tok
            ask d3 'Go?' yes|no
            answer d3 yes by=
        ",
        r#"
            created d1
            invalid: by: "a<U+001B>b" must not contain control or invisible characters
            resolved d1 {"choice":"yes"} by bo
            created d2
            resolved d2 {"choice":"yes"} by cy
            created d3
            resolved d3 {"choice":"yes"} by ana
        "#,
    );
}
