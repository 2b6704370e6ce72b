//! Whether a pattern for commands matches what a tool gives to a shell.

use serde_json::Value;

use super::command;
use super::commits::{commits_or_pushes, stages};
use super::glob::{self, Stars};
use super::line::{Line, Simple, line};
use super::matching::{ANY, GUARDED, Mismatch, is_guarded, no};
use super::programs::has;
use super::subject::Call;
use super::{
    CommandPattern, More, Then, WordPattern, files, filters, patterns, places, programs, searches, service,
    tasks, tools, usual,
};
use crate::text::quote;

/// Checks whether a pattern matches the command that a call gives.
pub(super) fn matches(pattern: &CommandPattern, call: &Call<'_>, then: Then) -> Result<(), Mismatch> {
    let Some((name, value)) = call.command() else { return no(2, "there is no command") };
    let line = match value {
        Value::String(text) => read(pattern, text, then)?,
        Value::Array(words) => {
            let words: Option<Vec<String>> =
                words.iter().map(|word| word.as_str().map(str::to_owned)).collect();
            // Who runs these may still hand them to a shell.
            let words = match words {
                Some(words) if !words.is_empty() && words.iter().all(|word| is_plain(word)) => words,
                Some(words) if pattern.is_exactly(&words) => words,
                _ => return no(2, "the command has words that a shell could read otherwise"),
            };
            Line { commands: vec![Simple::of(words)], ..Line::default() }
        }
        _ => return no(2, "the command is not a text"),
    };
    line_matches(pattern, &line, then)?;
    if let Some(other) = call.other_than(&[name]) {
        return no(6, format!("this also gives {}, which the rule does not cover", quote(other)));
    }
    if line.runs_anyway && !line.folders.is_empty() {
        // Where a folder is not there, the rest of the line runs where the shell began.
        runs_in(pattern, call.folder(), &[], then)?;
    }
    runs_in(pattern, call.folder(), &line.folders, then)
}

/// Reads a command as far as a pattern goes: what allows takes several in a line only if it says so, but what refuses or asks
/// looks at each.
fn read(pattern: &CommandPattern, text: &str, then: Then) -> Result<Line, Mismatch> {
    let simple =
        command::words(text).map(|words| Line { commands: vec![Simple::of(words)], ..Line::default() });
    let line = if pattern.composite || then != Then::Allow { simple.or_else(|_| line(text)) } else { simple };
    line.or_else(|why| no(closeness(pattern, text), format!("this is {}: {why}", quote(text))))
}

fn line_matches(pattern: &CommandPattern, line: &Line, then: Then) -> Result<(), Mismatch> {
    let mut nearest: Option<Mismatch> = None;
    let mut matched = false;
    for (at, command) in line.commands.iter().enumerate() {
        match part_matches(pattern, command, then) {
            Ok(()) => matched = true,
            // What only looks may stand beside what the rule names, and what is staged beside a commit.
            Err(why)
                if then == Then::Allow && line.commands.len() > 1 && !may_stand_beside(pattern, command) =>
            {
                return Err(why.after(at));
            }
            Err(why) => nearest = Some(why),
        }
    }
    match nearest {
        Some(why) if !matched => Err(why),
        _ => Ok(()),
    }
}

fn may_stand_beside(pattern: &CommandPattern, command: &Simple) -> bool {
    let commits = matches!(pattern.words.as_slice(), [WordPattern::Exact(git), WordPattern::Exact(commit), ..]
        if git == "git" && commit == "commit");
    let stages = || command.expanded.is_empty() && !command.is_set && stages(&command.words);
    only_looks(command, pattern.cwd.as_deref()) || (commits && stages())
}

/// Returns whether a command does nothing but look, in the folder it runs in.
pub(super) fn only_looks(command: &Simple, cwd: Option<&str>) -> bool {
    let cwd = cwd.map(str::to_owned);
    let looking = CommandPattern { words: Vec::new(), more: More::Looking, cwd, composite: false };
    part_matches(&looking, command, Then::Allow).is_ok()
}

