//! Breaks text into lines of a width. Everything that an agent wrote goes through here: zero-width characters cannot
//! pile up, and no more text is processed than is shown.

use holdpoint_core::text::inert;
use unicode_width::UnicodeWidthChar as _;

/// How many combining marks one letter may have: more would be a single cell that fills a page.
const MARKS: usize = 4;
/// How a tab is displayed.
const TAB: &str = "    ";

/// Wrapped lines.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Wrapped {
    pub(crate) lines: Vec<String>,
    /// Whether there would have been more lines.
    pub(crate) more: bool,
}

/// Breaks a text that is already inert into at most `most` lines, between words if possible.
pub(crate) fn wrap(text: &str, width: usize, most: usize) -> Wrapped {
    let width = width.max(1);
    let mut wrapped = Wrapped::default();
    for paragraph in text.split('\n') {
        if wrapped.lines.len() >= most {
            wrapped.more = true;
            break;
        }
        break_up(paragraph, width, 0, most, &mut wrapped);
    }
    wrapped
}

/// Breaks prose that is already inert into lines; continuation lines are aligned below the first word after the
/// indent and the mark of a list or a quote.
pub(crate) fn hanging(text: &str, width: usize) -> Wrapped {
    let width = width.max(1);
    let mut wrapped = Wrapped::default();
    for paragraph in text.split('\n') {
        // The indent must leave room for the text.
        let hang = Some(lead(paragraph)).filter(|lead| lead * 2 <= width && width > 3).unwrap_or(0);
        break_up(paragraph, width, hang, usize::MAX, &mut wrapped);
    }
    wrapped
}

/// Returns the width of a line's indent, including list and quote marks.
fn lead(line: &str) -> usize {
    let mut rest = line;
    loop {
        let text = rest.trim_start_matches(' ');
        let number = text.trim_start_matches(|c: char| c.is_ascii_digit());
        let marks =
            if number.len() < text.len() { [". ", ") ", ". ", ") "] } else { ["- ", "* ", "+ ", "> "] };
        match marks.iter().find_map(|mark| number.strip_prefix(mark)) {
            Some(after) => rest = after,
            None => return line.len() - text.len(),
        }
    }
}

/// Makes the head of a text inert and breaks it into lines.
pub(crate) fn head(text: &str, width: usize, most: usize) -> Wrapped {
    // Bounds the characters of each line: the rest cannot be visible.
    let room = (width + MARKS).saturating_mul(most).saturating_mul(2);
    match text.char_indices().nth(room) {
        Some((cut, _)) => Wrapped { more: true, ..wrap(&inert(&text[..cut]), width, most) },
        None => wrap(&inert(text), width, most),
    }
}

/// Cuts a line to a width, with a sign that there was more.
pub(crate) fn cut(line: &str, width: usize) -> String {
    let mut out = String::new();
    let (mut used, mut marks) = (0, 0);
    let mut letters = line.chars().peekable();
    while let Some(c) = letters.next() {
        let wide = c.width().unwrap_or(0);
        marks = if wide == 0 { marks + 1 } else { 0 };
        if marks > MARKS {
            continue;
        }
        let room = if letters.peek().is_some() { width.saturating_sub(1) } else { width };
        if used + wide > room {
            if width > 0 {
                out.push('…');
            }
            return out;
        }
        used += wide;
        out.push(c);
    }
    out
}

/// Breaks a line; continuation lines are indented by `hang`.
fn break_up(paragraph: &str, width: usize, hang: usize, most: usize, wrapped: &mut Wrapped) {
    let (mut line, mut used, mut marks) = (String::new(), 0, 0);
    // The last place where the line can be broken.
    let mut space: Option<usize> = None;
    let mut push = |line: String| {
        if wrapped.lines.len() < most {
            wrapped.lines.push(line);
            return true;
        }
        wrapped.more = true;
        false
    };
    for c in paragraph.chars() {
        let wide = if c == '\t' { TAB.len() } else { c.width().unwrap_or(0) };
        marks = if wide == 0 { marks + 1 } else { 0 };
        if marks > MARKS {
            continue;
        }
        if used + wide > width && used > 0 {
            let rest = match space.filter(|at| *at > hang) {
                Some(at) => line.split_off(at).trim_start().to_owned(),
                None => String::new(),
            };
            let is_start = rest.is_empty();
            let ended = std::mem::replace(&mut line, format!("{}{rest}", " ".repeat(hang)));
            if !push(ended.trim_end().to_owned()) {
                return;
            }
            used = line.chars().map(|c| c.width().unwrap_or(0)).sum();
            space = None;
            if c == ' ' && is_start {
                continue;
            }
        }
        if c == ' ' || c == '\t' {
            space = Some(line.len());
        }
        if c == '\t' {
            line.push_str(TAB);
        } else {
            line.push(c);
        }
        used += wide;
    }
    push(line);
}

