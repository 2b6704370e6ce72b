//! Turns of phrase that say how something is said and not what: each is put as plainly as it can be before anything
//! else looks at it. `would it be all right if I took` asks as `could I take` does, and `up to and including` is `until`.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::turns::TURNS;
use super::words::{Sort, Token};

/// One element of a turn: the words of which one stands there, each perhaps several, and whether it may be missing.
struct Element {
    words: Vec<Vec<&'static str>>,
    optional: bool,
}

/// A turn of phrase.
struct Turn {
    elements: Vec<Element>,
    plain: Vec<&'static str>,
    /// Whether it must begin a part of a sentence.
    opens: bool,
    behind: Behind,
    /// Whether the verb behind it stands in the past.
    past: bool,
}

/// What must stand behind a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Behind {
    Anything,
    /// Nothing: a part of a sentence ends there.
    End,
    /// A day, somewhere in the sentence.
    Day,
}

/// The turns by the word that they may begin with.
static BY_WORD: LazyLock<HashMap<&'static str, Vec<Turn>>> = LazyLock::new(|| {
    let mut found: HashMap<&'static str, Vec<Turn>> = HashMap::new();
    for line in TURNS.lines().filter(|line| line.contains('=')) {
        let mut firsts: Vec<&'static str> = Vec::new();
        for element in turn(line).elements {
            firsts.extend(element.words.iter().filter_map(|words| words.first().copied()));
            if !element.optional {
                break;
            }
        }
        firsts.sort_unstable();
        firsts.dedup();
        for first in firsts {
            found.entry(first).or_default().push(turn(line));
        }
    }
    found
});

fn turn(line: &'static str) -> Turn {
    let (said, plain) = line.split_once('=').unwrap_or((line, ""));
    let has = |mark: &str| said.split_whitespace().any(|part| part == mark);
    let elements = said
        .split_whitespace()
        .filter(|part| !matches!(*part, "^" | "$" | "~" | "@"))
        .map(|part| Element {
            words: part.trim_start_matches('?').split('|').map(|word| word.split('_').collect()).collect(),
            optional: part.starts_with('?'),
        })
        .collect();
    Turn {
        elements,
        plain: plain.split_whitespace().collect(),
        opens: has("^"),
        behind: if has("$") {
            Behind::End
        } else if has("@") {
            Behind::Day
        } else {
            Behind::Anything
        },
        past: has("~"),
    }
}

/// Puts turns of phrase plainly.
pub(super) fn settle(tokens: &mut Vec<Token>) {
    if !tokens.iter().any(|token| BY_WORD.contains_key(token.low.as_str())) {
        return;
    }
    let mut plain: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        let found = BY_WORD.get(tokens[at].low.as_str()).and_then(|turns| {
            let ends = turns.iter().filter_map(|turn| Some((turn, fits(turn, tokens, at)?)));
            // Of several the longest.
            ends.max_by_key(|(_, end)| *end)
        });
        let Some((turn, end)) = found else {
            plain.push(tokens[at].clone());
            at += 1;
            continue;
        };
        for (offset, word) in turn.plain.iter().enumerate() {
            let token = &tokens[(at + offset).min(end - 1)];
            plain.push(Token { low: (*word).to_owned(), sort: Sort::Word, ..token.clone() });
        }
        if turn.past
            && let Some(verb) = tokens.get_mut(end)
        {
            present(verb);
        }
        at = end;
    }
    // Who says nothing but courtesies says them.
    if plain.iter().any(|token| token.sort != Sort::Sign) {
        *tokens = plain;
    }
}

