//! Patches in the format of Codex: files, and the changes in each. A text in any other format is shown as it is.

use super::{Block, Content, Line, LineChange, unnamed};

const BEGIN: &str = "*** Begin Patch";
const END: &str = "*** End Patch";
const FILES: [&str; 3] = ["Add File: ", "Update File: ", "Delete File: "];

/// Splits a patch into a block for each file.
pub(super) fn blocks(text: String) -> Vec<Block> {
    read(&text).unwrap_or_else(|| vec![unnamed(Content::Patch(text))])
}

/// Parses a patch; none if a line of it would be lost.
fn read(text: &str) -> Option<Vec<Block>> {
    let mut lines = text.trim_end().lines();
    if lines.next()? != BEGIN || lines.next_back()? != END {
        return None;
    }
    let mut files: Vec<(String, Vec<Line>)> = Vec::new();
    for line in lines {
        let header = line.strip_prefix("*** ");
        if let Some(path) = header.and_then(|header| FILES.iter().find_map(|verb| header.strip_prefix(verb)))
        {
            if path.trim().is_empty() {
                return None;
            }
            // A file that is added or deleted, rather than changed, is marked as such.
            let says =
                (header != Some(&format!("Update File: {path}"))).then(|| marked(LineChange::Same, line));
            files.push((path.to_owned(), says.into_iter().collect()));
            continue;
        }
        let (_, changed) = files.last_mut()?;
        let is_note = line.starts_with("@@")
            || header.is_some_and(|header| header.starts_with("Move to: ") || header == "End of File");
        changed.push(if is_note { marked(LineChange::Same, line) } else { change(line)? });
    }
    let block = |(name, lines)| Block { name: Some(name), content: Content::Diff(lines) };
    (!files.is_empty()).then(|| files.into_iter().map(block).collect())
}

fn change(line: &str) -> Option<Line> {
    let Some(first) = line.chars().next() else { return Some(marked(LineChange::Same, line)) };
    let mark = match first {
        '+' => LineChange::Added,
        '-' => LineChange::Removed,
        ' ' => LineChange::Same,
        _ => return None,
    };
    Some(marked(mark, &line[1..]))
}

fn marked(mark: LineChange, text: &str) -> Line {
    Line { mark, text: text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        let words = |block: Block| match block.content {
            Content::Diff(lines) => {
                let lines = lines.iter().map(|line| format!("{}{}", line.mark.sign(), line.text));
                format!("{}|{}", block.name.unwrap_or_default(), lines.collect::<Vec<_>>().join("|"))
            }
            Content::Patch(_) => "as it is".to_owned(),
            _ => block.name.unwrap_or_default(),
        };
        blocks(text.to_owned()).into_iter().map(words).collect()
    }

    #[test]
    fn each_file_of_a_patch_is_a_diff() {
        let text = "*** Begin Patch\n*** Update File: a.rs\n*** Move to: b.rs\n@@ fn main() {\n let x = 1;\n\n-old\n+new\n\
                    *** End of File\n*** Add File: c.txt\n+hello\n*** Delete File: d.txt\n*** End Patch\n";
        let expected = [
            "a.rs| *** Move to: b.rs| @@ fn main() {| let x = 1;| |-old|+new| *** End of File",
            "c.txt| *** Add File: c.txt|+hello",
            "d.txt| *** Delete File: d.txt",
        ];
        assert_eq!(shown(text), expected);
    }

    #[test]
    fn what_is_no_patch_of_this_form_is_shown_as_it_is() {
        for text in [
            "*** Begin Patch\n*** End Patch",
            "*** Begin Patch\n+lost\n*** End Patch",
            "*** Begin Patch\n*** Update File: a\nwhat is this\n*** End Patch",
            "*** Begin Patch\n*** Update File: a\n+x",
            "*** Begin Patch\n*** Update File: a\n+x\n*** End Patch\nrm -rf /",
            "*** Begin Patch\n*** Run: rm\n*** End Patch",
            "*** Begin Patch\n*** Update File: \n+x\n*** End Patch",
            "*** Begin Patch",
            "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b",
        ] {
            assert_eq!(shown(text), ["as it is"], "{text}");
        }
    }
}
