//! The conflicts between two changes that cannot be merged, as far as a card can show them.

use holdpoint_core::text::{inert, quote};

use super::Repo;

/// How many files are read.
const FILES: usize = 10;
/// How many lines of one conflict are shown.
const LINES: usize = 30;
/// How many characters all of them may have.
const CHARACTERS: usize = 3_000;

impl Repo {
    /// Returns the conflicts in a merged tree, with both sides named; nothing if none can be shown.
    pub(super) async fn conflicts(&self, tree: &str, files: &[String], head: &str, change: &str) -> String {
        let mut shown = String::new();
        for path in files.iter().take(FILES) {
            let Ok(bytes) = self.git(&["cat-file", "blob", &format!("{tree}:{path}")]).done().await else {
                continue;
            };
            let text = String::from_utf8_lossy(&bytes);
            for place in places(&text, head, change) {
                let place = format!("{}:\n{}\n", quote(path), inert(&place));
                if shown.chars().count() + place.chars().count() > CHARACTERS {
                    shown.push_str("… there is more\n");
                    return shown;
                }
                shown.push_str(&place);
            }
        }
        shown
    }
}

/// Finds the conflicts in a file.
fn places(text: &str, head: &str, change: &str) -> Vec<String> {
    let (begin, end) = (format!("<<<<<<< {head}"), format!(">>>>>>> {change}"));
    let mut found = Vec::new();
    let mut open: Option<Vec<&str>> = None;
    for line in text.lines() {
        if line.starts_with(&begin) {
            open = Some(Vec::new());
        } else if line.starts_with(&end) {
            found.extend(open.take().map(|lines| conflict_text(&lines)));
        } else if let Some(lines) = &mut open {
            lines.push(line);
        }
    }
    found
}

/// Writes one conflict, cut if it is long.
fn conflict_text(lines: &[&str]) -> String {
    /// How much of a line is shown.
    const WIDTH: usize = 200;
    let middle = lines.iter().position(|line| *line == "=======").unwrap_or(lines.len());
    let (ours, theirs) = lines.split_at(middle);
    let side = |lines: &[&str]| {
        let mut side: Vec<String> =
            lines.iter().take(LINES / 2).map(|line| line.chars().take(WIDTH).collect()).collect();
        if lines.len() > LINES / 2 {
            side.push(format!("… {} more lines", lines.len() - LINES / 2));
        }
        side
    };
    let mut all = vec!["<<<<<<< the branch".to_owned()];
    all.extend(side(ours));
    all.push("=======".into());
    all.extend(side(theirs.get(1..).unwrap_or_default()));
    all.push(">>>>>>> the verdict".into());
    all.join("\n")
}
