//! A shell command for display: its parts on separate lines, the kind of each word, and its certain effects.
//!
//! This understands less than a shell. What it does not understand is shown as it is, without further information.

mod colour;

/// The kind of a piece of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    /// The program.
    Program,
    /// An operator between commands, or a redirection.
    Operator,
    /// Quoted text.
    Quoted,
    /// Anything else.
    Plain,
}

/// One command of several, with the operator before it. The pieces joined together are the original text.
pub type ShellPart = Vec<(Token, String)>;

/// A word as written, and as the program gets it; the latter is unknown if the shell expands it.
#[derive(Clone, Debug, Default)]
pub(super) struct Word {
    pub(super) raw: String,
    pub(super) text: Option<String>,
}

impl Word {
    /// Returns what the program gets; empty if unknown.
    pub(super) fn text(&self) -> &str {
        self.text.as_deref().unwrap_or_default()
    }
}

/// A command with its words.
#[derive(Clone, Debug, Default)]
pub(super) struct SimpleCommand {
    pub(super) words: Vec<Word>,
    /// The files that its output overwrites.
    pub(super) overwrites: Vec<Word>,
    /// The files that its output is appended to.
    pub(super) appends: Vec<Word>,
    /// Whether the output of the previous command is piped into it.
    pub(super) is_fed: bool,
}

impl SimpleCommand {
    /// Returns whether it does nothing: a redirection alone empties or creates a file.
    fn is_empty(&self) -> bool {
        self.words.is_empty() && self.overwrites.is_empty() && self.appends.is_empty()
    }
}

/// The length above which a command is not read.
const LONGEST: usize = 8 << 10;
/// The deepest nesting of substitutions and quotations that is read.
const DEEPEST: usize = 8;
/// Words that begin something other than a command.
const RESERVED: [&str; 16] = [
    "!", "[[", "case", "coproc", "do", "elif", "else", "for", "function", "if", "select", "then", "time",
    "until", "while", "{",
];
/// The operators between commands; longer ones first.
const JOINTS: [&str; 7] = ["&&", "||", "|&", ";", "|", "&", "\n"];
/// The redirections; longer ones first.
const REDIRECTIONS: [&str; 15] =
    ["2>&1", "1>&2", "&>>", "&>", "2>>", "2>", "1>", ">>", ">|", ">&2", ">", "<<<", "<<-", "<<", "<"];
/// The beginnings of process substitutions: another command's output or input.
const FILES: [&str; 2] = ["<(", ">("];

/// A parsed command.
#[derive(Debug, Default)]
pub(super) struct ParsedCommand {
    pub(super) commands: Vec<SimpleCommand>,
    parts: Vec<ShellPart>,
}

/// Splits a command. A single line that is understood is split into its parts; otherwise the words are distinguished as
/// far as possible, in one part. None if that fails.
pub fn parts(text: &str) -> Option<Vec<ShellPart>> {
    if !text.trim_end().contains('\n')
        && let Some(read) = read(text)
    {
        return Some(read.parts);
    }
    Some(vec![colour::split_words(text)?])
}

/// Parses a command; none if it is not understood.
pub(super) fn read(text: &str) -> Option<ParsedCommand> {
    if text.len() > LONGEST {
        return None;
    }
    let mut read = ParsedCommand { commands: vec![SimpleCommand::default()], parts: vec![Vec::new()] };
    let mut target: Option<&str> = None;
    let mut documents: Vec<Document> = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        if !documents.is_empty() && rest.starts_with('\n') {
            let length = documents.drain(..).try_fold(1, |at, document| document.end(rest, at))?;
            // The line break after the last of them joins what follows.
            let length = length - usize::from(length > 1 && rest[..length].ends_with('\n'));
            read.push(Token::Quoted, &rest[..length]);
            rest = &rest[length..];
            continue;
        }
        let blank = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        if blank > 0 {
            read.push(Token::Plain, &rest[..blank]);
            rest = &rest[blank..];
            continue;
        }
        let is_file = FILES.iter().any(|sign| rest.starts_with(sign));
        if !is_file && let Some(sign) = REDIRECTIONS.into_iter().find(|sign| rest.starts_with(sign)) {
            let after = &rest[sign.len()..];
            if sign == "<" && after.starts_with(['>', '&']) || target.is_some() {
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
            // A comment has no effect.
            let end = rest.find('\n').unwrap_or(rest.len());
            read.push(Token::Plain, &rest[..end]);
            rest = &rest[end..];
            continue;
        }
        let (word, pieces, after) = word(rest, Parenthesis::Unknown)?;
        if let Some(sign @ ("<<" | "<<-")) = target {
            documents.push(Document { end: unquoted(&word)?, is_set_in: sign == "<<-" });
        }
        read.take(word, pieces, target.take())?;
        rest = after;
    }
    if !documents.is_empty() {
        return None;
    }
    // An operator at the end joins nothing.
    if read.commands.len() > 1 && read.commands.last().is_some_and(SimpleCommand::is_empty) {
        read.commands.pop();
    }
    let is_whole = target.is_none() && !read.commands.iter().any(SimpleCommand::is_empty);
    is_whole.then_some(read)
}

