//! What in a message speaks against taking a value from it: one short list.

use std::ops::Range;

use super::{FILLERS, Guard, Message, OPENING, Sort, Token, VAGUE, is_among, time_unit};

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
const HEDGES: &str = "maybe perhaps possibly probably might guess think believe suppose unsure hopefully ideally likely tbc tbd either otherwise hardly barely scarcely estimated approx approximately roughly";
const CONDITIONS: &str = "if unless depending depends assuming whether supposing once permitting";
const OTHER_TIMES: &str = "previously formerly usually normally originally used had";
/// People that a message may speak of instead.
const PEOPLE: &str = "colleague boss manager wife husband friend partner son daughter mother father brother sister mom mum dad neighbour neighbor assistant client customer someone somebody everyone everybody";
const PRONOUNS: &str = "he she his her him he's she's they them their they're";
/// Who speaks: a clause that begins so is about them again.
const SPEAKER: &str = "i we my our mine ours i'm we're i'd we'd i'll we'll this now";
/// Words that take back what was said before them.
const BACK: &str = "ignore forget scratch cancel cancelled canceled disregard strike nevermind kidding";

pub(super) fn denies(message: &Message<'_>, at: usize) -> bool {
    const NOT: &str = "not never neither nor none cannot dont doesnt didnt cant wont isnt without except excluding nobody nothing";
    const NO: &str =
        "more less later earlier fewer problem rush worries hurry matter make wait sorry actually rather , .";
    let no = message.is(at, "no") && at + 1 < message.tokens.len() && !message.is(at + 1, NO);
    // `anything but the truck`, `any day but Friday`
    let but = message.is(at, "but")
        && (at.saturating_sub(3)..at).any(|at| message.is(at, "anything everything all any every"));
    no || but
        || message.low(at).ends_with("n't")
        || message.is(at, NOT) && !message.is(at + 1, "only more less later earlier before after")
}

/// Returns whether a question asks for what it names: `Could I have the truck, please?`
fn requests(message: &Message<'_>, at: usize) -> bool {
    let mut sentence = message.sentence(at);
    let start = message.past(sentence.start, "hi hello , so and");
    let asks = message.is(start, "could can may might") && message.is(start + 1, "i we");
    asks && sentence.any(|at| message.is(at, "please pls"))
}

/// Returns whether a clause speaks of what stands before it: `a truck, that won't work`; `can't sleep` does not.
fn refers(message: &Message<'_>, clause: &Range<usize>) -> bool {
    let any = |words| clause.clone().any(|at| message.is(at, words));
    any("that this it they works work suit fit possible sure know think certain decided")
        && !any("when where how what why who which")
}

