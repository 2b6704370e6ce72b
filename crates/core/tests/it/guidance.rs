//! Guidance is not a choice: it opens another round, or is the option that says the same.

use crate::check;

#[test]
fn guidance_closes_the_round_and_opens_the_next() {
    check(
        r#"
            ask d1 'Which?' a|b timeout=10m default=a owner=item:bd-1 for=agent-7 assign=ana
            draft d1 {"choice":"b"}
            wait 4m
            guide d1 '  cheaper  ' by=bo next=d2
            show d1 status next prior iteration answer settled_at
            show d2 status next prior iteration max_iterations guidance draft default on_timeout deadline created_at
            show d2 prompt owner requested_by assignees answer settled_at
            wait 10m
            show d2 status
        "#,
        r#"
            item:created bd-1; created d1
            drafted d1 draft={"choice":"b"}
            …
            refined d1 next="d2" message="cheaper" by bo; created d2
            status="refined" next="d2" prior=null iteration=1 answer={"at":"+4m","auth":"claimed","by":"bo","message":"cheaper","out":null,"values":{},"via":"test"} settled_at="+4m"
            status="pending" next=null prior="d1" iteration=2 max_iterations=3 guidance="cheaper" draft={"choice":"b"} default={"choice":"a"} on_timeout="default" deadline="+14m" created_at="+4m"
            prompt="Which?" owner="item:bd-1" requested_by="agent-7" assignees=["ana"] answer=null settled_at=null
            …
            status="timed_out"
        "#,
    );
}

#[test]
fn the_last_round_takes_no_more() {
    check(
        r"
            ask d1 'Which?' a|b max=2
            guide d1 'cheaper' next=d2
            guide d2 'cheaper still'
            answer d2 a
            ask d3 'Which?' a|b max=1
            guide d3 'cheaper'
            ask d4 'Which?' a|b max=0
            ask d5 'Which?' a|b max=101
            ask e1 'Which?' a|b
            guide e1 'x' next=e2
            guide e2 'y' next=e3
            guide e3 'z' next=e4
            show e3 iteration prior guidance
        ",
        r#"
            created d1
            refined d1 next="d2" message="cheaper" by ana; created d2
            last_round: decision d2 is in round 2 of 2: no further guidance is accepted
            resolved d2 {"choice":"a"} by ana
            created d3
            last_round: decision d3 is in round 1 of 1: no further guidance is accepted
            invalid: max_iterations: must be from 1 to 100
            invalid: max_iterations: must be from 1 to 100
            created e1
            refined e1 next="e2" message="x" by ana; created e2
            refined e2 next="e3" message="y" by ana; created e3
            last_round: decision e3 is in round 3 of 3: no further guidance is accepted
            iteration=3 prior="e2" guidance="y"
        "#,
    );
}

#[test]
fn guidance_is_the_option_that_fits() {
    check(
        r"
            ask p 'Plan' accept_auto|revise source=plan
            guide p 'split it'
            guide p 'split it'
            guide p 'other'
            ask v 'Verdict' commit|retry|abandon source=verdict
            guide v 'add tests'
            ask d 'Dead' retry|skip source=dead
            guide d 'again'
            ask e 'Error' retry|skip source=error
            guide e 'again'
            ask g 'Gate' retry|skip source=gate
            guide g 'again'
            ask i 'Idle' nudge|done source=idle
            guide i 'go on'
            ask a 'Approval' approve|deny source=approval
            guide a 'not now'
            ask b 'Approval' yes|no source=approval
            guide b 'not now'
            ask r 'Request' a|b source=request
            guide r 'cheaper'
            ask f 'Form' source=form
            guide f 'which one?' next=f2
        ",
        r#"
            created p
            resolved p {"choice":"revise"} message="split it" by ana
            replayed, first by ana
            already_settled: decision p is already answered: revise by ana
            created v
            resolved v {"choice":"retry"} message="add tests" by ana
            created d
            resolved d {"choice":"retry"} message="again" by ana
            created e
            resolved e {"choice":"retry"} message="again" by ana
            created g
            resolved g {"choice":"retry"} message="again" by ana
            created i
            resolved i {"choice":"nudge"} message="go on" by ana
            created a
            resolved a {"choice":"deny"} message="not now" by ana
            created b
            resolved b {"choice":"no"} message="not now" by ana
            created r
            invalid: guidance: answer or refuse: the other party does not accept guidance
            created f
            refined f next="f2" message="which one?" by ana; created f2
        "#,
    );
}

