//! What an answer does to the job or crew that waits: seven sources, their options, with and without a message.

use crate::check;

/// Asks with the options an escalation of the source has, answers, and returns the actions that follow.
#[track_caller]
fn acts(source: &str, owner: &str, answer: &str, expected: &str) {
    let (options, outs) = match source {
        "idle" => ("nudge|done", "cancel|dismiss"),
        "dead" | "error" => ("retry|skip", "cancel|dismiss"),
        "gate" => ("retry|skip", "cancel"),
        "approval" => ("approve|deny", "cancel|dismiss"),
        "plan" => ("accept_clear|accept_auto|accept_manual|revise", "cancel"),
        _ => ("red|green custom=1", "cancel|dismiss"),
    };
    let script =
        format!("ask d 'D' {options} outs={outs} source={source} owner={owner} for=s1 \n answer d {answer}");
    let mut world = crate::script::Bench::new();
    let outcome: Vec<String> = script.lines().map(|line| world.run(line.trim())).collect();
    let actions = outcome[1].split_once("; ").map(|(_, actions)| actions.replace(" agent_id=\"s1\"", ""));
    assert!(outcome[1].starts_with("resolved d"), "{outcome:?}");
    assert_eq!(actions.unwrap_or_default(), expected, "{script}");
}

#[test]
fn jobs_go_on_advance_or_end() {
    for source in ["idle", "dead", "error", "gate"] {
        let (first, second) = if source == "idle" { ("nudge", "done") } else { ("retry", "skip") };
        let restart = source != "idle";
        let go_on = "Please continue with the task.";
        acts(source, "job:j", first, &format!("job:resume j restart={restart} message=\"{go_on}\""));
        acts(
            source,
            "job:j",
            &format!("{first} m='x'"),
            &format!("job:resume j restart={restart} message=\"x\""),
        );
        acts(source, "job:j", second, "step:completed j");
        acts(source, "job:j", &format!("{second} m='x'"), "step:completed j message=\"x\"");
        // An agent that has died hears words when it is started again.
        let again = source == "dead";
        acts(source, "job:j", "m='x'", &format!("job:resume j restart={again} message=\"x\""));
        acts(source, "crew:c", first, &format!("crew:resume c restart={restart} message=\"{go_on}\""));
        acts(
            source,
            "crew:c",
            &format!("{first} m='x'"),
            &format!("crew:resume c restart={restart} message=\"x\""),
        );
        let reason = if source == "idle" { "done" } else { "skipped" };
        let completed = format!("crew:updated c status=\"completed\" reason=\"{reason}\"");
        acts(source, "crew:c", second, &completed);
        acts(source, "crew:c", &format!("{second} m='x'"), &format!("{completed} message=\"x\""));
        acts(source, "crew:c", "m='x'", &format!("crew:resume c restart={again} message=\"x\""));
    }
}

#[test]
fn outs_cancel_or_do_nothing() {
    for source in ["idle", "dead", "error", "gate", "approval", "question"] {
        acts(source, "job:j", "out=cancel", "job:cancel j");
        acts(source, "job:j", "out=cancel m='x'", "job:cancel j message=\"x\"");
        let failed = "crew:updated c status=\"failed\" reason=\"cancelled\"";
        acts(source, "crew:c", "out=cancel", failed);
        acts(source, "crew:c", "out=cancel m='x'", &format!("{failed} message=\"x\""));
        if source != "gate" {
            acts(source, "job:j", "out=dismiss", "");
            acts(source, "job:j", "out=dismiss m='x'", "");
            acts(source, "crew:c", "out=dismiss", "");
        }
    }
    let rejected = "session:respond j accept=false; job:cancel j";
    acts("plan", "job:j", "out=cancel", rejected);
    let rejected = "session:respond c accept=false message=\"x\"; \
                    crew:updated c status=\"failed\" reason=\"cancelled\" message=\"x\"";
    acts("plan", "crew:c", "out=cancel m='x'", rejected);
}

