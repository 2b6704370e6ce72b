//! The headline of a decision, for one line among others.

use holdpoint_core::text::inert_line;
use holdpoint_core::{Decision, Source};

use super::Subject;

/// The length up to which a subject is shown in full on one line, and of the line that summarises a longer one.
const WHOLE: usize = 160;
const ABOUT: usize = 120;
/// The separator between a subject and its title.
const BETWEEN: &str = " — ";

impl Subject {
    /// Returns it on one line: in full if that fits, otherwise summarised.
    pub fn headline(&self) -> String {
        self.row(WHOLE).unwrap_or_else(|| self.line(ABOUT))
    }

    /// Returns what it is, without its context; if its kind is unknown, as much as fits.
    pub fn name(&self) -> String {
        if ["Subject", "Data", "Tool call"].contains(&self.title) {
            self.headline()
        } else {
            self.line(ABOUT)
        }
    }
}

/// Summarises a decision in a line of at most this many characters: what would be done, followed by the title if that
/// says more. A plan and a verdict are identified by their titles.
pub fn headline(decision: &Decision, most: usize) -> String {
    // Processing a whole page of text for one line of it would be wasteful.
    let title = inert_line(&decision.summary().chars().take(most.saturating_mul(4)).collect::<String>());
    let is_told = !matches!(decision.source, Source::Plan | Source::Verdict);
    match super::subject(decision).filter(|_| is_told) {
        None => cut(&title, most),
        // Of data whose meaning is not known the title says more than the member that happens to come first.
        Some(subject) if subject.title == "Data" => {
            let title = cut(&title, most);
            cut(&format!("{title}{BETWEEN}{}", subject.name()), most)
        }
        Some(subject) if repeats(decision, &subject) => cut(&subject.name(), most),
        Some(subject) => {
            let title = cut(&title, most / 3);
            let room = most.saturating_sub(BETWEEN.chars().count() + title.chars().count());
            format!("{}{BETWEEN}{title}", cut(&subject.name(), room))
        }
    }
}

fn cut(line: &str, most: usize) -> String {
    match line.char_indices().nth(most) {
        None => line.to_owned(),
        Some(_) => line.chars().take(most.saturating_sub(1)).collect::<String>() + "…",
    }
}

/// Returns whether a title only repeats the subject, like those of coding agents' hooks: `Bash: cargo test`.
pub fn repeats(decision: &Decision, subject: &Subject) -> bool {
    let Some(title) = decision.title.as_deref() else { return false };
    let said = match title.split_once(": ") {
        Some((tool, said)) if !tool.contains(' ') => said,
        _ => title,
    };
    let all = subject.text();
    said.trim_end_matches('…').split(", ").all(|part| all.contains(part))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn of_unknown_data_the_title_comes_first() {
        let given = json!({"title": "Change the load balancer", "subject": {"drain": true, "weight": 3}});
        let decision = crate::channel::tests::decision(&given);
        assert_eq!(headline(&decision, 80), "Change the load balancer — drain: true · weight: 3");
        assert_eq!(headline(&decision, 10), "Change th…");
    }

    #[test]
    fn the_title_stands_beside_the_subject_only_where_it_says_more() {
        let decision = |title: &str, command: &str| -> Decision {
            let subject = json!({"tool": "Bash", "input": {"command": command}});
            crate::channel::tests::decision(&json!({"title": title, "subject": subject}))
        };
        for (title, command, most, expected) in [
            ("Bash", "make", 80, "make"),
            ("Bash: make", "make", 80, "make"),
            ("Deploy?", "make", 80, "make — Deploy?"),
            ("Deploy it now?", "make all of it, and more", 30, "make all of it, … — Deploy it…"),
        ] {
            assert_eq!(headline(&decision(title, command), most), expected);
        }
    }
}
