//! From which words of a text values may be taken.
//!
//! A clause must be recognised as a statement for this form (`licence`), and nothing may speak against it: that it is
//! asked, hedged, conditional, quoted, taken back, or about what did not happen (`hedge`, `judge`).

use holdpoint_core::Field;

use super::boundary;
use super::clause::{self, About};
use super::denial::{denies_all, of_last_week};
use super::hedge::{adds_later, hangs_on_condition, mute_conditions, states_nothing};
use super::judge::{Judged, is_shown, judge};
use super::known::named;
use super::lexicon::{is_asking, is_wishing};
use super::licence::{Held, Licence};
use super::verbs;
use super::vocabulary::{Vocabulary, phrased};
use super::words::{Sort, Token};

/// Returns whether a form reports what has happened.
pub(super) fn is_report(fields: &[Field]) -> bool {
    fields.iter().any(|field| {
        let words = named(&field.label);
        words.iter().any(|token| token.among(&["did", "occurred", "happened", "occur", "was"]))
    })
}

/// What may be taken from each token of a text.
#[derive(Debug, Default)]
pub(super) struct Muted {
    /// No value: its clause speaks of something else.
    pub(super) values: Vec<bool>,
    /// No words either: its sentence states nothing at all.
    pub(super) words: Vec<bool>,
    /// No day and no time: its clause says what there is not.
    pub(super) days: Vec<bool>,
    /// Perhaps a value: its clause may state something, but who knows.
    pub(super) open: Vec<bool>,
    /// Perhaps a day or time.
    pub(super) open_days: Vec<bool>,
    /// Which clause it belongs to.
    pub(super) clauses: Vec<usize>,
}

/// Returns what may be taken from each token.
pub(super) fn mute(all: &[Token], fields: &[Field], asked: Option<&Field>, report: bool) -> Muted {
    let answers = asked.is_some() && all.iter().filter(|token| token.sort != Sort::Sign).count() <= 8;
    let vocabulary = Vocabulary::new(fields, all.len());
    let phrased = phrased(all, fields);
    let topic = |token: &Token| vocabulary.has(token) || phrased.contains(&token.start);
    let none = || vec![false; all.len()];
    let clauses = vec![0; all.len()];
    let mut muted =
        Muted { values: none(), words: none(), days: none(), open: none(), open_days: none(), clauses };
    let mut start = 0;
    while start < all.len() {
        let sentence = all[start].sentence;
        let end = (start..all.len()).find(|at| all[*at].sentence != sentence).unwrap_or(all.len());
        // `annual leave? no, unpaid`
        let answered = all[end - 1].is("?") && all.get(end).is_some_and(|next| next.among(&["no", "nope"]));
        // What stands before a colon may be hedged by itself: `I hope this is right: a worker was hurt`.
        let colon =
            (start + 4..end).find(|at| all[*at].is(":") && all.get(at + 1).is_some_and(|next| next.spaced));
        let split = colon
            .filter(|at| states_nothing(&all[start..*at], &topic) && !states_nothing(&all[*at..end], &topic))
            // `just asking, not booking: 15 to 19 June`
            .filter(|at| !all[start..*at].iter().any(|token| token.among(&["asking", "curious"])));
        if let Some(at) = split {
            muted.values[start..at].fill(true);
            muted.words[start..at].fill(true);
            start = at;
        }
        // `how about Thursday?`, said to whoever asks when.
        let proposes = answers
            && all[start].among(&["how", "what"])
            && all.get(start + 1).is_some_and(|token| token.is("about"));
        if states_nothing(&all[start..end], &topic) && !proposes || answered {
            muted.values[start..end].fill(true);
            muted.words[start..end].fill(true);
        } else {
            let dated = asked.is_some_and(|field| field.kind.is_temporal());
            let found = Found { all, topic: &topic, report, answers, dated };
            mute_clauses(&found, start, end, &mut muted);
            mute_conditions(all, start, end, &mut muted.values);
            if let Some(at) = (start..end).find(|at| adds_later(&all[start..end], at - start)) {
                muted.values[at..end].fill(true);
            }
            if hangs_on_condition(&all[start..end]) || super::hedge::is_supposed(&all[start..end]) {
                muted.open[start..end].fill(true);
                muted.open_days[start..end].fill(true);
            }
        }
        start = end;
    }
    mute_quotes(all, &mut muted.values);
    mute_withdrawn(all, &mut muted);
    super::settled::settle(all, &topic, report, &mut muted);
    muted
}

