//! Numbers, in digits and in words.

use super::words::{Sort, Token};

const SMALL: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: [&str; 8] = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
const ORDINALS: [&str; 20] = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
];

/// A number and the token after it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Number {
    pub(super) value: f64,
    pub(super) next: usize,
}

/// Reads a number that begins at a token: `3`, `2.5`, `1,500`, `-4`, `two`, `twenty-one`, `a dozen`.
pub(super) fn at(tokens: &[Token], at: usize) -> Option<Number> {
    let token = tokens.get(at)?;
    match token.sort {
        Sort::Digits => digits(tokens, at),
        Sort::Word => in_words(tokens, at),
        Sort::Sign => {
            let next = tokens.get(at + 1)?;
            let negative =
                token.among(&["-", "−"]) && next.sort == Sort::Digits && !next.spaced && token.spaced;
            let number = negative.then(|| digits(tokens, at + 1)).flatten()?;
            Some(Number { value: -number.value, ..number })
        }
    }
}

fn digits(tokens: &[Token], at: usize) -> Option<Number> {
    let mut text = tokens.get(at)?.low.clone();
    let mut next = at + 1;
    let glued = |at: usize, sort: Sort| tokens.get(at).filter(|token| token.sort == sort && !token.spaced);
    while let (Some(sign), Some(more)) = (glued(next, Sort::Sign), glued(next + 1, Sort::Digits)) {
        if sign.is(",") && more.low.len() == 3 && !text.contains('.') {
            text.push_str(&more.low);
        } else if sign.is(".") && !text.contains('.') {
            text.push('.');
            text.push_str(&more.low);
        } else {
            break;
        }
        next += 2;
    }
    (text.len() <= 15).then(|| text.parse().ok()).flatten().map(|value| Number { value, next })
}

fn in_words(tokens: &[Token], at: usize) -> Option<Number> {
    let word = tokens.get(at)?;
    let whole = |value: usize, next: usize| {
        #[expect(clippy::cast_precision_loss, reason = "below a hundred")]
        Some(Number { value: value as f64, next })
    };
    if let Some(small) = SMALL.iter().position(|name| word.is(name)) {
        return whole(small, at + 1);
    }
    if let Some(tens) = TENS.iter().position(|name| word.is(name)) {
        let dash = usize::from(tokens.get(at + 1).is_some_and(|token| token.is("-")));
        let unit =
            tokens.get(at + 1 + dash).and_then(|token| SMALL[1..10].iter().position(|name| token.is(name)));
        let value = 10 * (tens + 2);
        return unit.map_or(whole(value, at + 1), |unit| whole(value + unit + 1, at + 2 + dash));
    }
    let dozen = |at: usize| tokens.get(at).is_some_and(|token| token.is("dozen"));
    if word.is("half") && tokens.get(at + 1).is_some_and(|token| token.is("a")) && dozen(at + 2) {
        return whole(6, at + 3);
    }
    if word.is("a") && dozen(at + 1) { whole(12, at + 2) } else { None }
}

/// Reads a whole number in a range, in digits or words.
pub(super) fn whole(tokens: &[Token], at_token: usize, most: i64) -> Option<(i64, usize)> {
    let number = at(tokens, at_token)?;
    #[expect(clippy::cast_possible_truncation, reason = "at most fifteen digits")]
    let value = number.value as i64;
    (number.value.fract() == 0.0 && (0..=most).contains(&value)).then_some((value, number.next))
}

/// Reads an ordinal: `3rd`, `third`, `twenty-first`.
pub(super) fn ordinal(tokens: &[Token], at: usize) -> Option<(i64, usize)> {
    let token = tokens.get(at)?;
    if let Some(number) = token.number() {
        let suffix = tokens.get(at + 1).filter(|next| !next.spaced && next.among(&["st", "nd", "rd", "th"]));
        return suffix.map(|_| (number, at + 2));
    }
    let place = |token: &Token| {
        ORDINALS.iter().position(|name| token.is(name)).and_then(|at| i64::try_from(at + 1).ok())
    };
    if let Some(place) = place(token) {
        return Some((place, at + 1));
    }
    let tens = if token.is("twenty") {
        20
    } else if token.is("thirty") {
        30
    } else {
        return token.is("thirtieth").then_some((30, at + 1));
    };
    let dash = usize::from(tokens.get(at + 1).is_some_and(|token| token.is("-")));
    let unit = place(tokens.get(at + 1 + dash)?).filter(|unit| *unit < 10)?;
    Some((tens + unit, at + 2 + dash))
}

#[cfg(test)]
mod tests {
    use super::super::words::tokens;
    use super::*;

    #[test]
    fn numbers_are_read() {
        for (text, value) in [
            ("3", 3.0),
            ("2.5", 2.5),
            ("1,500", 1500.0),
            ("-4", -4.0),
            ("two", 2.0),
            ("twenty-one", 21.0),
            ("a dozen", 12.0),
            ("forty two", 42.0),
        ] {
            assert_eq!(at(&tokens(text), 0).map(|number| number.value), Some(value), "{text}");
        }
        assert_eq!(at(&tokens("to"), 0), None);
        for (text, value) in [("3rd", 3), ("third", 3), ("twenty-first", 21), ("thirtieth", 30)] {
            assert_eq!(ordinal(&tokens(text), 0).map(|(value, _)| value), Some(value), "{text}");
        }
    }
}
