//! Earlier rounds: the question, the person's reply, and what the asker changed.

use holdpoint_core::text::{inert, inert_line};
use holdpoint_core::{Decision, DecisionId};
use holdpoint_engine::{Client, Error};
use holdpoint_protocols::present;

use super::compare::{self, LineChange};
use super::wording;

/// How many rounds are shown.
const MOST: usize = 10;
/// The longest text that is compared.
pub(crate) const COMPARED: usize = 200_000;
/// How many lines of a comparison are shown.
pub(crate) const LINES: usize = 400;

/// A round that led to the current one.
#[derive(Debug)]
pub(crate) struct Round {
    pub(crate) id: DecisionId,
    pub(crate) iteration: u32,
    pub(crate) guidance: String,
    pub(crate) by: String,
    /// What the next round changed.
    pub(crate) changes: Vec<(LineChange, String)>,
}

/// Finds the rounds before a decision, latest first.
pub(crate) async fn before(client: &dyn Client, decision: &Decision) -> Result<Vec<Round>, Error> {
    let mut found = Vec::new();
    let mut later = text(decision);
    let mut prior = decision.prior;
    while let Some(id) = prior.filter(|_| found.len() < MOST) {
        let round = match client.get(&id.to_string()).await {
            Ok(round) => round,
            Err(Error::NotFound(_)) => break,
            Err(Error::Remote(problem)) if problem.status == 404 => break,
            Err(error) => return Err(error),
        };
        let earlier = text(&round);
        let answer = round.answer.as_ref();
        found.push(Round {
            id,
            iteration: round.iteration,
            guidance: answer.and_then(|answer| answer.message.clone()).unwrap_or_default(),
            by: answer.map(|answer| answer.by.clone()).unwrap_or_default(),
            changes: compare(&earlier, &later),
        });
        prior = round.prior;
        later = earlier;
    }
    Ok(found)
}

/// Compares two texts line by line; of unchanged lines, only those near a change are kept.
fn compare(before: &str, after: &str) -> Vec<(LineChange, String)> {
    const NEAR: usize = 2;
    if before.len() > COMPARED || after.len() > COMPARED {
        return vec![(LineChange::Added, "(too long to compare)".into())];
    }
    let compared = compare::lines(before, after);
    let near = compare::hunks(&compared, NEAR).into_iter().flatten();
    near.map(|at| (compared[at].0, compared[at].1.trim_end_matches('\n').to_owned())).collect()
}

/// Formats what a decision asks as lines that can be compared.
fn text(decision: &Decision) -> String {
    let mut lines = Vec::new();
    for words in [&decision.title, &decision.prompt].into_iter().flatten() {
        lines.push(inert(words));
    }
    for field in &decision.fields {
        lines.push(inert_line(&field.label));
        for option in field.all_options().filter(|option| !option.id.starts_with('_')).take(LINES) {
            let more = option
                .description
                .as_deref()
                .map(|more| format!(": {}", inert_line(more)))
                .unwrap_or_default();
            lines.push(format!("• {}{more}", wording::short(&option.label, 500)));
        }
    }
    lines.extend(present::subject(decision).map(|subject| subject.text()));
    let mut text = lines.join("\n");
    text.push('\n');
    text
}