/// A here document, up to the line that ends it.
struct Document {
    end: String,
    /// Whether tabs before that line are ignored.
    is_set_in: bool,
}

impl Document {
    /// Returns the end of the document that begins at a place of a text, including its last line.
    fn end(&self, text: &str, mut at: usize) -> Option<usize> {
        for line in text.get(at..)?.split_inclusive('\n') {
            at += line.len();
            let line = line.trim_end_matches('\n');
            let line = if self.is_set_in { line.trim_start_matches('\t') } else { line };
            if line == self.end {
                return Some(at);
            }
        }
        None
    }
}

/// Returns the word that ends a document, without its quotation marks.
fn unquoted(word: &Word) -> Option<String> {
    word.text.clone().filter(|text| !text.is_empty())
}

impl ParsedCommand {
    fn push(&mut self, token: Token, text: &str) {
        let Some(part) = self.parts.last_mut() else { return };
        match part.last_mut() {
            Some((last, before)) if *last == token => before.push_str(text),
            _ => part.push((token, text.to_owned())),
        }
    }

    /// Begins the next command: with `|` it gets the previous output, otherwise it is on a separate line.
    fn join(&mut self, sign: &str) {
        let is_fed = sign.starts_with('|') && sign != "||";
        if !is_fed && self.parts.last().is_some_and(|part| !part.is_empty()) {
            self.parts.push(Vec::new());
        }
        self.push(Token::Operator, sign);
        self.commands.push(SimpleCommand { is_fed, ..SimpleCommand::default() });
    }

    fn take(&mut self, word: Word, pieces: ShellPart, target: Option<&str>) -> Option<()> {
        let command = self.commands.last_mut()?;
        let is_first = command.words.is_empty() && target.is_none();
        let is_setting = is_first && word.raw.split_once('=').is_some_and(|(name, _)| is_name(name));
        if is_first && RESERVED.contains(&word.raw.as_str()) {
            return None;
        }
        let is_program = is_first && !is_setting;
        match target {
            Some("<" | "<<" | "<<-" | "<<<") => {}
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

/// How to read a parenthesis outside of quotation marks and substitutions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Parenthesis {
    /// It ends a word.
    Ends,
    /// It is not understood.
    Unknown,
}

/// Takes the first word off a text.
fn word(text: &str, parenthesis: Parenthesis) -> Option<(Word, ShellPart, &str)> {
    let (mut pieces, mut plain): (ShellPart, Option<String>) = (Vec::new(), Some(String::new()));
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let (token, length) = match c {
            '<' | '>' if FILES.iter().any(|sign| rest.starts_with(sign)) => {
                // After other characters it is a part of the word.
                if !pieces.is_empty() && parenthesis == Parenthesis::Unknown {
                    return None;
                }
                (Token::Plain, substitution(rest, 0)?)
            }
            ' ' | '\t' | '\n' | ';' | '&' | '|' | '<' | '>' => break,
            '(' | ')' if parenthesis == Parenthesis::Ends => break,
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
            '$' | '`' | '\\' | '*' | '?' | '[' | '{' | '~' | '<' | '>' => None,
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

/// Returns the length of a text in double quotation marks, including them.
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

/// Returns the length of a `$(…)`, `<(…)` or `>(…)`.
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
mod tests;
