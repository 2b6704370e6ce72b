//! Who may do what: credentials are compared, never names.

use crate::check;

#[test]
fn whoever_asked_does_not_answer_with_the_same_credential() {
    check(
        r#"
            ask d1 'Go?' yes|no as=person:ana:t1
            answer d1 yes as=person:ana:t1
            draft d1 {"choice":"yes"} as=person:ana:t1
            guide d1 'x' as=person:ana:t1
            answer d1 yes as=admin:ana:t1
            answer d1 yes as=person:ana:t2
            ask d2 'Go?' yes|no
            answer d2 yes
            ask d3 'Go?' yes|no as=agent:a1:t1
            guide d3 'x' as=person:bo:t2 next=d4
            answer d4 yes as=agent:a1:t1
            answer d4 yes as=person:bo:t1
            answer d4 yes
        "#,
        r#"
            created d1
            forbidden: the asker may not answer with the same credential
            forbidden: the asker may not answer with the same credential
            forbidden: the asker may not answer with the same credential
            forbidden: the asker may not answer with the same credential
            resolved d1 {"choice":"yes"} by ana
            created d2
            resolved d2 {"choice":"yes"} by ana
            created d3
            refined d3 next="d4" message="x" by bo; created d4
            forbidden: the asker may not answer with the same credential
            forbidden: the asker may not answer with the same credential
            resolved d4 {"choice":"yes"} by ana
        "#,
    );
}

#[test]
fn agents_answer_agents_only_where_asked_to() {
    check(
        r#"
            ask d1 'Go?' yes|no as=agent:a1:t1
            answer d1 yes as=agent:a2:t2
            ask d2 'Go?' yes|no assign=agent:a2,ana as=agent:a1:t1
            answer d2 yes as=agent:a3:t3
            answer d2 yes as=agent:a1:t1
            draft d2 {"choice":"yes"} as=agent:a3:t3
            draft d2 {"choice":"yes"} as=agent:a2:t2
            answer d2 yes as=agent:a2:t2
            ask d3 'Go?' yes|no assign=a2 as=agent:a1:t1
            answer d3 yes as=agent:a2:t2
            ask d4 'Go?' approve|deny source=approval assign=agent:a2 as=agent:a1:t1
            answer d4 deny as=agent:a2:t2
            ask d5 'Go?' accept_auto|revise source=plan assign=agent:a2 as=agent:a1:t1
            guide d5 'x' as=agent:a2:t2
            ask d6 'Go?' commit|retry source=verdict assign=agent:a2 as=agent:a1:t1
            answer d6 commit as=agent:a2:t2
            ask d7 'Go?' yes|no source=question subject=1 assign=agent:a2 as=agent:a1:t1
            answer d7 yes as=agent:a2:t2
            ask d8 'Go?' yes|no for=a2 assign=agent:a2 as=person:ana:t1
            answer d8 yes as=agent:a2:t2
            ask d9 'Go?' a|b source=request assign=agent:a2 as=agent:a1:t1
            answer d9 a as=agent:a2:t2
            answer d9 a as=agent:a2:t2
            answer d9 a as=agent:a3:t3
        "#,
        r#"
            created d1
            forbidden: an agent can answer only what is assigned to it
            created d2
            forbidden: an agent can answer only what is assigned to it
            forbidden: the asker may not answer with the same credential
            forbidden: an agent can answer only what is assigned to it
            drafted d2 draft={"choice":"yes"}
            resolved d2 {"choice":"yes"} by a2
            created d3
            forbidden: an agent can answer only what is assigned to it
            created d4
            forbidden: an approval must be answered by a person
            created d5
            forbidden: a plan must be answered by a person
            created d6
            forbidden: a verdict must be answered by a person
            created d7
            forbidden: a decision with a subject must be answered by a person, because it can be consumed
            created d8
            forbidden: an agent cannot answer a decision that it waits for
            created d9
            resolved d9 {"choice":"a"} by a2
            replayed, first by a2
            forbidden: an agent can answer only what is assigned to it
        "#,
    );
}

