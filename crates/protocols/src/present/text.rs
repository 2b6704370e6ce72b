//! A subject as plain text: for terminals, mail, and wherever drawing is impossible.

use holdpoint_core::text::{inert, inert_line};

use super::{Block, Content, FOLDERS, LineChange, Subject};

impl Subject {
    /// Formats all of it like a card: the parts of a command are on separate lines.
    pub fn sheet(&self) -> String {
        let broken = |block: &Block| match &block.content {
            Content::Command(text) if inert(text) == *text => {
                let parts = super::parts(text).filter(|parts| parts.len() > 1).unwrap_or_default();
                let line =
                    |part: &super::ShellPart| part.iter().map(|(_, text)| text.as_str()).collect::<String>();
                let lines: Vec<String> = parts.iter().map(|part| line(part).trim_end().to_owned()).collect();
                let content =
                    Content::Command(if lines.is_empty() { text.clone() } else { lines.join("\n") });
                Block { name: block.name.clone(), content }
            }
            _ => block.clone(),
        };
        Self { blocks: self.blocks.iter().map(broken).collect(), ..self.clone() }.text()
    }

    /// Formats all of it, over as many lines as needed.
    pub fn text(&self) -> String {
        if let [Block { name: None, content }] = self.blocks.as_slice()
            && !matches!(content, Content::Command(_) | Content::Sql(_))
            && self.remarks.is_empty()
        {
            return content.text();
        }
        let parts = self.blocks.iter().map(|block| self.part(block));
        let remarks = self.remarks.iter().map(|remark| format!("Warning: {}.", inert_line(remark)));
        parts.chain(remarks).collect::<Vec<_>>().join("\n")
    }

    /// Formats all of it on one line; none if it has several lines or nested values, is longer than this many
    /// characters, or could be mistaken for other parts.
    pub fn row(&self, most: usize) -> Option<String> {
        const BETWEEN: &str = " · ";
        let part = |block: &Block| match &block.name {
            Some(name) => format!("{}: {}", shown_name(name), block.content.text()),
            None => block.content.text(),
        };
        let parts: Vec<String> = self.blocks.iter().map(part).collect();
        let line = parts.join(BETWEEN);
        let is_data = self.blocks.iter().any(|block| matches!(block.content, Content::Data(_)));
        let is_plain =
            !is_data && !line.contains('\n') && !parts.iter().any(|part| part.contains(BETWEEN.trim()));
        (is_plain && line.chars().count() <= most).then_some(line)
    }

    /// Summarises it in one line: the command, the changed file and the size of the change, the host. This is usually
    /// not all of it.
    pub fn line(&self, most: usize) -> String {
        let Some(first) = self.blocks.first() else { return String::new() };
        let line = match (&first.content, first.name.as_deref()) {
            (Content::Diff(lines), Some(path)) if self.title == "File" => {
                let count = lines.len();
                let lines = if count == 1 { "1 line".to_owned() } else { format!("{count} lines") };
                format!("Write {}, {lines}", shown_name(self.relative_to_folder(path)))
            }
            (Content::Diff(_), Some(path)) => {
                let changes = |block: &&Block| matches!(block.content, Content::Diff(_));
                let others = self
                    .blocks
                    .iter()
                    .filter(changes)
                    .filter(|block| block.name.as_deref() != Some(path))
                    .count();
                let others = if others > 0 { format!(" and {others} more") } else { String::new() };
                format!("Edit {}{others} {}", shown_name(self.relative_to_folder(path)), self.changed())
            }
            (Content::Money(_), _) => {
                let ways = self.blocks.iter().filter_map(|block| match &block.content {
                    Content::Money(way) => Some(way.as_str()),
                    _ => None,
                });
                format!("Pay {}", ways.collect::<Vec<_>>().join(" or "))
            }
            (Content::Text(tool), Some("tool" | "tool_name")) => tool.clone(),
            (Content::Data(data), name) => {
                let name = name.map_or_else(String::new, |name| format!("{}: ", shown_name(name)));
                format!("{name}{}", data.extent())
            }
            (content, name) => {
                let text = content.text();
                let mut lines = text.lines().filter(|line| !line.trim().is_empty());
                let start = lines.next().unwrap_or_default().trim();
                let is_prose = matches!(content, Content::Prose(_));
                let start =
                    if is_prose { start.trim_start_matches('#').trim_start() } else { start }.to_owned();
                let start = name.map(|name| format!("{}: {start}", shown_name(name))).unwrap_or(start);
                if lines.next().is_some() { format!("{start} …") } else { start }
            }
        };
        let line = inert_line(&line);
        if line.chars().count() <= most {
            return line;
        }
        line.chars().take(most.saturating_sub(1)).collect::<String>() + "…"
    }

