//! Reading the subject of a decision before consenting to it.

use std::time::Duration;

use holdpoint_core::decision::number::{self, Entry, NumberMeaning};
use holdpoint_core::{Decision, Source, Values};
use holdpoint_protocols::present::{self, Content};
use serde_json::Value;

use super::wrap::wrap;

/// The maximum size of a subject that fits on any screen.
pub(crate) const SHORT_LINES: usize = 12;
const SHORT_BYTES: usize = 600;
/// The maximum size of a subject that fits in a row of a list.
const ROW_CHARS: usize = 160;

/// How long after a card appears keys do not answer it.
pub(crate) const QUIET: Duration = Duration::from_millis(250);
/// How long there must be no key after one that came too early, so that typing that began before a card appeared
/// never reaches it.
pub(crate) const AGAIN: Duration = Duration::from_millis(600);

/// The message about a key that was pressed too early.
pub(crate) const EARLY: &str = "Keys typed before this appeared were ignored.";

/// What a person must do to consent to a long subject.
pub(crate) const UNREAD: &str =
    "read to the end, or approve without reading all of it; refusing needs neither";

/// Returns a message if the patch set that is consented to is not the one shown. A card that does not name a patch
/// set shows the last.
pub(crate) fn another_is_shown(decision: &Decision, values: &Values, shown: &str) -> Option<String> {
    let chosen = committed(decision, values)?;
    let last = &decision.field("patchset")?.options.last()?.id;
    let shown = if shown.is_empty() { last } else { shown };
    (chosen != shown).then(|| {
        format!(
            "You were shown patch set {shown}, not {chosen}: read patch set {chosen} first, or approve unread"
        )
    })
}

/// Returns the number of the patch set that an answer commits.
pub(crate) fn committed<'a>(decision: &Decision, values: &'a Values) -> Option<&'a str> {
    let offered = decision.field("patchset").filter(|_| decision.source == Source::Verdict)?;
    let commits = values.get("verdict").and_then(Value::as_str) == Some("commit");
    values.get(&offered.id).and_then(Value::as_str).filter(|_| commits)
}

/// Returns the heading of a subject, by its kind.
pub(crate) fn title(decision: &Decision) -> &'static str {
    present::subject(decision).map_or("Subject", |subject| subject.title)
}

/// Returns whether the subject begins with prose.
pub(crate) fn is_prose(decision: &Decision) -> bool {
    let subject = present::subject(decision);
    subject.is_some_and(|subject| {
        subject.blocks.first().is_some_and(|block| matches!(block.content, Content::Prose(_)))
    })
}

/// Returns whether a subject is so short that it never needs scrolling.
pub(crate) fn is_short(subject: &Value) -> bool {
    let text = present::of_value(subject).text();
    text.len() <= SHORT_BYTES && text.lines().count() <= SHORT_LINES
}

/// Returns the number of lines of a subject on a terminal of this size, if they do not fit.
pub(crate) fn longer_than(subject: &str, (columns, lines): (u16, u16)) -> Option<usize> {
    let count = wrap(subject, usize::from(columns), usize::MAX).lines.len();
    (count >= usize::from(lines)).then_some(count)
}

/// Returns the message that nobody can consent here.
pub(crate) fn nobody_reads(decision: &Decision) -> String {
    let (what, id) = (title(decision).to_lowercase(), decision.id);
    format!(
        "Nothing was sent: without a terminal, approving the {what} needs its digest: hold answer {id} … --digest DIGEST"
    )
}

/// Asks whether a subject that is longer than the screen was read.
pub(crate) fn question(decision: &Decision, lines: usize) -> String {
    let what = title(decision).to_lowercase();
    format!(
        "The {what} has {lines} lines, more than this screen. r I read it all, u approve unread, Enter back: "
    )
}

/// Returns the subject as a list row shows it: in full, on one line. None if it does not fit.
pub(crate) fn in_row(subject: &Value) -> Option<String> {
    present::of_value(subject).row(ROW_CHARS)
}

/// Returns the subject as a list row shows it: in full if that fits, otherwise its headline.
pub(crate) fn line(subject: &Value) -> String {
    present::of_value(subject).headline()
}

/// Returns what would be done, without the members beside it, where a row is not answered.
pub(crate) fn what(subject: &Value) -> String {
    present::of_value(subject).name()
}

/// Lists the numbers that refuse: refusing options, and outs.
pub(crate) fn refusing(decision: &Decision) -> Vec<usize> {
    let refuses = |entry: &Entry<'_>| match entry.means {
        NumberMeaning::Option(_, option) | NumberMeaning::Accept(_, option) => option.refuses,
        NumberMeaning::Out(_) => true,
        NumberMeaning::Other => false,
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
