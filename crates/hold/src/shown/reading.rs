//! Reading the subject of a decision before consenting to it.

use std::time::Duration;

use holdpoint_core::decision::number::{self, Entry, Means};
use holdpoint_core::{Decision, Source, Values};
use holdpoint_protocols::present::{self, Content};
use serde_json::Value;

use super::wrap::wrap;

/// What a subject has at most that fits on any screen.
pub(crate) const SHORT_LINES: usize = 12;
const SHORT_BYTES: usize = 600;
/// What a subject has at most that fits in a row of a list.
const ROW_CHARS: usize = 160;
/// How long the line is that says what a longer one is about.
const LINE_CHARS: usize = 120;

/// For so long after a card appears no key answers it.
pub(crate) const QUIET: Duration = Duration::from_millis(250);
/// For so long there must be no key after one that came too early, so that a run of keys that began before a card appeared
/// never reaches it.
pub(crate) const AGAIN: Duration = Duration::from_millis(600);

/// What is said of a key that came too early.
pub(crate) const EARLY: &str =
    "What you pressed before this had appeared did nothing. Look, and press it again.";

/// What a person must do who wants to consent to a long subject.
pub(crate) const UNREAD: &str =
    "read it to its end before you consent, or say that you consent unread; refusing needs neither";

/// Says that what is consented to is not the patch set that is shown, if so. A card that does not say which one it shows
/// shows the last.
pub(crate) fn another_is_shown(decision: &Decision, values: &Values, shown: &str) -> Option<String> {
    let chosen = committed(decision, values)?;
    let last = &decision.field("patchset")?.options.last()?.id;
    let shown = if shown.is_empty() { last } else { shown };
    (chosen != shown).then(|| {
        format!(
            "You were shown patch set {shown}, not {chosen}: read patch set {chosen} first, or consent unread"
        )
    })
}

/// Returns the number of the patch set that an answer commits.
pub(crate) fn committed<'a>(decision: &Decision, values: &'a Values) -> Option<&'a str> {
    let offered = decision.field("patchset").filter(|_| decision.source == Source::Verdict)?;
    let commits = values.get("verdict").and_then(Value::as_str) == Some("commit");
    values.get(&offered.id).and_then(Value::as_str).filter(|_| commits)
}

/// Names the subject by its kind.
pub(crate) fn title(decision: &Decision) -> &'static str {
    present::subject(decision).map_or("Subject", |subject| subject.title)
}

/// Returns whether the subject is prose in the first place.
pub(crate) fn is_prose(decision: &Decision) -> bool {
    let subject = present::subject(decision);
    subject.is_some_and(|subject| {
        subject.blocks.first().is_some_and(|block| matches!(block.content, Content::Prose(_)))
    })
}

/// Returns whether a subject is so short that it need not be scrolled anywhere.
pub(crate) fn is_short(subject: &Value) -> bool {
    let text = present::of_value(subject).text();
    text.len() <= SHORT_BYTES && text.lines().count() <= SHORT_LINES
}

/// Returns how many lines a subject has on a terminal of this many columns and lines, if they are more than that.
pub(crate) fn longer_than(subject: &str, (columns, lines): (u16, u16)) -> Option<usize> {
    let count = wrap(subject, usize::from(columns), usize::MAX).lines.len();
    (count >= usize::from(lines)).then_some(count)
}

/// Says that nobody can consent here.
pub(crate) fn nobody_reads(decision: &Decision) -> String {
    let (what, id) = (title(decision).to_lowercase(), decision.id);
    format!(
        "Nothing was sent: without a terminal a yes to a {what} needs its digest: hold answer {id} … --digest DIGEST"
    )
}

/// Asks whether a subject that is longer than the screen was read.
pub(crate) fn question(decision: &Decision, lines: usize) -> String {
    let what = title(decision).to_lowercase();
    format!(
        "The {what} has {lines} lines, more than this screen. r: I have read it to its end, u: I consent unread, Enter: back: "
    )
}

/// Returns the subject as a row of a list shows it: in full, on one line. Nothing if it does not fit.
pub(crate) fn in_row(subject: &Value) -> Option<String> {
    present::of_value(subject).row(ROW_CHARS)
}

/// Returns a subject as a row of a list shows it: in full if that fits, else what it is about.
pub(crate) fn line(subject: &Value) -> String {
    in_row(subject).unwrap_or_else(|| present::of_value(subject).line(LINE_CHARS))
}

/// Lists the numbers that refuse: options that do, and outs.
pub(crate) fn refusing(decision: &Decision) -> Vec<usize> {
    let refuses = |entry: &Entry<'_>| match entry.means {
        Means::Option(_, option) | Means::Accept(_, option) => option.refuses,
        Means::Out(_) => true,
        Means::Other => false,
    };
    number::entries(decision).iter().filter(|entry| refuses(entry)).map(|entry| entry.number).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_a_whole_subject_stands_in_a_row() {
        assert_eq!(in_row(&json!("ls -l")).as_deref(), Some("ls -l"));
        assert_eq!(
            in_row(&json!({"tool": "Bash", "input": {"command": "ls"}})).as_deref(),
            Some("ls · tool: Bash")
        );
        assert_eq!(in_row(&json!("ls\ncurl x | sh")), None);
        assert_eq!(in_row(&json!("x".repeat(161))), None);
        assert_eq!(in_row(&json!("a\u{202e}b")).as_deref(), Some("a<U+202E>b"));
    }

    #[test]
    fn what_may_need_scrolling_is_not_short() {
        assert!(is_short(&json!({"command": "ls"})));
        assert!(!is_short(&json!("x\n".repeat(13))));
        assert!(!is_short(&json!("x".repeat(601))));
    }
}
