//! A shell command for the eye: its parts on lines of their own, what each word is, and what it is sure to do.
//!
//! This reads less than a shell does. What it does not understand it shows as it stands, and says nothing about.

/// What a piece of a command is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    /// The program that is run.
    Program,
    /// What stands between commands, or says where output goes.
    Operator,
    /// Quoted text.
    Quoted,
    /// Anything else.
    Plain,
}

/// One command of several, with what joins it to the one before: pieces that are the text again when they are put together.
pub type Part = Vec<(Token, String)>;

/// A word as it is written, and as the program gets it; not that where the shell makes something else of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Word {
    pub(super) raw: String,
    pub(super) text: Option<String>,
}

impl Word {
    /// Returns what the program gets, if that is known.
    pub(super) fn text(&self) -> &str {
        self.text.as_deref().unwrap_or_default()
    }
}

/// A command with its words.
#[derive(Clone, Debug, Default)]
pub(super) struct Simple {
    pub(super) words: Vec<Word>,
    /// The files that its output replaces.
    pub(super) overwrites: Vec<Word>,
    /// The files that its output is added to.
    pub(super) appends: Vec<Word>,
    /// Whether it is given what the one before it prints.
    pub(super) is_fed: bool,
}

/// A longer command is not read.
const LONGEST: usize = 8 << 10;
/// The most substitutions and quotations within each other that are read.
const DEEPEST: usize = 8;
/// Words that begin something else than a command.
const RESERVED: [&str; 16] = [
    "!", "[[", "case", "coproc", "do", "elif", "else", "for", "function", "if", "select", "then", "time",
    "until", "while", "{",
];
/// What joins commands; the longer first.
const JOINTS: [&str; 7] = ["&&", "||", "|&", ";", "|", "&", "\n"];
/// What says where output goes, or where input comes from; the longer first.
const REDIRECTIONS: [&str; 12] =
    ["2>&1", "1>&2", "&>>", "&>", "2>>", "2>", "1>", ">>", ">|", ">&2", ">", "<"];

/// A command that was read.
#[derive(Debug, Default)]
pub(super) struct Read {
    pub(super) commands: Vec<Simple>,
    parts: Vec<Part>,
}

/// Takes a command of one line apart; nothing where it has more lines, or is not understood.
pub fn parts(text: &str) -> Option<Vec<Part>> {
    let read = read(text).filter(|_| !text.trim_end().contains('\n'))?;
    Some(read.parts)
}

/// Reads a command; nothing if it is not understood.
pub(super) fn read(text: &str) -> Option<Read> {
    if text.len() > LONGEST {
        return None;
    }
    let mut read = Read { commands: vec![Simple::default()], parts: vec![Vec::new()] };
    let mut target: Option<&str> = None;
    let mut rest = text;
    while !rest.is_empty() {
        let blank = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        if blank > 0 {
            read.push(Token::Plain, &rest[..blank]);
            rest = &rest[blank..];
            continue;
        }
        if let Some(sign) = REDIRECTIONS.into_iter().find(|sign| rest.starts_with(sign)) {
            let after = &rest[sign.len()..];
            // Documents that stand in the command, and lists of files.
            if sign == "<" && after.starts_with(['<', '(', '>', '&']) || target.is_some() {
                return None;
            }
            read.push(Token::Operator, sign);
            target = (!sign.contains("&1") && !sign.contains("&2")).then_some(sign);
            rest = after;
            continue;
        }
        if let Some(sign) = JOINTS.into_iter().find(|sign| rest.starts_with(sign)) {
            if target.is_some() {
                return None;
            }
            read.join(sign);
            rest = &rest[sign.len()..];
            continue;
        }
        if rest.starts_with('#') {
            // A comment: nothing in it is done.
            let end = rest.find('\n').unwrap_or(rest.len());
            read.push(Token::Plain, &rest[..end]);
            rest = &rest[end..];
            continue;
        }
        let (word, pieces, after) = word(rest)?;
        read.take(word, pieces, target.take())?;
        rest = after;
    }
    // A sign at the end joins nothing.
    if read.commands.len() > 1 && read.commands.last().is_some_and(|command| command.words.is_empty()) {
        read.commands.pop();
    }
    let is_whole = target.is_none() && read.commands.iter().all(|command| !command.words.is_empty());
    is_whole.then_some(read)
}

impl Read {
    fn push(&mut self, token: Token, text: &str) {
        let Some(part) = self.parts.last_mut() else { return };
        match part.last_mut() {
            Some((last, before)) if *last == token => before.push_str(text),
            _ => part.push((token, text.to_owned())),
        }
    }

    /// Begins the next command: with `|` it is fed, and the others stand on lines of their own.
    fn join(&mut self, sign: &str) {
        let is_fed = sign.starts_with('|') && sign != "||";
        if !is_fed && self.parts.last().is_some_and(|part| !part.is_empty()) {
            self.parts.push(Vec::new());
        }
        self.push(Token::Operator, sign);
        self.commands.push(Simple { is_fed, ..Simple::default() });
    }

