//! What people write in haste: letters swapped, words shortened, apostrophes left out.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::dialect;
use super::lexicon::{is_fine, is_wishing};
use super::words::{Sort, Token, misspells};

/// Words as they are meant, each with how it is written in haste.
const HASTE: [(&str, &str); 91] = [
    ("tomorrow", "tmrw tmr tomorow tommorow tommorrow tomorrrow tmw tmro tmrrw tomo tomoz tmoz tomoro"),
    ("yesterday", "yday yesteday yesterdy ystrday yest ystd yesturday"),
    ("today", "tdy tday"),
    ("tonight", "tonite tnight"),
    (
        "because",
        "becuase becasue beacuse becaus cuz coz cos bc bcoz bcz becoz becouse cus bcs bcause becuz bcuz becaue beause",
    ),
    ("please", "pls plz plese pleas plis pleease plss"),
    ("until", "untill til untl"),
    ("thanks", "thx thnx tnx thanx ty thks cheerz"),
    ("sorry", "sry soz sorrry"),
    ("want", "wanna wnt"),
    ("must", "gotta"),
    ("will", "gonna wil"),
    ("let", "lemme"),
    ("give", "gimme"),
    ("have", "hav hv"),
    ("would", "wud wld wd"),
    ("could", "cud cld"),
    ("should", "shud shld shd"),
    ("are", "r"),
    ("you", "u ya"),
    ("your", "ur urs"),
    ("about", "abt"),
    ("from", "frm"),
    ("next", "nxt"),
    ("something", "smth sth"),
    ("someone", "sb"),
    ("probably", "prob probs prolly probly"),
    ("maybe", "mayb mebbe dunno idk"),
    ("birthday", "bday"),
    ("night", "nite"),
    ("nights", "nites"),
    ("morning", "mornin mrng"),
    ("afternoon", "arvo aft"),
    ("week", "wk"),
    ("weeks", "wks"),
    ("weekend", "wkend wknd"),
    ("month", "mth mnth"),
    ("months", "mths mnths"),
    ("years", "yrs"),
    ("hours", "hrs"),
    ("minutes", "mins"),
    ("people", "ppl"),
    ("doctors", "drs docs"),
    ("doctor's", "doc's dr's"),
    ("holidays", "hols"),
    ("certificate", "cert certif certificat"),
    ("appointment", "appt appoint appointmt apptmt"),
    ("breakfast", "brekkie brekky bfast"),
    ("number", "num nmbr"),
    ("phone", "fone"),
    ("mobile", "mob mobil"),
    ("quantity", "qty"),
    ("pieces", "pcs"),
    ("insurance", "insurence insurrance"),
    ("yes", "yea ye"),
    ("don't", "dont"),
    ("can't", "cant"),
    ("won't", "wont"),
    ("didn't", "didnt"),
    ("doesn't", "doesnt"),
    ("isn't", "isnt"),
    ("wasn't", "wasnt"),
    ("weren't", "werent"),
    ("haven't", "havent"),
    ("hasn't", "hasnt"),
    ("wouldn't", "wouldnt"),
    ("couldn't", "couldnt"),
    ("i'm", "im"),
    ("i've", "ive"),
    ("we've", "weve"),
    ("he's", "hes"),
    ("she's", "shes"),
    ("they're", "theyre"),
    ("what's", "whats"),
    ("that's", "thats"),
    ("nobody", "noone noboby nobdy"),
    ("ain't", "aint"),
    ("request", "req reqest requst"),
    ("annual", "al anl"),
    ("now", "rn atm"),
    ("happened", "happend hapened hapend happenend"),
    ("occurred", "occured ocurred occurd"),
    ("leave", "leav leve"),
    ("before", "befor bfore b4"),
    ("between", "betwen bewteen"),
    ("definitely", "def defo defs definately definitly"),
    ("obviously", "obvs obv"),
    ("hello", "helo hullo hallo"),
    ("need", "ned neeed nead"),
    ("start", "strt"),
    ("latest", "latst"),
];

