//! What in a message speaks against taking a value from it: one short list, and how far each word reaches.

use std::ops::Range;

use super::lists::VAGUE;
use super::{Guard, Message, Sort, is_among};

pub(super) struct GuardMark {
    pub(super) guard: Guard,
    pub(super) over: Range<usize>,
    pub(super) at: usize,
}

impl GuardMark {
    /// Returns whether nothing under it is even worth a question.
    pub(super) fn blocks(&self) -> bool {
        matches!(self.guard, Guard::Negation | Guard::Quotation)
    }

    pub(super) fn covers(&self, at: &Range<usize>) -> bool {
        self.over.start < at.end && at.start < self.over.end
    }

    pub(super) fn reason(&self, message: &Message<'_>) -> String {
        format!("\"{}\" makes it uncertain ({})", message.low(self.at), self.guard.name())
    }
}

/// Doubts, and what takes back: `2 drivers, scratch that`.
const HEDGES: &str = "maybe perhaps possibly probably might guess think believe suppose unsure hopefully ideally likely tbc tbd either otherwise hardly barely scarcely estimated approx approximately roughly previously formerly usually normally originally ignore forget scratch cancel cancelled canceled disregard strike nevermind kidding mind";
/// With `last` before them they say that something was so before.
const PERIODS: &str = "time week month quarter spring summer autumn fall winter season year";
const ALL: &str = "anything everything anyone anybody everyone everybody nothing nobody none all any every";
const CONDITIONS: &str = "if unless depending depends assuming whether supposing once permitting";
const QUESTIONS: &str = "is are was were do does did can could should why how what when where";
/// People that a message may speak of instead.
const PEOPLE: &str = "colleague boss manager wife husband friend partner son daughter mother father brother sister mom mum dad neighbour neighbor assistant client customer somebody someone everyone everybody";
const PRONOUNS: &str = "he she his her him he's she's they them their they're";
/// Who speaks: a clause that begins so is about them again.
const SPEAKER: &str = "i we my our mine i'm we're i'd we'd i'll we'll this now please";

/// Returns whether a word doubts what is said, or sets a condition.
pub(super) fn doubts(message: &Message<'_>, at: usize) -> bool {
    message.is(at, HEDGES) || message.is(at, CONDITIONS)
}

/// Returns whether a word speaks of what was or was not: `last year`, `it would have been`, `thanks for the camera`.
fn looks_back(message: &Message<'_>, at: usize) -> bool {
    let last = message.is(at, "last") && message.is(at + 1, PERIODS);
    let unreal = message.is(at, "could would should") && message.is(at + 1, "have");
    let more = message.says(at, "give or take");
    last || unreal || more || message.is(at, "thanks you sorry as") && message.is(at + 1, "for about")
}

/// Returns whether a word denies.
pub(super) fn denies(message: &Message<'_>, at: usize) -> bool {
    const NOT: &str = "not never neither nor none cannot dont doesnt didnt cant wont isnt without except excluding nobody nothing";
    const NO: &str =
        "more less later earlier fewer problem rush worries hurry matter make wait sorry actually rather , .";
    let no = message.is(at, "no") && at + 1 < message.tokens.len() && !message.is(at + 1, NO);
    // `4 instead of 2`
    let replaced = message.is(at, "instead rather other") && message.is(at + 1, "of than");
    let not = message.is(at, NOT) && !message.is(at + 1, "only more less later earlier before after");
    no || not || replaced || message.low(at).ends_with("n't")
}