/// Checks a command of a line as it stands, or as it would be said in the folder that it names: `git -C web status`.
fn part_matches(pattern: &CommandPattern, command: &Simple, then: Then) -> Result<(), Mismatch> {
    command_matches(pattern, command, then).or_else(|why| {
        let Some((place, words)) = programs::in_folder(&command.words) else { return Err(why) };
        let may_work = || command.expanded.is_empty() && places::may_work_by(pattern, place, &words);
        if then == Then::Allow && !may_work() {
            return Err(why);
        }
        command_matches(pattern, &Simple { words, ..command.clone() }, then)
    })
}

/// Checks a command of a line: its words, and what a shell does with them and gives it.
fn command_matches(pattern: &CommandPattern, command: &Simple, then: Then) -> Result<(), Mismatch> {
    let words = &command.words;
    words_match(pattern, words, then)?;
    if then != Then::Allow {
        return Ok(());
    }
    let is_known = usual::takes_names(words).is_some();
    let builds = pattern.more.is_class() && pattern.more != More::Looking;
    if command.is_kept && !(is_known && (builds || !pattern.words.is_empty())) {
        return no(5, "it writes what it prints to a file");
    }
    if command.is_fed && !is_known && !pattern.words.is_empty() {
        return no(5, "it is not known what it makes of what another command prints");
    }
    if command.is_set && usual::usual_by(words).is_none() {
        return no(5, "it is not known what it makes of the variables that are set");
    }
    let looks = usual::looks_by(words);
    let named = looks.filter(|_| pattern.more.is_class()).unwrap_or_default().max(pattern.words.len());
    let may_expand = |at: &usize| {
        let word = &words[*at];
        // What stands for an exit code is nothing where there was none, and what stands behind it is then a path.
        let says = !word.contains('$') || has("echo printf", &words[0]);
        looks.is_some() && *at >= named && says && (!word.contains('*') || patterns::stars_stay(words, word))
    };
    match command.expanded.iter().find(|at| !may_expand(at)) {
        Some(at) => no(5, format!("the shell makes something else of {}", quote(&words[*at]))),
        None => Ok(()),
    }
}

fn words_match(pattern: &CommandPattern, words: &[String], then: Then) -> Result<(), Mismatch> {
    let shown = words.join(" ");
    if pattern.words.is_empty() && commits_or_pushes(pattern.more, words) {
        return Ok(());
    }
    if pattern.more == More::Looking && service::named(words).is_some_and(|named| pattern.names(&named)) {
        return Ok(());
    }
    let known = match pattern.more {
        _ if !pattern.words.is_empty() => Some(pattern.words.len()),
        // Where a tool is not installed, this fetches whatever has its name: a rule for it names it.
        More::Building | More::Committing | More::Pushing if programs::may_fetch(words) => None,
        More::Building | More::Committing | More::Pushing => usual::usual_by(words),
        _ => usual::looks_by(words),
    };
    // Where no word is named, those that name a command which is known are.
    let Some(count) = known else {
        let what = pattern.more.does();
        return no(3, format!("it is for what {what}, and {} is not known to", quote(&shown)));
    };
    let (named, more) = words.split_at(count.min(words.len()));
    let program_fits = pattern.words.first().zip(named.first()).is_some_and(|(one, word)| is_like(one, word));
    let nearness = if program_fits { 4 } else { 2 };
    if named.len() < pattern.words.len()
        || !pattern.words.iter().zip(named).all(|(one, word)| is_like(one, word))
    {
        let fitting = pattern.words.iter().zip(named).take_while(|(one, word)| is_like(one, word)).count();
        let why = format!("it is for `{pattern}`; this is {}", quote(&shown));
        return no(nearness, why).map_err(|why| why.after(fitting));
    }
    if then == Then::Allow {
        may_stand(pattern, words)?;
    }
    match pattern.more {
        More::Nothing if !more.is_empty() => {
            no(5, format!("it takes no further words; this has {}", quote(&more.join(" "))))
        }
        More::Nothing | More::Anything => Ok(()),
        More::Operands | More::Looking | More::Building | More::Committing | More::Pushing => {
            further_words_fit(pattern, words, named.len(), then)
        }
    }
}

