//! What in a message speaks against taking a value from it: one short list.

use std::ops::Range;

use super::Guard;
use super::token::{Message, Sort, Token, is_among};

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

/// Words, and pairs of words, that give a guard away in their sentence.
const LISTED: [(Guard, &str); 3] =
    [(Guard::Hedge, HEDGES), (Guard::Condition, IFS), (Guard::OtherTime, TIMES)];
const HEDGES: &str = "maybe perhaps possibly probably might guess think believe suppose unsure tentative tentatively hopefully ideally \
                      preferably likely tbc tbd either considering wondering originally otherwise undecided minus could_be may_be may_need may_want may_take may_come may_cost i_may we_may it_may kind_of sort_of";
const IFS: &str = "if unless depending depends provided assuming whether supposing once in_case as_long";
const TIMES: &str = "previously formerly usually normally typically former previous prior used_to i_had we_had last_year last_month \
                     last_week last_time";
/// Words that say of something that it is not wanted, before it or behind it.
const REFUSALS: &str =
    "impossible unavailable unsuitable unacceptable avoid refuse reject busy closed fails clashes excluded";
const PEOPLE: &str = "he she they his her him them their colleague boss manager wife husband friend partner son \
                      daughter mother father brother sister mom mum dad neighbour neighbor assistant uncle aunt cousin client \
                      customer someone somebody everyone everybody";
/// Verbs that tell of what has been, or of what something else is worth.
const PAST: &str = "was were did had ago ate became began bought broke brought built came chose cost costs drank drove fell felt \
                    flew forgot found gave got grew heard held kept knew left lent lost made met paid ran saw sent sold spent spoke \
                    stole stood taught took told went won wore wrote";

/// Returns whether a word denies.
pub(super) fn denies(message: &Message<'_>, at: usize) -> bool {
    const NOT: &str = "not never neither nor none cannot dont doesnt didnt cant wont isnt without except excluding nobody nothing hardly";
    let no = message.is(at, "no") && at + 1 < message.tokens.len();
    message.is(at, NOT) && !message.is(at + 1, "only")
        // `anything but the truck`, `any day but Friday`, `anything other than the truck`
        || message.is(at, "but") && (at.saturating_sub(3)..at).any(|at| message.is(at, "anything everything all any every"))
        || message.is(at, "than") && message.follows(at, "other rather")
        || message.low(at).ends_with("n't")
        || no && !message.is(at + 1, "problem rush worries hurry matter later , .")
}

/// Returns which tokens stand in a sentence that tells of what has been; `is planned` and `should cost` do not.
pub(super) fn told(message: &Message<'_>, covered: &[bool]) -> Vec<bool> {
    const LEADS: &str = "is are be been being am i'm we're it's that's have has i've we've to the a an any and or by as will would \
                         should can could must may might please";
    let past = |at: usize| {
        let low = message.low(at);
        let ended = low.len() > 3
            && low.ends_with("ed")
            && !low.ends_with("eed")
            && !is_among(low, "hundred needed required wanted");
        (ended || is_among(low, PAST)) && !covered[at] && !message.follows(at, LEADS)
    };
    let mut told = vec![false; message.tokens.len()];
    for at in (0..told.len()).filter(|at| past(*at)) {
        told[message.sentence(at)].fill(true);
    }
    told
}

/// Finds what speaks against values in a message. Words that are names of the form (`covered`) guard nothing.
pub(super) fn marks(message: &Message<'_>, covered: &[bool]) -> Vec<Mark> {
    const NO_NAMES: &str = "i it we you this that there which who what let here how where today tomorrow";
    const SAYS: &str = "wants likes prefers thinks says said told suggested mentioned";
    let end = message.tokens.len();
    let mut marks = Vec::new();
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
        if denies(message, at) {
            mark(Guard::Negation, at..message.clause(at).end, at);
        }
        // `the 3rd is out`, `the truck is too big`
        let too = token.is("too") && message.tokens.get(at + 1).is_some_and(Token::is_word);
        if token.is(REFUSALS) || too || token.is("out off") && message.follows(at, "is are") {
            mark(Guard::Negation, message.sentence(at), at);
        }
        let pair = format!("{}_{}", token.low, message.low(at + 1));
        for (guard, _) in LISTED.iter().filter(|(_, words)| token.is(words) || is_among(&pair, words)) {
            mark(*guard, message.sentence(at), at);
        }
        // `our accountant wants a truck`, `Anna needs a truck`, `my order and Ben's`
        let owner = token.low.strip_suffix("'s");
        let name = owner.unwrap_or(&token.low);
        let named = message.is_capital(at) && !is_among(name, NO_NAMES) && !name.ends_with("day");
        let acts = message.is(at + 1, "needs asked wrote would has") || owner.is_some();
        let tells = token.is(SAYS) && !message.follows(at, "i we");
        let other = is_among(name, PEOPLE) || token.is("he's she's they're");
        if other || tells || named && acts {
            mark(Guard::OtherPerson, message.clause(at), at);
        }
    }
    marks
}
