//! What an agent is doing, told from screens. Each file in `screens/` is one screen and what is to be seen on it.

use std::fmt::Write as _;
use std::time::Duration;

use proptest::prelude::*;

use holdpoint_core::job::detect::{
    Detection, Detector, ErrorKind, Notice, Observation, Pattern, Patterns, Prompt, ScreenText, Signal,
    Timing, YesNo,
};

/// Reads a screen; the block stands where the cursor is.
fn screen(text: &str) -> ScreenText {
    let mut cursor = (0, 0);
    let rows = text.lines().enumerate().map(|(row, line)| {
        if let Some(col) = line.chars().position(|c| c == '█') {
            cursor = (u16::try_from(row).unwrap(), u16::try_from(col).unwrap());
        }
        line.replace('█', "").trim_end().to_owned()
    });
    ScreenText { rows: rows.collect(), cursor, alternate: false }
}

/// What a long look at a screen gives, as in the files.
fn tell(observation: &Observation) -> String {
    let timing = Timing { idle_quiet: Duration::from_secs(3600), ..Timing::default() };
    let mut detector = Detector::new(Patterns::default(), timing);
    let still = Observation { quiet_for: Duration::from_secs(30), ..observation.clone() };
    detector.observe(&Observation { at: Duration::from_secs(1), ..still.clone() });
    detector.observe(&Observation { at: Duration::from_secs(9), ..still });
    match detector.last_signal() {
        Some(Signal::Working) if observation.waiting_for_input == Some(false) => "nothing".into(),
        Some(Signal::Working) if tell_ready(observation) => "working".into(),
        None | Some(Signal::Working) => "nothing".into(),
        Some(Signal::Idle) if observation.waiting_for_input == Some(true) => "nothing".into(),
        Some(Signal::Idle) => "nothing, ready".into(),
        Some(Signal::Error { kind, .. }) => {
            format!("error {}", serde_json::to_value(kind).unwrap().as_str().unwrap())
        }
        Some(Signal::Prompt { prompt }) => tell_prompt(prompt),
        Some(Signal::Dead { .. }) => "dead".into(),
    }
}

/// Whether something on the screen says that the agent works.
fn tell_ready(observation: &Observation) -> bool {
    let patterns = Patterns::default();
    observation.screen.rows.iter().any(|row| patterns.working.iter().any(|pattern| pattern.matches(row)))
}

fn tell_prompt(prompt: &Prompt) -> String {
    match prompt {
        Prompt::Permission { keys, .. } => format!("permission yes={} no={}", keys.yes, keys.no),
        Prompt::Plan { options, .. } => format!("plan options={}", options.len()),
        Prompt::Question { questions, .. } => {
            let question = &questions[0];
            let mut text = format!("question options={}", question.options.len());
            if question.multiple {
                text.push_str(" several");
            }
            let _ = write!(text, " {:?}", question.text);
            if let Some(header) = &question.header {
                let _ = write!(text, " header={header}");
            }
            text
        }
    }
}

#[test]
fn screens_are_read_as_their_files_say() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/screens");
    let (mut wrong, mut count) = (String::new(), 0);
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let (head, body) = text.split_once("---\n").unwrap();
        let field = |name: &str| head.lines().find_map(|line| line.strip_prefix(name)).unwrap().trim();
        let waiting_for_input = match field("waiting:") {
            "yes" => Some(true),
            "no" => Some(false),
            _ => None,
        };
        let told = tell(&Observation { screen: screen(body), waiting_for_input, ..Observation::default() });
        let expected = field("at the bottom:");
        count += 1;
        if told != expected {
            let _ =
                writeln!(wrong, "{}: {told}\n    and not: {expected}", path.file_name().unwrap().display());
        }
    }
    assert!(count > 25, "looks in the wrong place");
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// Plays one agent's story: each step is a time in milliseconds, a screen, how long it is quiet, who waits.
pub(crate) struct Story {
    detector: Detector,
    now: Duration,
}

impl Story {
    pub(crate) fn new() -> Self {
        Self { detector: Detector::new(Patterns::default(), Timing::default()), now: Duration::ZERO }
    }

    pub(crate) fn see(&mut self, after: u64, text: &str, quiet: u64, waiting: Option<bool>) -> Detection {
        self.now += Duration::from_millis(after);
        self.detector.observe(&Observation {
            at: self.now,
            screen: screen(text),
            quiet_for: Duration::from_millis(quiet),
            waiting_for_input: waiting,
            ..Observation::default()
        })
    }

    fn hear(&mut self, after: u64, notice: Notice) -> Option<Signal> {
        self.now += Duration::from_millis(after);
        let heard = Observation { at: self.now, notices: vec![notice], ..Observation::default() };
        self.detector.observe(&heard).signal
    }
}

