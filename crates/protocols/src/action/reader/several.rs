//! Counts that are said in other ways than by a number and what it counts: `a couple of monitors`, `headphones, four pairs`,
//! `six of them`.

use super::number::{self, Number};
use super::scan::Scan;
use super::words::{Sort, alike};

/// Reads `a couple of`, `a pair of`, `a single`.
pub(super) fn at(scan: &Scan<'_>, start: usize) -> Option<Number> {
    let article = usize::from(matches!(scan.word(start), "a" | "the" | "one"));
    let word = scan.word(start + article);
    let of = |at: usize| at + usize::from(scan.word(at) == "of");
    let next = start + article + 1;
    match word {
        "couple" => Some(Number { value: 2.0, next: of(next) }),
        // A pair of headphones is one thing to wear.
        "pair" if scan.word(next) == "of" => {
            let paired = matches!(scan.word(next + 1), "headphones" | "earphones" | "headsets" | "glasses");
            Some(Number { value: if paired { 1.0 } else { 2.0 }, next: next + 1 })
        }
        "single" => Some(Number { value: 1.0, next }),
        _ => None,
    }
}

/// Returns the token behind a unit in which things are counted, and `of`: `pairs of`, `units of the`.
pub(super) fn unit(scan: &Scan<'_>, at: usize) -> Option<usize> {
    let counts = ["pair", "set", "unit", "piece", "item", "pc"];
    let named = counts.iter().any(|unit| alike(unit, scan.word(at)));
    let of = at + 1 + usize::from(scan.word(at + 1) == "of");
    named.then(|| of + usize::from(matches!(scan.word(of), "the" | "these" | "those" | "your")))
}

/// Returns whether a count is told behind what it counts: `headphones, four pairs`, `screens, six of them`, `laptops, five in number`.
pub(super) fn is_told_behind(scan: &Scan<'_>, start: usize, next: usize) -> bool {
    let opens = |token: &super::words::Token| {
        token.sort == Sort::Sign || token.among(&["need", "want", "have", "need"])
    };
    let led = scan
        .before(start, 1)
        .is_none_or(|token| opens(token) || token.among(&["all", "just", "only", "about"]));
    let unit = unit(scan, next) == Some(next + 1);
    let them = scan.word(next) == "of" && matches!(scan.word(next + 1), "them" | "these" | "those");
    let number = scan.word(next) == "in" && matches!(scan.word(next + 1), "number" | "total" | "all");
    let end = if unit { next + 1 } else { next + 2 };
    let closes = scan.tokens.get(end).is_none_or(|token| {
        token.sort == Sort::Sign
            || token.among(&["by", "please", "for", "and", "with", "because", "thanks", "all"])
    });
    // `short of screens: may we have two, with docks?`
    let asked =
        scan.before(start, 1).is_some_and(|token| token.among(&["need", "want", "have", "get", "take"]))
            && scan.tokens.get(next).is_none_or(|token| {
                token.sort == Sort::Sign || token.among(&["by", "please", "with", "for", "until", "before"])
            });
    asked || led && closes && (unit || them || number || scan.word(next) == "altogether")
}

/// Returns whether a number is what somebody needs of something that is known: `we need only four`, `call it 6`.
pub(super) fn is_needed(scan: &Scan<'_>, at: usize) -> bool {
    let Some(number) = number::at(&scan.tokens, at).or_else(|| self::at(scan, at)) else { return false };
    let led = scan.before(at, 1).is_some_and(|token| {
        token.among(&[
            "need", "want", "only", "just", "it", "that", "take", "order", "makes", "to", "have", "for", "is",
        ])
    });
    let asks = scan.sentence(at).filter(|other| scan.is_in_clause_of(*other, at)).any(|other| {
        matches!(
            scan.word(other),
            "need" | "want" | "make" | "call" | "bump" | "makes" | "order" | "take" | "only" | "just"
        )
    });
    let ends = scan.tokens.get(number.next).is_none_or(|next| {
        next.sort == Sort::Sign
            || next.among(&["please", "now", "instead", "of", "after", "then", "pieces", "units"])
    });
    led && asks && ends && scan.free(at..number.next)
}
