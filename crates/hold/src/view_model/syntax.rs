//! Syntax highlighting: by file extension, one line at a time, and never more than a hint.

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    Plain,
    /// A keyword.
    Word,
    /// A string.
    Text,
    /// A comment.
    Note,
    Number,
}

/// The lexical rules of a language.
#[derive(Debug)]
pub(crate) struct Language {
    /// Its file extensions.
    ends: &'static [&'static str],
    /// What begins a comment.
    notes: &'static [&'static str],
    quotes: &'static str,
    words: &'static str,
}

const LANGUAGES: &[Language] = &[
    Language {
        ends: &["rs"],
        notes: &["//", "/*"],
        quotes: "\"",
        words: "as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod \
                move mut pub ref return self Self static struct super trait true type unsafe use where while",
    },
    Language {
        ends: &["js", "mjs", "cjs", "jsx", "ts", "tsx"],
        notes: &["//", "/*"],
        quotes: "\"'`",
        words: "async await break case catch class const continue default delete do else enum export extends false finally \
                for from function if implements import in instanceof interface let new null of return static super switch \
                this throw true try type typeof undefined var void while yield",
    },
    Language {
        ends: &["py", "pyi"],
        notes: &["#"],
        quotes: "\"'",
        words: "and as assert async await break class continue def del elif else except False finally for from global if \
                import in is lambda None nonlocal not or pass raise return True try while with yield",
    },
    Language {
        ends: &["go"],
        notes: &["//", "/*"],
        quotes: "\"`'",
        words: "break case chan const continue default defer else fallthrough false for func go goto if import interface map \
                nil package range return select struct switch true type var",
    },
    Language {
        ends: &["c", "h", "cc", "cpp", "hpp", "java", "kt", "cs", "swift", "scala", "php"],
        notes: &["//", "/*"],
        quotes: "\"'",
        words: "abstract auto bool boolean break case catch char class const continue default delete do double else enum \
                extends extern false final float for func fun if implements import int interface let long namespace new null \
                nullptr override package private protected public return short signed sizeof static struct super switch \
                template this throw true try typedef typename union unsigned using val var virtual void volatile while",
    },
    Language {
        ends: &["sh", "bash", "zsh"],
        notes: &["#"],
        quotes: "\"'",
        words: "case do done elif else esac export fi for function if in local return then unset until while",
    },
    Language {
        ends: &["rb"],
        notes: &["#"],
        quotes: "\"'",
        words: "begin class def do else elsif end ensure false if in module nil not or redo rescue retry return self super \
                then true unless until when while yield",
    },
    Language {
        ends: &["sql"],
        notes: &["--"],
        quotes: "'\"",
        words: "add alter and as asc begin by case commit create default delete desc distinct drop else end exists from group \
                having in index insert into is join key left limit not null on or order primary select set table then union \
                unique update values when where with",
    },
    Language {
        ends: &["toml", "yaml", "yml", "ini", "conf"],
        notes: &["#"],
        quotes: "\"'",
        words: "true false null",
    },
    Language { ends: &["json"], notes: &[], quotes: "\"", words: "true false null" },
    Language { ends: &["css", "scss"], notes: &["/*"], quotes: "\"'", words: "" },
];

/// Finds the language of a file by its name.
pub(crate) fn language(path: &str) -> Option<&'static Language> {
    let name = path.rsplit('/').next().unwrap_or_default();
    let (_, end) = name.rsplit_once('.')?;
    LANGUAGES.iter().find(|language| language.ends.iter().any(|known| known.eq_ignore_ascii_case(end)))
}

/// Splits a line into tokens; concatenated they are the line.
pub(crate) fn tokens<'a>(language: Option<&Language>, line: &'a str) -> Vec<(Token, &'a str)> {
    /// Lines longer than this were not written by a person, and are not highlighted.
    const LONGEST: usize = 2_000;
    let Some(language) = language.filter(|_| line.len() <= LONGEST) else {
        return vec![(Token::Plain, line)];
    };
    // Continues a block comment that began above.
    let start = line.trim_start();
    if language.notes.contains(&"/*") && (start.starts_with("* ") || start == "*" || start.starts_with("*/"))
    {
        return vec![(Token::Note, line)];
    }
    let mut found: Vec<(Token, &str)> = Vec::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let (token, length) = if language.notes.iter().any(|note| rest.starts_with(note)) {
            (Token::Note, note_length(rest))
        } else if language.quotes.contains(first) {
            (Token::Text, text_length(rest, first))
        } else if first.is_alphabetic() || first == '_' {
            let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            let is_word =
                language.words.split_ascii_whitespace().any(|word| is_same(language, word, &rest[..length]));
            (if is_word { Token::Word } else { Token::Plain }, length)
        } else if first.is_ascii_digit() {
            (
                Token::Number,
                rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '.').unwrap_or(rest.len()),
            )
        } else {
            (Token::Plain, first.len_utf8())
        };
        let (piece, after) = rest.split_at(length);
        // Neighbours of the same kind are merged.
        match found.last_mut() {
            Some((last, text)) if *last == token => {
                let from = line.len() - rest.len() - text.len();
                *text = &line[from..from + text.len() + length];
            }
            _ => found.push((token, piece)),
        }
        rest = after;
    }
    found
}

/// Compares keywords, ignoring case in languages where it does not matter.
fn is_same(language: &Language, word: &str, found: &str) -> bool {
    if language.ends.contains(&"sql") { word.eq_ignore_ascii_case(found) } else { word == found }
}

fn note_length(rest: &str) -> usize {
    match rest.starts_with("/*").then(|| rest.find("*/")).flatten() {
        Some(end) => end + 2,
        None => rest.len(),
    }
}

fn text_length(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(path: &str, line: &str) -> String {
        let shown = |(token, text): (Token, &str)| match token {
            Token::Plain => text.to_owned(),
            Token::Word => format!("<{text}>"),
            Token::Text => format!("[{text}]"),
            Token::Note => format!("({text})"),
            Token::Number => format!("#{text}#"),
        };
        tokens(language(path), line).into_iter().map(shown).collect()
    }

    #[test]
    fn pieces_are_told_apart() {
        for (path, line, expected) in [
            ("a.rs", "let x = \"a\\\"b\"; // ok 1", "<let> x = [\"a\\\"b\"]; (// ok 1)"),
            ("a.rs", "letter + 0x1f", "letter + #0x1f#"),
            ("x/a.py", "def f(): # 'x'", "<def> f(): (# 'x')"),
            ("a.sql", "select 'it' -- x", "<select> ['it'] (-- x)"),
            ("a.ts", "/* a */ const b", "(/* a */) <const> b"),
            ("a.c", " * middle", "( * middle)"),
            ("a.json", "{\"a\": true}", "{[\"a\"]: <true>}"),
            ("a.js", "'open", "['open]"),
            ("README", "let x", "let x"),
            ("a.xyz", "let x", "let x"),
        ] {
            assert_eq!(told(path, line), expected, "{path}");
        }
    }

    #[test]
    fn nothing_is_lost_whatever_the_line() {
        for line in ["", "é\"é", "\\", "'\\", "/*", "*/ x", "a\u{202e}b 1٣", "\"\\", "#", "__a9 9a__"] {
            for path in ["a.rs", "a.py", "a.sql", "a.css", "a"] {
                let whole: String = tokens(language(path), line).into_iter().map(|(_, text)| text).collect();
                assert_eq!(whole, line, "{path}");
            }
        }
    }
}
