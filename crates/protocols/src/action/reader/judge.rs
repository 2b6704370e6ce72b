//! What keeps a clause from stating anything, though it has the shape of a statement: a condition, what did not happen,
//! another time, what is only possible, what is only left over, what somebody else is said to have said.

use super::clause::{About, Clause};
use super::verbs;
use super::words::{Sort, Token};

/// What is made of a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Judged {
    /// Nothing speaks against it.
    Statement,
    /// It states nothing about what is asked.
    Elsewhere,
    /// Nor does what follows it, up to a `but` or the speaker.
    Onwards,
}

/// Returns whether something happened at somebody else's: `a fire at the neighbour's`.
fn is_elsewhere(clause: &[Token]) -> bool {
    let place = [
        "company",
        "town",
        "city",
        "hospital",
        "school",
        "country",
        "firm",
        "factory",
        "hotel",
        "hostel",
        "depot",
        "office",
        "site",
        "branch",
        "plant",
        "warehouse",
        "shop",
        "team",
        "department",
        "restaurant",
        "place",
        "building",
    ];
    let named = |token: &Token| place.contains(&token.low.strip_suffix("'s").unwrap_or(&token.low));
    clause.iter().any(|token| token.among(&["neighbour's", "neighbor's", "neighbours'", "competitor's"]))
        || clause.windows(2).any(|pair| {
            pair[0].is("next") && pair[1].is("door")
                || pair[0].among(&["another", "other", "different"]) && named(&pair[1])
        })
        || is_not_meant(clause)
}

/// Returns whether a clause says itself that it is not what is meant: `that isn't for here`, `… is their business`.
fn is_not_meant(clause: &[Token]) -> bool {
    let denied = clause.iter().any(|token| token.is("not") || token.low.ends_with("n't"));
    let here = clause.windows(2).any(|pair| {
        pair[0].is("for") && pair[1].among(&["here", "this"])
            || pair[0].among(&["this", "the"]) && pair[1].among(&["form", "place"])
            || pair[0].is("why") && pair[1].among(&["i", "i'm", "we"])
    });
    let theirs = clause.windows(2).any(|pair| {
        pair[0].among(&["their", "his", "her", "your", "another"])
            && pair[1].among(&["business", "matter", "affair", "problem", "story"])
    });
    denied && here || theirs
}

pub(super) fn judge(words: &[Token], parsed: Clause, topic: &impl Fn(&Token) -> bool) -> Judged {
    if is_condition(words)
        || is_thanks(words)
        || is_earlier(words)
        || is_aside(words)
        || is_elsewhere(words)
        || super::figurative::is_digital(words)
        || super::figurative::is_fiction(words)
        || super::recorded::is_recorded(words)
        || super::recorded::is_farewell(words)
        || super::recorded::is_regular(words)
    {
        return Judged::Elsewhere;
    }
    if is_put_off(words) {
        return Judged::Elsewhere;
    }
    if is_unreal(words) || is_possible(words, topic) || is_hearsay(words, parsed, topic) {
        return Judged::Onwards;
    }
    Judged::Statement
}

/// Returns whether a clause only says under which condition something holds.
fn is_condition(clause: &[Token]) -> bool {
    let mut words = clause
        .iter()
        .filter(|token| token.sort != Sort::Sign)
        .skip_while(|token| token.among(&["and", "but", "so"]));
    let Some(first) = words.next() else { return false };
    let second = words.next();
    let then = |list: &[&str]| second.is_some_and(|token| token.among(list));
    first.among(&["if", "unless", "suppose", "supposing", "assuming", "imagine"])
        || first.is("in") && then(&["case"])
        || first.is("should") && then(&["there", "anyone", "anybody", "anything", "it", "the", "we"])
        || first.is("had") && then(&["there", "i", "we", "he", "she", "they", "it", "the"])
}

/// Returns whether a clause thanks for what has been: `thank you for the two screens`.
fn is_thanks(clause: &[Token]) -> bool {
    let mut words = clause.iter().filter(|token| token.sort == Sort::Word);
    let thanks = words.find(|token| token.among(&["thanks", "thank", "cheers", "grateful"]));
    let first = clause.iter().take(4).any(|token| token.among(&["thanks", "thank", "cheers"]));
    first && thanks.is_some() && words.take(4).any(|token| token.is("for"))
}