/// More words without their apostrophe.
const BARE: [(&str, &str); 6] = [
    ("there's", "theres"),
    ("let's", "lets"),
    ("it'll", "itll"),
    ("who's", "whos"),
    ("where's", "wheres"),
    ("here's", "heres"),
];

static MEANT: LazyLock<HashMap<&'static str, &'static str>> = LazyLock::new(|| {
    let pairs = HASTE.iter().chain(&BARE);
    pairs.flat_map(|(meant, written)| written.split(' ').map(|written| (written, *meant))).collect()
});

/// Names that are long enough to be known when misspelt.
const LONG: [&str; 14] = [
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "january",
    "february",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// What a day or a count is said of.
const NAMED: [&str; 10] =
    ["deadline", "date", "end", "start", "quantity", "number", "when", "count", "total", "latest"];

/// What a clause begins with that gives a reason.
const SUBJECTS: [&str; 24] = [
    "i", "i'm", "i've", "i'd", "my", "we", "we're", "we've", "our", "the", "it", "it's", "he", "she", "they",
    "there", "there's", "his", "her", "their", "mine", "this", "that", "of",
];

/// Days that may be said to be fine.
const DAYS: [&str; 9] =
    ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "today", "tomorrow"];

/// Returns what a word stands for that many write in haste.
pub(super) fn mistyped(word: &str) -> Option<&'static str> {
    if let Some(meant) = MEANT.get(word) {
        return Some(meant);
    }
    if let Some(meant) = dialect::meant(word) {
        return Some(meant);
    }
    if let Some(plain) = drawn_out(word) {
        return MEANT.get(plain.as_str()).copied().or_else(|| DRAWN.into_iter().find(|word| *word == plain));
    }
    // `wensday`, `febuary`; short words are rather names: Mandy.
    if word.len() < 6 || !word.is_ascii() || !word.ends_with(['y', 'r', 't']) {
        return None;
    }
    LONG.into_iter().find(|name| name.len().abs_diff(word.len()) <= 2 && misspells(word, name))
}

/// What people draw out.
const DRAWN: [&str; 12] =
    ["please", "so", "yes", "hello", "hey", "hi", "no", "thanks", "really", "very", "sorry", "ok"];

/// Returns a word without the letters that are only drawn out: `pleeease`, `sooo`.
fn drawn_out(word: &str) -> Option<String> {
    let mut plain = String::new();
    let (mut run, mut drawn) = (0, false);
    for letter in word.chars() {
        run = if plain.ends_with(letter) { run + 1 } else { 0 };
        drawn |= run >= 2;
        if run == 0 {
            plain.push(letter);
        }
    }
    drawn.then_some(plain)
}

