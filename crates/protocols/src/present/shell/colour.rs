//! The words of a command that is not understood as a whole: only programs, operators and quoted text are
//! distinguished.

use super::{Document, LONGEST, Parenthesis, RESERVED, ShellPart, Token, unquoted, word};

/// Operators between words; longer ones first. The flag says whether a command begins after it.
const SIGNS: [(&str, bool); 25] = [
    ("&>>", false),
    ("<<<", false),
    ("<<-", false),
    (";;", true),
    ("&&", true),
    ("||", true),
    ("|&", true),
    ("2>&1", false),
    ("1>&2", false),
    (">&2", false),
    ("2>>", false),
    ("&>", false),
    ("2>", false),
    ("1>", false),
    (">>", false),
    (">|", false),
    ("<<", false),
    (";", true),
    ("|", true),
    ("&", true),
    ("\n", true),
    ("(", true),
    (")", false),
    (">", false),
    ("<", false),
];
/// Words after which a command begins.
const BEFORE: [&str; 10] = ["!", "do", "elif", "else", "if", "then", "time", "until", "while", "{"];
/// Words that end a compound command.
const ENDS: [&str; 4] = ["done", "esac", "fi", "}"];

/// Distinguishes the words of a command. The pieces joined together are the original text.
pub(super) fn split_words(text: &str) -> Option<ShellPart> {
    if text.len() > LONGEST || text.trim().is_empty() {
        return None;
    }
    let mut part: ShellPart = Vec::new();
    let mut push = |token: Token, piece: &str| match part.last_mut() {
        Some((last, before)) if *last == token => before.push_str(piece),
        _ => part.push((token, piece.to_owned())),
    };
    // Whether a command begins here, whether commands can be recognised at all, and what the next word is for.
    let (mut begins, mut is_told, mut target) = (true, true, None::<&str>);
    let mut documents: Vec<Document> = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        if !documents.is_empty() && rest.starts_with('\n') {
            let length = documents.drain(..).try_fold(1, |at, document| document.end(rest, at))?;
            push(Token::Quoted, &rest[..length]);
            (rest, begins) = (&rest[length..], true);
            continue;
        }
        let blank = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        if blank > 0 {
            push(Token::Plain, &rest[..blank]);
            rest = &rest[blank..];
            continue;
        }
        if rest.starts_with('#') {
            let end = rest.find('\n').unwrap_or(rest.len());
            push(Token::Plain, &rest[..end]);
            rest = &rest[end..];
            continue;
        }
        let is_file = rest.starts_with("<(") || rest.starts_with(">(");
        if !is_file && let Some((sign, starts)) = SIGNS.into_iter().find(|(sign, _)| rest.starts_with(sign)) {
            push(Token::Operator, sign);
            if starts {
                (begins, target) = (true, None);
            } else if sign == ")" {
                begins = false;
            } else {
                target = (!sign.contains("&1") && !sign.contains("&2")).then_some(sign);
            }
            rest = &rest[sign.len()..];
            continue;
        }
        let (word, pieces, after) = word(rest, Parenthesis::Ends)?;
        rest = after;
        let raw = word.raw.as_str();
        if let Some(sign) = target.take() {
            if sign.starts_with("<<") && sign != "<<<" {
                documents.push(Document { end: unquoted(&word)?, is_set_in: sign == "<<-" });
            }
        } else if begins && (RESERVED.contains(&raw) || ENDS.contains(&raw)) {
            push(Token::Operator, raw);
            begins = BEFORE.contains(&raw);
            // Their patterns look like commands.
            is_told &= !matches!(raw, "case" | "[[" | "select" | "function" | "coproc");
            continue;
        } else if begins && !raw.split_once('=').is_some_and(|(name, _)| super::is_name(name)) {
            begins = false;
            for (token, piece) in pieces {
                push(if is_told && token == Token::Plain { Token::Program } else { token }, &piece);
            }
            continue;
        }
        for (token, piece) in pieces {
            push(token, &piece);
        }
    }
    documents.is_empty().then_some(part)
}