#[test]
fn where_no_option_fits_guidance_is_refused() {
    check(
        r#"
            ask p 'Plan' yes|maybe source=plan
            guide p 'x'
            ask a 'Approval' no|deny|yes source=approval
            guide a 'x'
            ask b 'Approval' no|nah|yes source=approval
            guide b 'x'
            ask c 'Approval' source=approval fields=[{"id":"c","kind":"choice","options":[{"id":"a"},{"id":"x","refuses":true},{"id":"z","refuses":true}]}]
            guide c 'x'
            ask d 'Dead' wait|skip source=dead
            guide d 'x'
            answer d skip
            guide d 'x'
            ask r 'Request' a|b source=request
            answer r a
            guide r 'x'
            ask e 'By effect' source=dead fields=[{"id":"c","kind":"choice","options":[{"id":"again","effect":"restart"}]}]
            guide e 'x'
            ask f 'Several boxes' source=approval fields=[{"id":"c","kind":"choices","options":[{"id":"read"},{"id":"deny"}]}]
            guide f 'x'
            ask g 'And words' source=approval fields=[{"id":"c","kind":"confirm","options":[{"id":"yes"},{"id":"no"}]},{"id":"why","kind":"text"}]
            guide g 'x'
        "#,
        r#"
            created p
            invalid: guidance: no option here means it; choose one of: yes, maybe
            created a
            resolved a {"choice":"deny"} message="x" by ana
            created b
            resolved b {"choice":"no"} message="x" by ana
            created c
            invalid: guidance: no option here means it; choose one of: a, x, z
            created d
            invalid: guidance: no option here means it; choose one of: wait, skip
            resolved d {"choice":"skip"} by ana
            already_settled: decision d is already answered: skip by ana
            created r
            resolved r {"choice":"a"} by ana
            already_settled: decision r is already answered: a by ana
            created e
            resolved e {"c":"again"} message="x" by ana
            created f
            resolved f {"c":["deny"]} message="x" by ana
            created g
            invalid: why: is required
        "#,
    );
}

#[test]
fn guidance_goes_with_nothing_else() {
    check(
        r"
            ask d1 'Which?' a|b outs=cancel
            guide d1 '   '
            answer d1 a guidance='x'
            answer d1 out=cancel guidance='x'
            answer d1 m='y' guidance='x'
            answer d1 m='  ' guidance='x' next=d2
            answer d2 a guidance='  '
        ",
        r#"
            created d1
            invalid: guidance: is empty; say what should be different
            invalid: guidance: cannot be combined with an answer or a message
            invalid: guidance: cannot be combined with an answer or a message
            invalid: guidance: cannot be combined with an answer or a message
            refined d1 next="d2" message="x" by ana; created d2
            resolved d2 {"choice":"a"} by ana
        "#,
    );
}