/// Puts right what only its neighbours tell: `mouse n keyboard`, `b4`, `so ill take`, `its annual leave`.
pub(super) fn settle(tokens: &mut Vec<Token>) {
    let word = |token: Option<&Token>| token.is_some_and(|token| token.sort == Sort::Word && token.spaced);
    for at in 0..tokens.len() {
        let next = tokens.get(at + 1);
        let before = at.checked_sub(1).and_then(|at| tokens.get(at));
        let inner = before.is_some() && before.is_some_and(|token| token.sort != Sort::Sign);
        let counts = |token: Option<&Token>| token.is_some_and(|token| token.sort == Sort::Digits);
        let opens = before
            .is_none_or(|token| token.among(&["so", "and", "but", "then", ",", "ok", "because", "think"]));
        let stands = match tokens[at].low.as_str() {
            // `cause my screen died`: what causes something has a subject before it.
            "cause" | "cos" if inner && next.is_some_and(|next| next.among(&SUBJECTS)) => "because",
            "em" if inner => "them",
            // `sat 1 aug`, `last sat`
            short if is_dated(short, before, next) => match short {
                "sat" => "saturday",
                "sun" => "sunday",
                "wed" => "wednesday",
                _ => "monday",
            },
            // Beside figures they are points of the compass.
            "n" if word(next) && inner => "and",
            "w" if word(next) && inner => "with",
            // `headsets x2`, `2x headset`
            "x" | "×" if counts(next) || counts(before) => "×",
            "ill" if next.is_some_and(is_wishing) && opens => "i'll",
            "id" if next.is_some_and(is_wishing) => "i'd",
            "wed" if next.is_some_and(|next| next.among(&["like", "love", "need", "prefer", "want"])) => {
                "we'd"
            }
            // `Monday's fine`
            day if next.is_some_and(is_fine) && day.ends_with("'s") => {
                let Some(day) = DAYS.into_iter().find(|name| day.strip_suffix("'s") == Some(*name)) else {
                    continue;
                };
                day
            }
            // `deadline's 2 April`
            named if named.ends_with("'s") && counts(next) => {
                let Some(name) = NAMED.into_iter().find(|name| named.strip_suffix("'s") == Some(*name))
                else {
                    continue;
                };
                name
            }
            "its"
                if next.is_some_and(|next| {
                    next.among(&[
                        "a", "an", "the", "not", "my", "our", "for", "from", "on", "now", "just", "only",
                        "been", "at", "in", "to", "about",
                    ])
                }) =>
            {
                "it's"
            }
            _ => continue,
        };
        if stands == "×" {
            tokens[at].sort = Sort::Sign;
        }
        stands.clone_into(&mut tokens[at].low);
    }
    join_strokes(tokens);
    dialect::settle(tokens);
    // Figures stand by themselves, also those that sound like a word: `b4`, `2moro`.
    for at in (0..tokens.len().saturating_sub(1)).rev() {
        let (first, second) = (&tokens[at], &tokens[at + 1]);
        let meant = match (first.low.as_str(), second.low.as_str()) {
            ("b", "4") => "before",
            ("2", "moro" | "morrow" | "mrw" | "moz" | "mro") => "tomorrow",
            ("2", "nite" | "night") => "tonight",
            ("w", "/") => "with",
            // `no one was hurt`, `no-one`; `no one-way`
            ("no", "one") if tokens.get(at + 2).is_none_or(|next| next.sort == Sort::Word) => "nobody",
            _ => continue,
        };
        if second.spaced && meant != "nobody" {
            continue;
        }
        let end = tokens.remove(at + 1).end;
        tokens[at].end = end;
        tokens[at].sort = Sort::Word;
        meant.clone_into(&mut tokens[at].low);
        // `w/o` is without.
        if tokens.get(at + 1).is_some_and(|next| next.is("o") && !next.spaced) && meant == "with" {
            let end = tokens.remove(at + 1).end;
            tokens[at].end = end;
            "without".clone_into(&mut tokens[at].low);
        }
    }
}

/// Returns whether a short name of a day, which may be another word too, stands with what belongs to a day.
fn is_dated(word: &str, before: Option<&Token>, next: Option<&Token>) -> bool {
    let leads = ["last", "next", "this", "on", "till", "until", "from", "by", "since", "to"];
    matches!(word, "sat" | "sun" | "wed" | "mon")
        && (next.is_some_and(|next| {
            next.sort == Sort::Digits || next.among(&["night", "morning", "till", "until"])
        }) || before.is_some_and(|before| before.among(&leads)))
}

/// Makes one word of what is shortened with a stroke, and of `no-one`: `a/l`, `b/c`; `w/c 9 May` names a week.
fn join_strokes(tokens: &mut Vec<Token>) {
    for at in (0..tokens.len().saturating_sub(2)).rev() {
        if tokens[at + 1].spaced || tokens[at + 2].spaced {
            continue;
        }
        let meant = match (tokens[at].low.as_str(), tokens[at + 1].low.as_str(), tokens[at + 2].low.as_str())
        {
            ("a", "/", "l") => "annual",
            ("s", "/", "l") => "sick",
            ("b", "/", "c") => "because",
            ("no", "-", "one") => "nobody",
            ("w", "/", "c") => {
                "commencing".clone_into(&mut tokens[at + 2].low);
                tokens.remove(at + 1);
                "week".clone_into(&mut tokens[at].low);
                continue;
            }
            _ => continue,
        };
        tokens[at].end = tokens[at + 2].end;
        meant.clone_into(&mut tokens[at].low);
        tokens.drain(at + 1..at + 3);
    }
}
