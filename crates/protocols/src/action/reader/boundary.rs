//! Where one clause ends and another begins.

use super::clause::{SPEAKER, is_adverb};
use super::verbs;
use super::words::{Sort, Token};

/// What joins a clause to the one before it.
const JOINING: [&str; 18] = [
    "and", "but", "so", "that", "if", "when", "because", "since", "as", "while", "what", "whether", "than",
    "how", "where", "which", "who", "then",
];

/// Returns where a clause ends: at a comma or semicolon, or where another one begins.
pub(super) fn end(all: &[Token], from: usize, end: usize, topic: &impl Fn(&Token) -> bool) -> usize {
    let figures = |token: Option<&Token>| token.is_some_and(|token| token.sort == Sort::Digits);
    for at in from + 1..end {
        let (token, next) = (&all[at], all.get(at + 1));
        // `by Friday, November 20`
        let day = token.is(",")
            && super::relative::day_name(&all[at - 1]).is_some()
            && next.is_some_and(|next| {
                super::day::is_month(next)
                    || next.sort == Sort::Digits && !all.get(at + 2).is_some_and(super::lexicon::is_going)
                    || next.is("the") && figures(all.get(at + 2))
            });
        // `December 7th, 2026`
        let year = token.is(",")
            && next.is_some_and(super::complement::looks_like_year)
            && (all[at - 1].sort == Sort::Digits || all[at - 1].among(&["st", "nd", "rd", "th"]));
        if day || year {
            continue;
        }
        // A comma between figures belongs to them: 24.7, 46.6 and 1,500 and 53.4, -2.2.
        let below = next.is_some_and(|next| next.among(&["-", "−", "+"])) && figures(all.get(at + 2));
        let closes = token.is(")") && !next.is_some_and(verbs::is_auxiliary);
        if (closes || token.among(&[",", ";", ":", "—"]))
            && !(figures(all.get(at - 1)) && (figures(next) || below))
        {
            return at + 1;
        }
        // What stands in brackets is said by the way, unless the clause goes on behind them.
        if token.is("(") && !goes_on_behind(all, at, end) {
            return at;
        }
        // `we are short 2 laptops can you get them`
        let asks = token.among(&["can", "could", "would", "will"])
            && next.is_some_and(|next| next.among(&["you", "i", "we"]));
        if asks && at > from + 1 && all[at - 1].sort != Sort::Sign && !all[at - 1].among(&JOINING) {
            return at;
        }
        // `injury on site - 11 June - closed`; in `11 June - 13 June` it joins.
        let times = |token: Option<&Token>| {
            token.is_some_and(|token| {
                token.sort == Sort::Digits || verbs::is_time(token) || token.among(&["tomorrow", "today"])
            })
        };
        let parts = token.among(&["-", "–"])
            && token.spaced
            && next.is_some_and(|next| next.spaced)
            && !(times(all.get(at - 1)) && times(next));
        if parts {
            return at + 1;
        }
        // `one headset for me since I take calls all day`
        let since = token.among(&["since", "as"])
            && at > from + 2
            && next.is_some_and(|next| next.among(&SPEAKER) && !next.is("me"))
            && !all[at - 1].among(&["soon", "long", "far", "same", "ever", "well", "much", "such"]);
        if since {
            return at;
        }
        // `annual leave from Monday, as my manager suggested`, `as agreed`
        let quoted = token.is("as")
            && at > from + 1
            && next.is_some_and(|next| {
                next.among(&["my", "our", "the", "agreed", "discussed", "suggested", "promised", "mentioned"])
            })
            && all[at + 1..end.min(at + 6)]
                .iter()
                .take_while(|token| token.sort == Sort::Word)
                .any(|token| verbs::is_quoting(token) || token.among(&["agreed", "discussed", "promised"]));
        if quoted {
            return at;
        }
        if token.among(&["because", "although", "though", "whereas"]) {
            return at;
        }
        // `nobody was hurt when the shelf came down`: what is denied ends here.
        let denied = || {
            all[from..at].iter().any(|token| {
                token.among(&["nobody", "no", "not", "none", "never"]) || token.low.ends_with("n't")
            })
        };
        let told = || all[at + 1..end.min(at + 7)].iter().any(verbs::is_past);
        if token.among(&["when", "as"])
            && next.is_some_and(|next| next.among(&["the", "a", "an", "our", "one", "two"]))
            && denied()
            && told()
        {
            return at;
        }
        if token.is("but")
            && !all[at - 1].among(&["all", "anything", "everything", "nothing", "everywhere", "anywhere"])
        {
            return at;
        }
        // `I am writing about the fire of 29 September`
        let told = || {
            all[from..at].iter().any(|token| {
                token.among(&[
                    "writing",
                    "calling",
                    "mailing",
                    "emailing",
                    "contacting",
                    "wrote",
                    "write",
                    "inform",
                    "informing",
                    "notify",
                    "tell",
                    "reporting",
                ])
            })
        };
        if token.among(&["about", "regarding", "concerning"]) && told() {
            return at;
        }
        // `just to let you know that I will …`
        let lets_know = || {
            all[from..at].iter().any(|token| token.among(&["know", "note", "aware", "inform"]))
                && !all[from..at].iter().any(|token| token.among(&["don't", "not", "didn't", "never"]))
        };
        if token.is("that") && next.is_some_and(|next| next.among(&SPEAKER)) && lets_know() {
            return at;
        }
        // `I have to report that there was a fire`
        let reports = || {
            all[from..at].iter().any(|token| token.among(&["i", "we", "i'm", "i'd", "we'd"]))
                && all[at.saturating_sub(3)..at]
                    .iter()
                    .any(|token| token.among(&["report", "inform", "tell", "you"]))
                && !all[from..at]
                    .iter()
                    .any(|token| token.among(&["if", "not", "never"]) || token.low.ends_with("n't"))
        };
        if token.is("that") && next.is_some_and(|next| next.sort == Sort::Word) && reports() {
            return at;
        }
        // `just a note that Jane will be on leave`
        let telling = || {
            all[from..at].iter().any(|token| {
                token.among(&[
                    "note", "know", "reminder", "remind", "notice", "fyi", "mention", "inform", "aware",
                    "say", "remember",
                ])
            }) && !all[from..at].iter().any(|token| token.among(&["don't", "not", "didn't", "never", "if"]))
                && !all[from..at]
                    .windows(2)
                    .any(|pair| pair[0].among(&["i", "we", "you", "they"]) && pair[1].is("know"))
        };
        if token.is("that") && at > from + 1 && next.is_some_and(|next| next.sort == Sort::Word) && telling()
        {
            return at;
        }
        // `now that Thomas is back I want …`
        let wishes = token.among(&["i'd", "we'd", "i'll", "we'll"])
            || token.among(&["i", "we"])
                && next.is_some_and(|next| {
                    next.among(&["want", "need", "would", "will", "request", "wish", "require"])
                });
        if wishes && at > from + 3 && all[at - 1].sort == Sort::Word && !all[at - 1].among(&JOINING) {
            return at;
        }
        if token.among(&["so", "and", "then"])
            && at > from + 1
            && next.is_some_and(|next| begins(all, at, next, topic))
        {
            return at;
        }
    }
    end
}

