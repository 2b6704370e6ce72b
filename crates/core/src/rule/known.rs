//! The table of known commands, and lookups in it.
//!
//! A rule for a command that is not in the table allows no words but those that a person names.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use super::programs::local;

/// What a known command does; the table explains each kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    List,
    Look,
    Build,
    Fetch,
    Name,
    Task,
}

/// A command that is known.
#[derive(Debug)]
pub(super) struct KnownCommand {
    pub(super) kind: Kind,
    words: Vec<&'static str>,
    /// The letters of its short options.
    pub(super) letters: &'static str,
    options: Vec<&'static str>,
    /// The known tasks of a runner.
    tasks: &'static str,
}

/// The table, by the program that a line begins with.
static KNOWN: LazyLock<HashMap<&'static str, Vec<Arc<KnownCommand>>>> = LazyLock::new(|| {
    let mut known: HashMap<&'static str, Vec<Arc<KnownCommand>>> = HashMap::new();
    for entry in table().filter_map(entry).map(Arc::new) {
        for program in entry.words.first().into_iter().flat_map(|programs| programs.split(',')) {
            known.entry(program).or_default().push(Arc::clone(&entry));
        }
    }
    known
});

/// Lists the lines of the table.
fn table() -> impl Iterator<Item = &'static str> {
    include_str!("known.txt").lines().filter(|line| !line.is_empty() && !line.starts_with(['#', '@']))
}

fn entry(line: &'static str) -> Option<KnownCommand> {
    let (kind, rest) = line.split_once(' ')?;
    let kind = match kind {
        "list" => Kind::List,
        "look" => Kind::Look,
        "build" => Kind::Build,
        "fetch" => Kind::Fetch,
        "name" => Kind::Name,
        "task" => Kind::Task,
        _ => return None,
    };
    let mut columns = rest.split('|').map(str::trim);
    let mut column = || columns.next().unwrap_or_default();
    let (words, letters, options, tasks) = (column(), column(), column(), column());
    let words = words.split(' ').collect();
    let options = options.split_ascii_whitespace().flat_map(|option| match set(option) {
        Some(options) => options.split_ascii_whitespace().collect(),
        None => vec![option],
    });
    Some(KnownCommand { kind, words, letters, options: options.collect(), tasks })
}

/// Returns the options of a named set.
fn set(name: &str) -> Option<&'static str> {
    let mut sets = include_str!("known.txt").lines().filter(|line| line.starts_with('@'));
    sets.find_map(|line| line.split_once(" | ").filter(|(named, _)| *named == name))
        .map(|(_, options)| options)
}

/// Returns the known command of the given kinds that words begin with: if there are several, the longest.
pub(super) fn known<T: AsRef<str>>(words: &[T], kinds: &[Kind]) -> Option<&'static KnownCommand> {
    let program = words.first()?.as_ref();
    let of = |program: &str| KNOWN.get(program).into_iter().flatten().map(|known| &**known);
    let kept = Some(local(program)).filter(|name| *name != program);
    let candidates = of(program).chain(kept.into_iter().flat_map(of));
    let fits = |known: &&KnownCommand| kinds.contains(&known.kind) && known.begins(words);
    candidates.filter(fits).max_by_key(|known| known.words.len())
}

impl KnownCommand {
    fn begins<T: AsRef<str>>(&self, words: &[T]) -> bool {
        let is = |one: &str, word: &str| one.split(',').any(|one| one == word);
        let mut pairs = self.words.iter().zip(words).map(|(one, word)| (*one, word.as_ref()));
        let program = pairs.next();
        words.len() >= self.words.len()
            && program.is_some_and(|(one, word)| is(one, word) || is(one, local(word)))
            && pairs.all(|(one, word)| is(one, word))
    }

    /// Returns how many words its name has.
    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    /// Returns whether it has this long option.
    pub(super) fn has(&self, option: &str) -> bool {
        self.options.contains(&option)
    }

    /// Returns whether it has this task.
    pub(super) fn has_task(&self, task: &str) -> bool {
        super::programs::has(self.tasks, task)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_is_read() {
        for line in table() {
            let known = entry(line).unwrap_or_else(|| panic!("{line}"));
            assert!(known.options.iter().all(|option| option.starts_with('-')), "{line}");
            assert!(!known.letters.contains(['-', ' ']), "{line}");
        }
    }

    #[test]
    fn the_command_with_the_most_words_is_meant() {
        let known = known(&["git", "stash", "list"], &[Kind::Look]).unwrap();
        assert_eq!(known.len(), 3);
        assert!(super::known(&["vendor/bin/phpunit"], &[Kind::Build]).is_some());
        assert!(super::known(&["git"], &[Kind::Look]).is_none());
    }
}
