//! Picking by number, line by line.

use holdpoint_core::decision::AnswerInput;
use holdpoint_core::decision::number::{self, NumberMeaning};
use holdpoint_core::text::inert_line;
use holdpoint_core::{Decision, Kind};

use super::answer::{Instruction, fill_in, with_message};
use super::input::{LineInput, PlainInbox, WatchedDecision};
use crate::cli::choice;
use crate::cli::failure::Failure;
use crate::cli::fill::FormFiller;
use crate::view_model::wording;

/// Picks the option that a number stands for, or several if several may be chosen.
pub(super) async fn pick(
    inbox: &mut PlainInbox<'_>,
    decision: &Decision,
    typed: &str,
    watched: &mut WatchedDecision,
) -> Result<Instruction, Failure> {
    let entries = number::entries(decision);
    let several = matches!(number::questions(decision).as_slice(), [field] if field.kind == Kind::Choices);
    let Some(numbers) = numbers(typed, entries.len(), several) else {
        inbox.ui.line(format!("Unknown key {:?}; ? for help", inert_line(typed)))?;
        return Ok(Instruction::Nothing);
    };
    let picked: Vec<_> = numbers.iter().filter_map(|number| entries.get(number - 1)).collect();
    if decision.fields.len() > 1 && !picked.iter().any(|entry| matches!(entry.means, NumberMeaning::Out(_))) {
        // Keeps what was picked, and asks only for the rest.
        let filling =
            numbers.iter().fold(FormFiller::new(decision), |filling, number| filling.picked(*number));
        return fill_in(inbox, decision, filling, watched).await;
    }
    let mut own = None;
    if picked.iter().any(|entry| entry.means == NumberMeaning::Other) {
        let question = "In your own words (Enter alone goes back): ";
        let LineInput::Line(line) = inbox.line(question, Some(watched)).await? else {
            return Ok(Instruction::End);
        };
        if line.trim().is_empty() {
            return Ok(Instruction::Nothing);
        }
        own = Some(line);
    }
    let ids: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    let input = match choice::read(decision, &ids, own.as_deref(), &[]) {
        Ok(choice::TypedAnswer { values, out }) => AnswerInput { values, out, ..AnswerInput::default() },
        Err(failure) => {
            inbox.ui.line(wording::sentence(&failure.message))?;
            return Ok(Instruction::Nothing);
        }
    };
    if own.is_some() {
        return Ok(Instruction::Send(Box::new(input)));
    }
    let labels: Vec<String> = picked.iter().map(|entry| wording::short(entry.label, 200)).collect();
    inbox.ui.line(format!("Picked: {}.", labels.join(", ")))?;
    with_message(inbox, decision, input, watched).await
}

/// Parses a number, or several if several may be chosen.
fn numbers(typed: &str, count: usize, several: bool) -> Option<Vec<usize>> {
    let words = typed.split([' ', ',']).filter(|word| !word.is_empty());
    let number = |word: &str| word.parse().ok().filter(|number| (1..=count).contains(number));
    let numbers: Vec<usize> = words.map(number).collect::<Option<_>>()?;
    (numbers.len() == 1 || (several && !numbers.is_empty())).then_some(numbers)
}

#[cfg(test)]
mod tests {
    use super::numbers;

    #[test]
    fn only_numbers_on_the_card_are_taken_and_several_only_where_several_may_be() {
        assert_eq!(numbers("2", 3, false), Some(vec![2]));
        assert_eq!(numbers("1, 3", 3, true), Some(vec![1, 3]));
        let huge = "9".repeat(100);
        for (typed, several) in [
            ("1 2", false),
            ("0", true),
            ("4", true),
            ("1 x", true),
            ("-1", true),
            (" , ", true),
            (&huge, true),
        ] {
            assert_eq!(numbers(typed, 3, several), None, "{typed}");
        }
    }
}