/// Checks the words behind those that are named: which they may be, and what the command does with them.
fn further_words_fit(
    pattern: &CommandPattern,
    words: &[String],
    named: usize,
    then: Then,
) -> Result<(), Mismatch> {
    let by_options = pattern.more.is_class();
    // A path into the folder that the rule is for is as good as one from there.
    let words: Vec<String> = words.iter().map(|word| places::from_folder(pattern, word)).collect();
    let texts = if by_options { filters::texts(&words) } else { Vec::new() };
    let (named_words, _) = words.split_at(named);
    let judged =
        || words.iter().enumerate().skip(named).filter(|(at, _)| !texts.contains(at)).map(|(_, word)| word);
    if let Some(other) = judged().find(|word| !may_follow(named_words, word, pattern.more)) {
        let why = if by_options {
            "it takes no addresses, no paths out of the folder, and only its usual options; this has"
        } else {
            "it takes further words, but no options, addresses, or paths out of the folder; this has"
        };
        return no(5, format!("{why} {}", quote(other)));
    }
    if then != Then::Allow {
        return Ok(());
    }
    let changes = usual::looks_by(&words).is_none();
    // The name of a hidden file says nothing of what is in it.
    let only_listed = usual::lists(&words);
    let is_guarded = |word: &&String| {
        let name = word.split_once('=').map_or(word.as_str(), |(_, value)| value);
        let names_secret = || name.split('/').any(files::looks_secret);
        let is_guarded = if only_listed { names_secret() } else { is_guarded(name, "", changes) };
        is_guarded || !patterns::stay(&words, word)
    };
    if let Some(other) = judged().find(is_guarded) {
        return no(5, format!("{GUARDED}; this has {}", quote(other)));
    }
    if searches::reads_all(&words) {
        return no(5, "it would read all of the folder, hidden files too: name what is searched");
    }
    if usual::does_more(&words) {
        return no(5, format!("{} does more than look", quote(&words.join(" "))));
    }
    Ok(())
}

/// Checks where a command runs, once the shell has gone to some folders. What it is given counts from there, so that folder is
/// looked at like an operand.
fn runs_in(
    pattern: &CommandPattern,
    folder: Option<&str>,
    folders: &[String],
    then: Then,
) -> Result<(), Mismatch> {
    let cwd = pattern.cwd.as_deref();
    let at = places::gone_to(folder, folders);
    let mut places = folders.iter().chain(&at);
    if then == Then::Allow
        && let Some(guarded) = places.find(|place| is_guarded(place, cwd.unwrap_or_default(), false))
    {
        return no(5, format!("{GUARDED}; this runs in {}", quote(guarded)));
    }
    let Some(cwd) = cwd else {
        let is_free = then == Then::Allow && pattern.more != More::Nothing;
        return match at.filter(|at| is_free && files::is_system(at)) {
            Some(at) => no(6, format!("it names no folder, and {} holds more than a project", quote(&at))),
            None => Ok(()),
        };
    };
    match at {
        Some(at) if glob::matches(cwd, &at, Stars::Path) => Ok(()),
        // The folder itself is one of those in and below it.
        Some(at) if glob::is_normal(&at) && cwd.strip_suffix("/**") == Some(&*at) => Ok(()),
        Some(at) => no(6, format!("it is for {cwd}; this runs in {}", quote(&at))),
        None => no(6, format!("it is for {cwd}; this does not say where it runs")),
    }
}

