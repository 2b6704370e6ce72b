//! What is dictated: days and halves of the day as they are spoken, put as they are written.

use super::number;
use super::words::{Sort, Token};

/// Puts `p.m.` as `pm`, and the day of a month that is named as its number: `July sixth`, `the sixth of July`.
pub(super) fn settle(tokens: &mut Vec<Token>) {
    for at in (1..tokens.len()).rev() {
        join_half(tokens, at);
    }
    for at in (0..tokens.len()).rev() {
        number_day(tokens, at);
    }
}

/// Makes one word of `p.m.` behind a number.
fn join_half(tokens: &mut Vec<Token>, at: usize) {
    let word = |offset: usize| tokens.get(at + offset).map_or("", |token| token.low.as_str());
    let glued = |offset: usize| tokens.get(at + offset).is_some_and(|token| !token.spaced);
    let half = match word(0) {
        "a" => "am",
        "p" => "pm",
        _ => return,
    };
    let counted = tokens[at - 1].sort == Sort::Digits
        || number::at(tokens, at - 1).is_some()
        || tokens[at - 1].is("o'clock");
    if !(counted && word(1) == "." && word(2) == "m" && glued(1) && glued(2)) {
        return;
    }
    // The second full stop may end the sentence too; before a comma it does not.
    let dot = word(3) == "." && glued(3);
    let goes_on = dot && tokens.get(at + 4).is_some_and(|next| next.sentence == tokens[at].sentence);
    let last = at + 2 + usize::from(goes_on);
    tokens[at].end = tokens[last].end;
    half.clone_into(&mut tokens[at].low);
    tokens.drain(at + 1..=last);
}

/// Makes a number of an ordinal in words that stands with the name of a month.
fn number_day(tokens: &mut Vec<Token>, at: usize) {
    if tokens[at].sort != Sort::Word {
        return;
    }
    let Some((day, next)) = number::ordinal(tokens, at).filter(|(day, _)| (1..=31).contains(day)) else {
        return;
    };
    let month = |at: Option<usize>| at.and_then(|at| tokens.get(at)).is_some_and(super::day::is_month);
    let article = at.checked_sub(1).is_some_and(|before| tokens[before].is("the"));
    let before = at.checked_sub(1 + usize::from(article));
    let of = usize::from(tokens.get(next).is_some_and(|token| token.is("of")));
    // `I may second that`: these are verbs too.
    let verb = before.is_some_and(|at| tokens[at].among(&["may", "march", "mar"]))
        && day <= 3
        && tokens.get(next).is_some_and(|next| {
            next.sort == Sort::Word && !super::lexicon::is_small(next) && !super::complement::is_time(next)
        });
    // The second half of `twenty-first` is no day of its own.
    let tens = at.checked_sub(1).is_some_and(|before| tokens[before].is("-"))
        || at.checked_sub(1).is_some_and(|before| tokens[before].among(&["twenty", "thirty"]));
    if tens || verb || !(month(before) || month(Some(next + of))) {
        return;
    }
    tokens[at].end = tokens[next - 1].end;
    tokens[at].low = day.to_string();
    tokens[at].sort = Sort::Digits;
    tokens.drain(at + 1..next);
}

#[cfg(test)]
mod tests {
    use super::super::words::tokens;

    #[test]
    fn spoken_words_are_put_as_written() {
        let read =
            |text: &str| tokens(text).iter().map(|token| token.low.clone()).collect::<Vec<_>>().join(" ");
        for (text, expected) in [
            ("July sixth", "july 6"),
            ("the twenty-first of May", "the 21 of may"),
            ("June thirty first, then", "june 31 , then"),
            ("thirtieth April", "30 april"),
            ("at five p.m.", "at five pm ."),
            ("two p.m., I think", "two pm , i think"),
            ("at 9 a.m. please", "at 9 am please"),
            ("the second floor", "the second floor"),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }
}