/// Returns whether a clause speaks of a time before.
fn is_earlier(clause: &[Token]) -> bool {
    let has = |words: &[&str]| clause.iter().any(|token| token.among(words));
    let pair =
        |one: &[&str], two: &[&str]| clause.windows(2).any(|pair| pair[0].among(one) && pair[1].among(two));
    let this = pair(&["this"], &["time", "one"]);
    let is_time = |token: &Token| {
        token.among(&["day", "days", "week", "night", "minute"])
            || super::relative::day_name(token).is_some()
            || token.sort != Sort::Word
    };
    let again = pair(&["once"], &["more", "again", "an", "a"]);
    let earlier = has(&["once"]) && !again
        || has(&["previous", "previously", "formerly", "originally", "initially", "former"])
        || pair(
            &["last"],
            &["time", "year", "years", "month", "summer", "winter", "spring", "autumn", "fall"],
        )
        || pair(&["last"], &["week's", "month's", "year's", "night's", "time's", "quarter's"])
        || clause.windows(2).any(|pair| pair[0].is("last") && super::feast::is_feast(&pair[1]))
        || has(&["yesterday's"])
        || pair(&["one"], &["time"])
        || pair(&["used"], &["to"])
        || pair(&["year", "years", "months"], &["ago", "back"])
        || is_counted_back(clause)
        || pair(&["the", "my", "our"], &["last", "earlier"])
            && clause.windows(2).any(|pair| pair[0].is("last") && !is_time(&pair[1]));
    // `I was sick in August`
    let then = has(&["was", "were", "had"])
        && clause.windows(2).any(|pair| pair[0].is("in") && super::day::is_month(&pair[1]));
    let in_year = clause.windows(2).any(|pair| {
        pair[0].among(&["in", "since", "of", "back"]) && super::complement::looks_like_year(&pair[1])
    }) && (clause.iter().any(verbs::is_past) || has(&["was", "were"]));
    (earlier || then || in_year) && !this
}

/// Returns whether a clause is only mentioned by the way.
fn is_aside(clause: &[Token]) -> bool {
    // What somebody may take or has left they do not take.
    let owned =
        clause
            .iter()
            .any(|token| token.among(&["eligible", "entitled", "entitlement", "allowance", "balance"]))
            || clause.iter().any(|token| token.among(&["have", "has", "got"]))
                && !clause.iter().any(|token| token.among(&["note", "certificate"]))
                && clause.iter().rev().find(|token| token.sort == Sort::Word).is_some_and(|token| {
                    token.among(&["left", "enough", "plenty", "already", "stock", "spare"])
                });
    // `we have enough laptops`
    let enough = clause
        .windows(2)
        .any(|pair| pair[0].among(&["have", "has", "got", "own"]) && pair[1].among(&["enough", "plenty"]))
        && !clause.iter().any(|token| token.is("not") || token.low.ends_with("n't"));
    // What is used up is not to be had: `I used up all my annual leave`.
    let spent = clause.windows(2).any(|pair| {
        pair[0].is("used") && pair[1].among(&["up", "all", "my", "every"])
            || pair[0].among(&["ran", "run"]) && pair[1].is("out")
    }) || clause.iter().any(|token| token.among(&["exhausted", "spent"]));
    // What one has already one does not ask for.
    let had = clause.iter().any(|token| token.among(&["have", "has", "got", "own", "i've", "we've"]))
        && clause.iter().any(|token| token.is("already"))
        && !clause.iter().any(|token| token.among(&["note", "certificate", "been"]));
    let taken = clause.iter().take(3).any(|token| token.among(&["take", "deduct", "use", "book"]));
    let owned = owned && !taken && !clause.iter().any(|token| token.among(&["note", "certificate"]));
    // `can I keep my old monitor`
    let keeps =
        clause.windows(2).any(|pair| pair[0].is("keep") && pair[1].among(&["my", "our", "the", "using"]));
    // `I've got 12 days of annual leave` says what there is.
    let counted = clause.windows(2).any(|pair| {
        pair[1].among(&["day", "days", "weeks"])
            && (pair[0].sort == Sort::Digits || super::number::at(clause, 0).is_some())
    });
    let has = clause.iter().any(|token| token.among(&["got", "have", "has", "i've", "we've"]));
    let left = counted && has && clause.iter().any(|token| token.among(&["left", "remaining", "over"]));
    let days = counted
        && has
        && !clause.iter().any(|token| {
            token.among(&[
                "from", "on", "until", "till", "starting", "since", "to", "need", "want", "like", "take",
                "off", "may", "could", "can",
            ])
        });
    if owned
        || left && !clause.iter().any(|token| token.among(&["take", "use", "want", "like", "book"]))
        || enough
        || had
        || days
        || keeps
        || spent && !clause.iter().any(|token| token.among(&["want", "like", "need", "will"]))
    {
        return true;
    }
    let mut words = clause.iter().filter(|token| token.sort == Sort::Word);
    words.next_back().is_some_and(|token| token.is("anyway")) && words.next().is_some()
}