/// Returns whether a clause has nothing but times and counts: `3 to 5 May`, `two nights`.
fn is_count(words: &[Token], topic: &impl Fn(&Token) -> bool) -> bool {
    (0..words.len()).all(|at| {
        let counted = at.checked_sub(1).is_some_and(|at| super::number::at(words, at).is_some());
        let token = &words[at];
        token.sort != Sort::Word
            || super::lexicon::is_small(token)
            || super::complement::is_time(token)
            || super::number::at(words, at).is_some()
            || topic(token) && counted
    })
}

/// A text, and what its clauses are held against.
struct Found<'a, T> {
    all: &'a [Token],
    topic: &'a T,
    report: bool,
    /// Whether it is short enough to be nothing but an answer.
    answers: bool,
    /// Whether a day was asked for.
    dated: bool,
}

fn mute_clauses<T: Fn(&Token) -> bool>(found: &Found<'_, T>, start: usize, end: usize, muted: &mut Muted) {
    let Found { all, topic, report, answers, dated } = *found;
    let mut from = start;
    let mut onwards = false;
    let (mut denied, mut spoken) = (false, false);
    // Whether the clause before was about something else.
    let mut strange = false;
    let mut apart = false;
    // Those in whose name something is wished for, and whether the speaker wishes for something too.
    let (mut groups, mut own) = (Vec::new(), false);
    while from < end {
        let to = boundary::end(all, from, end, topic);
        muted.clauses[from..to].fill(from);
        let words = &all[from..to];
        let parsed = clause::parse(words, topic);
        // `but` and the speaker begin anew.
        if words.first().is_some_and(|token| token.among(&["but", "so"])) || parsed.about == About::Speaker {
            onwards = false;
        }
        let judged = judge(words, parsed, topic);
        // Days alone go on with what was said before them.
        let bare = parsed.verb.is_none() && parsed.about == About::Nobody && is_count(words, topic);
        // A few words are the answer to what was asked.
        let answer = answers && (parsed.verb.is_none() || is_shown(words)) && parsed.about != About::Speaker;
        let held = Held { words, parsed, topic, report };
        let licence = match held.licence() {
            _ if bare && strange && !asks(words) && !concludes(words) && !leads_to_wish(found, to, end) => {
                Licence::Open
            }
            _ if answer || is_measured(words) => Licence::States,
            // `they got eight laptops, with docks and everything`
            Licence::States if apart && strange && words[0].is("with") && parsed.verb.is_none() => {
                Licence::Open
            }
            Licence::States | Licence::Names if apart && hangs(words, parsed) => Licence::Open,
            Licence::Open if !apart && held.is_fragment() => Licence::States,
            licence => licence,
        };
        if held.speaks_for_group() && licence == Licence::States {
            groups.push(from..to);
        }
        own |= parsed.about == About::Speaker && words.iter().any(|token| token.is("them"));
        own |= parsed.about == About::Speaker && licence == Licence::States && words.iter().any(is_wishing);
        apart = licence == Licence::Open && parsed.about != About::Speaker;
        // A reason is one, whoever it speaks of.
        let reason = words.first().is_some_and(|token| token.among(&["because", "since", "as", "although"]));
        if !bare && !reason {
            strange = licence == Licence::Open && parsed.verb.is_some() && parsed.about != About::Speaker;
        }
        if licence == Licence::Open {
            muted.open[from..to].fill(true);
        }
        if licence != Licence::States {
            muted.open_days[from..to].fill(true);
        }
        if !report && began_anew(all, from) {
            mute_past(all, start, from, muted);
        }
        if super::recorded::settles_before(words) {
            muted.values[start..to].fill(true);
        }
        onwards |= judged == Judged::Onwards;
        if onwards || judged != Judged::Statement {
            muted.values[from..to].fill(true);
        } else if let Some(at) = denies_all(words, topic) {
            // `not on the 17th` denies that day alone.
            denied |= !bare;
            muted.days[from + at..to].fill(true);
        } else {
            let happened = report && parsed.verb.is_some_and(|verb| held.happens(verb));
            spoken |= words.iter().any(topic) || happened;
        }
        // `the leave that I asked for on 3 August`
        let told = |pair: &[Token]| {
            pair[0].among(&["i", "we", "you", "he", "she", "they"])
                && verbs::is_past(&pair[1])
                && !pair[1].among(&["had", "need"])
        };
        if !report && parsed.about != About::Speaker && words.windows(2).any(told) {
            muted.days[from..to].fill(true);
        }
        // `two monitors, I'm away on Friday`: by when they are needed is another matter.
        if !report
            && parsed.about == About::Speaker
            && super::denial::is_absent(words)
            && !is_about_absence(topic)
        {
            muted.days[from..to].fill(true);
        }
        // `for our colleague who starts on 1 December`
        let whose =
            words.iter().position(|token| token.among(&["who", "whose"])).filter(|at| *at > 0 && !report);
        if let Some(at) = whose {
            muted.days[from + at..to].fill(true);
        }
        // `he was off until the 9th` says nothing of how long the incident took.
        let off = |pair: &[Token]| {
            pair[0].among(&["was", "is", "were", "are", "been", "be", "signed", "stayed", "he's", "she's"])
                && pair[1].among(&["off", "home", "away", "absent", "ill", "sick"])
        };
        if report && words.windows(2).any(off) {
            muted.days[from..to].fill(true);
        }
        // What happens at home is not reported at work.
        if report && words.windows(2).any(|pair| pair[0].is("at") && pair[1].is("home")) {
            muted.values[from..to].fill(true);
        }
        let named = (0..words.len()).any(|at| {
            super::relative::day_name(&words[at]).is_some()
                && super::relative::of_last_week(words, at).is_some()
        });
        if of_last_week(words) && !(named && report) {
            muted.days[from..to].fill(true);
            // `we were both sick last week`
            if !report && words.iter().any(|token| token.among(&["was", "were", "had"])) {
                muted.values[from..to].fill(true);
            }
        }
        from = to;
    }
    // `Sales wants 12 headsets, I need 2 monitors`: the speaker's own wish is meant.
    for clause in groups.into_iter().filter(|_| own) {
        muted.open[clause.clone()].fill(true);
        muted.open_days[clause].fill(true);
    }
    // `a spark, but no fire, on 13 February`: of what there was not, no day is told.
    if report && denied && !spoken && !dated {
        muted.days[start..end].fill(true);
    }
    if report {
        super::occasion::date_event(all, start..end, topic, muted);
    } else {
        super::occasion::date_wish(all, start..end, muted);
    }
}