#[test]
fn approvals_type_y_or_n() {
    for (owner, id) in [("job:j", "j"), ("crew:c", "c")] {
        acts("approval", owner, "approve", &format!("session:input {id} input=\"y\""));
        acts("approval", owner, "approve m='x'", &format!("session:input {id} input=\"y\" message=\"x\""));
        acts("approval", owner, "deny", &format!("session:input {id} input=\"n\""));
        acts("approval", owner, "deny m='x'", &format!("session:input {id} input=\"n\" message=\"x\""));
        acts("approval", owner, "guidance='x'", &format!("session:input {id} input=\"n\" message=\"x\""));
    }
    acts("approval", "job:j", "m='x'", "job:resume j restart=false message=\"x\"");
    acts("approval", "crew:c", "m='x'", "crew:resume c restart=false message=\"x\"");
}

#[test]
fn questions_type_numbers_or_words() {
    for (owner, id) in [("job:j", "j"), ("crew:c", "c")] {
        acts("question", owner, "green", &format!("session:input {id} input=\"2\""));
        acts("question", owner, "green m='x'", &format!("session:input {id} input=\"2\" message=\"x\""));
        acts("question", owner, "m='blue'", &format!("session:input {id} input=\"blue\""));
        acts(
            "question",
            owner,
            "{\"choice\":{\"text\":\"blue\"}}",
            &format!("session:input {id} input=\"blue\""),
        );
    }
}

#[test]
fn plans_are_accepted_or_sent_back() {
    for (owner, id) in [("job:j", "j"), ("crew:c", "c")] {
        for (number, option) in ["accept_clear", "accept_auto", "accept_manual"].iter().enumerate() {
            let accept = format!("session:respond {id} accept=true option={}", number + 1);
            acts("plan", owner, option, &accept);
            acts("plan", owner, &format!("{option} m='x'"), &format!("{accept} message=\"x\""));
        }
        acts("plan", owner, "revise", &format!("session:respond {id} accept=false"));
        for words in ["revise m='x'", "m='x'", "guidance='x'"] {
            acts("plan", owner, words, &format!("session:respond {id} accept=false message=\"x\""));
        }
    }
}

#[test]
fn a_plan_that_is_to_be_revised_is_sent_back_with_words() {
    check(
        r#"
            ask p 'Plan' source=plan owner=job:j fields=[{"id":"choice","kind":"choice","options":[{"id":"accept_auto"},{"id":"again","refuses":true,"effect":"revise"}]}]
            answer p again
            answer p again m='tests first'
        "#,
        r#"
            created p
            invalid: message: say what should be different about the plan
            resolved p {"choice":"again"} message="tests first" by ana; session:respond j accept=false message="tests first"
        "#,
    );
}

#[test]
fn other_owners_act_by_themselves() {
    for owner in ["item:i", "run:r", "thread:t", "chat:c"] {
        acts("approval", owner, "approve m='x'", "");
        acts("idle", owner, "out=cancel", "");
    }
}

#[test]
fn an_answer_does_no_more_than_it_says() {
    check(
        r#"
            # An option of a question that is called cancel is a word, not an order.
            ask a 'Order?' keep|cancel owner=job:a
            answer a cancel
            # An out that nobody knows is no approval.
            ask b 'Run?' approve|deny source=approval outs=later owner=job:b
            answer b out=later
            ask c 'Run?' approve|deny source=approval outs=later owner=job:c
            answer c out=later m='busy'
            # Boxes of one permission are a yes only together.
            ask d 'Run?' choices:read|write|deny source=approval owner=job:d
            answer d ["read","write"]
            ask e 'Run?' choices:read|write|deny source=approval owner=job:e
            answer e ["read","deny"]
            ask f 'Run?' source=approval owner=job:f fields=[{"id":"x","kind":"confirm","options":[{"id":"yes"},{"id":"no"}]},{"id":"y","kind":"confirm","options":[{"id":"yes"},{"id":"no"}]}]
            answer f {"x":"yes","y":"no"}
            # What a plan is answered with elsewhere is still a no.
            ask g 'Plan' yes|no source=plan owner=job:g
            answer g no
            # An agent in a terminal is told guidance; it cannot propose again.
            ask h 'Which?' a|b custom=1 owner=job:h
            guide h 'use c' next=i
        "#,
        r#"
            created a
            resolved a {"choice":"cancel"} by ana; session:input a input="2"
            created b
            resolved b out="later" by ana
            created c
            resolved c out="later" message="busy" by ana; job:resume c restart=false message="busy"
            created d
            resolved d {"choice":["read","write"]} by ana; session:input d input="y"
            created e
            resolved e {"choice":["read","deny"]} by ana; session:input e input="n"
            created f
            resolved f {"x":"yes","y":"no"} by ana; session:input f input="n"
            created g
            resolved g {"choice":"no"} by ana; session:respond g accept=false
            created h
            resolved h {"choice":{"text":"use c"}} message="use c" by ana; session:input h input="use c"
        "#,
    );
}

