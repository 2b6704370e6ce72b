//! Names of files in patches and trees, and which of them are misleading.

use holdpoint_core::text::quote;

use super::GitError;

/// Reads the name of a file, and refuses a misleading one.
pub(super) fn name(bytes: &[u8]) -> Result<String, GitError> {
    let path = std::str::from_utf8(bytes).map_err(|_| {
        GitError::unfit(format!("the name {} is not UTF-8", quote(&String::from_utf8_lossy(bytes))))
    })?;
    let shown = quote(path);
    if path.starts_with('/') {
        return Err(absolute(path));
    }
    for part in path.split('/') {
        if part == ".." {
            return Err(GitError::unfit(format!("{shown} is outside the work tree")));
        }
        if is_gits(part) {
            return Err(GitError::unfit(format!("{shown} belongs to git itself, and no patch touches that")));
        }
    }
    Ok(path.to_owned())
}

/// Returns whether some file system takes a name for git's own folder: one that ignores case and invisible characters,
/// or dots and spaces at the end, streams and short names. Git checks the same if `core.protectHFS` and
/// `core.protectNTFS` are set; a patch may be checked out anywhere.
pub(super) fn is_gits(part: &str) -> bool {
    let unseen = |c: &char| matches!(c, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}');
    // A character that is part of a name on one system separates names on another.
    part.split('\\').any(|part| {
        let seen: String = part.chars().filter(|c| !unseen(c)).flat_map(char::to_lowercase).collect();
        let name = seen.split(':').next().unwrap_or_default().trim_end_matches(['.', ' ']);
        name == ".git" || name == "git~1"
    })
}

/// Refuses absolute names in the headers of a patch. Git strips the first component and puts the file inside; the
/// author meant another place.
pub(super) fn check_headers(diff: &[u8]) -> Result<(), GitError> {
    // Within a hunk, only its length distinguishes its lines from a header.
    let (mut old, mut new) = (0_u64, 0_u64);
    for line in diff.split(|byte| *byte == b'\n') {
        if old > 0 || new > 0 {
            match line.first() {
                Some(b'+') => new = new.saturating_sub(1),
                Some(b'-') => old = old.saturating_sub(1),
                Some(b'\\') => {}
                _ => (old, new) = (old.saturating_sub(1), new.saturating_sub(1)),
            }
        } else if let Some(place) = line.strip_prefix(b"@@ ") {
            (old, new) = lengths(&String::from_utf8_lossy(place));
        } else if let Some(path) = line.strip_prefix(b"--- ").or_else(|| line.strip_prefix(b"+++ ")) {
            let path = String::from_utf8_lossy(path.strip_prefix(b"\"").unwrap_or(path)).into_owned();
            let path = path.split('\t').next().unwrap_or_default().trim_end();
            if path.starts_with('/') && path != "/dev/null" {
                return Err(absolute(path));
            }
        }
    }
    Ok(())
}

/// Returns the line counts before and after in `-a,b +c,d @@ …`.
fn lengths(place: &str) -> (u64, u64) {
    let length = |word: Option<&str>| {
        let span = word.and_then(|word| word.get(1..)).unwrap_or_default();
        let count = span.split_once(',').map_or("1", |(_, count)| count);
        count.parse().unwrap_or(0)
    };
    let mut words = place.split(' ');
    (length(words.next()), length(words.next()))
}

fn absolute(path: &str) -> GitError {
    GitError::unfit(format!("{} is an absolute path; use one inside the work tree", quote(path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_gits_own_folder_are_known_in_every_guise() {
        for bad in [
            ".git",
            ".GIT",
            ".git.",
            ".git ",
            ".git . ",
            ".git::$INDEX_ALLOCATION",
            "git~1",
            "GIT~1",
            "git~1.",
            ".g\u{200c}it",
            "\u{feff}.git",
            ".gi\u{202e}T",
            ".git\\hooks",
            "x\\.git",
            ".git .:x",
        ] {
            assert!(is_gits(bad), "{bad:?}");
            assert!(name(format!("sub/{bad}/config").as_bytes()).is_err(), "{bad:?}");
        }
        for fine in [".gitignore", "git", "git~2", ".github", "a.git", ".git-x", "gi\u{200c}t"] {
            assert!(!is_gits(fine), "{fine:?}");
        }
    }

    #[test]
    fn absolute_names_are_told_from_lines_that_look_like_them() {
        let fine = "--- /dev/null\n+++ b/x\n@@ -0,0 +1,2 @@\n+++ /etc/x\n+--- /etc/y\n";
        assert!(check_headers(fine.as_bytes()).is_ok());
        let taken_away = "--- a/x\n+++ b/x\n@@ -1,2 +1 @@ --- /etc/x\n--- /etc/x\n same\n";
        assert!(check_headers(taken_away.as_bytes()).is_ok());
        for bad in [
            "--- /etc/x\n+++ /etc/x\n@@ -0,0 +1 @@\n+x\n",
            "--- a/x\n+++ \"/etc/x\\t\"\n@@ -1 +1 @@\n-a\n+b\n",
            "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n--- /home/x\t2026-01-01\n+++ b/x\n",
        ] {
            let fault = check_headers(bad.as_bytes()).unwrap_err();
            assert!(fault.why.contains("absolute"), "{fault}");
        }
        assert!(check_headers(b"@@ x @@\n@@ -1,9999999999999999999999 +1 @@\n\xff").is_ok());
    }
}