/// Returns the token behind a turn, if it stands at a token.
fn fits(turn: &Turn, tokens: &[Token], at: usize) -> Option<usize> {
    let begins = at.checked_sub(1).is_none_or(|before| {
        tokens[before].sentence != tokens[at].sentence
            || tokens[before].sort == Sort::Sign && !tokens[before].among(&["-", "'"])
            || tokens[before].among(&["hi", "hello", "hey", "and", "but", "so", "ok", "okay", "please"])
    });
    let end = behind(&turn.elements, tokens, at, tokens[at].sentence)?;
    let follows = match turn.behind {
        Behind::Anything => true,
        Behind::End => tokens.get(end).is_none_or(|next| next.sort == Sort::Sign),
        Behind::Day => names_day(tokens, end),
    };
    ((begins || !turn.opens) && follows).then_some(end)
}

/// Returns whether a day is named in what is left of a sentence: who asks whether something is possible at all asks for nothing.
fn names_day(tokens: &[Token], from: usize) -> bool {
    const REACH: usize = 30;
    let sentence = tokens.get(from).map(|token| token.sentence);
    let rest = tokens[from..].iter().take(REACH).take_while(|token| Some(token.sentence) == sentence);
    let rest: Vec<&Token> = rest.collect();
    let counted = |at: usize| rest.get(at).is_some_and(|token| token.sort == Sort::Digits);
    (0..rest.len()).any(|at| {
        super::relative::day_name(rest[at]).is_some()
            || super::feast::is_feast(rest[at])
            || rest[at].among(&["today", "tomorrow", "tonight"])
            || rest[at].among(&["th", "st", "nd", "rd"]) && !rest[at].spaced
            || super::day::is_month(rest[at])
                && (counted(at + 1) || (1..=2).any(|back| at.checked_sub(back).is_some_and(&counted)))
    })
}

fn behind(elements: &[Element], tokens: &[Token], at: usize, sentence: usize) -> Option<usize> {
    let Some((first, rest)) = elements.split_first() else { return Some(at) };
    let stands = |words: &[&'static str]| {
        words.iter().enumerate().all(|(offset, word)| {
            tokens.get(at + offset).is_some_and(|token| token.is(word) && token.sentence == sentence)
        })
    };
    let taken = first
        .words
        .iter()
        .filter(|words| stands(words))
        .find_map(|words| behind(rest, tokens, at + words.len(), sentence));
    taken.or_else(|| first.optional.then(|| behind(rest, tokens, at, sentence)).flatten())
}

/// Puts a verb that stands in the past as it stands behind `could I`.
fn present(verb: &mut Token) {
    let plain = match verb.low.as_str() {
        "went" => "go",
        "took" => "take",
        "had" => "have",
        "got" => "get",
        "came" => "come",
        "was" | "were" => "be",
        "left" => "leave",
        "began" => "begin",
        "made" => "make",
        "saw" => "see",
        "could" | "can" => "please",
        word => match word.strip_suffix("ed") {
            Some(stem) if stem.len() > 2 => {
                let doubled = stem.as_bytes()[stem.len() - 1] == stem.as_bytes()[stem.len() - 2];
                let plain = match stem {
                    "us" | "reserv" | "arriv" | "schedul" | "chang" | "mov" | "arrang" => format!("{stem}e"),
                    _ if doubled => stem[..stem.len() - 1].to_owned(),
                    _ => stem.to_owned(),
                };
                verb.low = plain;
                return;
            }
            _ => return,
        },
    };
    plain.clone_into(&mut verb.low);
}

#[cfg(test)]
mod tests {
    use super::super::words::tokens;

    #[test]
    fn turns_are_put_plainly() {
        let read =
            |text: &str| tokens(text).iter().map(|token| token.low.clone()).collect::<Vec<_>>().join(" ");
        for (text, expected) in [
            ("Would it be all right if I went on leave", "could i go on leave"),
            ("Please be so kind as to send us two", "please send us two"),
            ("I was just wondering whether you could book it", "please book it"),
            ("It would be great if we could have it", "could i have it"),
            ("up to and including Friday", "until friday"),
            ("Happy Wednesday! Two days", "hello ! two days"),
            ("from Monday if that's ok with you", "from monday"),
            ("I am happy on Monday", "i am happy on monday"),
            ("if possible", "if possible"),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }
}