#[test]
fn several_fields_are_typed_in_order() {
    check(
        r#"
            ask a 'A' owner=job:a fields=[{"id":"z","kind":"choice","options":[{"id":"x"},{"id":"y"}]},{"id":"a","kind":"choices","custom":true,"options":[{"id":"p"},{"id":"q"}]},{"id":"n","kind":"integer"},{"id":"skip","kind":"text","required":false}]
            answer a {"z":"y","a":["q","p",{"text":"r"}],"n":7} m='done'
            ask b 'B' owner=job:b fields=[{"id":"l","kind":"location"},{"id":"ok","kind":"boolean"},{"id":"v","kind":"products","options":[{"id":"s","variants":[{"id":"t"}]}]}]
            answer b {"l":{"lat":1,"lng":2},"ok":true,"v":["t"]}
        "#,
        r#"
            created a
            resolved a {"a":["q","p",{"text":"r"}],"n":7,"z":"y"} message="done" by ana; session:input a input="2"; session:input a input="2,1,r"; session:input a input="7" message="done"
            created b
            resolved b {"l":{"lat":1,"lng":2},"ok":true,"v":[{"id":"t","quantity":1}]} by ana; session:input b input="{\"lat\":1,\"lng\":2}"; session:input b input="true"; session:input b input="[{\"id\":\"t\",\"quantity\":1}]"
        "#,
    );
}

#[test]
fn an_effect_says_more_than_an_id() {
    check(
        r#"
            ask a 'A' source=question owner=job:a fields=[{"id":"c","kind":"choice","options":[{"id":"go","effect":"advance"},{"id":"stop","effect":"cancel"},{"id":"hm","effect":"dismiss"}]}]
            answer a go m='x'
            ask b 'B' source=question owner=job:b fields=[{"id":"c","kind":"choice","options":[{"id":"go","effect":"advance"},{"id":"stop","effect":"cancel"}]}]
            answer b stop
            # A no must not act as a yes.
            ask c 'C' source=approval owner=job:c fields=[{"id":"c","kind":"choice","options":[{"id":"deny","label":"Deny","effect":"approve"}]}]
            ask d 'D' source=plan owner=job:d fields=[{"id":"c","kind":"choice","options":[{"id":"x","refuses":true,"effect":"accept_auto"}]}]
            raw e {"prompt":"E","fields":[{"id":"t","kind":"text"}],"outs":[{"id":"cancel","effect":"approve"}]}
            raw f {"prompt":"F","fields":[{"id":"t","kind":"text"}],"outs":[{"id":"cancel","effect":"explode"}]}
            raw g {"prompt":"G","owner":"job:g","fields":[{"id":"t","kind":"text"}],"outs":[{"id":"again","effect":"restart"}]}
            answer g out=again
        "#,
        r#"
            created a
            resolved a {"c":"go"} message="x" by ana; step:completed a message="x"
            created b
            resolved b {"c":"stop"} by ana; job:cancel b
            invalid: c: option "deny" refuses, so its effect must not consent
            invalid: c: option "x" refuses, so its effect must not consent
            invalid: outs: option "cancel" refuses, so its effect must not consent
            unread: unknown variant `explode`, expected one of `resume`, `restart`, `advance`, `cancel`, `dismiss`, `approve`, `deny`, `accept_clear`, `accept_auto`, `accept_manual`, `revise`, `commit`, `checkpoint`, `abandon`, `retry`, `rollback` at line 1 column 91
            created g
            resolved g out="again" by ana; job:resume g restart=true message="Please continue with the task."
        "#,
    );
}
