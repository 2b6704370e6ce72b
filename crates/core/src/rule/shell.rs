//! Whether a pattern for commands matches the command that a tool passes to a shell.

use serde_json::Value;

use super::command;
use super::commits::{commits_or_pushes, stages, takes_back};
use super::deployed::DEPLOYED;
use super::glob::ANY;
use super::glob::{self, WildcardScope};
use super::guarded::{GuardReason, guard};
use super::line::{Line, SimpleCommand, line};
use super::mismatch::{Mismatch, no};
use super::operand::is_operand;
use super::programs::{begin, has};
use super::settings::VariableEffect;
use super::subject::Call;
use super::{
    CommandPattern, More, Then, WordPattern, deployed, files, filters, folder, patterns, places, programs,
    searches, service, tasks, testing, tools, usual,
};
use crate::text::quote;

/// Checks whether a pattern matches the command of a call.
pub(super) fn matches(pattern: &CommandPattern, call: &Call<'_>, then: Then) -> Result<(), Mismatch> {
    let Some((name, value)) = call.command() else { return no(2, "there is no command") };
    let line = match value {
        Value::String(text) => read(pattern, text, then)?,
        Value::Array(words) => {
            let words: Option<Vec<String>> =
                words.iter().map(|word| word.as_str().map(str::to_owned)).collect();
            // A tool that takes words may still pass them to a shell.
            let words = match words {
                Some(words) if !words.is_empty() && words.iter().all(|word| is_plain(word)) => words,
                Some(words) if pattern.is_exactly(&words) => words,
                _ => return no(2, "the command has words that a shell may read differently"),
            };
            Line { commands: vec![SimpleCommand::of(words)], ..Line::default() }
        }
        _ => return no(2, "the command is not a text"),
    };
    line_matches(pattern, &line, then)?;
    if let Some(other) = call.other_than(&[name]) {
        return no(6, format!("this also gives {}, which the rule does not cover", quote(other)));
    }
    if then == Then::Allow
        && let Some(place) = acts_in_environment(pattern, &line, call.folder())
    {
        return no(5, format!("{DEPLOYED}; this runs in {}", quote(&place)));
    }
    if line.runs_anyway && !line.folders.is_empty() {
        // If a folder does not exist, the rest of the line runs where the shell began.
        runs_in(pattern, call.folder(), &[], then)?;
    }
    runs_in(pattern, call.folder(), &line.folders, then)
}

/// Reads a command as a pattern requires: an allowing pattern takes several in a line only if it says so, but one that
/// refuses or asks checks each.
fn read(pattern: &CommandPattern, text: &str, then: Then) -> Result<Line, Mismatch> {
    let simple = command::simple_words(text)
        .map(|words| Line { commands: vec![SimpleCommand::of(words)], ..Line::default() });
    let line = if pattern.composite || then != Then::Allow { simple.or_else(|_| line(text)) } else { simple };
    line.or_else(|why| no(closeness(pattern, text), format!("this is {}: {why}", quote(text))))
}

