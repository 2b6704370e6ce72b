//! What is done with a repository and can be undone there: staging, committing, a new branch, putting changes aside, fetching.

use super::programs::{begin, has};
use super::shell::is_local;

/// Returns whether a command does nothing but that.
pub(super) fn only_commits(words: &[String]) -> bool {
    let all: Vec<&str> = words.iter().map(String::as_str).collect();
    let ["git", verb, after @ ..] = all.as_slice() else { return false };
    match *verb {
        "add" => stages(words),
        "commit" => records(after),
        "checkout" => matches!(after, ["-b", name] if is_branch(name)),
        "switch" => matches!(after, ["-c" | "--create", name] if is_branch(name)),
        // The message of what is put aside does nothing.
        "stash" => matches!(
            after,
            [] | ["pop" | "-u" | "push"] | ["push", "-u" | "--include-untracked"] | ["push", "-m", _]
        ),
        "restore" => {
            matches!(after, ["--staged", paths @ ..] if !paths.is_empty() && paths.iter().all(|path| is_local(path)))
        }
        "reset" => matches!(after, [] | ["-q" | "HEAD"]),
        // What others have pushed is brought here, beside what is there.
        "fetch" => {
            after.iter().all(|word| has("--all --prune --quiet --tags -p -q", word) || is_branch(word))
        }
        _ => false,
    }
}

/// Returns whether a command does nothing but stage files of the folder for a commit.
pub(super) fn stages(words: &[String]) -> bool {
    let is_staged = |word: &String| matches!(word.as_str(), "." | "-A" | "--all" | "-u") || is_local(word);
    begin(words, &["git", "add"]) && words.len() > 2 && words[2..].iter().all(is_staged)
}

/// Returns whether a commit has a message, or keeps the one it had, and nothing makes it pass by what checks it.
fn records(after: &[&str]) -> bool {
    let (mut is_worded, mut amends) = (false, false);
    let mut words = after.iter();
    while let Some(word) = words.next() {
        match *word {
            "-m" | "-am" | "-qm" | "--message" => {
                // A message that looks like an option may be meant as one.
                if words.next().is_none_or(|message| message.starts_with('-')) {
                    return false;
                }
                is_worded = true;
            }
            "--amend" => amends = true,
            "--no-edit" => is_worded = true,
            word if has("-a -q -s --all --allow-empty --quiet --signoff", word) || is_local(word) => {}
            _ => return false,
        }
    }
    // Only what is amended has a message to keep.
    is_worded && (amends || !after.contains(&"--no-edit"))
}

fn is_branch(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-/.".contains(c);
    name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.chars().all(is_plain)
        && !name.contains("..")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn only_what_can_be_undone_here_is_a_commit() {
        for text in [
            "git add src tests",
            "git add -A",
            "git commit -m x",
            "git commit -q -m x",
            "git commit -am x -m y",
            "git commit -m x src/a.rs",
            "git commit --amend --no-edit",
            "git commit --amend -m x",
            "git checkout -b fix/a",
            "git switch -c a",
            "git stash",
            "git stash pop",
            "git stash push -m x",
            "git restore --staged src/a.rs",
            "git reset",
            "git fetch",
            "git fetch --prune origin fix/a",
        ] {
            assert!(only_commits(&words(text)), "{text}");
        }
        for text in [
            "git",
            "git add",
            "git add .env",
            "git add -f x",
            "git add ../x",
            "git commit",
            "git commit --amend",
            "git commit --no-edit",
            "git commit -m",
            "git commit -m --no-verify",
            "git commit -m x --no-verify",
            "git commit -nm x",
            "git commit -F x",
            "git commit -c HEAD",
            "git commit -m x .env",
            "git commit -m x --author=y",
            "git checkout a",
            "git checkout -b a origin/evil",
            "git checkout -- .",
            "git switch main",
            "git switch -c -f",
            "git stash drop",
            "git stash clear",
            "git restore .",
            "git restore --staged --worktree .",
            "git reset --hard",
            "git reset HEAD~1",
            "git push",
            "git -c a=b commit -m x",
            "git merge a",
            "git fetch ext::sh",
            "git fetch ../evil",
            "git fetch /srv/evil",
            "git fetch https://evil.example/x",
            "git fetch --upload-pack=x origin",
            "git fetch origin main:main",
            "git pull",
            "git rebase a",
            "git clean -f",
        ] {
            assert!(!only_commits(&words(text)), "{text}");
        }
    }
}