#[test]
fn a_pause_is_not_idle_and_idle_is_said_once() {
    let mut story = Story::new();
    assert_eq!(story.see(0, "█", 0, None).signal, None);
    assert_eq!(story.see(10, "$ █", 0, None).signal, Some(Signal::Working));
    // Quiet for long enough, but only one look: no.
    let seen = story.see(2000, "$ █", 2000, Some(true));
    assert_eq!((seen.signal, seen.look_again), (None, Some(Timing::default().recheck)));
    // It went on in between.
    assert_eq!(story.see(1000, "$ make\n█", 100, Some(true)).signal, None);
    assert_eq!(story.see(2000, "$ make\n█", 2100, Some(true)).signal, None);
    let seen = story.see(1000, "$ make\n█", 3100, Some(true));
    assert_eq!((seen.signal, seen.look_again), (Some(Signal::Idle), None));
    assert_eq!(story.see(9000, "$ make\n█", 12_100, Some(true)), Detection::default());
}

/// A server that was restarted watches an agent whose last words are a moment old. They say nothing of what it does now,
/// and must not take back what a person was asked about it meanwhile.
#[test]
fn a_screen_that_changed_before_the_first_look_is_no_work() {
    for (text, asks) in [("Never mind.\n█", Signal::Idle), ("API Error: 429 slow down\n> █", rate_limit())]
    {
        let mut story = Story::new();
        for _ in 0..2 {
            assert_eq!(story.see(0, text, 10, None).signal, None);
            assert_eq!(story.see(500, text, 510, Some(true)).signal, None);
            story.see(2000, text, 2510, Some(true));
            story.see(1000, text, 3510, Some(true));
            assert_eq!(story.detector.last_signal(), Some(&asks));
            story.detector.forget();
        }
    }
    // What changes while it is watched is work.
    let mut story = Story::new();
    assert_eq!(story.see(0, "one\n█", 10, None).signal, None);
    assert_eq!(story.see(100, "one\ntwo\n█", 0, None).signal, Some(Signal::Working));
}

fn rate_limit() -> Signal {
    Signal::Error { kind: ErrorKind::RateLimit, text: "API Error: 429 slow down".into() }
}

#[test]
fn quiet_without_knowing_who_waits_takes_longer() {
    let mut story = Story::new();
    for second in 1..60 {
        assert_ne!(story.see(1000, "thinking", second * 1000, None).signal, Some(Signal::Idle));
    }
    assert_eq!(story.see(1000, "thinking", 60_000, None).signal, None);
    assert_eq!(story.see(1000, "thinking", 61_000, None).signal, Some(Signal::Idle));
}

#[test]
fn who_does_something_else_is_never_idle_and_is_looked_at_ever_less_often() {
    let mut story = Story::new();
    let waits: Vec<u64> = (1..7)
        .map(|n| story.see(60_000, "building", n * 60_000, Some(false)).look_again.unwrap().as_secs())
        .collect();
    assert_eq!(waits, [4, 8, 16, 32, 60, 60]);
    assert_eq!(story.detector.last_signal(), Some(&Signal::Working));
}

#[test]
fn an_echo_is_not_work_and_what_keeps_changing_is() {
    let mut story = Story::new();
    story.see(0, "$ █", 5000, Some(true));
    assert_eq!(story.see(1000, "$ █", 6000, Some(true)).signal, Some(Signal::Idle));
    // One burst, silent again.
    assert_eq!(story.see(5000, "$ mail\n$ █", 0, None).signal, None);
    assert_eq!(story.see(1000, "$ mail\n$ █", 1000, Some(true)), Detection::default());
    // Frame after frame.
    let mut said = Vec::new();
    for n in 0..12 {
        said.extend(story.see(100, &format!("$ step {n}"), 0, None).signal);
    }
    assert_eq!(said, [Signal::Working]);
}

#[test]
fn a_short_reaction_to_what_was_typed_is_work() {
    let mut story = Story::new();
    story.see(0, "> █", 5000, Some(true));
    assert_eq!(story.see(1000, "> █", 6000, Some(true)).signal, Some(Signal::Idle));
    story.see(5000, "> fix\nworking on fix\n█", 0, Some(false));
    // It took less than a second, and is silent again before anybody looks.
    let after = "> fix\nworking on fix\nDone\n> █";
    assert_eq!(story.see(2000, after, 1100, Some(true)).signal, Some(Signal::Working));
    story.see(2000, after, 3100, Some(true));
    assert_eq!(story.see(1000, after, 4100, Some(true)).signal, Some(Signal::Idle));
}

