//! What is known about programs: which run others, which reach far, and which of their options take no value.
//!
//! These lists only ever narrow a rule, or determine where one word of a suggested rule may vary. Programs that are not
//! listed are assumed to do the worse.

use super::tasks;

/// Programs that run what they are given: with other words they run another program.
const RUNS_OTHERS: &str = ". ash awk bash builtin bun busybox chroot command csh dash deno doas docker env eval exec expect \
    fish flock gawk gdb ionice java ksh kubectl ld.so lua mksh nice node nohup npx nsenter osascript parallel perl php podman \
    powershell pwsh python python3 ruby runuser setsid sh source ssh stdbuf strace su sudo systemd-run time timeout uvx watch \
    xargs zsh";
/// Words of a program after which it runs its arguments.
const RUN_VERBS: &str = "dlx exec run x";
/// Words that run a tool as if it were the program, and the tools.
const RUNNERS: [(&[&str], &str); 20] = [
    (&["bundle", "exec"], RUN_TOOLS),
    (&["bundle", "exec"], "rails rake"),
    (&["npx", "--no-install"], RUN_TOOLS),
    (&["npx", "--no"], RUN_TOOLS),
    (&["npx"], RUN_TOOLS),
    (&["pipenv", "run"], RUN_TOOLS),
    (&["pdm", "run"], RUN_TOOLS),
    (&["poetry", "run", "python", "-m"], RUN_TOOLS),
    (&["poetry", "run", "python"], "manage.py"),
    (&["poetry", "run"], RUN_TOOLS),
    (&["uv", "run", "python", "-m"], RUN_TOOLS),
    (&["uv", "run", "python"], "manage.py"),
    (&["uv", "run", "--frozen"], RUN_TOOLS),
    (&["uv", "run"], RUN_TOOLS),
    (&["uv", "run"], "manage.py"),
    (&["python", "-m"], RUN_TOOLS),
    (&["python3", "-m"], RUN_TOOLS),
    (&["python"], "manage.py"),
    (&["python3"], "manage.py"),
    (&["php"], "artisan"),
];
/// Tools that are run this way and check or test what is there.
const RUN_TOOLS: &str = "ava bandit biome black brakeman coverage eslint flake8 isort jest jupyter knip mocha mypy nbstripout oxlint pest php-cs-fixer phpcs phpstan \
    phpunit pint playwright pre-commit prettier prisma psalm pylint pyright pytest rspec rubocop ruff standardrb stylelint svelte-check tsc turbo \
    unittest vitest vue-tsc";
/// Tools of a project that do different things depending on their next word.
const BY_TASK: &str = "artisan jupyter manage.py prisma rails rake";
/// Where a project keeps the tools that check it.
const TOOL_FOLDERS: [&str; 5] = [".venv/bin/", "bin/", "node_modules/.bin/", "vendor/bin/", "venv/bin/"];
/// Tools that `npx` downloads from their authors if they are not installed. The packages named after other tools are
/// not
/// theirs: `tsc`, `biome`.
const OF_THEIR_NAME: &str = "ava eslint jest knip mocha oxlint playwright prettier prisma pyright stylelint svelte-check turbo vitest vue-tsc";
/// Options that come first and name the folder to work in, as after `cd`, or the file to work by.
const IN_FOLDER: [(&str, &str); 12] = [
    ("composer", "-d"),
    ("composer", "--working-dir"),
    ("docker compose", "-f"),
    ("git", "-C"),
    ("go", "-C"),
    ("make", "-C"),
    ("npm", "--prefix"),
    ("pnpm", "-C"),
    ("pnpm", "--dir"),
    ("terraform", "-chdir"),
    ("uv", "--directory"),
    ("yarn", "--cwd"),
];
/// Programs that can be made to run others, by an option, a file or a name.
const MAY_RUN_OTHERS: &str = "cargo cmake find gh git go just make npm pip pnpm rsync sed tar vim yarn";
/// Programs that delete, overwrite, send, install or publish their operands.
const REACHES_FAR: &str = "apt apt-get aws az brew chgrp chmod chown cp crontab curl dd find gcloud gem gh heroku install kill \
    killall ln mail mount mv mysql nc pip pkill psql redis-cli rm rmdir rsync scp sed service sftp shred sqlite3 systemctl tar \
    tee truncate wget";
