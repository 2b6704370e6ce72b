//! A newer decision of the same job or crew takes the place of the pending one.

use crate::check;

#[test]
fn only_the_same_owner_and_requester_are_superseded() {
    check(
        r"
            ask a 'A' yes|no owner=job:x for=s1
            ask b 'B' yes|no owner=job:x for=s1
            ask c 'C' yes|no owner=job:x for=s2
            ask d 'D' yes|no owner=job:x
            ask e 'E' yes|no owner=job:x
            ask f 'F' yes|no owner=job:y
            ask g 'G' yes|no owner=crew:x
            ask h 'H' yes|no owner=crew:x
            ask i 'I' yes|no owner=job:x project=other
            ask j 'J' yes|no owner=item:x
            ask k 'K' yes|no owner=item:x
            ask l 'L' yes|no owner=run:x
            ask m 'M' yes|no owner=run:x
            ask n 'N' yes|no
            ask o 'O' yes|no
            show a status superseded_by settled_at answer
            answer a yes
            answer e yes
            ask p 'P' yes|no owner=job:x
            show e status
        ",
        r#"
            created a
            superseded a superseded_by="b"; created b
            created c
            created d
            superseded d superseded_by="e"; created e
            created f
            created g
            superseded g superseded_by="h"; created h
            created i
            item:created x; created j
            created k
            created l
            created m
            created n
            created o
            status="superseded" superseded_by="b" settled_at="+0s" answer=null
            already_settled: decision a is already superseded, now b
            resolved e {"choice":"yes"} by ana; session:input x input="1"
            created p
            status="answered"
        "#,
    );
}

#[test]
fn which_source_supersedes_which() {
    let sources = ["question", "approval", "plan", "gate", "idle", "dead", "error"];
    for new in sources {
        for old in sources {
            let beside = new == "approval" && matches!(old, "question" | "plan");
            let came = if beside { "created b" } else { "superseded a superseded_by=\"b\"; created b" };
            check(
                &format!("ask a 'A' source={old} owner=job:x \n ask b 'B' source={new} owner=job:x"),
                &format!("created a \n {came}"),
            );
        }
    }
}

#[test]
fn approvals_of_other_subjects_stand_side_by_side() {
    check(
        r#"
            ask a 'A' yes|no owner=job:x subject={"cmd":"ls","n":1}
            ask b 'B' yes|no owner=job:x subject={"cmd":"rm"}
            ask c 'C' yes|no owner=job:x subject={"n":1.0,"cmd":"ls"}
            ask d 'D' yes|no owner=job:x source=approval
            ask e 'E' yes|no owner=job:x source=approval
            ask f 'F' yes|no owner=job:x source=gate
        "#,
        r#"
            created a
            created b
            superseded a superseded_by="c"; created c
            created d
            superseded d superseded_by="e"; created e
            superseded b superseded_by="f"; superseded c superseded_by="f"; superseded e superseded_by="f"; created f
        "#,
    );
}

#[test]
fn what_timed_out_is_not_superseded() {
    check(
        r"
            ask a 'A' yes|no owner=job:x timeout=1m
            wait 2m
            ask b 'B' yes|no owner=job:x late=1
            show a status
            ask c 'C' yes|no owner=job:x
            show a status
            show b status
        ",
        r#"
            created a
            …
            created b
            status="timed_out"
            superseded b superseded_by="c"; created c
            status="timed_out"
            status="superseded"
        "#,
    );
}

#[test]
fn an_item_may_take_one_at_a_time() {
    check(
        r"
            ask a 'A' yes|no owner=item:bd-1 exclusive=1 timeout=1h
            ask b 'B' yes|no owner=item:bd-1 exclusive=1
            ask c 'C' yes|no owner=item:bd-1
            ask d 'D' yes|no owner=item:bd-2 exclusive=1
            ask e 'E' yes|no exclusive=1
            answer a yes
            answer c yes
            ask f 'F' yes|no owner=item:bd-1 exclusive=1 timeout=1h
            wait 1h
            ask g 'G' yes|no owner=item:bd-1 exclusive=1 late=1
        ",
        r#"
            item:created bd-1; created a
            item_busy: item "bd-1" already waits for decision a
            created c
            item:created bd-2; created d
            invalid: exclusive: needs an owner
            resolved a {"choice":"yes"} by ana
            resolved c {"choice":"yes"} by ana
            created f
            …
            created g
        "#,
    );
}
