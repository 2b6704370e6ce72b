//! Messages as documentation prints them: with comments and trailing commas. JSON has neither, and a server accepts
//! neither; read from a file, they are accepted.

/// Removes `//` comments and trailing commas from a text. Returns the result and the first line with a comment; none
/// if there is none.
pub(super) fn without_comments(text: &str) -> Option<(String, usize)> {
    let mut plain = String::with_capacity(text.len());
    let (mut first, mut line) = (None, 1);
    // A comma, and the blanks and comments seen after it so far.
    let mut comma: Option<String> = None;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        line += usize::from(c == '\n');
        if c == '/' && rest.peek() == Some(&'/') {
            first.get_or_insert(line);
            while rest.next_if(|c| *c != '\n').is_some() {}
            continue;
        }
        if let Some(held) = comma.as_mut().filter(|_| c.is_whitespace()) {
            held.push(c);
            continue;
        }
        if let Some(held) = comma.take() {
            if !matches!(c, ']' | '}') {
                plain.push(',');
            }
            plain.push_str(&held);
        }
        match c {
            ',' => comma = Some(String::new()),
            '"' => {
                plain.push(c);
                string(&mut plain, &mut rest);
            }
            _ => plain.push(c),
        }
    }
    if let Some(held) = comma {
        plain.push(',');
        plain.push_str(&held);
    }
    first.map(|first| (plain, first))
}

/// Copies a string to its end: there are no comments or trailing commas inside.
fn string(plain: &mut String, rest: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    while let Some(c) = rest.next() {
        plain.push(c);
        match c {
            '\\' => plain.extend(rest.next()),
            '"' => return,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_go_and_strings_stay() {
        for (text, plain) in [
            ("[1, // one\n 2]", "[1, \n 2]"),
            ("[1,\n // more...\n]", "[1\n \n]"),
            ("{\"a\": 1, // last\n}", "{\"a\": 1 \n}"),
            ("// first\n{\"u\": \"https://x/,]\"}", "\n{\"u\": \"https://x/,]\"}"),
            ("[\"\\\"//\", //\n \"b\"]", "[\"\\\"//\", \n \"b\"]"),
            ("[1, //", "[1, "),
        ] {
            assert_eq!(without_comments(text).unwrap().0, plain, "{text}");
        }
        assert_eq!(without_comments("{\"a\": [1,]}"), None, "a comma alone is a mistake");
        assert_eq!(without_comments("\"//\""), None);
        assert_eq!(without_comments("{\n\n  \"a\": 1 // here\n}").unwrap().1, 3);
    }
}
