//! Runbooks: three formats, one meaning; every mistake with its place; no text that brings the reader down.

use holdpoint_core::Span;
use holdpoint_core::job::{Action, Attempts, Run, Runbook};
use holdpoint_protocols::runbook::{Format, read};
use proptest::prelude::*;

const BUILD: &str = include_str!("../../../../examples/runbooks/build-and-fix.hcl");
const CLAUDE: &str = include_str!("../../../../examples/runbooks/claude.hcl");

fn good(text: &str, format: Format) -> Runbook {
    read(text, format).unwrap_or_else(|mistakes| panic!("{mistakes:?}"))
}

fn wrong(text: &str) -> Vec<String> {
    read(text, Format::Hcl).expect_err("a mistake").iter().map(ToString::to_string).collect()
}

#[test]
fn the_examples_are_good() {
    let build = good(BUILD, Format::Hcl);
    let job = &build.jobs["build"];
    let names: Vec<&str> = job.steps.iter().map(|step| step.name.as_str()).collect();
    assert_eq!(names, ["prepare", "build", "fix", "report"]);
    assert_eq!(job.steps[1].on_fail.as_deref(), Some("fix"));
    assert_eq!(job.steps[2].run, Run::Agent("fixer".into()));
    let nudge = &build.agents["fixer"].on_idle[0];
    assert_eq!((nudge.action, nudge.attempts), (Action::Nudge, Attempts::Times(2)));
    assert_eq!(nudge.cooldown, Some(Span::from_secs(10)));
    assert_eq!(build.agents["fixer"].on_dead[0].when.as_deref(), Some("0"));
    let claude = good(CLAUDE, Format::Hcl);
    assert!(claude.jobs["change"].worktree);
    assert_eq!(claude.jobs["change"].vars["task"], None);
    assert_eq!(claude.agents["claude"].on_error[0].attempts, Attempts::Forever);
}

#[test]
fn three_formats_mean_the_same() {
    let hcl = r#"
        job "b" {
          vars = { x = "1", n = 2 }
          step "z" {
            run = "echo ${var.x} $${HOME}"
            on_done = { step = "a" }
          }
          step "a" { run = { agent = "w" } }
        }
        agent "w" {
          run = "sh w.sh"
          prompt = <<-END
            Do ${var.x}.
              Then more.
          END
          env = { A = "b" }
          on_idle = "nudge"
          on_dead = [{ match = 0, action = "done" }]
        }
    "#;
    let toml = r#"
        [job.b]
        vars = { x = "1", n = 2 }
        [[job.b.step]]
        name = "z"
        run = "echo ${var.x} $${HOME}"
        on_done = "a"
        [[job.b.step]]
        name = "a"
        run = { agent = "w" }
        [agent.w]
        run = "sh w.sh"
        prompt = "Do ${var.x}.\n  Then more.\n"
        env = { A = "b" }
        on_idle = { action = "nudge" }
        on_dead = [{ match = "0", action = "done" }]
    "#;
    let json = r#"{"job": {"b": {"vars": {"x": "1", "n": "2"}, "steps": {
            "z": {"run": "echo ${var.x} $${HOME}", "on_done": {"step": "a"}},
            "a": {"run": {"agent": "w"}}}}},
        "agent": {"w": {"run": "sh w.sh", "prompt": "Do ${var.x}.\n  Then more.\n", "env": {"A": "b"},
            "on_idle": "nudge", "on_dead": [{"match": 0, "action": "done"}]}}}"#;
    let one = good(hcl, Format::Hcl);
    assert_eq!(one, good(toml, Format::Toml));
    assert_eq!(one, good(json, Format::Json));
    let Run::Shell(command) = &one.jobs["b"].steps[0].run else { panic!("a command") };
    let known = [("var.x".to_owned(), "a b".to_owned())].into();
    assert_eq!(holdpoint_core::job::interpolate::shell(command, &known).unwrap(), "echo 'a b' ${HOME}");
}