/// Finds what speaks against values. The form's own words (`covered`) guard nothing; `form`: those and all values.
///
/// A guard speaks of its clause, and of what follows until the speaker begins anew. In a clause without a word of the form it
/// speaks of the whole sentence: `a truck, I think`. A sentence that only doubts speaks of the one before it.
pub(super) fn marks(message: &Message<'_>, covered: &[bool], form: &[bool]) -> Vec<GuardMark> {
    let mut marks = pasted(message, covered, form);
    let person = |at: usize| {
        let single = message.low(at).trim_end_matches('s').trim_end_matches('\'');
        is_among(single, PEOPLE) || message.is(at, PEOPLE)
    };
    let others = message.all().any(person);
    for at in message.all() {
        let mut mark = |guard, over: Range<usize>| marks.push(GuardMark { guard, over, at });
        let (sentence, clause) = (message.sentence(at), message.clause(at));
        if message.is(at, "?") && at > 0 {
            mark(Guard::Question, message.sentence(at - 1));
        }
        if !message.is_word(at) || covered[at] {
            continue;
        }
        let is = |words: &str| message.is(at, words);
        let back = sentence.start > 1 && sentence.clone().all(|at| message.is(at, VAGUE));
        let alone = !clause.clone().any(|at| form[at]);
        let over = match () {
            () if back => message.sentence(sentence.start - 2).start..sentence.end,
            () if alone => sentence.clone(),
            () => clause.start..anew(message, &clause),
        };
        // `the truck, nope`; `any day but Friday`; `not 2 but 3`
        let bare =
            is("no nope nah") && at > sentence.start && at + 1 >= sentence.end && !message.is_word(at - 1);
        let but = is("but") && (at.saturating_sub(3)..at).any(|at| message.is(at, ALL));
        let follows = (at + 1..clause.end).any(|at| form[at]) || message.is(clause.end, "but");
        match denies(message, at) {
            _ if bare => mark(Guard::Negation, sentence.clone()),
            _ if but => mark(Guard::Negation, message.clause(at + 1)),
            true if !alone && follows => mark(Guard::Negation, at..clause.end),
            true if !alone => mark(Guard::Negation, clause.clone()),
            true if back || refers(message, &clause) => mark(Guard::Hedge, over.clone()),
            _ => {}
        }
        let asks = at == clause.start && is(QUESTIONS);
        if asks && message.is(at + 1, "the a it there you we i they my our this that much many") {
            mark(Guard::Question, sentence.clone());
        } else if is(HEDGES) || is("ago") && !form[at] || looks_back(message, at) {
            mark(Guard::Hedge, over);
        } else if is(CONDITIONS) {
            // `500 units, with a stand if it is free`
            let leads = !back && !(clause.start..at).any(|at| form[at]);
            mark(Guard::Condition, if leads { sentence } else { over });
        } else if (person(at) || others && is(PRONOUNS)) && !message.is(at + 1, ":") {
            // `it is about my son: …`
            mark(Guard::OtherPerson, over);
        }
    }
    marks
}

/// Returns where it ends what a clause may speak of: where the speaker begins anew, or with the sentence.
pub(super) fn anew(message: &Message<'_>, clause: &Range<usize>) -> usize {
    let end = message.sentence(clause.start).end;
    let begins = |at: &usize| message.is(*at, SPEAKER) && message.clause(*at).start == *at;
    (clause.end..end).find(begins).unwrap_or(end)
}

/// Returns whether a clause speaks of what stands before it: `a truck, that won't work`; `can't sleep` does not.
fn refers(message: &Message<'_>, clause: &Range<usize>) -> bool {
    const BACK: &str = "that this it they works work suit fit possible sure know think certain decided";
    let any = |words| clause.clone().any(|at| message.is(at, words));
    any(BACK) && !any("when where how what why who which")
}

/// Finds what somebody else wrote: what is quoted, and all that follows the head of a mail or of a chat, or a signature.
fn pasted(message: &Message<'_>, covered: &[bool], form: &[bool]) -> Vec<GuardMark> {
    let (end, mut marks, mut quote) = (message.tokens.len(), Vec::new(), None);
    let mut mark =
        |over: Range<usize>, at: usize| marks.push(GuardMark { guard: Guard::Quotation, over, at });
    let opens = |at: usize| at == 0 || message.tokens[at - 1].sort == Sort::Break;
    // `From: Bob`, `[10:31] Ben: …`, `Ana 10:31 AM`
    let headed = |at: &usize| {
        let line = message.line(*at);
        let stamp = line.len() < 6 && message.is_capital(*at) && !form[*at] || message.is(*at, "[");
        let stamped = stamp && line.take(6).any(|at| message.tokens[at].sort == Sort::Clock);
        opens(*at) && (!covered[*at] && message.is(at + 1, ":") || stamped)
    };
    let heads = message.all().filter(headed).count();
    for at in message.all() {
        if message.is(at, "\" “ ” „ « » `") {
            // `colour: "red"` is nobody else's.
            match quote.take() {
                Some(open) if message.follows(open, ": = is") => {}
                Some(open) => mark(open..at, open),
                None => quote = Some(at),
            }
        } else if message.is(at, ">") && opens(at) {
            mark(message.line(at), at);
        }
        let wrote = |at: usize| message.is(at, "wrote sent says said schrieb me");
        let wrote = message.is(at, ":") && (at.saturating_sub(3)..at).any(wrote);
        let ruled = opens(at) && message.says(at, "- -") && message.line(at).len() != 3;
        if wrote || ruled || headed(&at) && (heads > 1 || message.is(at, "[")) {
            mark(if wrote { message.line(at).start } else { at }..end, at);
            break;
        }
    }
    marks
}
