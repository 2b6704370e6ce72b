//! What in a message speaks against taking a value from it: one short list.

use std::ops::Range;

use super::{FILLERS, Guard, Message, OPENING, Sort, Token, is_among, time_unit};

/// A guard, the tokens that it covers, and where the word stands that gives it away.
pub(super) struct Mark {
    pub(super) guard: Guard,
    pub(super) over: Range<usize>,
    pub(super) at: usize,
}

impl Mark {
    /// Returns whether nothing under it is even worth a question.
    pub(super) fn blocks(&self) -> bool {
        matches!(self.guard, Guard::Negation | Guard::Quotation | Guard::OtherTime | Guard::TakenBack)
    }

    pub(super) fn covers(&self, at: &Range<usize>) -> bool {
        self.over.start < at.end && at.start < self.over.end
    }

    pub(super) fn reason(&self, message: &Message<'_>) -> String {
        format!("\"{}\" makes it uncertain ({})", message.low(self.at), self.guard.name())
    }
}

/// Words that give a guard away.
const LISTED: [(Guard, &str); 3] = [
    (
        Guard::Hedge,
        "maybe perhaps possibly probably might guess think believe suppose unsure hopefully ideally likely tbc tbd either otherwise estimated approx approximately roughly",
    ),
    (Guard::Condition, "if unless depending depends assuming whether supposing once permitting"),
    (Guard::OtherTime, "previously formerly usually normally originally used had"),
];
/// People that a message may speak of instead.
const PEOPLE: &str = "colleague boss manager wife husband friend partner son daughter mother father brother sister mom mum dad neighbour neighbor assistant client customer someone somebody everyone everybody";
const PRONOUNS: &str = "he she his her him he's she's they them their they're";
/// Who speaks: a clause that begins so is about them again.
const SPEAKER: &str = "i we my our mine ours i'm we're i'd we'd i'll we'll this now";
/// Words that take back what was said before them, and words that doubt it without saying anything themselves.
const BACK: &str = "ignore forget scratch cancel cancelled canceled disregard strike nevermind kidding";
pub(super) const VAGUE: &str = "\
    not don't dont know sure yet idea idk dunno unknown unsure certain or maybe perhaps possibly probably if possible though think guess tbd tba tbc n / a na decided known clear \
    i i'm am it that is no never mind just but still really , - –";

pub(super) fn denies(message: &Message<'_>, at: usize) -> bool {
    const NOT: &str = "not never neither nor none cannot dont doesnt didnt cant wont isnt without except excluding nobody nothing hardly";
    let no = message.is(at, "no") && at + 1 < message.tokens.len();
    message.is(at, NOT) && !message.is(at + 1, "only")
        // `anything but the truck`, `any day but Friday`
        || message.is(at, "but") && (at.saturating_sub(3)..at).any(|at| message.is(at, "anything everything all any every"))
        || message.low(at).ends_with("n't")
        || no && !message.is(at + 1, "more less later earlier fewer problem rush worries hurry matter later make wait , .")
}