#[test]
fn a_clock_or_a_spinner_in_the_status_line_is_no_work() {
    let at = |n: u32| format!("$ █\n\n{} 12:00:0{n} · {n}% left", ['⠋', '⠙', '⠹'][n as usize % 3]);
    let mut story = Story::new();
    story.see(0, &at(0), 5000, Some(true));
    assert_eq!(story.see(1000, &at(0), 6000, Some(true)).signal, Some(Signal::Idle));
    for n in 1..9 {
        assert_eq!(story.see(300, &at(n), 0, None).signal, None, "{n}");
    }
    // Nor is it to a watch that has just begun.
    let mut story = Story::new();
    for n in 0..9 {
        assert_eq!(story.see(300, &at(n), 0, None).signal, None, "{n}");
    }
    // What is written above it is.
    assert_eq!(story.see(300, &format!("$ make\ncc a.c\n{}", at(9)), 0, None).signal, Some(Signal::Working));
}

#[test]
fn a_prompt_is_said_once_and_its_end_too() {
    let mut story = Story::new();
    let prompt = "Overwrite? [y/N] █";
    assert_eq!(story.see(0, prompt, 20, None).look_again, Some(Duration::from_millis(130)));
    let said = story.see(130, prompt, 150, Some(true)).signal;
    let keys = YesNo { yes: "y".into(), no: "n".into(), enter: false };
    let permission = Prompt::Permission { text: "Overwrite? [y/N]".into(), keys };
    assert_eq!(said, Some(Signal::Prompt { prompt: permission }));
    assert_eq!(story.see(500, prompt, 650, Some(true)).signal, None);
    // Redrawn: away for a moment, and back.
    assert_eq!(story.see(10, "", 0, None).signal, None);
    assert_eq!(story.see(100, prompt, 0, None).signal, None);
    assert_eq!(story.see(200, prompt, 200, Some(true)).signal, None);
    // Answered by somebody at the keys; then it never stands still.
    let mut said = Vec::new();
    for n in 0..9 {
        said.extend(story.see(100, &format!("Overwrite? [y/N] y\nwriting {n}"), 0, None).signal);
    }
    assert_eq!(said, [Signal::Working]);
    // The same question again is a new one.
    assert!(matches!(story.see(500, prompt, 500, Some(true)).signal, Some(Signal::Prompt { .. })));
}

#[test]
fn another_prompt_in_its_place_is_another_signal() {
    let mut story = Story::new();
    let dialog = |what: &str| format!("{what}\nDo you want to proceed?\n❯ 1. Yes\n  2. No\n\nEsc to cancel");
    assert!(matches!(story.see(0, &dialog("rm a"), 200, None).signal, Some(Signal::Prompt { .. })));
    assert_eq!(
        story.see(100, &dialog("rm a").replace("❯ 1", "  1").replace("  2", "❯ 2"), 200, None).signal,
        None
    );
    assert!(matches!(story.see(100, &dialog("rm b"), 200, None).signal, Some(Signal::Prompt { .. })));
}

#[test]
fn hooks_are_believed_before_the_screen() {
    let mut story = Story::new();
    assert_eq!(story.hear(0, Notice::Working), Some(Signal::Working));
    assert_eq!(story.hear(10, Notice::Idle), Some(Signal::Idle));
    let keys = YesNo::default();
    let told = Prompt::Permission { text: "Bash: rm -rf build".into(), keys };
    let signal = Signal::Prompt { prompt: told.clone() };
    assert_eq!(story.hear(10, Notice::Prompt { prompt: told }), Some(signal.clone()));
    // The dialog that the hook spoke of comes on the screen: the same prompt, not another.
    let dialog = "Bash command\nDo you want to proceed?\n❯ 1. Yes\n  2. No\n\nEsc to cancel";
    assert_eq!(story.see(100, dialog, 200, None).signal, None);
    assert_eq!(story.detector.last_signal(), Some(&signal));
    assert_eq!(story.see(100, "● done\n", 0, None).signal, None);
    assert_eq!(story.see(400, "● done\n", 400, None).signal, Some(Signal::Working));
    // Quiet alone says little of an agent that speaks for itself.
    story.see(60_000, "● done\n", 60_000, None);
    assert_eq!(story.see(2000, "● done\n", 62_000, None).signal, None);
}

#[test]
fn death_is_told_as_it_was() {
    let mut story = Story::new();
    let dead = Observation { exit: Some((None, Some(9))), ..Observation::default() };
    assert_eq!(story.detector.observe(&dead).signal, Some(Signal::Dead { code: None, signal: Some(9) }));
    assert_eq!(story.detector.observe(&dead).signal, None);
}

#[test]
fn what_is_forgotten_is_said_again() {
    let mut story = Story::new();
    let prompt = "Overwrite? [y/N] █";
    assert!(story.see(0, prompt, 200, Some(true)).signal.is_some());
    story.detector.forget();
    assert!(story.see(100, prompt, 300, Some(true)).signal.is_some());
}