fn line_matches(pattern: &CommandPattern, line: &Line, then: Then) -> Result<(), Mismatch> {
    let mut nearest: Option<Mismatch> = None;
    let mut matched = false;
    for (at, command) in line.commands.iter().enumerate() {
        let is_back =
            || takes_back(pattern.more, &command.words, line.commands[..at].iter().map(|one| &*one.words));
        match part_matches(pattern, command, then) {
            Ok(()) => matched = true,
            Err(_) if is_back() => matched = true,
            // Read-only commands may stand beside what the rule names, and staging beside a commit.
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

fn may_stand_beside(pattern: &CommandPattern, command: &SimpleCommand) -> bool {
    let commits = matches!(pattern.words.as_slice(), [WordPattern::Exact(git), WordPattern::Exact(commit), ..]
        if git == "git" && commit == "commit");
    let stages =
        || command.expanded.is_empty() && command.settings == VariableEffect::None && stages(&command.words);
    only_looks(command, pattern.cwd.as_deref()) || (commits && stages())
}

/// Returns whether a command only reads, in the folder where it runs.
pub(super) fn only_looks(command: &SimpleCommand, cwd: Option<&str>) -> bool {
    let cwd = cwd.map(str::to_owned);
    let looking = CommandPattern { words: Vec::new(), more: More::Looking, cwd, composite: false };
    part_matches(&looking, command, Then::Allow).is_ok()
}

/// Checks a command of a line as written, or as it would be written in the folder that it names: `git -C web status`.
fn part_matches(pattern: &CommandPattern, command: &SimpleCommand, then: Then) -> Result<(), Mismatch> {
    command_matches(pattern, command, then).or_else(|why| {
        let Some((place, words)) = programs::in_folder(&command.words) else { return Err(why) };
        let may_work = || command.expanded.is_empty() && places::may_work_by(pattern, place, &words);
        if then == Then::Allow && !may_work() {
            return Err(why);
        }
        command_matches(pattern, &SimpleCommand { words, ..command.clone() }, then)
    })
}

/// Checks a command of a line: its words, how a shell expands them, and its input.
fn command_matches(pattern: &CommandPattern, command: &SimpleCommand, then: Then) -> Result<(), Mismatch> {
    let words = &command.words;
    words_match(pattern, words, then)?;
    if then != Then::Allow {
        return Ok(());
    }
    let is_known = usual::takes_names(words).is_some();
    let builds = pattern.more.is_class() && pattern.more != More::Looking;
    if command.is_kept && !(is_known && (builds || !pattern.words.is_empty())) {
        return no(5, "it redirects its output to a file");
    }
    if command.is_fed && !is_known && !pattern.words.is_empty() {
        return no(5, "its effect on piped input is not known");
    }
    if command.settings != VariableEffect::None && usual::usual_by(words).is_none() {
        return no(5, "the effect of the variables it sets is not known");
    }
    if command.settings == VariableEffect::Developing && testing::may_test(words) {
        return no(5, "tests outside a test environment may empty its database");
    }
    let looks = usual::looks_by(words);
    let named = looks.filter(|_| pattern.more.is_class()).unwrap_or_default().max(pattern.words.len());
    let may_expand = |at: &usize| {
        let word = &words[*at];
        // An exit code expands to nothing if there was none, and what comes after it is then a path.
        let says = !word.contains('$') || has("echo printf", &words[0]);
        looks.is_some() && *at >= named && says && (!word.contains('*') || patterns::stars_stay(words, word))
    };
    match command.expanded.iter().find(|at| !may_expand(at)) {
        Some(at) => no(5, format!("the shell expands {}", quote(&words[*at]))),
        None => Ok(()),
    }
}

fn words_match(pattern: &CommandPattern, words: &[String], then: Then) -> Result<(), Mismatch> {
    let shown = words.join(" ");
    if pattern.words.is_empty() && commits_or_pushes(pattern.more, words) {
        return Ok(());
    }
    if pattern.names_service() {
        if service::named(words).is_some_and(|named| pattern.names(&named)) {
            return Ok(());
        }
        // Compared word for word, its operands would be taken for names in the folder, but they are addresses.
        if then == Then::Allow {
            let why = format!("it is for `{pattern}`; {} may do more", quote(&shown));
            return no(closeness(pattern, &shown), why);
        }
    }
    let known = match pattern.more {
        _ if !pattern.words.is_empty() => Some(pattern.words.len()),
        // Only a rule that names the file by which a service is run covers it.
        _ if programs::steered(words) > 0 => None,
        // If a tool is not installed, this downloads the package of its name, so only a rule that names it covers it.
        More::Building | More::Committing | More::Pushing if programs::may_fetch(words) => None,
        More::Building | More::Committing | More::Pushing => usual::usual_by(words),
        _ => usual::looks_by(words),
    };
    // If no word is named, those of a known command count as named.
    let Some(count) = known else {
        return no(3, format!("{} is not known to only {}", quote(&shown), pattern.more.verbs()));
    };
    let (named, more) = words.split_at(count.min(words.len()));
    if named.len() < pattern.words.len()
        || !pattern.words.iter().zip(named).all(|(one, word)| is_like(one, word))
    {
        let fitting = pattern.words.iter().zip(named).take_while(|(one, word)| is_like(one, word)).count();
        // A rule for something else that the program does is further off than one for any command of a kind.
        let is_near = fitting > 1 && fitting * 2 > pattern.words.len();
        let why = format!("different command: {}", quote(&shown));
        return no(if is_near { 4 } else { 2 }, why).map_err(|why| why.after(fitting));
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

/// Checks the words after the named ones: which they may be, and what the command does with them.
fn further_words_fit(
    pattern: &CommandPattern,
    words: &[String],
    named: usize,
    then: Then,
) -> Result<(), Mismatch> {
    let by_options = pattern.more.is_class();
    // A path into the folder of the rule is treated like a path relative to it.
    let words: Vec<String> = words.iter().map(|word| folder::from_folder(pattern, word)).collect();
    let texts = if by_options { filters::texts(&words) } else { Vec::new() };
    let (named_words, _) = words.split_at(named);
    let judged =
        || words.iter().enumerate().skip(named).filter(|(at, _)| !texts.contains(at)).map(|(_, word)| word);
    if let Some(other) = judged().find(|word| !may_follow(named_words, word, pattern.more)) {
        let why = if by_options {
            "it takes common options, but no URLs or paths outside the folder; this has"
        } else {
            "it takes further words, but no options, URLs or paths outside the folder; this has"
        };
        return no(5, format!("{why} {}", quote(other)));
    }
    if then != Then::Allow {
        return Ok(());
    }
    let changes = usual::looks_by(&words).is_none();
    // The name of a hidden file reveals nothing of its content.
    let only_listed = usual::lists(&words);
    let guard_of = |word: &String| {
        let name = word.split_once('=').map_or(word.as_str(), |(_, value)| value);
        let names_secret = || name.split('/').any(files::looks_secret);
        let is_read = || !changes && files::is_bare_secret(name);
        let changes = changes && !places::is_project(&words, name);
        let secret = (if only_listed { names_secret() } else { is_read() }).then_some(GuardReason::Secret);
        let found = if only_listed { None } else { guard(name, "", changes) };
        found.or(secret).or_else(|| (!patterns::stay(&words, word)).then_some(GuardReason::Pattern))
    };
    if let Some((other, why)) = judged().find_map(|word| Some((word, guard_of(word)?))) {
        return no(5, format!("{why}; this has {}", quote(other)));
    }
    if changes && !places::is_git(&words) {
        let from = pattern.words.len();
        let mut judged = words.iter().enumerate().skip(from).filter(|(at, _)| !texts.contains(at));
        if let Some((_, named)) = judged.find(|(_, word)| deployed::names_environment(word)) {
            return no(5, format!("{DEPLOYED}; this has {}", quote(named)));
        }
    }
    if begin(&words, &["git", "push"])
        && let Some(branch) = words.iter().skip(named.max(3)).find(|word| deployed::is_shared_branch(word))
    {
        return no(5, format!("{DEPLOYED}; this pushes {}", quote(branch)));
    }
    if searches::reads_all(&words) {
        return no(5, "it reads the whole folder, hidden files too: name what to search");
    }
    if usual::does_more(&words) {
        return no(5, format!("{} does more than read", quote(&words.join(" "))));
    }
    Ok(())
}

/// Returns the folder named like an environment in which a line does more than read, unless the rule names it.
fn acts_in_environment(pattern: &CommandPattern, line: &Line, folder: Option<&str>) -> Option<String> {
    let acts = |command: &SimpleCommand| {
        usual::looks_by(&command.words).is_none() && !places::is_git(&command.words)
    };
    if !pattern.more.is_class() || !line.commands.iter().any(acts) {
        return None;
    }
    let at = folder::gone_to(folder, &line.folders)?;
    let place = folder::from_folder(pattern, &at);
    deployed::names_environment(&place).then_some(place)
}

/// Checks where a command runs, after the shell has changed folders. Its operands are relative to that folder, so the
/// folder is checked like an operand.
fn runs_in(
    pattern: &CommandPattern,
    folder: Option<&str>,
    folders: &[String],
    then: Then,
) -> Result<(), Mismatch> {
    let cwd = pattern.cwd.as_deref();
    let at = folder::gone_to(folder, folders);
    let mut places = folders.iter().chain(&at);
    if then == Then::Allow
        && let Some((guarded, why)) =
            places.find_map(|place| Some((place, guard(place, cwd.unwrap_or_default(), false)?)))
    {
        return no(5, format!("{why}; this runs in {}", quote(guarded)));
    }
    let Some(cwd) = cwd else {
        let is_free = then == Then::Allow && pattern.more != More::Nothing;
        return match at.filter(|at| is_free && files::is_system(at)) {
            Some(at) => no(6, format!("it names no folder, and {} is wider than a project", quote(&at))),
            None => Ok(()),
        };
    };
    match at {
        Some(at) if glob::matches(cwd, &at, WildcardScope::Path) => Ok(()),
        // The pattern for a folder and those below it covers the folder itself.
        Some(at) if glob::is_normal(&at) && cwd.strip_suffix("/**") == Some(&*at) => Ok(()),
        Some(at) => {
            // A rule that names no command says nothing about this one unless it is for a folder nearby.
            let is_near = !pattern.words.is_empty() || folder::is_near(cwd, &at);
            no(if is_near { 6 } else { 2 }, format!("it is for {cwd}; this runs in {}", quote(&at)))
        }
        None => no(6, format!("it is for {cwd}; this does not say where it runs")),
    }
}

/// Refuses what an allowing rule with stars or further words does not cover, although its pattern matches.
fn may_stand(pattern: &CommandPattern, words: &[String]) -> Result<(), Mismatch> {
    let is_known = pattern.more.is_class() && usual::usual_by(words).is_some();
    if !is_known
        && (pattern.more == More::Operands || pattern.more.is_class())
        && programs::runs_what_follows(words)
    {
        return no(5, "it runs its arguments: an allowing rule must name every word");
    }
    if pattern.more == More::Operands
        && words.len() > pattern.words.len()
        && words.first().is_some_and(|program| service::takes_addresses(program))
    {
        return no(5, "its arguments may be URLs: an allowing rule must name every word");
    }
    for (at, (one, word)) in pattern.words.iter().zip(words).enumerate() {
        let WordPattern::Like(like) = one else { continue };
        if like.glob == ANY && programs::takes_message(&words[..at]) {
            continue;
        }
        let names_shared = deployed::is_shared_branch(&like.glob.replace('*', "x"));
        if begin(words, &["git", "push"]) && deployed::is_shared_branch(word) && !names_shared {
            return no(5, format!("{DEPLOYED}; this pushes {}", quote(word)));
        }
        let is_pattern = patterns::is_pattern(word) && !tools::is_for_source(word);
        if let Some(why) = guard(word, &like.glob, true).or(is_pattern.then_some(GuardReason::Pattern)) {
            return no(5, format!("{why}; this has {}", quote(word)));
        }
        // These characters join two names: `branch:main`, `user@host`, `option=value`.
        if let Some(sign) =
            [':', '@', '=', '\\'].into_iter().find(|sign| word.contains(*sign) && !like.glob.contains(*sign))
        {
            return no(
                5,
                format!("`*` does not match {}; this has {}", quote(&sign.to_string()), quote(word)),
            );
        }
    }
    Ok(())
}

/// Returns whether a word may follow the named ones under a rule that names only these.
fn may_follow(named: &[String], word: &str, more: More) -> bool {
    if !more.is_class() {
        return is_operand(word, false);
    }
    let looks = usual::looks_by(named).is_some();
    // The tool, or a shell, expands such a pattern to names of source code in the folder.
    let is_source = !word.contains([' ', '?']) && tools::is_for_source(word);
    let is_scratch = looks && files::is_scratch(word);
    is_operand(word, looks)
        || is_source
        || is_scratch
        || usual::is_usual(named, word)
        || places::is_in_file(named, word)
        || tasks::is_of_module(named, word)
}

/// Returns whether no shell expands a word.
fn is_plain(word: &str) -> bool {
    command::simple_words(word).is_ok_and(|words| words == [word])
}

/// Returns how close a command that is not simple comes to a pattern.
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
        WordPattern::Like(like) => glob::matches(&like.glob, word, WildcardScope::Word),
    }
}
