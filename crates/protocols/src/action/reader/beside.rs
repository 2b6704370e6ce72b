//! Whether a clause speaks of what the form is about, or of something beside it.

use super::clause::{About, Clause};
use super::verbs;
use super::words::{Sort, Token};

/// What the speaker does now that has nothing to do with a form.
const BESIDE: [&str; 16] = [
    "hate",
    "hated",
    "enjoy",
    "enjoyed",
    "miss",
    "turn",
    "marry",
    "graduate",
    "retire",
    "celebrate",
    "remember",
    "know",
    "heard",
    "noticed",
    "expire",
    "believe",
];

/// Returns whether a clause speaks of another time, another thing or somebody else, where a form asks what shall be.
pub(super) fn is_beside(words: &[Token], parsed: Clause, topic: &impl Fn(&Token) -> bool) -> bool {
    let verb = parsed.verb.and_then(|at| words.get(at));
    match parsed.about {
        About::Speaker => {
            let told = |token: &Token| {
                verbs::is_past(token)
                    && !token.among(&["need", "started", "ended", "arrived", "wanted", "hurt", "cut"])
            };
            // `I was at your hotel on 3 May`; `I was sick yesterday` says what is asked.
            let was = verb.is_some_and(|verb| verb.among(&["was", "were"])) && !words.iter().any(topic);
            was || verb.is_some_and(|verb| told(verb) || verb.among(&BESIDE))
        }
        About::It => false,
        // `took a sick day on Friday`
        About::Nobody => words
            .iter()
            .find(|token| {
                token.sort == Sort::Word && !token.among(&["and", "but", "so", "then", "just", "also"])
            })
            .is_some_and(|first| {
                verbs::is_past(first)
                    && !topic(first)
                    && !first.among(&[
                        "need", "started", "ended", "arrived", "attached", "hurt", "cut", "left", "hit",
                    ])
            }),
        About::Person => !words.iter().take(3).any(|token| token.is("you")),
        About::Thing(head) => {
            // `my last day of work`
            let of = words.get(head + 1).is_some_and(|token| token.is("of")) && verbs::is_time(&words[head]);
            let owned = words[head + 1..].iter().find(|token| {
                token.sort == Sort::Word && !token.among(&["of", "my", "the", "our", "this", "next", "a"])
            });
            let strange = of && owned.is_some_and(|token| !topic(token) && !verbs::is_time(token))
                || words.windows(2).any(|pair| {
                    pair[0].is("of")
                        && (pair[1].among(&["mr", "mrs", "ms", "dr"]) || verbs::is_other(&pair[1]))
                });
            let head = &words[head];
            let first = words.iter().position(|token| {
                token.among(&[
                    "my", "our", "his", "her", "their", "the", "a", "an", "some", "another", "one", "your",
                ])
            });
            let whose = first.map_or("", |at| words[at].low.as_str());
            // `the leave I took in May`
            let took = |pair: &[Token]| pair[0].among(&["i", "we"]) && verbs::is_past(&pair[1]);
            if words[..words.len().min(8)].windows(2).any(took) {
                return true;
            }
            let other = verbs::is_other(head) && !topic(head);
            let named = (topic(head) || verbs::is_time(head)) && !strange;
            let Some(verb) = verb else { return other || matches!(whose, "his" | "her" | "their") };
            let own = whose == "my" && words.get(first.unwrap_or(0) + 1).is_some_and(|token| token.is("own"));
            // What was is not what is wanted: `the double was too small`.
            let was = verb.among(&["was", "were"]) && whose != "my";
            was || verbs::is_past(verb) && !named || other || !(named || own)
        }
    }
}

/// Returns whether a clause speaks of something else than what happened.
pub(super) fn is_beside_report(words: &[Token], parsed: Clause, topic: &impl Fn(&Token) -> bool) -> bool {
    let About::Thing(head) = parsed.about else { return false };
    let head = &words[head];
    let Some(verb) = parsed.verb else { return verbs::is_occasion(head) };
    let present =
        words[verb].among(&["is", "are", "has", "will", "must"]) || verbs::is_third_person(words, verb);
    let predicate = words[verb..].iter().any(topic);
    let aside = verbs::is_occasion(head) || verbs::is_other(head);
    // What only is on a day has a day of its own: `the inspection was on 29 September`.
    let merely = words[verb].among(&["was", "were"])
        && words.get(verb + 1).is_some_and(|token| token.among(&["on", "at"]));
    match (present, aside) {
        (true, true) => true,
        (true, false) => !predicate && !topic(head),
        (false, aside) => merely && (aside || !topic(head) && !predicate),
    }
}

/// Returns whether a clause of a report tells of something around what happened: `the fire brigade came on 2 October`.
/// Its words may name it, but its day is another.
pub(super) fn tells_beside(words: &[Token], parsed: Clause, topic: &impl Fn(&Token) -> bool) -> bool {
    // `the fire alarm`, `a fire risk assessment`: the word only says which alarm.
    let is_name = |at: usize| {
        let next = words.get(at + 1).filter(|next| next.sort == Sort::Word);
        topic(&words[at])
            && (next.is_none_or(|next| topic(next) || super::meant::may_follow(next))
                || super::number::at(words, at + 1).is_some())
    };
    let mut spoken = (0..words.len()).filter(|at| topic(&words[*at])).peekable();
    let compound = spoken.peek().is_some() && spoken.all(|at| !is_name(at));
    let (Some(verb), Some(from)) = (parsed.verb, subject_of(words, parsed)) else { return compound };
    let behind = (from..words.len()).any(is_name);
    let happens = words[verb..].iter().take(3).any(verbs::is_happening) || words[verb].is("had");
    compound || !behind && !happens
}

/// Returns where what a clause tells begins, if somebody or something is named that does it.
fn subject_of(words: &[Token], parsed: Clause) -> Option<usize> {
    match parsed.about {
        About::Thing(head) => Some(head),
        About::Speaker | About::Person => parsed.verb.filter(|verb| verbs::is_past(&words[*verb])),
        About::Nobody => parsed.verb.filter(|verb| verbs::is_past(&words[*verb])),
        About::It => None,
    }
}