/// Programs that do different things depending on their next word, besides those below.
const BY_VERB: &str = "adb ant brew bundle cmake composer dotnet fly flask gh gradle gulp hatch helm invoke just make mise mvn ninja \
    nix pdm pipenv pipx poetry prisma pulumi rake rye sbt screen sqlc task terraform tmux tox";
/// The verbs that reach far, of programs that have others too.
const VERBS_THAT_REACH_FAR: [(&str, &str); 7] = [
    ("cargo", "add install login owner publish remove uninstall yank"),
    (
        "git",
        "am apply branch checkout clean clone config fetch filter-branch merge mv pull push rebase remote reset restore rm \
         submodule switch update-ref worktree",
    ),
    ("go", "get install run"),
    ("npm", "add ci config i install link login publish remove uninstall update"),
    ("pnpm", "add config i install link login publish remove update"),
    ("uv", "add pip publish remove sync tool"),
    ("yarn", "add config install link login publish remove upgrade"),
];
/// Programs whose first operand is not a verb.
const WITHOUT_VERB: &str = "cat cut diff du echo eslint file grep head jq ls mkdir mypy prettier pytest rg sort stat tail touch tr tsc uniq wc \
     which";
/// The options of programs that take no value: short ones, and long ones.
const WITHOUT_VALUE: [(&str, &str, &str); 9] = [
    (
        "cargo",
        "qv",
        "--all --all-features --all-targets --bins --doc --frozen --lib --locked --no-default-features \
        --no-fail-fast --no-run --offline --quiet --release --tests --workspace",
    ),
    ("eslint", "", "--fix --quiet"),
    (
        "git",
        "Aasv",
        "--all --cached --graph --name-only --name-status --oneline --porcelain --short --staged --stat",
    ),
    ("jq", "CMRSacenrs", ""),
    ("mkdir", "pv", ""),
    ("prettier", "clw", "--check --write"),
    ("pytest", "lqsvx", "--ff --lf --quiet --verbose"),
    ("tsc", "", "--noEmit --pretty"),
    ("vitest", "", "--run"),
];
pub(super) fn has(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|one| one == word)
}

