//! Calls of Claude Code's tools: asked, answered, and told in its own words. The exchanges are written as they are
//! on the wire.

use holdpoint_core::decision::AnswerInput;
use holdpoint_core::{Decision, OnTimeout, Source, Span, Status};
use holdpoint_protocols::claude::{
    self, CallContext, CallRoute, Dialect, Event, Reply, Supervision, Tool, output, reply,
};
use serde_json::{Value, json};

use crate::through_core::{answer, ask, at, cancel, guide};

fn hook(event: &str, tool: &str, input: &Value) -> String {
    json!({
        "session_id": "4f1c", "transcript_path": "/t.jsonl", "cwd": "/srv/app", "permission_mode": "default",
        "hook_event_name": event, "tool_name": tool, "tool_input": input, "tool_use_id": "toolu_01",
        "a_key_of_tomorrow": {"x": 1}
    })
    .to_string()
}

fn asked(tool: &str, input: &Value, way: CallRoute) -> (Tool, Decision) {
    let (_, input) = claude::read(Some(Event::PreToolUse), &hook("PreToolUse", tool, input)).unwrap();
    let call = input.tool().unwrap();
    let terms = CallContext::of(&input, way, None, Some(Span::from_secs(60)));
    let asked = claude::ask(&call, &terms).unwrap();
    assert_eq!(asked.key.as_deref(), Some("claude:hook:4f1c:toolu_01"));
    (call, ask(asked.new).unwrap())
}

fn values(values: &Value) -> AnswerInput {
    AnswerInput { values: values.as_object().unwrap().clone(), ..AnswerInput::default() }
}

fn choosing(choice: &str, message: Option<&str>) -> AnswerInput {
    AnswerInput { choice: Some(choice.into()), message: message.map(str::to_owned), ..AnswerInput::default() }
}

fn questions() -> Value {
    json!({"questions": [
        {"question": "Which framework?", "header": "Framework", "multiSelect": false, "options": [
            {"label": "React", "description": "big"}, {"label": "Vue", "description": "small", "preview": "<b>```x"}]},
        {"question": "Which parts?", "header": "Parts", "multiSelect": true, "options": [
            {"label": "API", "description": ""}, {"label": "Web", "description": ""}]}
    ], "metadata": {"source": "test"}})
}

#[test]
fn questions_come_back_under_their_exact_text() {
    let (tool, decision) = asked("AskUserQuestion", &questions(), CallRoute::PreToolUse);
    assert_eq!((decision.source, decision.fields.len()), (Source::Question, 2));
    assert!(decision.fields.iter().all(|field| field.custom));
    let given = values(&json!({"q1": "vue", "q2": ["api", {"text": "the docs"}]}));
    let given = AnswerInput { message: Some("quickly".into()), ..given };
    let told = output::pre_tool_use(&reply(&tool, &answer(&decision, given).unwrap())).unwrap();
    let mut updated = questions();
    updated["answers"] = json!({"Which framework?": "Vue", "Which parts?": "API, the docs"});
    updated["annotations"] = json!({"Which framework?": {"notes": "quickly"}});
    assert_eq!(told["hookSpecificOutput"]["permissionDecision"], "allow");
    assert_eq!(told["hookSpecificOutput"]["updatedInput"], updated);
}

#[test]
fn words_instead_of_answers_are_the_response_to_the_card() {
    let (tool, decision) = asked("AskUserQuestion", &questions(), CallRoute::PreToolUse);
    let (refined, _) = guide(&decision, "Ask me after the holidays");
    let Reply::Allow { input, .. } = reply(&tool, &refined) else { panic!("a reply is an answer") };
    assert_eq!(input["response"], "Ask me after the holidays");
    assert_eq!(input["answers"], json!({}));
    let dismissed = AnswerInput { out: Some("dismiss".into()), ..AnswerInput::default() };
    let told = reply(&tool, &answer(&decision, dismissed).unwrap());
    assert!(matches!(told, Reply::Deny { stop: false, .. }), "{told:?}");
}