/// Returns whether a clause goes on behind brackets: `my leave in May (3 to 5 May) was reported`.
fn goes_on_behind(all: &[Token], open: usize, end: usize) -> bool {
    const REACH: usize = 40;
    let close = (open + 1..end.min(open + REACH)).find(|at| all[*at].is(")"));
    close.and_then(|close| all.get(close + 1)).is_some_and(verbs::is_auxiliary)
}

/// Returns whether what follows an `and` is a clause of its own.
fn begins(all: &[Token], at: usize, next: &Token, topic: &impl Fn(&Token) -> bool) -> bool {
    let behind = (at + 1..all.len()).find(|at| !is_adverb(&all[*at])).and_then(|at| all.get(at));
    let next = behind.unwrap_or(next);
    let subject = next.among(&SPEAKER)
        || next
            .among(&["it", "it's", "this", "now", "he", "she", "they", "there", "there's", "mine", "ours"]);
    // `11 and the 12th` goes on; `and a real fire` begins.
    let dated =
        |at: usize| all.get(at).is_some_and(|token| token.sort == Sort::Digits || verbs::is_time(token));
    // `a truck and a rack on 28 May` goes on too: nothing is said of the rack.
    let to =
        (at + 2..all.len()).find(|at| all[*at].among(&[",", ";", "because", "but"])).unwrap_or(all.len());
    let said = || {
        all[at + 1..to].iter().enumerate().any(|(from, token)| {
            topic(token) || verbs::is_verb(token) || verbs::is_third_person(all, at + 1 + from)
        })
    };
    let noun = next.among(&["the", "my", "a", "an"]) && !dated(at + 2) && said();
    let verb = next.among(&[
        "would", "want", "need", "will", "please", "was", "were", "is", "are", "have", "must", "prefer",
        "request",
    ]) || verbs::is_past(next) && !next.among(&["need", "hit", "cut", "left"]);
    // `so three laptops please`
    let wish = all[at].among(&["so", "then"])
        && (topic(next)
            || super::number::at(all, at + 1).is_some()
            || super::lexicon::is_asking(next) && !next.is("that"));
    // `road cleared and incident finished on 10 June`
    let told = topic(next) && all.get(at + 2).is_some_and(verbs::is_past);
    subject || noun || verb || wish || told
}