#[test]
fn every_mistake_is_said_with_its_place() {
    let text = "job \"b\" {\n  step \"one\" {\n    run = { agent = \"wroker\" }\n    on_don = \"two\"\n  }\n  \
                step \"two\" { run = \"echo ${var.nam}\" }\n}\n\
                agent \"worker\" {\n  run = \"w\"\n  on_dead = \"nudge\"\n  on_idle = { action = \"nudge\", attempts = 0 }\n  \
                on_error = { action = \"gate\" }\n  on_prompt = { action = \"escalate\", cooldown = \"soon\" }\n}\n";
    assert_eq!(
        wrong(text),
        [
            "3:21: there is no agent \"wroker\"; did you mean \"worker\"?",
            "4:5: a step has no \"on_don\"; did you mean \"on_done\"?",
            "6:22: ${var.nam} is not known here; known are: agent.id, job.dir, job.id, job.item, job.name, job.project, step.name",
            "10:13: action 'nudge' is not valid for on_dead: nobody is there to be told; known are: done, resume, fail, escalate, gate",
            "11:44: attempts must be >= 1",
            "12:14: gate needs a command: run = \"…\"",
            "13:49: cooldown \"soon\" is not a duration; use e.g. 30s, 5m or 1h",
        ]
        .map(str::to_owned)
    );
}

#[test]
fn what_cannot_be_is_refused() {
    for (text, word) in [
        ("", "at least one job or agent"),
        ("job \"b\" {}", "at least one step"),
        ("job \"b\" {; step \"a\" { run = 1 + 2 }; }", "must be a block"),
        ("job \"b\" {; step \"done\" { run = \"x\" }; }", "how a job ends"),
        ("job \"b\" {; step \"a\" { run = \"x\" }; step \"a\" { run = \"y\" }; }", "occurs twice"),
        ("job \"b\" {; step \"a\" { run = { job = \"b\" } }; }", "without end"),
        ("job \"b\" {; step \"a\" { ; run = \"x\"; on_done = \"c\";}; }", "no step \"c\""),
        ("job \"b\" {; vars = [\"x\"]; step \"a\" { run = \"echo `${var.x}`\" }; }", "backticks"),
        (
            "agent \"a\" {; run = \"x\"; on_error = [{ action = \"fail\" }, { action = \"resume\" }];}",
            "never reached",
        ),
        (
            "agent \"a\" {; run = \"x\"; on_error = { match = \"hunger\", action = \"fail\" }; }",
            "matches nothing",
        ),
        ("agent \"a\" {; run = \"x\"; on_idle = { action = \"done\", run = \"y\" }; }", "only gate"),
        ("agent \"a\" {; run = \"x\"; prompt_file = \"p.md\"; }", "the agent reads the file itself"),
        ("agent \"a\" {; run = \"x\"; on_dead = { action = \"resume\", append = true }; }", "leave it out"),
        ("agnet \"a\" { run = \"x\" }", "did you mean \"agent\"?"),
        ("job \"b\" {", "not HCL"),
        (&"[".repeat(500), "deeper"),
    ] {
        let all = wrong(&text.replace(';', "\n")).join("\n");
        assert!(all.contains(word), "{text}: {all}");
    }
    for (text, format) in [("[job", Format::Toml), ("{\"job\": }", Format::Json)] {
        assert!(read(text, format).unwrap_err()[0].message.contains("this is not"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn no_text_brings_the_reader_down(text in any::<String>(), format in 0..3usize) {
        let _ = read(&text, [Format::Hcl, Format::Toml, Format::Json][format]);
    }

    #[test]
    fn no_change_to_a_good_one_does(at in 0..4000usize, cut in 0..40usize, put in "[-\"{}()\\[\\]$a=!?,\n<\\\\]{0,6}") {
        let mut text: Vec<char> = format!("{BUILD}{CLAUDE}").chars().collect();
        let at = at.min(text.len());
        let end = (at + cut).min(text.len());
        text.splice(at..end, put.chars());
        let text: String = text.into_iter().collect();
        if let Err(mistakes) = read(&text, Format::Hcl) {
            let lines = text.lines().count() + 1;
            prop_assert!(mistakes.iter().all(|mistake| (1..=lines).contains(&mistake.line) && mistake.column > 0));
        }
    }
}

#[test]
fn a_wrong_action_hides_nothing_beside_it() {
    let text = r#"
agent "a" {
  run      = "sh"
  on_error = { action = "wait", match = "nonsense", attempts = 0, cooldown = "soon" }
}
job "j" {
  step "s" {
    run = { agent = "a" }
  }
}
"#;
    let mistakes = wrong(text).join("\n");
    for part in ["is not an action", "matches nothing", "attempts must be >= 1", "cooldown"] {
        assert!(mistakes.contains(part), "{part} in\n{mistakes}");
    }
}