/// In a job the terminal is there, and with it the agent's own prompt.
#[test]
fn what_is_dismissed_in_a_job_is_left_to_the_agents_own_prompt() {
    let input = json!({"command": "rm -rf build"});
    let (_, hooked) = claude::read(None, &hook("PreToolUse", "Bash", &input)).unwrap();
    let within = Supervision { owner: "job:q4".parse().unwrap(), agent: "q4-1".into() };
    let terms =
        CallContext { within: Some(within), ..CallContext::of(&hooked, CallRoute::PreToolUse, None, None) };
    let (tool, decision) = (hooked.tool().unwrap(), claude::ask(&hooked.tool().unwrap(), &terms).unwrap());
    let decision = ask(decision.new).unwrap();
    let dismissed = AnswerInput { out: Some("dismiss".into()), ..AnswerInput::default() };
    let told = reply(&tool, &answer(&decision, dismissed).unwrap());
    assert!(matches!(told, Reply::Leave { .. }), "{told:?}");
    let of = |dialect, event| output::of(dialect, event, &told);
    assert_eq!(of(Dialect::Claude, Event::PermissionRequest), None);
    assert_eq!(of(Dialect::Codex, Event::PermissionRequest), None);
    // Silence before a tool would let it pass; where there is no word for asking, it is denied.
    let before =
        |dialect| of(dialect, Event::PreToolUse).unwrap()["hookSpecificOutput"]["permissionDecision"].clone();
    assert_eq!((before(Dialect::Claude), before(Dialect::Codex)), (json!("ask"), json!("deny")));
    assert_eq!(output::prompt_tool(&told)["behavior"], "deny");
    let cancelled = AnswerInput { out: Some("cancel".into()), ..AnswerInput::default() };
    let told = reply(&tool, &answer(&decision, cancelled).unwrap());
    assert!(matches!(told, Reply::Deny { .. }), "{told:?}");
}

#[test]
fn questions_that_could_not_be_told_apart_are_refused() {
    let twice =
        json!({"questions": [{"question": "Q?", "options": ["a"]}, {"question": "Q?", "options": ["b"]}]});
    for (input, words) in [
        (twice, "must differ"),
        (json!({}), "must be an array"),
        (json!({"questions": []}), "what is asked"),
        (json!({"questions": [{"options": ["a"]}]}), "\"question\" is missing"),
        (json!({"questions": "Q?"}), "must be an array"),
    ] {
        let (_, hooked) = claude::read(None, &hook("PreToolUse", "AskUserQuestion", &input)).unwrap();
        let terms = CallContext::of(&hooked, CallRoute::PreToolUse, None, None);
        let why = claude::ask(&hooked.tool().unwrap(), &terms).unwrap_err().to_string();
        assert!(why.contains(words), "{input}: {why}");
    }
}

#[test]
fn a_permission_is_bound_to_tool_and_input() {
    let input = json!({"command": "rm -rf build", "description": "clean"});
    let (tool, decision) = asked("Bash", &input, CallRoute::PermissionRequest);
    assert_eq!(decision.source, Source::Approval);
    assert_eq!(decision.subject, Some(json!({"tool": "Bash", "input": input, "cwd": "/srv/app"})));
    assert_eq!(decision.on_timeout, OnTimeout::Deny);
    assert_eq!(decision.owner.as_ref().unwrap().to_string(), "thread:4f1c");
    assert_eq!(decision.requested_by.as_deref(), Some("claude:4f1c"));
    assert_eq!(decision.prompt, None, "the subject says it all");

    let yes = reply(&tool, &answer(&decision, choosing("approve", None)).unwrap());
    let told = json!({"hookSpecificOutput": {"hookEventName": "PermissionRequest",
        "decision": {"behavior": "allow", "updatedInput": input}}});
    assert_eq!(output::permission_request(&yes).unwrap(), told);
    assert_eq!(output::prompt_tool(&yes), json!({"behavior": "allow", "updatedInput": input}));

    let no = reply(&tool, &answer(&decision, choosing("deny", Some("use trash instead"))).unwrap());
    let told = json!({"hookSpecificOutput": {"hookEventName": "PermissionRequest",
        "decision": {"behavior": "deny", "message": "use trash instead", "interrupt": false}}});
    assert_eq!(output::permission_request(&no).unwrap(), told);
    let told = output::pre_tool_use(&no).unwrap();
    assert_eq!(told["hookSpecificOutput"]["permissionDecision"], "deny");
    assert_eq!(told["hookSpecificOutput"]["permissionDecisionReason"], "use trash instead");
    assert_eq!(told.get("continue"), None);

    let stop =
        AnswerInput { out: Some("stop".into()), message: Some("enough".into()), ..AnswerInput::default() };
    let told = output::pre_tool_use(&reply(&tool, &answer(&decision, stop).unwrap())).unwrap();
    assert_eq!((&told["continue"], &told["stopReason"]), (&json!(false), &json!("enough")));
}

