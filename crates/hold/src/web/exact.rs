//! Prose that somebody consents to: every sign of it as it was written. Headings, code and tables are set apart, and nothing is
//! taken for markup that would not be shown.

use holdpoint_core::text::inert;
use maud::{Markup, html};

use super::long;

/// What lines of prose are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    Heading,
    Code,
    Text,
}

/// Shows a text in full, without a box of its own that would have to be scrolled.
pub(super) fn shown(text: &str) -> Markup {
    let source = inert(text);
    html! {
        div .exact dir="auto" {
            @for (look, part) in parts(&source) {
                @match look {
                    Look::Heading => p .heading { (part) },
                    Look::Code => div .mono { (long::text(part)) },
                    Look::Text => div { (long::text(part)) },
                }
            }
        }
    }
}

/// Takes a text apart into runs of lines that look alike; together they are the text.
fn parts(source: &str) -> Vec<(Look, &str)> {
    let mut parts: Vec<(Look, usize, usize)> = Vec::new();
    let (mut at, mut fence) = (0, None);
    for line in source.split_inclusive('\n') {
        let start = line.trim_start();
        let marks = start.bytes().take_while(|byte| *byte == b'#').count();
        let fences = ["```", "~~~"].into_iter().find(|mark| start.starts_with(mark));
        let look = match (fence, fences) {
            (None, Some(mark)) => {
                fence = Some(mark);
                Look::Code
            }
            (Some(open), Some(mark)) if open == mark => {
                fence = None;
                Look::Code
            }
            (Some(_), _) => Look::Code,
            (None, None) if start.starts_with('|') => Look::Code,
            (None, None) if (1..=6).contains(&marks) && start[marks..].starts_with(' ') => Look::Heading,
            (None, None) => Look::Text,
        };
        let end = at + line.len();
        match parts.last_mut() {
            Some((last, _, until)) if *last == look && look != Look::Heading => *until = end,
            _ => parts.push((look, at, end)),
        }
        at = end;
    }
    parts.into_iter().map(|(look, from, to)| (look, &source[from..to])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sign_is_there() {
        for text in [
            "",
            "\n\n",
            "# Plan\n\n2019. January\n2023. all of it\n",
            "rm -rf /srv/data/*/cache/*.tmp and C:\\_old\\*\n",
            "```sh\n# not a heading\n~~~\n```\n| a | b |\n|---|---|\nafter",
            "> > > deep\n\n[x]: y\n<details>hidden</details>",
            "#hash\n####### seven",
        ] {
            assert_eq!(parts(text).iter().map(|(_, part)| *part).collect::<String>(), text);
            let mut words = shown(text).into_string();
            for (sign, name) in [("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")] {
                words = words.replace(sign, name);
            }
            for line in text.lines() {
                assert!(words.contains(line), "{line} in {words}");
            }
        }
    }

    #[test]
    fn headings_and_code_are_set_apart() {
        let looks: Vec<Look> =
            parts("# A\ntext\n```\n# b\n```\n|t|\n").into_iter().map(|(look, _)| look).collect();
        assert_eq!(looks, [Look::Heading, Look::Text, Look::Code]);
    }
}
