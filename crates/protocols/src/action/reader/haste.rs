//! What people write in haste: letters swapped, words shortened, apostrophes left out.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::lexicon::{is_fine, is_wishing};
use super::words::{Sort, Token, misspells};

/// Words as they are meant, each with how it is written in haste.
const HASTE: [(&str, &str); 75] = [
    ("tomorrow", "tmrw tmr tomorow tommorow tommorrow tomorrrow tmw tmro tmrrw tomo tomoz tmoz tomoro"),
    ("yesterday", "yday yesteday yesterdy ystrday yest ystd yesturday"),
    ("today", "tdy tday"),
    ("tonight", "tonite tnight"),
    ("because", "becuase becasue beacuse becaus cuz coz cos bc bcoz bcz becoz becouse"),
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
    ("would", "wud wld"),
    ("could", "cud cld"),
    ("should", "shud shld"),
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

/// Days that may be said to be fine.
const DAYS: [&str; 9] =
    ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "today", "tomorrow"];

/// Returns what a word stands for that many write in haste.
pub(super) fn mistyped(word: &str) -> Option<&'static str> {
    if let Some(meant) = MEANT.get(word) {
        return Some(meant);
    }
    // `wensday`, `febuary`; short words are rather names: Mandy.
    if word.len() < 6 || !word.is_ascii() || !word.ends_with(['y', 'r', 't']) {
        return None;
    }
    LONG.into_iter().find(|name| name.len().abs_diff(word.len()) <= 2 && misspells(word, name))
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
    // Figures stand by themselves, also those that sound like a word: `b4`, `2moro`.
    for at in (0..tokens.len().saturating_sub(1)).rev() {
        let (first, second) = (&tokens[at], &tokens[at + 1]);
        let meant = match (first.low.as_str(), second.low.as_str()) {
            ("b", "4") => "before",
            ("2", "moro" | "morrow" | "mrw" | "moz" | "mro") => "tomorrow",
            ("2", "nite" | "night") => "tonight",
            ("w", "/") => "with",
            _ => continue,
        };
        if second.spaced {
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