#[test]
fn an_input_that_was_changed_replaces_the_whole_or_is_refused() {
    let cases = [
        (
            "Bash",
            json!({"command": "rm -rf /", "timeout": 5}),
            "ls",
            Some(json!({"command": "ls", "timeout": 5})),
        ),
        ("Bash", json!({"command": "rm -rf /"}), r#"{"command": "pwd"}"#, Some(json!({"command": "pwd"}))),
        ("Write", json!({"file_path": "/a"}), r#"{"file_path": "/b"}"#, Some(json!({"file_path": "/b"}))),
        ("Write", json!({"file_path": "/a"}), "/b", None),
        ("Write", json!({"file_path": "/a"}), r#"["/b"]"#, None),
        ("Write", json!({"file_path": "/a"}), r#"{"file_path": "/b", "file_path": "/c"}"#, None),
    ];
    for (name, input, written, wanted) in cases {
        let (tool, decision) = asked(name, &input, CallRoute::PreToolUse);
        let given = values(&json!({"choice": "approve", "input": written}));
        match (reply(&tool, &answer(&decision, given).unwrap()), wanted) {
            (Reply::Allow { input, .. }, Some(wanted)) => assert_eq!(Value::Object(input), wanted),
            (Reply::Deny { .. }, None) => {}
            (told, _) => panic!("{name} {written}: {told:?}"),
        }
        // A denial is a denial, whatever else is written.
        let denied = answer(&decision, values(&json!({"choice": "deny", "input": written})));
        assert!(denied.is_err() || matches!(reply(&tool, &denied.unwrap()), Reply::Deny { .. }));
    }
}

#[test]
fn who_allowed_or_refused_is_said() {
    let (tool, decision) = asked("Bash", &json!({"command": "ls"}), CallRoute::PreToolUse);
    let reason = |choice: &str, message: Option<&str>, by: &str| {
        let mut answered = answer(&decision, choosing(choice, message)).unwrap();
        let given = answered.answer.as_mut().unwrap();
        given.by = by.to_owned();
        given.on_behalf_of = by.starts_with("rule:").then(|| "ana".to_owned());
        let told = output::pre_tool_use(&reply(&tool, &answered)).unwrap();
        told["hookSpecificOutput"]["permissionDecisionReason"].as_str().unwrap().to_owned()
    };
    assert_eq!(reason("approve", None, "ana"), "Allowed by a person.");
    assert_eq!(reason("approve", None, "rule:rul-1"), "Allowed by rule rul-1 of ana.");
    assert_eq!(
        reason("approve", Some("tests are harmless"), "rule:rul-1"),
        "Allowed by rule rul-1 of ana. tests are harmless"
    );
    assert!(reason("deny", None, "rule:rul-1").starts_with("Not allowed: rule rul-1 of ana says no"));
    assert!(reason("deny", None, "ana").starts_with("Not allowed: ana said no"));
}

#[test]
fn a_plan_is_taken_or_sent_back() {
    let input = json!({"plan": "# Plan\n1. Do it", "planFilePath": "/p.md"});
    let (tool, decision) = asked("ExitPlanMode", &input, CallRoute::PreToolUse);
    assert_eq!(
        (decision.source, decision.prompt.as_deref()),
        (Source::Plan, None),
        "the subject is the plan"
    );
    let Reply::Allow { input: updated, .. } =
        reply(&tool, &answer(&decision, choosing("accept", None)).unwrap())
    else {
        panic!("accepted is allowed")
    };
    assert_eq!(Value::Object(updated), input);
    let guided = AnswerInput { guidance: Some("Tests first".into()), ..AnswerInput::default() };
    let back = reply(&tool, &answer(&decision, guided).unwrap());
    assert_eq!(back, Reply::deny("Tests first"));
    let (_, empty) = asked("ExitPlanMode", &json!({}), CallRoute::PreToolUse);
    for (plan, title) in [
        ("# Move to Postgres\n\n1. dump", "Plan: Move to Postgres"),
        ("\n# Plan\n\n## Steps: all\n", "Plan: Steps: all"),
        ("**Plan: tidy up**", "Plan: tidy up"),
        ("1. Delete it all", "Plan: 1. Delete it all"),
        ("#\n---\n***", "Plan"),
        ("a\u{202e}b", "Plan: a<U+202E>b"),
    ] {
        let (_, named) = asked("ExitPlanMode", &json!({"plan": plan}), CallRoute::PreToolUse);
        assert_eq!(named.title.as_deref(), Some(title), "{plan:?}");
    }
    let (_, long) = asked("ExitPlanMode", &json!({"plan": "ä".repeat(200)}), CallRoute::PreToolUse);
    assert_eq!(long.title.unwrap(), format!("Plan: {}…", "ä".repeat(80)));
    assert!(empty.prompt.as_deref().unwrap().contains("no plan"));
}

#[test]
fn only_a_yes_is_a_yes() {
    let (tool, decision) = asked("Bash", &json!({"command": "x"}), CallRoute::PreToolUse);
    let late = decision.clone().as_of(at(61_000));
    assert_eq!(late.status, Status::TimedOut);
    assert!(matches!(reply(&tool, &late), Reply::Deny { .. }));
    assert!(matches!(reply(&tool, &cancel(&decision, "never mind")), Reply::Deny { .. }));
    assert!(matches!(reply(&tool, &decision), Reply::Defer { .. }));
    let told = output::permission_request(&reply(&tool, &decision)).unwrap();
    assert_eq!(told["hookSpecificOutput"]["decision"]["behavior"], "deny", "a hook that cannot defer denies");
    assert_eq!(output::prompt_tool(&Reply::Silent)["behavior"], "deny");
    let (question, decision) = asked("AskUserQuestion", &questions(), CallRoute::PreToolUse);
    assert!(matches!(reply(&question, &decision.as_of(at(61_000))), Reply::Deny { .. }));
}

#[test]
fn agents_of_one_session_stand_beside_each_other() {
    let text = json!({"session_id": "s", "hook_event_name": "PreToolUse", "agent_id": "a7", "agent_type": "Explore",
        "tool_name": "Bash", "tool_input": {"command": "ls"}});
    let (_, input) = claude::read(None, &text.to_string()).unwrap();
    let asked =
        claude::ask(&input.tool().unwrap(), &CallContext::of(&input, CallRoute::PreToolUse, None, None))
            .unwrap();
    assert_eq!(asked.key, None, "without an id of its own every call is asked about");
    let decision = ask(asked.new).unwrap();
    assert_eq!(decision.title.as_deref(), Some("Bash: ls (sub-agent Explore a7)"));
    assert_eq!(decision.requested_by.as_deref(), Some("claude:s/a7"));
    assert_eq!(decision.origin.unwrap().extra["agent_type"], "Explore");
}

#[test]
fn what_is_no_hook_is_refused() {
    for (called, text, words) in [
        (None, String::new(), "not JSON"),
        (None, "[]".to_owned(), "object"),
        (None, "{}".to_owned(), "hook_event_name"),
        (None, hook("PreToolUze", "Bash", &json!({})), "none of: PreToolUse"),
        (Some(Event::Stop), hook("PreToolUse", "Bash", &json!({})), "not Stop"),
        (None, r#"{"hook_event_name": "Stop", "session_id": ""}"#.to_owned(), "session_id"),
        (None, r#"{"hook_event_name": "Stop", "session_id": "a", "session_id": "b"}"#.to_owned(), "not JSON"),
        (None, hook("PreToolUse", "Bash", &json!("rm")), "expected"),
    ] {
        let why = claude::read(called, &text).unwrap_err().to_string();
        assert!(why.contains(words), "{text}: {why}");
    }
}

#[test]
fn a_nudge_sends_a_session_back_to_work() {
    let text = json!({"session_id": "s", "hook_event_name": "Stop", "stop_hook_active": false, "last_assistant_message": "Done?"});
    let (_, input) = claude::read(Some(Event::Stop), &text.to_string()).unwrap();
    let decision =
        ask(claude::idle(&input, &CallContext::of(&input, CallRoute::PreToolUse, None, None))).unwrap();
    assert_eq!((decision.source, decision.prompt.as_deref()), (Source::Idle, Some("Done?")));
    let nudged = answer(&decision, choosing("nudge", Some("now the tests"))).unwrap();
    let told = output::of(Dialect::Claude, Event::Stop, &claude::stopped(&nudged)).unwrap();
    assert_eq!(told, json!({"decision": "block", "reason": "now the tests"}));
    let done = answer(&decision, choosing("done", None)).unwrap();
    assert_eq!(output::of(Dialect::Claude, Event::Stop, &claude::stopped(&done)), None);
    assert_eq!(output::of(Dialect::Claude, Event::Stop, &claude::stopped(&decision.as_of(at(1)))), None);
}

#[test]
fn a_permission_is_one_question_where_numbers_are_typed() {
    use holdpoint_protocols::oddjobs::{resolve, show};
    let (tool, decision) = asked("Bash", &json!({"command": "x"}), CallRoute::PreToolUse);
    let yes = answer(&decision, resolve(&decision, &[1], None).unwrap()).unwrap();
    assert!(matches!(reply(&tool, &yes), Reply::Allow { .. }));
    let no = answer(&decision, resolve(&decision, &[2], Some("no")).unwrap()).unwrap();
    assert_eq!(reply(&tool, &no), Reply::deny("no"));
    let stop = answer(&decision, resolve(&decision, &[3], None).unwrap()).unwrap();
    assert!(matches!(reply(&tool, &stop), Reply::Deny { stop: true, .. }));
    let shown = show(&decision, None, at(0), Some("oj"));
    assert!(
        shown.contains("resolve") && shown.contains("<number>") && !shown.contains("Question 2"),
        "{shown}"
    );
}

#[test]
fn a_long_call_reaches_a_person_with_the_whole_as_its_subject() {
    let command = "é".repeat(350_000);
    let (_, decision) = asked("Bash", &json!({ "command": command }), CallRoute::PreToolUse);
    assert_eq!(decision.subject.unwrap()["input"]["command"], command.as_str());
}