/// Returns whether a clause counts years or months back as other languages do: `before two years`.
fn is_counted_back(clause: &[Token]) -> bool {
    (0..clause.len()).filter(|at| clause[*at].is("before")).any(|at| {
        let number = super::number::at(clause, at + 1).map(|number| number.next);
        let few = clause.get(at + 1).filter(|token| token.among(&["some", "few", "many", "a"]));
        number
            .or(few.map(|_| at + 2))
            .and_then(|at| clause.get(at))
            .is_some_and(|token| token.among(&["year", "years", "month", "months", "weeks"]))
    })
}

/// Returns whether what a clause tells did not happen.
fn is_unreal(clause: &[Token]) -> bool {
    let pair = |one: &[&str], two: &[&str]| {
        clause
            .iter()
            .filter(|token| !token.is("-"))
            .collect::<Vec<_>>()
            .windows(2)
            .any(|pair| pair[0].among(one) && pair[1].among(two))
    };
    let nearly = clause.iter().enumerate().any(|(at, token)| {
        let length = |token: &Token| {
            token.sort == Sort::Digits || verbs::is_time(token) || token.among(&["a", "an", "all"])
        };
        // `almost a week`, `nearly 3 hours` happened.
        let counts = clause.get(at + 1).is_some_and(|next| {
            next.sort == Sort::Digits
                || length(next) && clause.get(at + 2).is_some_and(verbs::is_time)
                || super::number::at(clause, at + 1).is_some()
        });
        token.among(&["almost", "nearly"]) && !counts
    });
    nearly
        || clause.iter().any(verbs::is_unreal)
        || clause.iter().any(|token| token.among(&["could've", "would've", "might've", "should've"]))
        || clause
            .windows(3)
            .any(|three| three[0].low.ends_with("'d") && three[1].is("have") && verbs::is_past(&three[2]))
        || pair(&["near"], &["miss", "misses"])
        || pair(&["close"], &["call", "shave"])
        || pair(&["false"], &["alarm"])
        || pair(&["tried", "trying", "try", "failed", "supposed", "meant"], &["to"])
        || pair(&["wish"], &["i", "we"])
        || pair(&["hate", "hated", "love"], &["being", "it"])
        || (0..clause.len()).any(|at| is_called_off(clause, at))
        || pair(&["was", "were"], &["going"])
        || pair(&["back", "returned", "returning", "return"], &["from"])
        || clause.iter().any(|token| {
            token.among(&[
                "rejected",
                "declined",
                "refused",
                "cancelled",
                "canceled",
                "postponed",
                "withdrawn",
            ])
        })
        || is_missed(clause) && !asks_for(clause)
}

/// Returns whether something is to be taken back: `please cancel`; an exchange may also be a thing.
fn is_called_off(clause: &[Token], at: usize) -> bool {
    let before = at.checked_sub(1).map(|at| &clause[at]);
    let thing = before
        .is_some_and(|token| token.among(&["my", "the", "our", "an", "a", "student", "your", "his", "her"]));
    let verb = ["cancel", "cancelling", "withdraw", "delete", "scrap"];
    clause[at].among(&verb) && !thing
}