    /// Returns a path as seen from the folder of the call, if it lies below that.
    fn relative_to_folder<'a>(&self, path: &'a str) -> &'a str {
        let folder = self.blocks.iter().find_map(|block| match (&block.name, &block.content) {
            (Some(name), Content::Text(folder)) if FOLDERS.contains(&name.as_str()) => Some(folder.as_str()),
            _ => None,
        });
        let folder = folder.map(|folder| folder.trim_end_matches('/')).filter(|folder| !folder.is_empty());
        let below = folder.and_then(|folder| path.strip_prefix(folder)?.strip_prefix('/'));
        below.filter(|path| !path.is_empty() && !path.starts_with('/')).unwrap_or(path)
    }

    /// Describes its size, if that is worth mentioning: the parts of a command, the changed lines.
    pub fn extent(&self) -> Option<String> {
        match &self.blocks.first()?.content {
            Content::Command(text) => {
                let count = super::parts(text)?.len();
                (count > 1).then(|| format!("{count} parts"))
            }
            Content::Diff(_) => Some(self.changed().to_string()),
            _ => None,
        }
    }

    /// Counts the changed lines.
    fn changed(&self) -> Changed {
        let mut changed = Changed::default();
        for block in &self.blocks {
            if let Content::Diff(lines) = &block.content {
                changed.added += lines.iter().filter(|line| line.mark == LineChange::Added).count();
                changed.removed += lines.iter().filter(|line| line.mark == LineChange::Removed).count();
            }
        }
        changed
    }

    /// Formats a part. One with several lines is indented, so that none of them can pass for another part.
    fn part(&self, block: &Block) -> String {
        let text = block.content.text();
        let name = || block.name.as_ref().map_or_else(|| self.title.to_lowercase(), |name| shown_name(name));
        match (&block.content, &block.name) {
            (Content::Data(data), _) => format!("{} ({}):\n{}", name(), data.extent(), set_in(&text)),
            (_, None) if !text.contains('\n') => text,
            (_, Some(name)) if !text.contains('\n') => format!("{}: {text}", shown_name(name)),
            _ => format!("{}:\n{}", name(), set_in(&text)),
        }
    }
}

/// How many lines are added and removed.
#[derive(Clone, Copy, Debug, Default)]
struct Changed {
    added: usize,
    removed: usize,
}

impl std::fmt::Display for Changed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "+{} −{}", self.added, self.removed)
    }
}

fn set_in(text: &str) -> String {
    text.lines().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")
}

/// Formats a name as it was sent; as JSON if it could be mistaken for another, or for more than a name.
pub fn shown_name(name: &str) -> String {
    let line = inert_line(name);
    // The size of a nested value is given after its name.
    let is_counted = name.ends_with(')') && name.contains(" (");
    if !name.is_empty() && line == name && !name.contains(": ") && !name.starts_with('-') && !is_counted {
        return line;
    }
    inert(&serde_json::Value::from(name).to_string())
}

impl Content {
    /// Formats it as plain text.
    pub fn text(&self) -> String {
        match self {
            Self::Diff(lines) => {
                let line = |line: &super::Line| format!("{} {}", line.mark.sign(), line.shown());
                lines.iter().map(line).collect::<Vec<_>>().join("\n")
            }
            Self::Data(data) => data.text(),
            Self::Address { before, host, after, sent: None, .. } => inert(&format!("{before}{host}{after}")),
            Self::Address { before, host, after, sent: Some(sent), .. } => {
                inert(&format!("{before}{host}{after} (sent as {before}{sent}{after})"))
            }
            Self::Command(text)
            | Self::Patch(text)
            | Self::Sql(text)
            | Self::Prose(text)
            | Self::Money(text)
            | Self::Text(text) => inert(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::of_value;

    #[test]
    fn a_changed_file_is_named_from_the_folder_of_the_call() {
        for (folder, path, expected) in [
            ("/srv/shop", "/srv/shop/src/vat.rs", "Edit src/vat.rs +1 −1"),
            ("/srv/shop/", "/srv/shop/src/vat.rs", "Edit src/vat.rs +1 −1"),
            ("/srv/shop", "/srv/shopping/vat.rs", "Edit /srv/shopping/vat.rs +1 −1"),
            ("/srv/shop", "/srv/shop//etc/passwd", "Edit /srv/shop//etc/passwd +1 −1"),
            ("/srv/shop", "/etc/passwd", "Edit /etc/passwd +1 −1"),
            ("/", "/etc/passwd", "Edit /etc/passwd +1 −1"),
        ] {
            let input = json!({"file_path": path, "old_string": "a", "new_string": "b"});
            let subject = of_value(&json!({"tool": "Edit", "input": input, "cwd": folder}));
            assert_eq!(subject.line(80), expected);
        }
    }
}