#[test]
fn old_words_of_work_do_not_hide_that_an_agent_waits() {
    for words in ["Retrying in 2 seconds", "Tip: press esc to interrupt"] {
        let mut story = Story::new();
        let screen = format!("{words}\nIt works again.\n\n> █");
        assert_eq!(story.see(0, &screen, 30_000, Some(true)).signal, Some(Signal::Working), "{words}");
        assert_eq!(story.see(31_000, &screen, 61_000, Some(true)).signal, None, "{words}");
        assert_eq!(story.see(2_000, &screen, 63_000, Some(true)).signal, Some(Signal::Idle), "{words}");
    }
}

#[test]
fn settings_can_add_patterns() {
    let mut patterns = Patterns::default();
    patterns.errors.insert(0, (ErrorKind::Other, Pattern::new("FATAL:*licence").unwrap()));
    patterns.working.push(Pattern::new("compiling*").unwrap());
    let mut detector = Detector::new(patterns, Timing::default());
    let mut look = |at: u64, text: &str| {
        let seen = Observation {
            at: Duration::from_secs(at),
            screen: screen(text),
            quiet_for: Duration::from_secs(90),
            ..Observation::default()
        };
        detector.observe(&seen).signal
    };
    assert_eq!(look(0, "Compiling everything"), Some(Signal::Working));
    assert_eq!(look(100, "Compiling everything"), None);
    let text = "FATAL: no licence".to_owned();
    assert_eq!(look(200, &text), Some(Signal::Error { kind: ErrorKind::Other, text }));
}

proptest! {
    /// Whatever an agent paints, looking at it does no harm, and the same look again says nothing new.
    #[test]
    fn any_screen_can_be_looked_at(
        rows in prop::collection::vec("[ 0-9A-z.?:❯>│─☐\\[\\]()/✔你é*\u{1b}]{0,40}", 0..30),
        cursor in (0u16..40, 0u16..50),
        waiting in prop::option::of(any::<bool>()),
        quiet in 0u64..100_000,
    ) {
        let screen = ScreenText { rows, cursor, alternate: false };
        let quiet_for = Duration::from_millis(quiet);
        let seen = Observation { screen, quiet_for, waiting_for_input: waiting, ..Observation::default() };
        let mut detector = Detector::new(Patterns::default(), Timing::default());
        detector.observe(&seen);
        let said = detector.last_signal().cloned();
        let again = detector.observe(&seen);
        prop_assert_eq!(again.signal, None);
        prop_assert_eq!(detector.last_signal(), said.as_ref());
    }

    /// The same for lines that look like dialogs.
    #[test]
    fn any_dialog_can_be_looked_at(
        lines in prop::collection::vec(("[❯> ]{0,2}", 0u16..300, "[.)] ?", "[a-z\\[\\] ]{0,9}", "( +[a-z]+)?"), 0..12),
        tail in prop::sample::select(vec!["", "Esc to cancel", "> ", "ok?", "(y/n", "[y/N] ", "y/n)"]),
    ) {
        let mut rows: Vec<String> = Vec::new();
        for (mark, number, dot, label, below) in lines {
            rows.push(format!("{mark}{number}{dot}{label}"));
            rows.push(below);
        }
        rows.push(tail.to_owned());
        let cursor = (u16::try_from(rows.len()).unwrap() - 1, 40);
        let screen = ScreenText { rows, cursor, alternate: false };
        let seen = Observation { screen, quiet_for: Duration::from_secs(9), waiting_for_input: Some(true), ..Observation::default() };
        if let Some(Signal::Prompt { prompt: Prompt::Question { questions, .. } }) =
            Detector::new(Patterns::default(), Timing::default()).observe(&seen).signal
        {
            for (at, option) in questions[0].options.iter().enumerate() {
                prop_assert_eq!(usize::from(option.number), at + 1);
            }
        }
    }
}

#[test]
fn a_prompt_that_stands_there_is_not_gone_at_one_look() {
    let asks = "Delete A? [y/n] █";
    let mut story = Story::new();
    assert!(matches!(story.see(0, asks, 200, Some(true)).signal, Some(Signal::Prompt { .. })));
    assert_eq!(story.see(100, asks, 300, Some(false)).signal, None);
    assert_eq!(story.see(500, asks, 800, Some(false)).signal, None);
    assert_eq!(story.see(500, asks, 1300, Some(true)), Detection::default());
    // Answered by a key that leaves no trace, and running since.
    assert_eq!(story.see(500, asks, 1800, Some(false)).signal, None);
    assert_eq!(story.see(2000, asks, 3800, Some(false)).signal, Some(Signal::Working));
}