/// Refuses what an allowing rule with stars or further words does not mean, although it is written like that.
fn may_stand(pattern: &CommandPattern, words: &[String]) -> Result<(), Mismatch> {
    let is_known = pattern.more.is_class() && usual::usual_by(words).is_some();
    if !is_known
        && (pattern.more == More::Operands || pattern.more.is_class())
        && programs::runs_what_follows(words)
    {
        return no(5, "it runs what it is given: an allowing rule names every word");
    }
    for (at, (one, word)) in pattern.words.iter().zip(words).enumerate() {
        let WordPattern::Like(like) = one else { continue };
        if like.glob == ANY && programs::takes_message(&words[..at]) {
            continue;
        }
        if is_guarded(word, &like.glob, true) || (patterns::is_pattern(word) && !tools::is_for_source(word)) {
            return no(5, format!("{GUARDED}; this has {}", quote(word)));
        }
        // These join two names to one: `branch:main`, `user@host`, `option=value`.
        if let Some(sign) =
            [':', '@', '=', '\\'].into_iter().find(|sign| word.contains(*sign) && !like.glob.contains(*sign))
        {
            return no(
                5,
                format!("no star stands for {}; this has {}", quote(&sign.to_string()), quote(word)),
            );
        }
    }
    Ok(())
}

/// Returns whether a word may follow these under a rule that names only these.
fn may_follow(named: &[String], word: &str, more: More) -> bool {
    if !more.is_class() {
        return is_operand(word, false);
    }
    let looks = usual::looks_by(named).is_some();
    // What the tool, or a shell, makes of such a pattern are names of source code in the folder.
    let is_source = !word.contains([' ', '?']) && tools::is_for_source(word);
    let is_scratch = looks && files::is_scratch(word);
    is_operand(word, looks)
        || is_source
        || is_scratch
        || usual::is_usual(named, word)
        || places::is_in_file(named, word)
        || tasks::is_of_module(named, word)
}

/// Returns whether a word names something in the folder that may be staged: nothing hidden, nothing that looks like a secret.
pub(super) fn is_local(word: &str) -> bool {
    is_operand(word, false)
        && !is_guarded(word, "", false)
        && (!patterns::is_pattern(word) || tools::is_for_source(word))
}

/// Returns whether a word is an operand that stays where the command runs: no option, no address, no path that leads out, and
/// nothing that begins with a sign which programs give a meaning. What does more than look may hand its operands to a shell.
pub(super) fn is_operand(word: &str, looks: bool) -> bool {
    !word.is_empty()
        && (looks || !word.contains([';', '$', '|', '&', '<', '>', '(', ')', '{', '}', '`', '"', '\'']))
        && !word.starts_with(['-', '+', '/', ':', '@', '~', '%'])
        && !word.contains(['=', '@', '\\'])
        // Of colons, only those of names within a file: `tests/a.py::test_b`.
        && !word.replace("::", "").contains(':')
        && !glob::leads_out(word)
}

/// Returns whether no shell makes anything else of a word.
fn is_plain(word: &str) -> bool {
    command::words(word).is_ok_and(|words| words == [word])
}

impl CommandPattern {
    /// Returns whether these words are named one by one, and nothing else is taken.
    fn is_exactly(&self, words: &[String]) -> bool {
        self.more == More::Nothing && self.names(words)
    }

    /// Returns whether just these words are named.
    fn names(&self, words: &[String]) -> bool {
        let same = |(one, word): (&WordPattern, &String)| *one == WordPattern::Exact(word.clone());
        self.words.len() == words.len() && self.words.iter().zip(words).all(same)
    }
}

/// Returns how near a command that is not simple comes to a pattern.
fn closeness(pattern: &CommandPattern, text: &str) -> u8 {
    let same = pattern.words.iter().zip(text.split_whitespace()).take_while(|(one, word)| is_like(one, word));
    match (pattern.words.len(), same.count()) {
        (0, _) => 3,
        (_, 0) => 2,
        (_, 1) => 5,
        _ => 6,
    }
}

fn is_like(pattern: &WordPattern, word: &str) -> bool {
    match pattern {
        WordPattern::Exact(exact) => exact == word,
        WordPattern::Like(like) => glob::matches(&like.glob, word, Stars::Word),
    }
}