/// Returns whether a form is about when somebody is not there.
fn is_about_absence(topic: &impl Fn(&Token) -> bool) -> bool {
    let word = |low: &str| {
        let (low, sort) = (low.to_owned(), Sort::Word);
        topic(&Token { low, sort, start: usize::MAX, end: usize::MAX, spaced: true, sentence: 0 })
    };
    ["leave", "absence", "holiday", "vacation", "away", "absent"].into_iter().any(word)
}

/// Returns whether a clause asks for what it names: `8 units please`.
fn asks(words: &[Token]) -> bool {
    words.iter().any(|token| token.is("please"))
}

/// Returns whether a clause draws a conclusion, which is the speaker's own: `so Thursday at 11`.
fn concludes(words: &[Token]) -> bool {
    words
        .iter()
        .find(|token| token.sort == Sort::Word)
        .is_some_and(|token| token.among(&["so", "hence", "therefore"]))
}

/// Returns whether what follows some days says what they are for: `3 to 14 August, paid leave of course`.
fn leads_to_wish<T: Fn(&Token) -> bool>(found: &Found<'_, T>, from: usize, end: usize) -> bool {
    if from >= end {
        return false;
    }
    let to = boundary::end(found.all, from, end, found.topic);
    let words = &found.all[from..to];
    let parsed = clause::parse(words, found.topic);
    let held = Held { words, parsed, topic: found.topic, report: found.report };
    parsed.about == About::Nobody && words.iter().any(found.topic) && held.licence() == Licence::States
}

