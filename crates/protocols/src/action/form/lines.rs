//! Where in a text each part of a JSON document stands, so that what is wrong can be found.

use std::collections::HashMap;

/// The lines of a document's parts, by JSON pointer.
#[derive(Debug, Default)]
pub(super) struct Lines(HashMap<String, usize>);

impl Lines {
    /// Finds the lines of a text that is known to be valid JSON.
    pub(super) fn of_json(text: &str) -> Self {
        let mut walk = JsonWalker { bytes: text.as_bytes(), text, at: 0, line: 1, lines: Self::default() };
        walk.value("");
        walk.lines
    }

    /// Notes a line.
    pub(super) fn note(&mut self, pointer: String, line: usize) {
        self.0.entry(pointer).or_insert(line);
    }

    /// Returns the line of a part, or of the nearest one around it.
    pub(super) fn line(&self, pointer: &str) -> Option<usize> {
        let mut pointer = pointer;
        loop {
            if let Some(line) = self.0.get(pointer) {
                return Some(*line);
            }
            pointer = &pointer[..pointer.rfind('/')?];
        }
    }

    /// Moves all lines down: the document begins further down in its file.
    pub(super) fn moved_by(self, more: usize) -> Self {
        Self(self.0.into_iter().map(|(pointer, line)| (pointer, line + more)).collect())
    }
}

/// Returns the pointer of a part's part.
pub(super) fn join(pointer: &str, key: &str) -> String {
    format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"))
}

struct JsonWalker<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    line: usize,
    lines: Lines,
}

impl JsonWalker<'_> {
    fn peek(&mut self) -> u8 {
        while let Some(byte) = self.bytes.get(self.at) {
            match byte {
                b'\n' => self.line += 1,
                b' ' | b'\t' | b'\r' => {}
                other => return *other,
            }
            self.at += 1;
        }
        0
    }

    /// Walks one value. It goes as deep as the document, which the strict parser has bounded.
    fn value(&mut self, pointer: &str) {
        let first = self.peek();
        self.lines.note(pointer.to_owned(), self.line);
        match first {
            b'{' => self.members(pointer),
            b'[' => self.items(pointer),
            b'"' => {
                self.string();
            }
            _ => {
                while self.bytes.get(self.at).is_some_and(|byte| !b",]} \t\r\n".contains(byte)) {
                    self.at += 1;
                }
            }
        }
    }

    fn members(&mut self, pointer: &str) {
        self.at += 1;
        while self.peek() == b'"' {
            let line = self.line;
            let key = self.string();
            let inner = join(pointer, &key);
            // People look for the line with the key.
            self.lines.note(inner.clone(), line);
            if self.peek() == b':' {
                self.at += 1;
            }
            self.value(&inner);
            if self.peek() != b',' {
                break;
            }
            self.at += 1;
        }
        self.at += 1;
    }

    fn items(&mut self, pointer: &str) {
        self.at += 1;
        let mut count = 0;
        while !matches!(self.peek(), b']' | 0) {
            self.value(&join(pointer, &count.to_string()));
            count += 1;
            if self.peek() != b',' {
                break;
            }
            self.at += 1;
        }
        self.at += 1;
    }

    fn string(&mut self) -> String {
        let start = self.at;
        self.at += 1;
        while let Some(byte) = self.bytes.get(self.at) {
            self.at += 1;
            match byte {
                b'\\' => self.at += 1,
                b'"' => break,
                _ => {}
            }
        }
        let raw = self.text.get(start..self.at).unwrap_or("\"\"");
        serde_json::from_str(raw).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_has_its_line() {
        let text = "{\n \"a\": [1,\n  {\"b/c\": \"x\\\"\\n\"}],\n\n \"d\":\n {}}";
        let lines = Lines::of_json(text);
        for (pointer, line) in
            [("", 1), ("/a", 2), ("/a/0", 2), ("/a/1", 3), ("/a/1/b~1c", 3), ("/d", 5), ("/d/none/such", 5)]
        {
            assert_eq!(lines.line(pointer), Some(line), "{pointer}");
        }
        assert_eq!(Lines::default().line("/a"), None);
    }
}
