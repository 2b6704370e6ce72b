//! Feasts that are on the same day each year: `Christmas Eve`, `Boxing Day`. Without `Eve` or `Day` they are rather a season:
//! `over Christmas`.

use jiff::civil::Date;

use super::day::{Reckoning, Said};
use super::words::{Sort, Token};

/// Feasts: how they are called, in words that stand together, and as one word; their month and day.
const FEASTS: [(&[&[&str]], &str, i8, i8); 9] = [
    (&[&["christmas", "eve"], &["xmas", "eve"]], "christmas-eve", 12, 24),
    (&[&["christmas", "day"], &["xmas", "day"]], "christmas-day", 12, 25),
    (&[&["boxing", "day"], &["st", "stephen's", "day"]], "boxing-day", 12, 26),
    (
        &[&["new", "year's", "eve"], &["new", "years", "eve"], &["new", "year", "eve"], &["nye"]],
        "new-year's-eve",
        12,
        31,
    ),
    (&[&["new", "year's", "day"], &["new", "years", "day"], &["new", "year", "day"]], "new-year's-day", 1, 1),
    (&[&["valentine's", "day"], &["valentines", "day"], &["valentine", "day"]], "valentine's-day", 2, 14),
    (&[&["halloween"], &["hallowe'en"]], "halloween", 10, 31),
    (&[&["bonfire", "night"], &["guy", "fawkes", "night"]], "bonfire-night", 11, 5),
    (&[&["bastille", "day"]], "bastille-day", 7, 14),
];

/// Makes one word of the name of a feast, so that nothing takes it apart again.
pub(super) fn settle(tokens: &mut Vec<Token>) {
    for at in (0..tokens.len()).rev() {
        // Few words begin one, and every word is looked at.
        if !tokens[at].low.starts_with(['c', 'x', 'b', 'n', 's', 'v', 'h', 'g']) {
            continue;
        }
        let stands = |words: &&[&str]| {
            words.iter().enumerate().all(|(offset, word)| {
                tokens.get(at + offset).is_some_and(|token| {
                    token.is(word) && (offset == 0 || token.sentence == tokens[at].sentence)
                })
            })
        };
        let found = FEASTS
            .iter()
            .find_map(|(names, one, ..)| Some((names.iter().find(|words| stands(words))?.len(), *one)));
        let Some((length, one)) = found else { continue };
        tokens[at].end = tokens[at + length - 1].end;
        tokens[at].sort = Sort::Word;
        one.clone_into(&mut tokens[at].low);
        tokens.drain(at + 1..at + length);
    }
}

/// Returns whether a word is the name of a feast.
pub(super) fn is_feast(token: &Token) -> bool {
    token.low.len() > 8 && FEASTS.iter().any(|(_, one, ..)| token.is(one))
}

/// Reads a feast: the next one, or the last where one looks back.
pub(super) fn at(tokens: &[Token], at: usize, from: Reckoning) -> Option<Said> {
    let token = tokens.get(at).filter(|token| is_feast(token))?;
    let (_, _, month, day) = FEASTS.iter().find(|(_, one, ..)| token.is(one))?;
    // `the Boxing Day sale`, `her Christmas Eve shift` are other things.
    let before = at.checked_sub(1).and_then(|at| tokens.get(at));
    let article =
        before.is_some_and(|token| token.among(&["the", "a", "our", "my", "his", "her", "their", "every"]));
    let goes_on = tokens.get(at + 1).is_some_and(|next| {
        next.sort == Sort::Word && !super::lexicon::is_small(next) && !super::verbs::is_time(next)
    });
    if article && goes_on || before.is_some_and(|token| token.among(&["every", "each"])) {
        return None;
    }
    if let Some((year, next)) = super::day::year_after(tokens, at + 1) {
        return Date::new(year, *month, *day).ok().map(|day| Said::fixed(day, next));
    }
    let backward = from.backward || before.is_some_and(|token| token.is("last"));
    let this = from.today.year();
    let years = if backward { [this, this - 1] } else { [this, this + 1] };
    let fits = |date: &Date| if backward { *date <= from.today } else { *date >= from.today };
    let date = years.into_iter().filter_map(|year| Date::new(year, *month, *day).ok()).find(fits)?;
    Some(Said::guessed(date, at + 1))
}

#[cfg(test)]
mod tests {
    use super::super::words::tokens;
    use super::*;

    #[test]
    fn feasts_are_days() {
        let today = jiff::civil::date(2026, 12, 27);
        let read = |text: &str, backward: bool| {
            let tokens = tokens(text);
            let from = Reckoning { today, backward, asked: false, week: None };
            (0..tokens.len()).find_map(|here| at(&tokens, here, from)).map(|said| said.day.to_string())
        };
        for (text, day) in [
            ("Christmas Eve", "2027-12-24"),
            ("on Xmas Day", "2027-12-25"),
            ("boxing day 2026", "2026-12-26"),
            ("until New Year's Eve", "2026-12-31"),
            ("new years day please", "2027-01-01"),
            ("last Christmas Eve", "2026-12-24"),
        ] {
            assert_eq!(read(text, false).as_deref(), Some(day), "{text}");
        }
        assert_eq!(read("on Boxing Day", true).as_deref(), Some("2026-12-26"));
        for text in
            ["over Christmas", "the Boxing Day sale", "every Christmas Eve", "in the new year", "Christmas"]
        {
            assert_eq!(read(text, false), None, "{text}");
        }
    }
}