#[cfg(test)]
mod tests {
    use super::*;
    use unicode_width::UnicodeWidthStr as _;

    fn lines(text: &str, width: usize) -> Vec<String> {
        wrap(text, width, 100).lines
    }

    #[test]
    fn lines_break_between_words() {
        assert_eq!(lines("one two three", 8), ["one two", "three"]);
        assert_eq!(lines("one two", 7), ["one two"]);
        assert_eq!(lines("abcdefghij", 4), ["abcd", "efgh", "ij"]);
        assert_eq!(lines("a bcdefghij", 4), ["a", "bcde", "fghi", "j"]);
        assert_eq!(lines("日本語 日本", 5), ["日本", "語", "日本"]);
        assert_eq!(lines("a\n\n  b", 9), ["a", "", "  b"]);
        assert_eq!(lines("\ta", 9), ["    a"]);
    }

    #[test]
    fn no_line_is_too_wide_and_nothing_is_lost() {
        let text =
            "The quick  brown fox, 日本語のテキスト and averyveryverylongwordindeed with   gaps ".repeat(20);
        for width in 1..60 {
            let lines = wrap(&text, width, usize::MAX).lines;
            for line in &lines {
                assert!(line.width() <= width.max(2), "{width}: {line:?}");
            }
            let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            assert_eq!(letters(&lines.join("")), letters(&text), "{width}");
        }
    }

    #[test]
    fn lists_keep_their_shape() {
        for (text, width, expected) in [
            ("- one two three", 10, vec!["- one two", "  three"]),
            ("12. one two three", 12, vec!["12. one two", "    three"]),
            ("  > - one two three", 14, vec!["  > - one two", "      three"]),
            ("one two three", 8, vec!["one two", "three"]),
            ("- abcdefghij", 6, vec!["- abcd", "  efgh", "  ij"]),
            ("        deep down", 9, vec!["", "deep down"]),
        ] {
            assert_eq!(hanging(text, width).lines, expected, "{text:?}");
        }
        let text =
            "- The quick  brown fox\n  1. 日本語のテキスト and averyveryverylongwordindeed\n> with   gaps "
                .repeat(9);
        let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        for width in 1..60 {
            let lines = hanging(&text, width).lines;
            assert!(lines.iter().all(|line| line.width() <= width.max(2)), "{width}");
            assert_eq!(letters(&lines.join("")), letters(&text), "{width}");
        }
    }

    #[test]
    fn no_more_is_made_than_is_asked_for() {
        let long = "word ".repeat(200_000);
        let wrapped = head(&long, 40, 3);
        assert_eq!((wrapped.lines.len(), wrapped.more), (3, true));
        assert!(!head("short", 40, 3).more);
        assert!(head("a\nb\nc\nd", 40, 3).more);
        assert!(!head("a\nb\nc", 40, 3).more);
    }

    #[test]
    fn marks_do_not_pile_up() {
        let zalgo = format!("a{}b", "\u{301}".repeat(100_000));
        assert!(wrap(&zalgo, 10, 5).lines[0].len() < 20);
        assert!(cut(&zalgo, 10).len() < 20);
    }

    #[test]
    fn cuts_say_so() {
        for (line, width, expected) in [
            ("abc", 3, "abc"),
            ("abcd", 3, "ab…"),
            ("日本語", 5, "日本…"),
            ("abc", 0, ""),
            ("日本", 4, "日本"),
        ] {
            assert_eq!(cut(line, width), expected);
        }
    }
}
