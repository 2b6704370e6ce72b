//! What in a message speaks against taking a value from it: one short list.

use std::ops::Range;

use super::Guard;
use super::token::{Message, Sort, Token};

/// A guard, the tokens that it covers, where the word stands that gives it away, and that word.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    pub(super) guard: Guard,
    pub(super) over: Range<usize>,
    pub(super) at: usize,
    pub(super) word: String,
}

impl Mark {
    /// Returns whether nothing under it is even worth a question.
    pub(super) fn blocks(&self) -> bool {
        matches!(self.guard, Guard::Negation | Guard::Quotation | Guard::OtherTime)
    }

    pub(super) fn reason(&self) -> String {
        format!("\"{}\" makes it uncertain ({})", self.word, self.guard.name())
    }
}

/// Words and pairs of words that give a guard away.
const HEDGES: &str = "maybe, perhaps, possibly, probably, might, guess, think, believe, suppose, unsure, tentative, tentatively, hopefully, \
                      ideally, preferably, likely, tbc, tbd, either, considering, wondering, originally, otherwise, undecided, could be, \
                      kind of, sort of";
const CONDITIONS: &str =
    "if, unless, depending, depends, provided, assuming, whether, supposing, once, in case, as long";
const TIMES: &str = "previously, formerly, usually, normally, typically, former, previous, prior, used to, i had, we had, last year, \
                     last month, last week, last time, last summer";
const PEOPLE: &str = "he, she, they, his, her, him, them, their, he's, she's, they're, colleague, boss, manager, wife, husband, friend, \
                      partner, son, daughter, mother, father, brother, sister, mom, mum, dad, neighbour, neighbor, assistant, uncle, \
                      aunt, cousin, client, customer, someone, somebody, everyone, everybody";

/// Returns whether a word denies.
pub(super) fn denies(message: &Message<'_>, at: usize) -> bool {
    const NOT: &str = "not never neither nor none cannot dont doesnt didnt cant wont isnt without except nobody nothing hardly";
    let no = message.is(at, "no") && at + 1 < message.tokens.len();
    message.is(at, NOT) && !message.is(at + 1, "only")
        || message.low(at).ends_with("n't")
        || no && !message.is(at + 1, "problem rush worries hurry matter later , .")
}

/// Finds what speaks against values in a message. Words that are names of the form (`covered`) guard nothing.
pub(super) fn marks(message: &Message<'_>, covered: &dyn Fn(usize) -> bool) -> Vec<Mark> {
    const NO_NAMES: &str = "i it we you this that there which who what let here how where today tomorrow";
    const SAYS: &str =
        "wants needs likes said says thinks prefers asked told mentioned wrote suggested would has";
    let end = message.tokens.len();
    let mut marks = Vec::new();
    let mut mark = |guard, over: Range<usize>, at: usize| {
        marks.push(Mark { guard, over, at, word: message.low(at).to_owned() });
    };
    let mut quote = None;
    for (at, token) in message.tokens.iter().enumerate() {
        let opens = at == 0 || message.tokens[at - 1].sort == Sort::Break;
        match token.low.as_str() {
            "\"" | "“" | "”" | "„" => match quote.take() {
                None => quote = Some(at),
                Some(open) => mark(Guard::Quotation, open..at, open),
            },
            ">" if opens => mark(Guard::Quotation, message.sentence(at), at),
            // The head of a mail: what follows was written to somebody else.
            "wrote" if message.is(at + 1, ":") => mark(Guard::Quotation, 0..end, at),
            "from" | "sent" | "subject" | "forwarded"
                if opens && at > 0 && message.is(at + 1, ": message") =>
            {
                mark(Guard::Quotation, at..end, at);
            }
            "?" if at > 0 => mark(Guard::Question, message.sentence(at - 1), at),
            _ => {}
        }
        if !token.is_word() || covered(at) {
            continue;
        }
        if denies(message, at) {
            mark(Guard::Negation, at..message.clause(at).end, at);
        }
        let word = token.low.trim_end_matches("'s");
        let pair = format!("{word} {}", message.low(at + 1));
        let said = |phrases: &str| phrases.split(", ").any(|phrase| phrase == word || phrase == pair);
        let listed = [(Guard::Hedge, HEDGES), (Guard::Condition, CONDITIONS), (Guard::OtherTime, TIMES)];
        for (guard, _) in listed.into_iter().filter(|(_, phrases)| said(phrases)) {
            mark(guard, message.sentence(at), at);
        }
        // `Anna wants a truck`, `my order and Ben's`
        let named = !NO_NAMES.split(' ').any(|known| known == word) && !word.ends_with("day");
        let capital = message.is_capital(at) && named;
        let owned = token.low.ends_with("'s");
        let tells = token.is("said says told thinks suggested mentioned") && !message.follows(at, "i we");
        // `it may cost` is a thought, `in May` a month.
        let modal = token.is("may")
            && !message.is_capital(at)
            && message.tokens.get(at + 1).is_some_and(Token::is_word);
        if modal && !message.is(at + 1, "i we you") {
            mark(Guard::Hedge, message.sentence(at), at);
        }
        if said(PEOPLE) || tells || capital && (message.is(at + 1, SAYS) || owned) {
            mark(Guard::OtherPerson, message.clause(at), at);
        }
    }
    marks
}
