//! What somebody has already, where a form orders things: of `my laptop` and `the two old monitors` something else is wanted.

use super::number;
use super::quantity::counts_anything;
use super::scan::Scan;
use super::words::Token;

/// What says of a thing that it is there already.
const WORN: [&str; 11] = [
    "old",
    "broken",
    "current",
    "existing",
    "cracked",
    "present",
    "faulty",
    "dead",
    "defective",
    "worn",
    "own",
];

/// Returns whether what is named from a token on, or the number before it, is a thing that somebody has.
pub(super) fn is_had(scan: &Scan<'_>, start: usize) -> bool {
    const REACH: usize = 4;
    let (mut worn, mut whose) = (false, None);
    for count in 1..=REACH {
        let Some(token) = scan.before(start, count) else { break };
        if token.among(&["my", "our", "the", "these", "those", "his", "her", "their"]) {
            whose = Some(token);
            break;
        }
        worn |= token.among(&WORN);
        let counted = number::at(&scan.tokens, start - count).is_some();
        if !(token.among(&WORN) || counted || token.among(&["other", "work", "office", "home", "of"])) {
            return false;
        }
    }
    let Some(whose) = whose else { return false };
    let own = whose.among(&["my", "our"]);
    (own || worn) && scan.fields.iter().any(counts_anything) && !is_replaced(scan, start)
}

/// Returns whether another is wanted in its place.
fn is_replaced(scan: &Scan<'_>, at: usize) -> bool {
    let replaces = |token: &Token| {
        token.low.starts_with("replac")
            || token.low.starts_with("upgrad")
            || token.low.starts_with("renew")
            || token.among(&["new", "another", "successor", "like", "same", "order", "request"])
    };
    scan.tokens[scan.sentence(at)].iter().any(replaces)
}