/// Returns the words of a name, in lower case: those of `getHTTPStatus` are `get`, `http` and `status`.
pub(super) fn parts(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let begins = |at: usize| {
        let is_after = |is: fn(&char) -> bool| letters.get(at + 1).is_some_and(is);
        let before = at.checked_sub(1).map(|before| letters[before]);
        letters[at].is_uppercase()
            && before.is_some_and(|before| {
                !before.is_uppercase() || (letters[at].is_uppercase() && is_after(|c| c.is_lowercase()))
            })
    };
    let mut words = vec![String::new()];
    for (at, c) in letters.iter().enumerate() {
        if begins(at) || !c.is_alphanumeric() {
            words.push(String::new());
        }
        if c.is_alphanumeric() {
            words.last_mut().into_iter().for_each(|word| word.extend(c.to_lowercase()));
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Returns the name of a program without its folder.
pub(super) fn base(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or_default()
}

/// Returns whether a program runs its arguments, so that a rule must name every word.
pub(super) fn runs_others(program: &str) -> bool {
    let name = base(program);
    has(RUNS_OTHERS, name) || has(RUNS_OTHERS, without_version(name))
}

fn without_version(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.')
}

/// Returns the name of a program without its folder in the project, if it is a known tool.
pub(super) fn local(program: &str) -> &str {
    let path = program.strip_prefix("./").unwrap_or(program);
    let kept = TOOL_FOLDERS.iter().find_map(|folder| path.strip_prefix(folder));
    let kept = kept.filter(|tool| has(RUN_TOOLS, tool) || has("python python3", tool));
    kept.or(Some(path).filter(|path| has("artisan manage.py", path))).unwrap_or(program)
}

/// Returns whether a project is checked or tested with a tool of this name.
pub(super) fn is_tool(name: &str) -> bool {
    has(RUN_TOOLS, name) || has(BY_TASK, name) || has("bundle python python3", name)
}

/// Returns whether some words begin with others.
pub(super) fn begin<T: AsRef<str>>(words: &[T], with: &[&str]) -> bool {
    let is = |(at, one): (usize, &&str)| {
        let word = words[at].as_ref();
        *one == word || (at == 0 && *one == local(word))
    };
    words.len() >= with.len() && with.iter().enumerate().all(is)
}

/// Returns the folder or file that the first option of a command names to work by, and the command without that option.
pub(super) fn in_folder(words: &[String]) -> Option<(&str, Vec<String>)> {
    let named = if words.first()? == "docker" { 2 } else { 1 };
    let (program, after) = words.split_at_checked(named)?;
    let (option, after) = after.split_first()?;
    let is_known = |option: &str| IN_FOLDER.contains(&(program.join(" ").as_str(), option));
    let (folder, after) = match option.split_once('=') {
        None if program == ["git"] && option == "--no-pager" => (".", after),
        Some((option, folder)) if is_known(option) => (folder, after),
        None if is_known(option) => after.split_first().map(|(folder, after)| (folder.as_str(), after))?,
        _ => return None,
    };
    Some((folder, program.iter().chain(after).cloned().collect()))
}

/// Options that make a command about something outside its folder: only a rule that names them covers it.
const STEERED_BY: [(&str, &str); 1] =
    [("docker compose", "-f --file --env-file -p --project-name --profile --project-directory")];

/// Returns how many words after the program name the file, the project or the tools to work by.
pub(super) fn steered(words: &[String]) -> usize {
    let Some((program, options)) =
        STEERED_BY.iter().find(|(program, _)| begin(words, &program.split(' ').collect::<Vec<_>>()))
    else {
        return 0;
    };
    let from = program.split(' ').count();
    let mut at = from;
    while let Some(word) = words.get(at) {
        match word.split_once('=') {
            Some((option, _)) if has(options, option) => at += 1,
            None if has(options, word) => at += 2,
            _ => break,
        }
    }
    at.min(words.len()) - from
}

/// Returns a command without the words that steer it.
pub(super) fn without_steering(words: &[String]) -> Vec<String> {
    let count = steered(words);
    let skipped = if count == 0 { 0..0 } else { 2..2 + count };
    let kept = words.iter().enumerate().filter(|(at, _)| !skipped.contains(at));
    kept.map(|(_, word)| word.clone()).collect()
}

/// Returns whether the first option of a command names a file that defines what to run, rather than a folder.
pub(super) fn works_by_file(words: &[String]) -> bool {
    begin(words, &["docker", "compose"])
}

/// Returns whether a command may download and run a package that has the name of a tool which is not installed.
pub(super) fn may_fetch<T: AsRef<str>>(words: &[T]) -> bool {
    let word = |at: usize| words.get(at).map_or("", AsRef::as_ref);
    word(0) == "npx" && !has("--no --no-install", word(1)) && !has(OF_THEIR_NAME, word(1))
}

/// Returns how many words come before the tool that is the actual program: two in `python -m pytest`, three in
/// `pnpm --filter web vitest`.
pub(super) fn before_tool<T: AsRef<str>>(words: &[T]) -> usize {
    let is_one = |at: usize, tools: &str| words.get(at).is_some_and(|tool| has(tools, tool.as_ref()));
    let is_tool = |at: usize| is_one(at, RUN_TOOLS);
    // This runs for every command again and again, and most are run by none of these.
    let program = words.first().map_or("", AsRef::as_ref);
    let name = local(program);
    let mut runners = RUNNERS.iter().filter(|(runner, _)| runner[0] == program || runner[0] == name);
    if let Some((runner, _)) =
        runners.find(|(runner, tools)| begin(words, runner) && is_one(runner.len(), tools))
    {
        return runner.len();
    }
    // These cannot run a tool without one more word.
    let packages = tasks::before_script(words).filter(|_| !has("bun npm", words[0].as_ref()));
    let found = packages.and_then(|at| {
        let runs = words.get(at).is_some_and(|word| word.as_ref() == "exec");
        [at, at + usize::from(runs)].into_iter().find(|at| is_tool(*at))
    });
    found.unwrap_or_default()
}

/// Returns whether some words, beginning with the program, run the words that follow.
pub(super) fn runs_what_follows<T: AsRef<str>>(words: &[T]) -> bool {
    let before = before_tool(words);
    let is_tool = before > 0 && !words.get(before).is_some_and(|tool| has(BY_TASK, tool.as_ref()));
    if is_tool || tasks::named(words).is_some() {
        return false;
    }
    let Some(program) = words.first().map(AsRef::as_ref) else { return false };
    let has_run_verb = || words.get(1).is_some_and(|word| has(RUN_VERBS, word.as_ref()));
    runs_others(program) || (may_have_verb(program) && has_run_verb())
}

/// Returns whether a program can be made to run others by its arguments or by files that it finds.
pub(super) fn may_run_others(program: &str) -> bool {
    runs_others(program) || has(MAY_RUN_OTHERS, base(program))
}

/// Returns whether the next word determines what a program does, so that a rule naming only the program says nothing.
pub(super) fn goes_by_verb(program: &str) -> bool {
    let name = base(program);
    has(BY_VERB, name)
        || has(MAY_RUN_OTHERS, name)
        || VERBS_THAT_REACH_FAR.iter().any(|(known, _)| *known == name)
}

/// Returns whether a command deletes, overwrites, sends, installs or publishes, so that a rule must not leave its words
/// open.
pub(super) fn reaches_far(words: &[String]) -> bool {
    let words = &words[before_tool(words)..];
    let Some(program) = words.first().map(|program| base(program)) else { return true };
    let verbs = VERBS_THAT_REACH_FAR.iter().find(|(name, _)| *name == program).map(|(_, verbs)| *verbs);
    has(REACHES_FAR, program)
        || has(REACHES_FAR, without_version(program))
        || verbs.is_some_and(|verbs| {
            // An option before the verb could hide it.
            words.get(1).is_none_or(|word| word.starts_with('-') || has(verbs, word))
        })
}

/// Returns whether the first operand of a program may be a verb.
pub(super) fn may_have_verb(program: &str) -> bool {
    !has(WITHOUT_VERB, program)
}

/// Returns whether the word after an option may belong to it.
pub(super) fn may_take_value(program: &str, option: &str) -> bool {
    let letters = option.trim_start_matches('-');
    let is_number = !letters.is_empty() && letters.bytes().all(|byte| byte.is_ascii_digit());
    if option == "--" || option.contains('=') || is_number {
        return false;
    }
    let Some((_, known, long)) = WITHOUT_VALUE.iter().find(|(name, ..)| *name == program) else {
        return true;
    };
    if option.starts_with("--") {
        return !has(long, option);
    }
    letters.is_empty() || !letters.chars().all(|letter| known.contains(letter))
}

/// Returns whether the word that follows these is a message for people, which has no effect.
pub(super) fn takes_message<T: AsRef<str>>(words: &[T]) -> bool {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    match words.as_slice() {
        ["git", "commit" | "stash" | "tag", .., option] => has("-m -am -qm --message", option),
        ["gh", "pr", "create", .., option] => has("--title --body -t -b", option),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn programs_that_run_others_are_known_by_any_path_and_version() {
        for program in
            ["bash", "/bin/sh", "python3", "python3.11", "/usr/bin/python3", "env", "sudo", "xargs"]
        {
            assert!(runs_others(program), "{program}");
        }
        for program in ["cargo", "ls", "rg"] {
            assert!(!runs_others(program), "{program}");
        }
        assert!(may_run_others("git") && may_run_others("/usr/bin/make") && !may_run_others("ls"));
    }

    #[test]
    fn what_deletes_sends_or_publishes_reaches_far() {
        for text in
            ["rm a", "/bin/rm a", "git push", "git -C x push", "git", "npm i x", "pip3 install x", "curl x"]
        {
            assert!(reaches_far(&words(text)), "{text}");
        }
        for text in ["ls a", "git status", "git add a", "cargo test", "npm test", "grep x y"] {
            assert!(!reaches_far(&words(text)), "{text}");
        }
    }

    #[test]
    fn options_take_a_value_unless_it_is_known_that_they_do_not() {
        for (program, option) in
            [("pytest", "-xq"), ("head", "-50"), ("cargo", "--lib"), ("x", "--"), ("x", "--a=b")]
        {
            assert!(!may_take_value(program, option), "{program} {option}");
        }
        for (program, option) in
            [("pytest", "-xk"), ("cargo", "-p"), ("tail", "-n"), ("x", "-y"), ("x", "-"), ("git", "--long")]
        {
            assert!(may_take_value(program, option), "{program} {option}");
        }
    }

    #[test]
    fn tools_that_test_and_check_are_known_behind_their_runners() {
        for (text, before) in [
            ("npx vitest run", 1),
            ("python -m pytest -q", 2),
            ("uv run pytest", 2),
            ("npx evil", 0),
            ("npx --yes vitest", 0),
            ("python -c pytest", 0),
            ("uv run", 0),
            ("npx", 0),
        ] {
            assert_eq!(before_tool(&words(text)), before, "{text}");
            assert_eq!(runs_what_follows(&words(text)), before == 0, "{text}");
        }
    }
}
