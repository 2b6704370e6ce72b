//! A subject as plain text: for terminals, mail, and wherever nothing can be drawn.

use holdpoint_core::text::{inert, inert_line};

use super::{Block, Content, Mark, Subject};

impl Subject {
    /// Writes all of it, over as many lines as it takes.
    pub fn text(&self) -> String {
        if let [Block { name: None, content }] = self.blocks.as_slice()
            && !matches!(content, Content::Command(_) | Content::Sql(_))
        {
            return content.text();
        }
        self.blocks.iter().map(|block| self.part(block)).collect::<Vec<_>>().join("\n")
    }

    /// Writes all of it on one line; nothing if it has more lines, is longer than this many characters, or could be taken
    /// for other parts.
    pub fn row(&self, most: usize) -> Option<String> {
        const BETWEEN: &str = " · ";
        let part = |block: &Block| match &block.name {
            Some(name) => format!("{}: {}", shown_name(name), block.content.text()),
            None => block.content.text(),
        };
        let parts: Vec<String> = self.blocks.iter().map(part).collect();
        let line = parts.join(BETWEEN);
        let is_plain = !line.contains('\n') && !parts.iter().any(|part| part.contains(BETWEEN.trim()));
        (is_plain && line.chars().count() <= most).then_some(line)
    }

    /// A part with several lines is set in, so that none of them passes for another part.
    fn part(&self, block: &Block) -> String {
        let text = block.content.text();
        match &block.name {
            None if !text.contains('\n') => text,
            Some(name) if !text.contains('\n') => format!("{}: {text}", shown_name(name)),
            name => {
                let name = name.as_ref().map_or_else(|| self.title.to_lowercase(), |name| shown_name(name));
                let lines: Vec<String> = text.lines().map(|line| format!("  {line}")).collect();
                format!("{name}:\n{}", lines.join("\n"))
            }
        }
    }
}

/// Writes a name as it was sent; one that could be taken for another, or for more than a name, as JSON.
pub fn shown_name(name: &str) -> String {
    let line = inert_line(name);
    if !name.is_empty() && line == name && !name.contains(": ") {
        return line;
    }
    inert(&serde_json::Value::from(name).to_string())
}

impl Content {
    /// Writes it as plain text.
    pub fn text(&self) -> String {
        match self {
            Self::Diff(lines) => {
                let line = |line: &super::Line| {
                    let mark = match line.mark {
                        Mark::Same => ' ',
                        Mark::Removed => '-',
                        Mark::Added => '+',
                    };
                    format!("{mark} {}", line.shown())
                };
                lines.iter().map(line).collect::<Vec<_>>().join("\n")
            }
            Self::Address { before, host, after } => inert(&format!("{before}{host}{after}")),
            Self::Command(text)
            | Self::Patch(text)
            | Self::Sql(text)
            | Self::Prose(text)
            | Self::Money(text)
            | Self::Text(text) => inert(text),
        }
    }
}
