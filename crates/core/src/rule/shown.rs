//! The conditions of a rule, shown in one line.

use std::fmt;

use super::{CommandPattern, More, ValuePattern, When, WordPattern};

impl fmt::Display for When {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if let Some(command) = &self.command {
            parts.push(format!("command `{command}`"));
        }
        match &self.tool {
            Some(server) if self.looking && self.path.is_none() => {
                parts.push(format!("any tool of {server} that only reads"));
            }
            Some(tool) => parts.push(format!("tool {tool}")),
            None => {}
        }
        if let Some(path) = &self.path {
            parts.push(format!("{}path {path}", if self.looking { "reading " } else { "" }));
        }
        for (pointer, pattern) in self.input.iter().flatten() {
            parts.push(match pattern {
                ValuePattern::Like(glob) => format!("{pointer} like {}", glob.glob),
                ValuePattern::Exact(value) => format!("{pointer} = {value}"),
            });
        }
        if let Some(digest) = &self.digest {
            parts.push(format!("this exact request ({})", crate::text::start(digest, 15)));
        }
        if let Some(title) = &self.title {
            parts.push(format!("title like {title}"));
        }
        if let Some(source) = self.source {
            parts.push(format!("source {}", source.name()));
        }
        if let Some(owner) = self.owner {
            parts.push(format!("owner {}", owner.name()));
        }
        if let Some(asked_by) = &self.asked_by {
            let with = self.asked_with.as_ref().map(|id| format!(" ({id})")).unwrap_or_default();
            parts.push(format!("asked by {asked_by}{with}"));
        }
        f.write_str(&crate::text::inert_line(&parts.join(", ")))
    }
}

impl CommandPattern {
    /// Returns its words in one line.
    pub(super) fn words_shown(&self) -> String {
        let words = self.words.iter().map(|word| match word {
            WordPattern::Exact(word) => crate::text::shell_word(word),
            WordPattern::Like(glob) => glob.glob.clone(),
        });
        words.collect::<Vec<_>>().join(" ")
    }
}

impl fmt::Display for CommandPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.words.is_empty() {
            f.write_str(match self.more {
                More::Pushing => "WHAT READS, BUILDS, TESTS, COMMITS OR PUSHES:",
                More::Committing => "WHAT READS, BUILDS, TESTS OR COMMITS:",
                More::Building => "WHAT READS, BUILDS OR TESTS:",
                _ => "WHAT ONLY READS:",
            })?;
        }
        f.write_str(&self.words_shown())?;
        f.write_str(match self.more {
            More::Nothing => "",
            More::Operands => " OPERANDS…",
            More::Looking | More::Building | More::Committing | More::Pushing => " OPERANDS AND OPTIONS…",
            More::Anything => " ANYTHING…",
        })?;
        if self.composite {
            f.write_str(" combined with read-only commands")?;
        }
        match &self.cwd {
            Some(cwd) => write!(f, " in {cwd}"),
            None => f.write_str(" in any folder"),
        }
    }
}
