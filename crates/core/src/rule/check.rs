//! Whether what a rule matches makes sense, and is narrow enough to be allowed.

use super::glob::ANY;
use super::glob::{self, WildcardScope};
use super::programs::{goes_by_verb, runs_what_follows, takes_message};
use super::{
    CommandPattern, More, Then, ValuePattern, When, WordPattern, files, reading, service, tools, usual,
    values,
};
use crate::text::{check_name, quote};

/// How many words, values or patterns a rule may name.
const MOST_NAMED: usize = 256;

/// Finds what is wrong with the conditions of a rule.
pub(super) fn check_when(when: &When, then: Then, fault: &mut impl FnMut(&str, String)) {
    let When { asked_by, asked_with, source, owner, title, tool, command, path, looking, input, digest } =
        when;
    let exact = [command.is_some(), path.is_some(), input.is_some(), digest.is_some()];
    let exact = exact.into_iter().filter(|given| *given).count();
    if exact > 1 {
        fault("when", "give one of command, path, input and digest".into());
    }
    let says_something = exact > 0
        || asked_with.is_some()
        || asked_by.is_some()
        || source.is_some()
        || owner.is_some()
        || title.is_some();
    if !says_something && tool.is_none() {
        fault(
            "when",
            "names nothing; say what to match, e.g. {\"command\": {\"words\": [\"cargo\", \"test\"]}}".into(),
        );
    }
    let is_server = *looking && exact == 0 && tool.as_deref().is_some_and(reading::is_server);
    if then == Then::Allow {
        if asked_by.is_none() {
            fault("when.asked_by", "an allowing rule must name who asks".into());
        }
        let is_own = exact == 0 && tool.as_deref().is_some_and(tools::is_own);
        if exact != 1 && !is_own && !is_server {
            fault("when", "an allowing rule needs a command, a path, an input or a digest".into());
        }
        if title.is_some() {
            fault("when.title", "the agent writes it; such a rule may only refuse or ask".into());
        }
    }
    if let Some(name) = asked_by
        && let Err(why) = check_name(name)
    {
        fault("when.asked_by", format!("{} {why}", quote(name)));
    }
    if let Some(title) = title
        && let Err(why) = glob::check(title, WildcardScope::Prose)
    {
        fault("when.title", format!("{} {why}", quote(title)));
    }
    if let Some(command) = command {
        check_command(command, then, fault);
    }
    if let Some(path) = path
        && let Err(why) = glob::check(path, WildcardScope::Path)
    {
        fault("when.path", format!("{} {why}", quote(path)));
    }
    if let Some(tool) = tool.as_deref().filter(|tool| path.is_some() && !tools::has_path(tool)) {
        let why = "is not a known file tool; match its values with `input`";
        fault("when.tool", format!("{} {why}", quote(tool)));
    }
    let does_more = || path.is_none() || tool.as_deref().is_some_and(|tool| !tools::only_looks(tool));
    if *looking && !is_server && does_more() {
        let why =
            "goes with a path and no tool that does more than look, or with a server alone (mcp__github)";
        fault("when.looking", why.into());
    }
    for (pointer, pattern) in input.iter().flatten() {
        if !pointer.starts_with('/') {
            fault("when.input", format!("{} is not a JSON pointer, e.g. /input/url", quote(pointer)));
        }
        if let ValuePattern::Like(like) = pattern
            && like.glob != ANY
            && let Err(why) = glob::check(&like.glob, WildcardScope::Text)
        {
            fault("when.input", format!("{} {why}", quote(&like.glob)));
        }
    }
    if then == Then::Allow {
        for (pointer, pattern) in input.iter().flatten() {
            if let Err(why) = values::may_allow(pointer, pattern) {
                fault("when.input", why);
            }
        }
    }
    if input.as_ref().is_some_and(|input| !values::say_something(input, tool.as_deref())) {
        fault("when.input", "matches everything; name at least one value".into());
    }
    if input.as_ref().is_some_and(|input| input.is_empty() || input.len() > MOST_NAMED) {
        fault("when.input", format!("takes 1 to {MOST_NAMED} values"));
    }
    if let Some(digest) = digest
        && (digest.len() > 100 || !digest.starts_with("sha256:"))
    {
        fault("when.digest", "is a decision's digest, sha256:…".into());
    }
}

/// Returns the leading words that are named exactly, up to the first that is not.
fn named(words: &[WordPattern]) -> Vec<&str> {
    words
        .iter()
        .map_while(|word| match word {
            WordPattern::Exact(word) => Some(word.as_str()),
            WordPattern::Like(_) => None,
        })
        .collect()
}