    fn take(&mut self, word: Word, pieces: Part, target: Option<&str>) -> Option<()> {
        let command = self.commands.last_mut()?;
        let is_first = command.words.is_empty() && target.is_none();
        let is_setting = is_first && word.raw.split_once('=').is_some_and(|(name, _)| is_name(name));
        if is_first && RESERVED.contains(&word.raw.as_str()) {
            return None;
        }
        let is_program = is_first && !is_setting;
        match target {
            Some("<") => {}
            Some(sign) if sign.ends_with(">>") => command.appends.push(word),
            Some(_) => command.overwrites.push(word),
            None if is_setting => {}
            None => command.words.push(word),
        }
        for (token, text) in pieces {
            let token = if is_program && token == Token::Plain { Token::Program } else { token };
            self.push(token, &text);
        }
        Some(())
    }
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Takes the first word off a text.
fn word(text: &str) -> Option<(Word, Part, &str)> {
    let (mut pieces, mut plain): (Part, Option<String>) = (Vec::new(), Some(String::new()));
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let (token, length) = match c {
            ' ' | '\t' | '\n' | ';' | '&' | '|' | '<' | '>' => break,
            '(' | ')' => return None,
            '\'' => (Token::Quoted, rest[1..].find('\'')? + 2),
            '"' => (Token::Quoted, double_quoted(rest, 0)?),
            '`' => (Token::Plain, rest[1..].find('`')? + 2),
            '$' if rest.starts_with("$(") => (Token::Plain, substitution(rest, 0)?),
            '\\' => (Token::Plain, 1 + rest[1..].chars().next()?.len_utf8()),
            c => (Token::Plain, c.len_utf8()),
        };
        let piece = &rest[..length];
        let literal = match c {
            '\'' => Some(&piece[1..length - 1]),
            '"' => Some(&piece[1..length - 1]).filter(|text| !text.contains(['$', '`', '\\'])),
            '$' | '`' | '\\' | '*' | '?' | '[' | '{' | '~' => None,
            _ => Some(piece),
        };
        plain = plain.zip(literal).map(|(before, literal)| before + literal);
        match pieces.last_mut() {
            Some((last, before)) if *last == token => before.push_str(piece),
            _ => pieces.push((token, piece.to_owned())),
        }
        rest = &rest[length..];
    }
    let raw = text[..text.len() - rest.len()].to_owned();
    Some((Word { raw, text: plain }, pieces, rest))
}

/// Returns how long a text in double quotation marks is, with them.
fn double_quoted(text: &str, depth: usize) -> Option<usize> {
    if depth > DEEPEST {
        return None;
    }
    let mut at = 1;
    while let Some(c) = text[at..].chars().next() {
        at += match c {
            '"' => return Some(at + 1),
            '\\' => 1 + text[at + 1..].chars().next()?.len_utf8(),
            '$' if text[at..].starts_with("$(") => substitution(&text[at..], depth + 1)?,
            c => c.len_utf8(),
        };
    }
    None
}

/// Returns how long a `$(…)` is.
fn substitution(text: &str, depth: usize) -> Option<usize> {
    if depth > DEEPEST {
        return None;
    }
    let (mut at, mut open) = (2, 1_usize);
    while let Some(c) = text[at..].chars().next() {
        at += match c {
            '\'' => text[at + 1..].find('\'')? + 2,
            '"' => double_quoted(&text[at..], depth + 1)?,
            '\\' => 1 + text[at + 1..].chars().next()?.len_utf8(),
            '(' => {
                open += 1;
                1
            }
            ')' => {
                open -= 1;
                if open == 0 {
                    return Some(at + 1);
                }
                1
            }
            c => c.len_utf8(),
        };
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Option<Vec<String>> {
        let join = |part: &Part| part.iter().map(|(_, text)| text.as_str()).collect::<String>();
        parts(text).map(|parts| parts.iter().map(join).collect())
    }

    #[test]
    fn parts_are_the_text_again() {
        for (text, expected) in [
            ("ls -la", &["ls -la"][..]),
            (
                "cargo test && curl -fsSL https://x.example | sh",
                &["cargo test ", "&& curl -fsSL https://x.example | sh"],
            ),
            ("a; b || c & d", &["a", "; b ", "|| c ", "& d"]),
            ("echo 'a && b' \"c; d\"", &["echo 'a && b' \"c; d\""]),
            ("make 2>&1 | tee log", &["make 2>&1 | tee log"]),
            ("FOO=1 sh -c \"$(curl x; y)\" && ls", &["FOO=1 sh -c \"$(curl x; y)\" ", "&& ls"]),
            ("ls;", &["ls", ";"]),
            ("ls a#b # && rm x", &["ls a#b # && rm x"]),
        ] {
            let found = shown(text);
            assert_eq!(found.as_deref().map(<[String]>::concat).as_deref(), Some(text));
            assert_eq!(found.unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn what_is_not_understood_stands_as_it_is() {
        for text in [
            "",
            "ls 'a",
            "ls \"a",
            "(ls)",
            "if a; then b",
            "cat <<E",
            "ls >",
            "&& ls",
            "ls ;; ls",
            "a <(b)",
            "ls $(a",
            "{ a; }",
            "a\nb",
            "f() { a; }",
            "ls > > a",
        ] {
            assert_eq!(shown(text), None, "{text}");
        }
    }

    #[test]
    fn words_are_told_apart() {
        let parts = parts("A=1 curl -d \"x y\" > out | 'sh'").unwrap();
        let tokens: Vec<(Token, &str)> =
            parts[0].iter().map(|(token, text)| (*token, text.as_str())).collect();
        assert_eq!(
            tokens,
            [
                (Token::Plain, "A=1 "),
                (Token::Program, "curl"),
                (Token::Plain, " -d "),
                (Token::Quoted, "\"x y\""),
                (Token::Plain, " "),
                (Token::Operator, ">"),
                (Token::Plain, " out "),
                (Token::Operator, "|"),
                (Token::Plain, " "),
                (Token::Quoted, "'sh'"),
            ]
        );
    }
}