#[test]
fn the_asker_revises_cancels_and_consumes_its_own() {
    check(
        r#"
            ask d1 'Go?' yes|no subject=1 as=agent:a1:t1
            revise d1 {"title":"T"} as=agent:a2:t2
            revise d1 {"title":"T"} as=person:ana:t3
            revise d1 {"title":"T"} as=agent:a1:t1
            revise d1 {"title":"U"} as=admin:root:t4
            revise d1 {"title":"V"}
            cancel d1 'x' as=agent:a2:t2
            answer d1 yes as=person:ana:t3
            consume d1 1 as=agent:a2:t2
            consume d1 1 as=person:ana:t3
            consume d1 1 as=agent:a1:t1
            ask d2 'Go?' yes|no as=agent:a1:t1
            cancel d2 'x' as=agent:a1:t1
            ask d3 'Go?' yes|no as=agent:a1:t1
            cancel d3 'x' as=person:ana:t3
            ask d4 'Go?' yes|no
            revise d4 {"title":"T"} as=agent:a1:t1
            cancel d4 'x' as=agent:a1:t1
        "#,
        r#"
            created d1
            forbidden: only the asker may revise it
            forbidden: only the asker may revise it
            revised d1
            revised d1
            revised d1
            forbidden: an agent can cancel only its own questions
            resolved d1 {"choice":"yes"} by ana
            forbidden: only the asker may consume it
            forbidden: only the asker may consume it
            consumed d1
            created d2
            cancelled d2 reason="x"
            created d3
            cancelled d3 reason="x"
            created d4
            forbidden: only the asker may revise it
            forbidden: an agent can cancel only its own questions
        "#,
    );
}

#[test]
fn mcp_clients_answer_only_what_a_person_allowed() {
    check(
        r#"
            ask d1 'Go?' yes|no as=person:ana:t1
            answer d1 yes as=agent:a2:t2 via=mcp
            answer d1 yes as=person:bo:t3 via=mcp
            answer d1 yes as=admin:root:t4 via=mcp
            draft d1 {"choice":"yes"} as=person:bo:t3 via=mcp
            answer d1 yes as=person:ana:t1 via=mcp allow=answer
            answer d1 yes as=agent:a2:t2 via=mcp allow=answer
            ask d2 'Go?' yes|no assign=bo as=person:ana:t1
            answer d2 yes as=agent:a2:t2 via=mcp allow=answer
            ask d3 'Go?' approve|deny source=approval as=person:ana:t1
            answer d3 deny as=agent:a2:t2 via=mcp allow=answer
            ask d4 'Go?' yes|no source=question subject=1 as=person:ana:t1
            answer d4 yes as=agent:a2:t2 via=mcp allow=answer
            cancel d4 as=person:bo:t3 via=mcp
            ask d5 'Go?' yes|no as=agent:a2:t2 via=mcp
            answer d5 yes as=agent:a2:t2 via=mcp allow=answer
            ask d7 'Go?' yes|no as=agent:a2:t2 via=mcp
            answer d7 yes as=agent:a2:t3 via=mcp allow=answer
            answer d7 yes as=agent:a4:t4 via=mcp allow=answer
        "#,
        r#"
            created d1
            forbidden: this MCP connection may not answer: a person allows it with `hold mcp --may-answer`, or with a token made with `--allow answer`
            forbidden: this MCP connection may not answer: a person allows it with `hold mcp --may-answer`, or with a token made with `--allow answer`
            forbidden: this MCP connection may not answer: a person allows it with `hold mcp --may-answer`, or with a token made with `--allow answer`
            forbidden: this MCP connection may not answer: a person allows it with `hold mcp --may-answer`, or with a token made with `--allow answer`
            forbidden: the asker may not answer with the same credential
            resolved d1 {"choice":"yes"} by a2
            created d2
            forbidden: an agent can answer only what is assigned to it
            created d3
            forbidden: an approval must be answered by a person
            created d4
            forbidden: a decision with a subject must be answered by a person, because it can be consumed
            forbidden: an agent can cancel only its own questions
            created d5
            forbidden: the asker may not answer with the same credential
            created d7
            forbidden: an agent cannot answer a decision that it waits for
            resolved d7 {"choice":"yes"} by a4
        "#,
    );
}