/// Finds what speaks against values. The form's own words guard nothing; `she` is whom it is about, unless somebody else is named.
///
/// A guard speaks of its clause, and of what follows until the speaker begins anew. In a clause without a word of the form it
/// speaks of the whole sentence: `a truck, I think`. A condition always does.
pub(super) fn marks(message: &Message<'_>, covered: &[bool], form: &[bool], asked: bool) -> Vec<Mark> {
    let (end, mut marks, mut quote) = (message.tokens.len(), Vec::new(), None);
    let mut mark = |guard, over: Range<usize>, at: usize| marks.push(Mark { guard, over, at });
    let opens = |at: usize| at == 0 || message.tokens[at - 1].sort == Sort::Break;
    let headed = |at: &usize| opens(*at) && !covered[*at] && message.is(at + 1, ":");
    let heads = (0..end).filter(headed).count();
    let is_person = |one: &Token| one.is(PEOPLE) || is_among(one.low.trim_end_matches(['s', '\'']), PEOPLE);
    let others = !asked && message.tokens.iter().any(is_person);
    for (at, token) in message.tokens.iter().enumerate() {
        match token.low.as_str() {
            "\"" | "“" | "”" | "„" => match quote.take() {
                None => quote = Some(at),
                Some(open) => mark(Guard::Quotation, open..at, open),
            },
            ">" if opens(at) => mark(Guard::Quotation, message.line(at), at),
            // What follows `On Monday Bob wrote:`, or the head of a mail, was written to somebody else; or what is quoted below it.
            ":" if (at.saturating_sub(3)..at).any(|at| message.is(at, "wrote sent says said schrieb")) => {
                let quoted = message.is(message.past(at + 1, "\n \r"), ">");
                mark(Guard::Quotation, message.line(at).start..if quoted { at } else { end }, at);
            }
            "-" if opens(at) && message.says(at, "- - -") => mark(Guard::Quotation, at..end, at),
            _ if heads > 1 && headed(&at) => mark(Guard::Quotation, at..end, at),
            "?" if at > 0 => mark(Guard::Question, message.sentence(at - 1), at),
            _ => {}
        }
        if !token.is_word() || covered[at] {
            continue;
        }
        let (sentence, clause) = (message.sentence(at), message.clause(at));
        // What only doubts what stands before it speaks of that: `A truck. Not sure yet.`
        let back = sentence.start > 0 && sentence.clone().all(|at| message.is(at, VAGUE));
        let alone = !clause.clone().any(|at| form[at]);
        let anew = |at: &usize| message.is(*at, SPEAKER) && message.clause(*at).start == *at;
        let over = match () {
            () if back => message.before(at)..sentence.end,
            () if alone => sentence.clone(),
            () => clause.start..(clause.end..sentence.end).find(anew).unwrap_or(sentence.end),
        };
        // `parking: no`; `the truck, nope`
        let whole = if token.is("no") { &clause } else { &sentence };
        let behind = at > whole.start && (covered[at - 1] || !message.tokens[at - 1].is_word());
        match token.is("no nope nah") && behind && at + 1 >= whole.end {
            true => mark(Guard::Negation, whole.clone(), at),
            false if !denies(message, at) => {}
            // `a truck, that won't work`
            false if back || alone => {
                mark(Guard::Hedge, over.clone(), at);
                mark(Guard::Negation, if back { at..at } else { at..clause.end }, at);
            }
            false => mark(Guard::Negation, at..clause.end, at),
        }
        // `is the deposit 80 euros`
        let asks = opens(at) && token.is("is are was were do does did can could why how what when where");
        if asks && message.is(at + 1, "the a it there you we i they my our this that much many") {
            mark(Guard::Question, sentence.clone(), at);
        }
        let last =
            token.is("last") && time_unit(message.low(at + 1)).is_some() || message.says(at, "last time");
        // `should it be free`
        let should =
            token.is("should") && clause.start == at && message.is(at + 1, "it that there they you the");
        let listed = |(guard, words): &&(Guard, &str)| {
            token.is(words) || last && *guard == Guard::OtherTime || should && *guard == Guard::Condition
        };
        for (guard, _) in LISTED.iter().filter(listed) {
            // `500 units, with a stand if it is free`
            let condition = *guard == Guard::Condition && !back && !(clause.start..at).any(|at| form[at]);
            mark(*guard, if condition { sentence.clone() } else { over.clone() }, at);
        }
        // `a truck for my brother` is the speaker's truck.
        let determined = message.follows(at, "a an my our the");
        let served = message.follows(at - usize::from(determined), "for with");
        if is_person(token) || others && token.is(PRONOUNS) {
            mark(Guard::OtherPerson, if served { at..clause.end } else { over }, at);
        }
        let bare = |at: usize| message.is(at, BACK) || message.is(at, VAGUE) || message.is(at, FILLERS);
        if (token.is(BACK) || message.says(at, "never mind")) && clause.clone().all(bare) {
            let first = message.past(sentence.start, OPENING) >= clause.start;
            mark(Guard::TakenBack, if first { message.before(at) } else { sentence.start }..at, at);
        }
    }
    marks
}
