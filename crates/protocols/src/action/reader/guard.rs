//! What in a message speaks against taking a value from it: one short list.

use std::ops::Range;

use super::Guard;
use super::number::time_unit;
use super::token::{Message, Sort, is_among};

/// A guard, the tokens that it covers, where the word stands that gives it away, and that word.
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

/// Words that give a guard away in their sentence.
const LISTED: [(Guard, &str); 3] =
    [(Guard::Hedge, HEDGES), (Guard::Condition, IFS), (Guard::OtherTime, TIMES)];
const HEDGES: &str = "maybe perhaps possibly probably might guess think believe suppose unsure hopefully ideally likely tbc tbd either otherwise estimated approx approximately roughly";
const IFS: &str = "if unless depending depends assuming whether supposing once permitting";
const TIMES: &str = "previously formerly usually normally originally used had";
/// People that a message may speak of instead.
const PEOPLE: &str = "colleague boss manager wife husband friend partner son daughter mother father brother sister mom mum dad \
                      neighbour neighbor assistant client customer someone somebody everyone everybody they them their they're";
const PRONOUNS: &str = "he she his her him he's she's";

/// Returns whether a word denies.
pub(super) fn denies(message: &Message<'_>, at: usize) -> bool {
    const NOT: &str = "not never neither nor none cannot dont doesnt didnt cant wont isnt without except excluding nobody nothing hardly";
    let no = message.is(at, "no") && at + 1 < message.tokens.len();
    message.is(at, NOT) && !message.is(at + 1, "only")
        // `anything but the truck`, `any day but Friday`
        || message.is(at, "but") && (at.saturating_sub(3)..at).any(|at| message.is(at, "anything everything all any every"))
        || message.low(at).ends_with("n't")
        || no && !message.is(at + 1, "problem rush worries hurry matter later , .")
}

/// Finds what speaks against values in a message. The form's own words (`covered`) guard nothing, and `she` is no stranger if asked.
pub(super) fn marks(message: &Message<'_>, covered: &[bool], asked: bool) -> Vec<Mark> {
    let (end, mut marks) = (message.tokens.len(), Vec::new());
    let mut mark = |guard, over: Range<usize>, at: usize| {
        marks.push(Mark { guard, over, at, word: message.low(at).to_owned() });
    };
    let mut quote = None;
    let opens = |at: usize| at == 0 || message.tokens[at - 1].sort == Sort::Break;
    let headed = |at: &usize| opens(*at) && !covered[*at] && message.is(at + 1, ":");
    let heads = (0..end).filter(headed).count();
    for (at, token) in message.tokens.iter().enumerate() {
        match token.low.as_str() {
            "\"" | "“" | "”" | "„" => match quote.take() {
                None => quote = Some(at),
                Some(open) => mark(Guard::Quotation, open..at, open),
            },
            ">" if opens(at) => mark(Guard::Quotation, message.sentence(at), at),
            // What follows `On Monday Bob wrote:`, or the head of a mail in any language, was written to somebody else.
            ":" if (at.saturating_sub(3)..at).any(|at| message.is(at, "wrote sent says said schrieb")) => {
                mark(Guard::Quotation, 0..end, at);
            }
            "-" if opens(at) && message.says(at, "- - -") => mark(Guard::Quotation, at..end, at),
            _ if heads > 1 && headed(&at) => mark(Guard::Quotation, at..end, at),
            "?" if at > 0 => mark(Guard::Question, message.sentence(at - 1), at),
            _ => {}
        }
        if !token.is_word() || covered[at] {
            continue;
        }
        // `parking: no`; `the truck, nope`
        let whole = if token.is("no") { message.clause(at) } else { message.sentence(at) };
        let behind = at > whole.start && (covered[at - 1] || !message.tokens[at - 1].is_word());
        let ends = token.is("no nope nah") && behind && at + 1 >= whole.end;
        if ends || denies(message, at) {
            mark(Guard::Negation, if ends { whole } else { at..message.clause(at).end }, at);
        }
        // `is the deposit 80 euros`
        let asks = opens(at) && token.is("is are was were do does did why how what when where");
        if asks && message.is(at + 1, "the a it there you we i they my our this that much many") {
            mark(Guard::Question, message.sentence(at), at);
        }
        let last = token.is("last") && time_unit(message.low(at + 1)).is_some();
        let listed = |listed: &&(Guard, &str)| token.is(listed.1) || last && listed.0 == Guard::OtherTime;
        LISTED.iter().filter(listed).for_each(|(guard, _)| mark(*guard, message.sentence(at), at));
        let owner = token.low.strip_suffix("'s").unwrap_or(&token.low);
        if is_among(owner, PEOPLE) || !asked && token.is(PRONOUNS) {
            mark(Guard::OtherPerson, message.clause(at), at);
        }
    }
    marks
}