/// Returns whether something is to be put off without saying until when: `I need to reschedule`.
fn is_put_off(clause: &[Token]) -> bool {
    let verb = clause.iter().position(|token| token.among(&["swap", "reschedule", "exchange"]));
    verb.is_some_and(|at| {
        let thing = at.checked_sub(1).is_some_and(|at| {
            clause[at].among(&["my", "the", "our", "an", "a", "student", "your", "his", "her"])
        });
        !thing && !clause[at..].iter().any(|token| token.among(&["to", "for", "until"]))
    })
}

/// Returns whether something could have been: `I would have taken`. Who `would have an appointment` wishes for one.
fn is_missed(clause: &[Token]) -> bool {
    // `it would have been on Thursday` says when it was.
    let dated = clause.iter().any(verbs::is_time)
        && clause
            .iter()
            .find(|token| token.sort == Sort::Word)
            .is_some_and(|token| token.among(&["it", "that"]))
        && clause.iter().any(|token| token.is("been"));
    !dated
        && clause.windows(3).any(|three| {
            three[0].among(&["could", "would", "might", "should", "may"])
                && three[1].is("have")
                && (verbs::is_past(&three[2])
                    || three[2].is("been")
                    || clause.iter().any(|token| token.among(&["without", "otherwise", "if"])))
        })
}

/// Returns whether a clause begins as a request does: `could I have`.
fn asks_for(clause: &[Token]) -> bool {
    let mut words = clause.iter().filter(|token| token.sort == Sort::Word);
    let modal = words.position(|token| token.among(&["could", "can", "may", "would", "might", "should"]));
    modal.is_some() && words.next().is_some_and(|token| token.among(&["i", "we", "you"]))
}

/// Returns whether what a clause names is only possible: `possible injury`.
fn is_possible(clause: &[Token], topic: &impl Fn(&Token) -> bool) -> bool {
    clause.windows(2).any(|pair| {
        pair[0].among(&["possible", "potential", "likely", "alleged", "suspected", "supposed"])
            && topic(&pair[1])
    })
}

/// Returns whether a clause brings another's words: what follows is theirs too.
fn is_hearsay(words: &[Token], parsed: Clause, topic: &impl Fn(&Token) -> bool) -> bool {
    let named = parsed.about != About::Speaker && parsed.about != About::It;
    // `…, say Friday` proposes.
    let own = |at: usize| {
        at.checked_sub(1).is_some_and(|at| words[at].among(&["i", "we", "let's", "us", "me"]))
            || at == 0 && words[at].is("say")
    };
    // `the ladies say hello`
    let greets = |at: usize| {
        words.get(at + 1).is_some_and(|next| next.among(&["hello", "hi", "yes", "thanks", "cheers"]))
    };
    let says = |at: usize| verbs::is_quoting(&words[at]) && !topic(&words[at]) && !own(at) && !greets(at);
    // `I saw on the news`, `I read that …`
    let told = words.windows(2).any(|pair| {
        pair[0].among(&["i", "we", "i've", "we've", "just"]) && pair[1].among(&["heard", "read", "overheard"])
    }) || (1..words.len()).any(|at| {
        words[at].among(&["news", "tv", "radio", "newspaper", "facebook", "internet", "television"])
            && words[at.saturating_sub(2)..at].iter().any(|token| token.among(&["on", "in", "from"]))
    });
    let gossip = words.iter().any(|token| token.among(&["hearsay", "gossip", "rumours", "rumors"]));
    // A device tells where it is.
    let device = words.iter().any(|token| {
        token.among(&["gps", "map", "maps", "phone", "satnav", "device", "watch", "app", "telephone", "navi"])
    }) && words.iter().any(|token| token.sort == Sort::Digits);
    // `as my manager suggested` grants what was said before it.
    let granted = words.first().is_some_and(|token| token.is("as"));
    told || gossip
        || named
            && !granted
            && !device
            && !is_shown(words)
            && (0..words.len()).any(|at| says(at) || words[at].is("according"))
}

/// Returns whether something says what it shows, which is nobody's opinion: `the note says until Friday`, `GPS says`.
pub(super) fn is_shown(words: &[Token]) -> bool {
    words.windows(2).any(|pair| {
        pair[0].among(&[
            "note",
            "certificate",
            "gps",
            "satnav",
            "phone",
            "map",
            "app",
            "log",
            "clock",
            "ticket",
        ]) && pair[1].among(&["says", "said", "shows", "reads", "gives", "states"])
    })
}
