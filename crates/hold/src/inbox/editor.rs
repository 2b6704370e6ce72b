//! A text box with a cursor.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// The maximum size; a pasted file would only be refused later.
const MOST: usize = 1 << 20;

/// A text that is being edited.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Editor {
    text: String,
    /// In bytes; always on a character boundary.
    cursor: usize,
}

impl Editor {
    /// Starts with a text, and the cursor at its end.
    pub(crate) fn new(text: &str) -> Self {
        Self { cursor: text.len(), text: text.to_owned() }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Returns the text before the cursor.
    pub(crate) fn before(&self) -> &str {
        &self.text[..self.cursor]
    }

    /// Handles a key that every box knows; returns whether the text changed.
    pub(crate) fn press(&mut self, key: KeyEvent) -> bool {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let before = self.text().len();
        match key.code {
            KeyCode::Left => self.left(),
            KeyCode::Right => self.right(),
            KeyCode::Home => self.home(),
            KeyCode::End => self.end(),
            KeyCode::Char('a') if control => self.home(),
            KeyCode::Char('e') if control => self.end(),
            KeyCode::Char('w') if control => self.delete_word(),
            KeyCode::Char('u') if control => self.delete_line(),
            KeyCode::Char('h') if control => self.backspace(),
            KeyCode::Backspace => self.backspace(),
            KeyCode::Delete => self.delete(),
            KeyCode::Char(c) if !control && !c.is_control() => self.insert(c.encode_utf8(&mut [0; 4])),
            _ => {}
        }
        self.text().len() != before
    }

    pub(crate) fn insert(&mut self, typed: &str) {
        if self.text.len() + typed.len() <= MOST {
            self.text.insert_str(self.cursor, typed);
            self.cursor += typed.len();
        }
    }

    /// Deletes the character before the cursor.
    pub(crate) fn backspace(&mut self) {
        let end = self.cursor;
        self.left();
        self.text.replace_range(self.cursor..end, "");
    }

    /// Deletes the character at the cursor.
    pub(crate) fn delete(&mut self) {
        let start = self.cursor;
        self.right();
        self.text.replace_range(start..self.cursor, "");
        self.cursor = start;
    }

    /// Deletes the word before the cursor.
    pub(crate) fn delete_word(&mut self) {
        let kept = self.before().trim_end();
        let start = kept.rfind(char::is_whitespace).map_or(0, |at| at + 1);
        self.text.replace_range(start..self.cursor, "");
        self.cursor = start;
    }

    /// Deletes from the start of the line to the cursor.
    pub(crate) fn delete_line(&mut self) {
        let start = self.line_start();
        self.text.replace_range(start..self.cursor, "");
        self.cursor = start;
    }

    pub(crate) fn left(&mut self) {
        self.cursor = self.before().char_indices().next_back().map_or(0, |(at, _)| at);
    }

    pub(crate) fn right(&mut self) {
        let next = self.text[self.cursor..].chars().next().map_or(0, char::len_utf8);
        self.cursor += next;
    }

    pub(crate) fn home(&mut self) {
        self.cursor = self.line_start();
    }

    pub(crate) fn end(&mut self) {
        self.cursor += self.text[self.cursor..].find('\n').unwrap_or(self.text.len() - self.cursor);
    }

    /// Moves up a line, keeping the column if possible.
    pub(crate) fn up(&mut self) {
        let start = self.line_start();
        if start > 0 {
            let column = self.text[start..self.cursor].chars().count();
            self.cursor = start - 1;
            let above = self.line_start();
            self.cursor = byte_offset(&self.text, above, column);
        }
    }

    /// Moves down a line, keeping the column if possible.
    pub(crate) fn down(&mut self) {
        let column = self.text[self.line_start()..self.cursor].chars().count();
        if let Some(at) = self.text[self.cursor..].find('\n') {
            self.cursor = byte_offset(&self.text, self.cursor + at + 1, column);
        }
    }

    fn line_start(&self) -> usize {
        self.before().rfind('\n').map_or(0, |at| at + 1)
    }
}

/// Returns the byte position of a column in the line that starts at a position.
fn byte_offset(text: &str, start: usize, column: usize) -> usize {
    let line = text[start..].split('\n').next().unwrap_or_default();
    start + line.char_indices().nth(column).map_or(line.len(), |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Presses keys: letters are typed, others are written as signs.
    fn typed(text: &str, keys: &str) -> String {
        let mut editor = Editor::new(text);
        for key in keys.chars() {
            match key {
                '<' => editor.left(),
                '>' => editor.right(),
                '⌫' => editor.backspace(),
                '⌦' => editor.delete(),
                '^' => editor.home(),
                '$' => editor.end(),
                '↑' => editor.up(),
                '↓' => editor.down(),
                'W' => editor.delete_word(),
                'U' => editor.delete_line(),
                other => editor.insert(&other.to_string()),
            }
        }
        let after = &editor.text()[editor.before().len()..];
        format!("{}|{after}", editor.before())
    }

    #[test]
    fn keys_edit() {
        for (text, keys, expected) in [
            ("", "ab<c", "ac|b"),
            ("äöü", "<⌫", "ä|ü"),
            ("äöü", "^⌦", "|öü"),
            ("", "⌫⌦<>↑↓WU^$", "|"),
            ("one two  ", "W", "one |"),
            ("one\ntwo", "U", "one\n|"),
            ("long line\nab\nlonger line", "↑", "long line\nab|\nlonger line"),
            ("long line\nab\nlonger line", "↑↑$", "long line|\nab\nlonger line"),
            ("ab\n日本語\nx", "↑^>↓", "ab\n日本語\nx|"),
            ("a\nb", "^<", "a|\nb"),
        ] {
            assert_eq!(typed(text, keys), expected, "{text:?} {keys}");
        }
    }
}
