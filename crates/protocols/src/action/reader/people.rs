//! How many people there are, said without their name: `just me`, `a double for two`.

use holdpoint_core::{Field, Kind};

use super::mention::phrases;
use super::scan::Scan;
use super::words::Sort;
use super::{lexicon, number, option, verbs};

/// Finds how many people somebody speaks of, for a field that counts them.
pub(super) fn count(scan: &Scan<'_>, field: &Field) -> Option<(f64, usize, usize)> {
    let counts = matches!(field.kind, Kind::Integer | Kind::Number)
        && phrases(field).iter().any(|name| {
            let of = |word: &String| {
                matches!(word.as_str(), "people" | "persons" | "guests" | "adults" | "travellers")
            };
            name.words().iter().any(of)
        });
    if !counts {
        return None;
    }
    let asked = scan.is_asked(field).then(|| me(scan)).flatten();
    asked.or_else(|| place_for(scan)).or_else(|| alone(scan))
}

/// Reads an answer that counts the speaker alone: `just me`.
fn me(scan: &Scan<'_>) -> Option<(f64, usize, usize)> {
    let small = |at: usize| {
        matches!(scan.word(at), "just" | "only" | "it's" | "its" | "it" | "is" | "will" | "be" | "," | "for")
    };
    let at = (0..scan.tokens.len()).find(|at| !small(*at))?;
    let closes = |at: usize| {
        scan.tokens
            .get(at)
            .is_none_or(|token| token.sort == Sort::Sign || token.among(&["this", "please", "alone", "then"]))
    };
    let alone = matches!(scan.word(at), "me" | "myself") && closes(at + 1);
    alone.then_some((1.0, at, at + 1))
}

/// Reads how many nights somebody stays who does not say that they are nights: `I only stay two`.
pub(super) fn stay(scan: &Scan<'_>, field: &Field) -> Option<(f64, usize, usize)> {
    let nights =
        phrases(field).iter().any(|name| name.words().iter().any(|word| word == "nights" || word == "night"));
    (1..scan.tokens.len()).filter(|_| nights).find_map(|at| {
        let stays = matches!(scan.word(at - 1), "stay" | "staying");
        let number = number::at(&scan.tokens, at).filter(|_| stays)?;
        let ends = scan.tokens.get(number.next).is_none_or(|next| next.sort == Sort::Sign);
        (ends && scan.free(at..number.next) && !scan.negated(at)).then_some((number.value, at, number.next))
    })
}

/// Reads that somebody comes alone: `I arrive on 2 March, alone, for three nights`.
fn alone(scan: &Scan<'_>) -> Option<(f64, usize, usize)> {
    let sign = |at: usize| {
        scan.tokens.get(at).is_none_or(|token| token.sort == Sort::Sign || token.among(&["and", "this"]))
    };
    let comes = |at: usize| {
        matches!(
            scan.word(at),
            "travelling" | "traveling" | "coming" | "come" | "arrive" | "travel" | "arriving" | "alone"
        )
    };
    (1..scan.tokens.len()).find_map(|at| {
        let said = scan.word(at) == "alone" && sign(at + 1) && (sign(at - 1) || comes(at - 1));
        let own = || scan.sentence(at).any(|at| matches!(scan.word(at), "i" | "i'm" | "i'll" | "i'd"));
        (said && own() && scan.free(at..at + 1) && !scan.negated(at)).then_some((1.0, at, at + 1))
    })
}

/// Reads for how many something is that can be chosen: `a double for two`.
fn place_for(scan: &Scan<'_>) -> Option<(f64, usize, usize)> {
    (1..scan.tokens.len()).filter(|at| scan.word(*at) == "for").find_map(|at| {
        let number = number::at(&scan.tokens, at + 1)?;
        let ends = scan.tokens.get(number.next).is_none_or(|next| {
            next.sort == Sort::Sign
                || lexicon::is_small(next) && !verbs::is_time(next) && !next.among(&["or", "to", "more"])
        });
        let room = scan.word(at - 1) == "room"
            || option::of_choices(scan).iter().any(|name| {
                at.checked_sub(name.words().len()).is_some_and(|from| name.at(scan, from) == Some(at))
            });
        (ends && room && scan.free(at..number.next)).then_some((number.value, at, number.next))
    })
}
