//! What the author of a rule should know about how far it reaches: what it lets through, in plain words.

use super::matching::ANY;
use super::programs::{self, has, may_run_others};
use super::{CommandPattern, More, NewRule, Rule, Then, ValuePattern, When, WordPattern, reading};
use crate::text::quote;

/// What some programs do with arguments of an agent's choice.
const WITH_ANY_ARGUMENTS: [(&str, &str); 18] = [
    ("cargo", "`cargo publish` and `cargo run` too"),
    ("cmake", "`cmake -P FILE` too, which runs other programs"),
    ("cp", "overwriting any file too"),
    ("curl", "sending any file to any address too"),
    ("find", "`find / -delete` and `find -exec` too, which runs other programs"),
    ("gh", "`gh repo delete` and `gh api` with your login too"),
    ("git", "`git push --force` too, and `git -c`, which runs other programs"),
    ("go", "`go run` too, which runs other programs"),
    ("just", "every recipe too, `just deploy` among them"),
    ("make", "every target too, `make deploy` among them, and `make SHELL=…`, which runs other programs"),
    ("npm", "`npm publish` and `npm exec` too, which runs other programs"),
    ("pip", "`pip install` too, which runs other programs"),
    ("pnpm", "`pnpm publish` and `pnpm exec` too, which runs other programs"),
    ("rm", "deleting any file too"),
    ("rsync", "copying any file to any host too"),
    ("sed", "`sed -i` on any file too, and the command `e`, which runs other programs"),
    ("tar", "`tar --to-command` too, which runs other programs"),
    ("yarn", "`yarn npm publish` and `yarn exec` too, which runs other programs"),
];

impl NewRule {
    /// Lists what the author should know about how far the rule reaches.
    pub fn warnings(&self) -> Vec<String> {
        warnings(&self.when, self.then)
    }
}

impl Rule {
    /// Lists what people should know about how far it reaches.
    pub fn warnings(&self) -> Vec<String> {
        warnings(&self.when, self.then)
    }
}

fn warnings(when: &When, then: Then) -> Vec<String> {
    let mut warnings = Vec::new();
    if let (Then::Allow, Some(command)) = (then, &when.command) {
        warnings.extend(of_command(command));
    }
    if then == Then::Allow && when.path.is_some() && when.tool.is_none() && !when.looking {
        let why = "whoever may change the code there chooses what the next build or test runs";
        warnings.push(why.to_owned());
    }
    let is_any = |pattern: &ValuePattern| matches!(pattern, ValuePattern::Like(like) if like.glob == ANY);
    if let (Then::Allow, Some(tool)) = (then, &when.tool)
        && reading::takes_other_values(tool)
        && when.input.iter().flatten().any(|(_, pattern)| is_any(pattern))
    {
        warnings.push(if reading::visits(tool) {
            "it is for whatever page is open, and what is typed or pressed there may be sent".to_owned()
        } else {
            format!("that {} only reads is the word of its server", quote(tool))
        });
    }
    if let (Then::Allow, true, Some(server), None) = (then, when.looking, &when.tool, &when.path) {
        warnings.push(format!("that its tools only read is the word of {}", quote(server)));
    }
    if then == Then::Allow && when.asked_with.is_none() && when.asked_by.is_some() {
        warnings.push("it is for every credential of that name, also ones that are made later".to_owned());
    }
    if then == Then::Refuse && when.command.is_some() {
        warnings.push("it matches these words in this order; the same can be said in others".to_owned());
    }
    if when.path.is_some() {
        warnings.push("symbolic links are not seen: a path may lead elsewhere".to_owned());
    }
    warnings
}

/// Says what an allowing rule for a command lets through beside what its words say.
fn of_command(command: &CommandPattern) -> Vec<String> {
    let mut warnings = Vec::new();
    match (command.words.first(), command.more) {
        (Some(WordPattern::Exact(program)), More::Anything) => {
            warnings.push(with_any_arguments(command, program));
        }
        // What it does stands in files, not in the rule.
        (Some(WordPattern::Exact(program)), More::Nothing)
            if command.words.len() == 1 && may_run_others(program) =>
        {
            warnings.push(format!("{} alone does what the files of its folder say", quote(program)));
        }
        (_, More::Nothing) => {}
        (Some(WordPattern::Exact(program)), More::Looking) if has("curl kubectl", program) => {
            warnings.push(service_warning(program).to_owned());
        }
        (Some(WordPattern::Exact(program)), _) if may_run_others(program) => {
            warnings.push(format!("{} can be made to run other programs", quote(program)));
        }
        (None, More::Building | More::Committing | More::Pushing) => {
            warnings.push(
                "it amounts to running any program: whoever may change a test, a script or a build file and run it runs what \
                 they like, as you and with your network"
                    .to_owned(),
            );
        }
        _ => {}
    }
    if command.words.is_empty() && command.more == More::Committing {
        warnings.push(
            "it commits, and so runs the hooks of the repository; it does not push, but a later push takes it along"
                .to_owned(),
        );
    }
    if command.words.is_empty() && command.more == More::Pushing {
        warnings.push(
            "what is pushed leaves this machine, with all that was committed, and may start what the repository runs then".to_owned(),
        );
    }
    if command.words_shown() == "git push" {
        warnings.push("it pushes whatever branch is checked out, main too".to_owned());
    }
    if command.cwd.is_none() && command.more != More::Nothing {
        warnings.push("it counts in every folder, not in one project's alone".to_owned());
    }
    warnings
}

fn service_warning(program: &str) -> &'static str {
    if program == "curl" {
        "whatever listens there gets any request, also one that changes or deletes"
    } else {
        "settings and logs of a cluster may hold secrets that are not called so"
    }
}

fn with_any_arguments(command: &CommandPattern, program: &str) -> String {
    let named = quote(&command.words_shown());
    let known = WITH_ANY_ARGUMENTS.iter().find(|(name, _)| *name == programs::base(program));
    // What the program alone lets through, its verb may not.
    match known.filter(|_| command.words.len() == 1) {
        Some((_, too)) => format!("it allows {named} with any arguments: {too}"),
        None if may_run_others(program) => {
            format!("it allows {named} with any arguments, and so to run other programs")
        }
        None => format!("it allows {named} with any arguments, any option, file and address among them"),
    }
}
