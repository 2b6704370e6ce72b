//! The history of a task as a drawing: its attempts from top to bottom, what each follows, and how it ended.

use holdpoint_core::Run;
use holdpoint_core::run::{RunOrigin, Verdict};
use holdpoint_engine::run::ShownRun;
use maud::{Markup, html};

/// The distance between attempts.
const STEP: usize = 46;
/// The x position of attempts.
const LEFT: usize = 70;
/// The x position of their labels.
const WORDS: usize = 170;
/// How many are drawn; the list beside the drawing has all.
const DRAWN: usize = 100;

pub(super) fn draw(attempts: &[ShownRun], here: &Run) -> Markup {
    let skipped = attempts.len().saturating_sub(DRAWN);
    let attempts = &attempts[skipped..];
    let y = |at: usize| 24 + at * STEP;
    let height = y(attempts.len().saturating_sub(1)) + 26;
    html! {
        @if skipped > 0 { p .hint { "The last " (DRAWN) " attempts are drawn." } }
        // Scrolls sideways if it is wider than the screen: scaled down, its text would be illegible.
        div .drawing tabindex="0" role="region" aria-label="The drawing of its attempts" {
        svg .life viewBox={ "0 0 640 " (height) } width="640" height=(height) role="img" aria-label="Attempts at this task; the list below says the same" {
            @for (at, run) in attempts.iter().enumerate() {
                @if let Some((from, class)) = origin(run).and_then(|(id, class)| Some((attempts.iter().position(|it| it.id == id)?, class))) {
                    path class={ "edge " (class) } d=(edge(y(from), y(at), at - from.min(at))) {}
                }
            }
            @for (at, run) in attempts.iter().enumerate() {
                @let (how, what) = status_lines(run, at + skipped + 1);
                a href={ "/runs/" (run.id) } {
                    title { (how) ": " (what) }
                    circle class={ "node " (standing(run)) } cx=(LEFT) cy=(y(at)) r=[Some(if run.id == here.id { "11" } else { "8" })] {}
                    @for patchset in 0..run.patchsets.len().min(12) {
                        rect .patch x=(LEFT + 22 + patchset * 11) y=(y(at) - 14) width="8" height="8" {}
                    }
                    @for (place, found) in run.evidence.iter().take(12).enumerate() {
                        circle class=(if found.exit_code == Some(0) { "found good" } else { "found bad" })
                            cx=(LEFT + 26 + place * 11) cy=(y(at) + 8) r="4" {}
                    }
                    text x=(LEFT + WORDS) y=(y(at) - 3) { (how) }
                    text .less x=(LEFT + WORDS) y=(y(at) + 14) { (what) }
                }
            }
        }
        }
    }
}

/// Returns the path of a line to the next attempt, or of an arc around those between.
fn edge(from: usize, to: usize, apart: usize) -> String {
    if apart <= 1 {
        return format!("M {LEFT} {from} L {LEFT} {to}");
    }
    let out = LEFT.saturating_sub(18 + 6 * apart.min(8));
    format!("M {LEFT} {from} C {out} {from}, {out} {to}, {LEFT} {to}")
}

fn origin(run: &Run) -> Option<(holdpoint_core::run::ObjectId, &'static str)> {
    run.origin.map(|origin| match origin {
        RunOrigin::Retry { run } => (run, "retry"),
        RunOrigin::Resume { run } => (run, "resume"),
        RunOrigin::Rollback { run } => (run, "rollback"),
    })
}

fn standing(run: &Run) -> &'static str {
    match run.verdict.as_ref().map(|verdict| verdict.verdict) {
        Some(Verdict::Commit) => "good",
        Some(Verdict::Abandon | Verdict::Rollback) => "bad",
        Some(Verdict::Retry) => "warn",
        Some(Verdict::Checkpoint) => "saved",
        None => "open",
    }
}

/// Returns two lines of text, so that the result is visible without colours: the status, and the number of patch sets
/// and findings.
fn status_lines(run: &ShownRun, number: usize) -> (String, String) {
    let how = super::stands::word(&run.standing);
    let failed = holdpoint_core::run::current(run).filter(|found| found.exit_code != Some(0)).count();
    let failed = if failed > 0 { format!(", {failed} failed") } else { String::new() };
    let (sets, found) = (counted(run.patchsets.len(), "patch set"), counted(run.evidence.len(), "finding"));
    (format!("Attempt {number}: {how}"), format!("{sets}, {found}{failed}"))
}

/// Formats a count with its noun.
pub(super) fn counted(count: usize, what: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {what}{s}")
}
