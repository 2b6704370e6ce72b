//! The owner's end ends its questions.

use crate::check;

#[test]
fn an_ended_owner_leaves_what_was_decided() {
    check(
        r"
            ask a 'A' yes|no owner=job:x for=s1
            ask b 'B' yes|no owner=job:x for=s2
            ask c 'C' yes|no owner=job:x for=s3 timeout=1m
            ask d 'D' yes|no owner=job:y
            ask e 'E' yes|no owner=crew:x
            ask f 'F' yes|no owner=job:x project=other
            answer a yes
            wait 1m
            end job:x
            show a status
            show b status
            show c status
            show d status
            show e status
            show f status
            end job:x
            end job:unknown
            delete job:x
            show a status
            delete job:x
            end crew:x
            delete job:x project=other
        ",
        r#"
            created a
            created b
            created c
            created d
            created e
            created f
            resolved a {"choice":"yes"} by ana; session:input x input="1" agent_id="s1"
            …
            removed b reason="its owner ended"
            status="answered"
            gone
            status="timed_out"
            status="pending"
            status="pending"
            status="pending"
            replayed
            replayed
            removed c reason="its owner was deleted"; removed a reason="its owner was deleted"
            gone
            replayed
            removed e reason="its owner ended"
            removed f reason="its owner was deleted"
        "#,
    );
}

#[test]
fn a_deleted_item_takes_its_decisions_with_it() {
    check(
        r"
            delete item:bd-1
            item bd-1 title='Fix it'
            item bd-1
            ask a 'A' yes|no owner=item:bd-1
            ask b 'B' yes|no owner=item:bd-1
            answer a yes
            ask c 'C' yes|no owner=item:bd-2
            delete item:bd-1
            show a status
            show c status
            ask d 'D' yes|no owner=item:bd-1
            item ' bd'
            item ''
            item x project='a␛'
        ",
        r#"
            not_found: item "bd-1" was not found
            item:created bd-1 title="Fix it"
            replayed
            created a
            created b
            resolved a {"choice":"yes"} by ana
            item:created bd-2; created c
            removed b reason="its owner was deleted"; removed a reason="its owner was deleted"; item:deleted bd-1
            gone
            status="pending"
            item:created bd-1; created d
            invalid: item: "bd" must not start or end with a space
            invalid: item: "" must not be empty
            invalid: project: must not contain control or invisible characters
        "#,
    );
}

#[test]
fn only_what_is_settled_is_pruned() {
    check(
        r"
            ask a 'A' yes|no timeout=1m
            prune a
            answer a yes
            prune a
            show a status
            ask b 'B' yes|no timeout=1m
            wait 1m
            prune b late=1
            expire b
            prune b
        ",
        r#"
            created a
            replayed
            resolved a {"choice":"yes"} by ana
            removed a reason="pruned"
            gone
            created b
            …
            replayed
            expired b
            removed b reason="pruned"
        "#,
    );
}
