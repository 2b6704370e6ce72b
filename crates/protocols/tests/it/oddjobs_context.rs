use holdpoint_protocols::oddjobs::context::{Cause, context};
use holdpoint_protocols::oddjobs::question::Question;

#[test]
fn first_lines_say_what_happened() {
    let framework =
        Question { question: "Which?".into(), header: Some("Framework".into()), ..Question::default() };
    let plain = Question { question: "Sure?".into(), ..Question::default() };
    let questions = [framework, plain];
    let cases = [
        (Cause::Idle, None, "Agent in job \"build\" is idle and waiting for input."),
        (Cause::Dead { exit_code: None }, None, "Agent in job \"build\" exited unexpectedly."),
        (
            Cause::Dead { exit_code: Some(137) },
            None,
            "Agent in job \"build\" exited unexpectedly (exit code 137).",
        ),
        (
            Cause::Error { kind: "rate_limited", message: "slow down" },
            None,
            "Agent in job \"build\" encountered an error: rate_limited - slow down",
        ),
        (
            Cause::Gate { command: "./check.sh", exit_code: 1, stderr: "x", stdout: "" },
            None,
            "Gate command failed in job \"build\".\nCommand: ./check.sh\nExit code: 1\nstderr:\nx",
        ),
        (
            Cause::Gate { command: "./check.sh", exit_code: 1, stderr: "", stdout: " \n" },
            None,
            "Gate command failed in job \"build\".\nCommand: ./check.sh\nExit code: 1",
        ),
        (
            Cause::Gate { command: "./check.sh", exit_code: 1, stderr: "x\n", stdout: "1 failed\n" },
            None,
            "Gate command failed in job \"build\".\nCommand: ./check.sh\nExit code: 1\nstderr:\nx\nstdout:\n1 failed",
        ),
        (
            Cause::Approval { prompt_type: "permission" },
            Some("May I?"),
            "Agent in job \"build\" is showing a permission prompt.\n\n--- Agent Context ---\nMay I?",
        ),
        (
            Cause::Question { questions: &questions },
            None,
            "Agent in job \"build\" is asking a question.\n\n[Framework] Which?\n[Question] Sure?",
        ),
        (
            Cause::Question { questions: &[] },
            Some(" \n"),
            "Agent in job \"build\" is asking a question (no details available).",
        ),
        (
            Cause::Plan,
            Some("1. Do it"),
            "Agent in job \"build\" is requesting plan approval.\n\n--- Plan ---\n1. Do it",
        ),
        (
            Cause::Idle,
            Some("Done?"),
            "Agent in job \"build\" is idle and waiting for input.\n\n--- Last Agent Message ---\nDone?",
        ),
    ];
    for (cause, last, expected) in cases {
        assert_eq!(context("build", &cause, last), expected, "{cause:?}");
    }
}

#[test]
fn a_long_last_message_is_cut_between_characters() {
    let long = format!("a{}", "€".repeat(1_000));
    let text = context("build", &Cause::Plan, Some(&long));
    let kept = text.split("---\n").last().unwrap();
    assert_eq!(kept.len(), 1 + 3 * 666);
    assert!(long.starts_with(kept));
}