/// Returns whether a word is a message for people, which may be any text.
fn is_message(words: &[WordPattern], at: usize) -> bool {
    let before = words[..at].iter().map(|word| match word {
        WordPattern::Exact(word) => word.as_str(),
        WordPattern::Like(like) => like.glob.as_str(),
    });
    takes_message(&before.collect::<Vec<_>>())
}

fn takes_messages(words: &[WordPattern]) -> bool {
    (0..words.len()).any(|at| is_message(words, at))
}

fn check_command(command: &CommandPattern, then: Then, fault: &mut impl FnMut(&str, String)) {
    let CommandPattern { words, more, cwd, composite } = command;
    if (words.is_empty() && !more.is_class()) || words.len() > MOST_NAMED {
        fault("when.command", format!("takes 1 to {MOST_NAMED} words, the program first"));
    }
    if more.is_class() && *more != More::Looking && !words.is_empty() {
        fault(
            "when.command",
            "`building`, `committing` and `pushing` are for commands of any name: leave the words out".into(),
        );
    }
    if *composite && then == Then::Allow && !words.is_empty() {
        let named: Vec<String> = named(words).into_iter().map(str::to_owned).collect();
        let is_exact = *more == More::Nothing && named.len() == words.len();
        let is_service = *more == More::Looking && service::is_named(&named);
        let is_known = usual::takes_names(&named).is_some() || takes_messages(words) || is_service;
        // The command before it could feed it: `echo … | sh`.
        if *more == More::Anything || !(is_known || is_exact) {
            let why = "a command that is not known to read, build, check or test can be combined only word for word";
            fault("when.command.composite", why.into());
        }
    }
    if then == Then::Allow {
        check_reach(words, *more, fault);
    }
    match words.first() {
        Some(WordPattern::Like(_)) => {
            fault("when.command", "the program must be named, without stars".into());
        }
        Some(WordPattern::Exact(program))
            if then == Then::Allow
                && runs_what_follows(&named(words))
                && !is_known_by_options(words, *more) =>
        {
            let inexact =
                *more != More::Nothing || words.iter().any(|word| matches!(word, WordPattern::Like(_)));
            if inexact {
                let why = "runs its arguments: an allowing rule must name every word";
                fault("when.command", format!("{} {why}", quote(program)));
            }
        }
        _ => {}
    }
    for (at, word) in words.iter().enumerate() {
        match word {
            WordPattern::Exact(word) if word.is_empty() => fault("when.command", "has an empty word".into()),
            WordPattern::Like(like) if like.glob == ANY && is_message(words, at) => {}
            WordPattern::Like(like) => {
                if let Err(why) = glob::check(&like.glob, WildcardScope::Word) {
                    fault("when.command", format!("{} {why}", quote(&like.glob)));
                }
            }
            WordPattern::Exact(_) => {}
        }
    }
    if let Some(cwd) = cwd
        && let Err(why) = glob::check(cwd, WildcardScope::Path)
    {
        fault("when.command.cwd", format!("{} {why}", quote(cwd)));
    }
    if then == Then::Allow && words.is_empty() {
        match cwd {
            None => fault(
                "when.command.cwd",
                "an allowing rule for any command must say where it runs, e.g. /srv/app/**".into(),
            ),
            Some(cwd) if files::reaches_wide(cwd) => fault(
                "when.command.cwd",
                format!("{} is wider than a project: name a project's folder", quote(cwd)),
            ),
            Some(_) => {}
        }
    }
}

/// Returns whether a command runs others, but not with its known options.
fn is_known_by_options(words: &[WordPattern], more: More) -> bool {
    let named: Vec<String> = named(words).into_iter().map(str::to_owned).collect();
    let is_known = usual::usual_by(&named) == Some(named.len()) || service::is_named(&named);
    more == More::Looking && named.len() == words.len() && is_known
}

/// Refuses an allowing rule that leaves its further words entirely open.
fn check_reach(words: &[WordPattern], more: More, fault: &mut impl FnMut(&str, String)) {
    let named: Vec<String> = named(words).into_iter().map(str::to_owned).collect();
    let Some(program) = named.first() else { return };
    let is_free = match more {
        More::Nothing => words.len() > 1,
        More::Operands | More::Looking | More::Building | More::Committing | More::Pushing => true,
        // The author of a rule that allows any arguments is told how far that reaches.
        More::Anything => false,
    };
    let is_known = more == More::Looking && (usual::usual_by(&named).is_some() || service::is_named(&named));
    if is_free && named.len() == 1 && goes_by_verb(program) && !is_known {
        let why = "does different things by its next word: name that too";
        fault("when.command", format!("{} {why}", quote(program)));
    }
    if more == More::Looking && !is_known {
        let why = "has no known options; name them, or use `operands`";
        fault("when.command", format!("{} {why}", quote(program)));
    }
}