/// Returns whether an instrument says where something is: `GPS says -33.8688, 151.2093`.
fn is_measured(words: &[Token]) -> bool {
    is_shown(words) && words.iter().any(|token| token.among(&["gps", "satnav", "map", "phone", "app"]))
}

/// Returns whether a clause only goes on with the one before it: `because of the crash`, `and a dock`.
fn hangs(words: &[Token], parsed: clause::Clause) -> bool {
    let joins = |list: &[&str]| words.first().is_some_and(|token| token.among(list));
    let wishes =
        words.get(1).is_some_and(|token| is_wishing(token) || is_asking(token) || token.is("please"));
    let lasts = words.get(1).is_some_and(|token| token.is("lasted"));
    joins(&["because"])
        || joins(&["and"]) && lasts
        || joins(&["and", "plus", "or"]) && parsed.verb.is_none() && parsed.about != About::Speaker && !wishes
}

/// Returns whether a clause begins with what is so this time, after what was so before.
fn began_anew(all: &[Token], from: usize) -> bool {
    let word = |at: usize| all.get(at).map_or("", |token| token.low.as_str());
    // Near enough, so that a long text costs no more than its length.
    let lead = (from..all.len().min(from + 20)).find(|at| {
        all[*at].sort == Sort::Word && !all[*at].among(&["but", "and", "so", "then", "anyway", "well"])
    });
    lead.is_some_and(|lead| match (word(lead), word(lead + 1), word(lead + 2)) {
        ("this", "time", _) | ("now", "i'd" | "we'd", _) => true,
        ("now", "i" | "we", wish) => matches!(wish, "want" | "need" | "wish" | "would" | "like" | "request"),
        _ => false,
    })
}

/// Mutes the clauses before that tell how something was.
fn mute_past(all: &[Token], start: usize, to: usize, muted: &mut Muted) {
    for at in start..to {
        let clause = muted.clauses[at];
        let past = |at: usize| all[at].among(&["was", "were", "had"]) || verbs::is_past(&all[at]);
        if (start..to).any(|other| muted.clauses[other] == clause && past(other)) {
            muted.values[at] = true;
        }
    }
}

/// Mutes what stands in quotation marks, unless all of it does: it was said elsewhere.
fn mute_quotes(all: &[Token], mute: &mut [bool]) {
    let marks = |token: &Token| token.among(&["\"", "“", "”", "„", "«", "»"]);
    let Some(open) = all.iter().position(|token| marks(token) && token.spaced) else { return };
    let words = |range: &[Token]| range.iter().any(|token| token.sort != Sort::Sign);
    let mut from = open;
    while let Some(close) = (from + 1..all.len()).find(|at| marks(&all[*at])) {
        if words(&all[..from]) || words(&all[close..]) {
            mute[from..=close].fill(true);
        }
        let Some(next) = (close + 1..all.len()).find(|at| marks(&all[*at]) && all[*at].spaced) else {
            return;
        };
        from = next;
    }
}

/// Mutes what is taken back at once: `sick from Monday. No, forget it`.
fn mute_withdrawn(all: &[Token], muted: &mut Muted) {
    let back = (1..all.len()).rev().find(|at| {
        all[at - 1].among(&["ignore", "forget", "disregard", "scratch", "never"])
            && all[*at].among(&["that", "it", "this", "mind"])
            && all.get(at + 1).is_none_or(|next| next.sort == Sort::Sign)
    });
    if let Some(back) = back {
        muted.values[..back].fill(true);
        muted.words[..back].fill(true);
    }
}