#[test]
fn a_later_round_can_be_accepted_as_it_stands() {
    check(
        r#"
            ask d1 'Which?' a|b custom=1 outs=cancel
            answer d1 _accept
            guide d1 'x' next=d2
            show d2 fields
            draft d2 {"choice":"_accept"}
            answer d2 _accept by=bo
            ask e1 'Which?' a|b
            guide e1 'x' next=e2
            guide e2 'y' next=e3
            show e3 fields
            ask f1 'Which?' choices:a|b
            guide f1 'x' next=f2
            answer f2 ["_accept"]
            ask g1 'Which?' confirm:a|no
            guide g1 'x' next=g2
            answer g2 _accept
            ask h1 'Which?' a|b source=form
            guide h1 'x' next=h2
            answer h2 _accept
            ask i1 'Two' fields=[{"id":"a","kind":"choice","options":[{"id":"x"}]},{"id":"b","kind":"choice","options":[{"id":"x"}]}]
            guide i1 'x' next=i2
            answer i2 {"a":"_accept","b":"x"}
        "#,
        r#"
            created d1
            invalid: choice: "_accept" is not among the options: a, b
            refined d1 next="d2" message="x" by ana; created d2
            fields=[{"custom":true,"id":"choice","kind":"choice","label":"choice","options":[{"id":"a","label":"a"},{"id":"b","label":"b"},{"id":"_accept","label":"Accept the proposal as it stands","short":"Accept"}],"required":true}]
            drafted d2 draft={"choice":"_accept"}
            resolved d2 {"choice":"_accept"} by bo
            created e1
            refined e1 next="e2" message="x" by ana; created e2
            refined e2 next="e3" message="y" by ana; created e3
            fields=[{"id":"choice","kind":"choice","label":"choice","options":[{"id":"a","label":"a"},{"id":"b","label":"b"},{"id":"_accept","label":"Accept the proposal as it stands","short":"Accept"}],"required":true}]
            created f1
            refined f1 next="f2" message="x" by ana; created f2
            invalid: choice: "_accept" is not among the options: a, b
            created g1
            refined g1 next="g2" message="x" by ana; created g2
            invalid: choice: "_accept" is not among the options: a, no
            created h1
            refined h1 next="h2" message="x" by ana; created h2
            invalid: choice: "_accept" is not among the options: a, b
            created i1
            refined i1 next="i2" message="x" by ana; created i2
            invalid: a: "_accept" is not among the options: x
        "#,
    );
}

#[test]
fn nobody_but_core_offers_accept() {
    check(
        r#"
            ask d1 'Which?' a|_accept
            ask d2 'Which?' a|b outs=_accept
            ask d3 'Which?' fields=[{"id":"_x","kind":"text"}]
            ask d4 'Which?' fields=[{"id":"c","kind":"products","options":[{"id":"a","variants":[{"id":"_v"}]}]}]
            ask d5 'Which?' a|b timeout=1h default=_accept
            ask e1 'Which?' a|b timeout=1h default=a
            guide e1 'x' next=e2
            revise e2 {"default":{"choice":"_accept"}}
            revise e2 {"fields":[{"id":"choice","kind":"choice","options":[{"id":"a"},{"id":"_accept","label":"Do evil"}]}]}
            revise e2 {"fields":[{"id":"choice","kind":"choice","default":"_accept","options":[{"id":"a"}]}]}
            revise e2 {"fields":[{"id":"choice","kind":"choice","options":[{"id":"c"},{"id":"a"}]}]}
            show e2 fields
        "#,
        r#"
            invalid: choice: option id "_accept" is reserved: ids must not start with _
            invalid: outs: option id "_accept" is reserved: ids must not start with _ / outs: out "_accept" refuses, but its label "_accept" reads as a yes; label it as a no
            invalid: _x: field id "_x" is reserved: ids must not start with _
            invalid: c: option id "_v" is reserved: ids must not start with _
            invalid: default.choice: "_accept" is not among the options: a, b
            created e1
            refined e1 next="e2" message="x" by ana; created e2
            invalid: default: _accept can only be chosen by a person
            invalid: choice: option id "_accept" is reserved: ids must not start with _
            invalid: choice: default: "_accept" is not among the options: a
            revised e2
            fields=[{"id":"choice","kind":"choice","label":"choice","options":[{"id":"c","label":"c"},{"id":"a","label":"a"},{"id":"_accept","label":"Accept the proposal as it stands","short":"Accept"}],"required":true}]
        "#,
    );
}