/// Finds what speaks against values. The form's own words (`covered`) guard nothing; `form`: those and all values. `reports`: whether
/// the form asks what has been.
///
/// A guard speaks of its clause, and of what follows until the speaker begins anew. In a clause without a word of the form it
/// speaks of the whole sentence: `a truck, I think`. A condition always does.
pub(super) fn marks(
    message: &Message<'_>,
    covered: &[bool],
    form: &[bool],
    asked: bool,
    reports: bool,
) -> Vec<Mark> {
    let mut marks = pasted(message, covered, form);
    let mut mark = |guard, over: Range<usize>, at: usize| marks.push(Mark { guard, over, at });
    let is_person = |one: &Token| one.is(PEOPLE) || is_among(one.low.trim_end_matches(['s', '\'']), PEOPLE);
    let others = !asked && message.tokens.iter().any(is_person);
    for (at, token) in message.tokens.iter().enumerate() {
        let (sentence, clause) = (message.sentence(at), message.clause(at));
        if token.is("?") && at > 0 && !requests(message, at - 1) {
            mark(Guard::Question, message.sentence(at - 1), at);
        }
        // `it's kind of a portrait`, `4 people, give or take`
        let kind = message.is(at, "kind sort")
            && message.is(at + 1, "of")
            && message.follows(at, "it's is was are that's");
        if kind || message.says(at, "give or take") {
            mark(Guard::Hedge, sentence.clone(), at);
        }
        if !token.is_word() || covered[at] {
            continue;
        }
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
            false if !denies(message, at) || alone && !back && !refers(message, &clause) => {}
            // `a truck, that won't work`
            false if back || alone => {
                mark(Guard::Negation, if back { at..at } else { at..clause.end }, at);
                mark(Guard::Hedge, over.clone(), at);
            }
            false => mark(Guard::Negation, at..clause.end, at),
        }
        // `is the deposit 80 euros`
        let asks =
            at == sentence.start && token.is("is are was were do does did can could why how what when where");
        if asks
            && !requests(message, at)
            && message.is(at + 1, "the a it there you we i they my our this that much many")
        {
            mark(Guard::Question, sentence.clone(), at);
        }
        // `should it be free`
        let should =
            token.is("should") && clause.start == at && message.is(at + 1, "it that there they you the");
        if token.is(HEDGES) {
            mark(Guard::Hedge, over.clone(), at);
        } else if token.is(CONDITIONS) || should {
            // `500 units, with a stand if it is free`
            let leads = !back && !(clause.start..at).any(|at| form[at]);
            mark(Guard::Condition, if leads { sentence.clone() } else { over.clone() }, at);
        }
        let last =
            token.is("last") && (time_unit(message.low(at + 1)).is_some() || message.is(at + 1, "time"));
        if last || token.is(OTHER_TIMES) && !(reports && token.is("had")) {
            mark(Guard::OtherTime, over.clone(), at);
        }
        // `a truck for my brother` is the speaker's truck; `it is about my son: …`
        let served = message.follows(at - usize::from(message.follows(at, "a an my our the")), "for with");
        if (is_person(token) || others && token.is(PRONOUNS)) && !message.is(at + 1, ":") {
            mark(Guard::OtherPerson, if served { at..clause.end } else { over }, at);
        }
        // `made from scratch` takes nothing back.
        let bare = |at: usize| message.is(at, BACK) || message.is(at, VAGUE) || message.is(at, FILLERS);
        let takes = token.is(BACK) && !message.follows(at, "from a the of") || message.says(at, "never mind");
        if takes && clause.clone().all(bare) {
            let first = message.past(sentence.start, OPENING) >= clause.start;
            mark(Guard::TakenBack, if first { message.before(at) } else { sentence.start }..at, at);
        }
    }
    marks
}

/// Finds what somebody else wrote: quoted, forwarded, pasted from a chat, or below a signature.
fn pasted(message: &Message<'_>, covered: &[bool], form: &[bool]) -> Vec<Mark> {
    let (end, mut marks, mut quote) = (message.tokens.len(), Vec::new(), None);
    let mut mark = |over: Range<usize>, at: usize| marks.push(Mark { guard: Guard::Quotation, over, at });
    let opens = |at: usize| at == 0 || message.tokens[at - 1].sort == Sort::Break;
    // `[10:31] Ben: …`, `Ana 10:31 AM`
    let clock = |at: usize| message.tokens[at].sort == Sort::Clock;
    let stamped = |at: usize| {
        let line = message.line(at);
        let last = (line.end - 1).saturating_sub(usize::from(message.is(line.end - 1, "am pm")));
        let named = line.len() < 6 && message.is_capital(at) && !form[at] && clock(last);
        line.start == at && (named || message.is(at, "[") && line.take(6).any(clock))
    };
    let headed = |at: &usize| opens(*at) && (!covered[*at] && message.is(at + 1, ":") || stamped(*at));
    let heads = (0..end).filter(headed).count();
    for (at, token) in message.tokens.iter().enumerate() {
        match token.low.as_str() {
            "\"" | "“" | "”" | "„" | "«" | "»" | "`" => match quote.take() {
                None => quote = Some(at),
                // `colour: "red"` is nobody else's.
                Some(open)
                    if (open + 1..at).all(|at| form[at])
                        && (message.follows(open, ": = is") || open > 0 && covered[open - 1]) => {}
                Some(open) => mark(open..at, open),
            },
            ">" if opens(at) => mark(message.line(at), at),
            // What follows `On Monday Bob wrote:`, or the head of a mail, was written to somebody else; or what is quoted below it.
            ":" if (at.saturating_sub(3)..at).any(|at| message.is(at, "wrote sent says said schrieb")) => {
                let quoted = message.is(message.past(at + 1, "\n \r"), ">");
                mark(message.line(at).start..if quoted { at } else { end }, at);
            }
            "-" if opens(at)
                && message.says(at, "- -")
                && (message.is(at + 2, "-") || message.line(at).len() == 2) =>
            {
                mark(at..end, at);
            }
            _ if (heads > 1 || token.is("[")) && headed(&at) => mark(at..end, at),
            _ => {}
        }
    }
    marks
}
