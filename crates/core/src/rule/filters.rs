//! Arguments of read-only commands that are not names of files: patterns, separators, formats, and small scripts that
//! print.

use super::programs::{before_tool, has, local};

/// Returns which words of a known command are text rather than names of files.
pub(super) fn texts(words: &[String]) -> Vec<usize> {
    let before = before_tool(words);
    let is_direct = before == 0 || words.first().is_some_and(|runner| runner == "bundle");
    let words = &words[before..];
    let Some(program) = words.first() else { return Vec::new() };
    let is_name = |at: &usize| words[*at].chars().all(|c| c.is_ascii_alphanumeric() || "._*".contains(c));
    let at: Vec<usize> = match local(program) {
        "echo" | "printf" | "tr" => operands(words, "").collect(),
        "grep" => pattern(words, "ABCm").into_iter().collect(),
        "rg" if words.iter().any(|word| word == "--files") => Vec::new(),
        "rg" => pattern(words, "ABCgmt").into_iter().chain(values(words, "-g --glob")).collect(),
        "sed" | "jq" => operands(words, "").take(1).collect(),
        "awk" => values(words, "-F").chain(operands(words, "-F").take(1)).collect(),
        "cut" => values(words, "-d -f -c -b").collect(),
        "column" => values(words, "-s").collect(),
        "sort" => values(words, "-t -k").collect(),
        "ctest" => values(words, "-R -E -L").collect(),
        "date" => operands(words, "").filter(|at| words[*at].starts_with('+')).collect(),
        "head" | "tail" => values(words, "-n -c").filter(|at| is_amount(&words[*at])).collect(),
        "find" => values(words, "-size -mtime -mmin").filter(|at| is_amount(&words[*at])).collect(),
        "git" => values(words, "-S -G --author --grep --since --until").collect(),
        "gh" => values(words, "-q --jq").collect(),
        "docker" if words.get(1).is_some_and(|verb| verb == "build") => values(words, "-t --tag").collect(),
        "docker" => values(words, "--format").collect(),
        "dotnet" => values(words, "--filter")
            .chain(values(words, "--logger").filter(|at| is_logger(&words[*at])))
            .chain(values(words, "--collect").filter(|at| is_collector(&words[*at])))
            .collect(),
        "eslint" => values(words, "--ext").filter(|at| words[*at].starts_with('.')).collect(),
        "go" => values(words, "-run -skip -bench -f").collect(),
        "gradle" | "./gradlew" => values(words, "--tests").filter(is_name).collect(),
        "pest" | "phpunit" | "psalm" => values(words, "--filter").collect(),
        // A runner may pass its arguments to a shell.
        "jest" | "vitest" if is_direct => values(words, "-t").collect(),
        "rspec" if is_direct => values(words, "-e").collect(),
        "cargo" => values(words, "-E").collect(),
        _ => Vec::new(),
    };
    at.into_iter().map(|at| before + at).collect()
}

/// Returns whether an option has its value in the same word: `-d,`, `-k2,2n`, `-func=cover.out`.
pub(super) fn has_value(words: &[String], option: &str) -> bool {
    let begins = |named: &[&str]| super::programs::begin(words, named);
    let is_of = |text: &str, list: &str| !text.is_empty() && text.chars().all(|c| list.contains(c));
    let short =
        option.strip_prefix('-').filter(|rest| rest.is_ascii()).and_then(|rest| rest.split_at_checked(1));
    let is_file =
        |name: &str, ending: &str| name.ends_with(ending) && !name.starts_with('/') && !name.contains("..");
    match (words.first().map(String::as_str), short) {
        (Some("cut"), Some(("d", sign)))
        | (Some("sort"), Some(("t", sign)))
        | (Some("column"), Some(("s", sign))) => sign.len() == 1,
        (Some("cut"), Some(("f" | "c" | "b", list))) => is_of(list, "0123456789,-"),
        (Some("sort"), Some(("k", key))) => is_of(key, "0123456789.,bdfgiMhnRrV"),
        (Some("awk"), Some(("F", sign))) => !sign.is_empty() && sign.len() <= 3,
        (Some("head" | "tail"), Some(("n" | "c", amount))) => is_amount(amount),
        (Some("cmake"), Some(("D", set))) => is_plain_setting(set),
        (Some("dotnet"), _) => {
            option.strip_prefix("--logger:").is_some_and(is_logger)
                || option.strip_prefix("--collect:").is_some_and(is_collector)
                || ["/p:", "-p:"].iter().any(|sign| option.strip_prefix(sign).is_some_and(is_plain_property))
        }
        (Some("lsof"), Some(("i" | "t", port))) => is_of(port, "i:0123456789"),
        _ if begins(&["go", "tool", "cover"]) => {
            option.strip_prefix("-func=").is_some_and(|name| is_file(name, ".out"))
        }
        _ if begins(&["go", "test"]) => {
            option.strip_prefix("-coverprofile=").is_some_and(|name| is_file(name, ".out"))
        }
        _ => false,
    }
}

/// Returns whether a setting of `cmake` says what to build, and not with which tools: `CMAKE_BUILD_TYPE=Debug`,
/// `BUILD_TESTING=ON`.
fn is_plain_setting(set: &str) -> bool {
    let Some((name, value)) = set.split_once('=') else { return false };
    let is_name = name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    let is_switch =
        has("0 1 FALSE OFF ON TRUE", value) && !name.contains("COMPILER") && !name.contains("LAUNCHER");
    is_name && (is_switch || (name == "CMAKE_BUILD_TYPE" && value.chars().all(|c| c.is_ascii_alphabetic())))
}

/// Returns whether a test logger prints, or writes its results to the usual place.
fn is_logger(name: &str) -> bool {
    let level = name.strip_prefix("console;verbosity=");
    has("console html trx", name) || level.is_some_and(|level| has("detailed minimal normal quiet", level))
}

/// Returns whether a test collector comes with the test runner.
fn is_collector(name: &str) -> bool {
    matches!(name, "Code Coverage" | "XPlat Code Coverage")
}

/// Returns whether tests use a logger or a collector that has to be loaded.
pub(super) fn loads_other(words: &[String]) -> bool {
    values(words, "--logger").any(|at| !is_logger(&words[at]))
        || values(words, "--collect").any(|at| !is_collector(&words[at]))
}

/// Returns whether a property only sets how strictly something is built: others name programs and files.
fn is_plain_property(set: &str) -> bool {
    let Some((name, value)) = set.split_once('=') else { return false };
    let names = "CollectCoverage ContinuousIntegrationBuild Deterministic EnforceCodeStyleInBuild RunAnalyzers TreatWarningsAsErrors \
        UseSharedCompilation";
    has(names, name) && has("false true", value)
}

fn is_option(word: &str) -> bool {
    word.starts_with('-') && word.len() > 1
}

/// Lists the positions of words that are neither options nor values of the options that take one.
pub(super) fn operands<'a>(words: &'a [String], with_value: &'a str) -> impl Iterator<Item = usize> + 'a {
    let values: Vec<usize> = values(words, with_value).collect();
    (1..words.len()).filter(move |at| !is_option(&words[*at]) && !values.contains(at))
}

/// Lists the positions of the values of some options: such an option takes the next word, whatever it looks like.
pub(super) fn values<'a>(words: &'a [String], options: &'a str) -> impl Iterator<Item = usize> + 'a {
    let mut at = 1;
    std::iter::from_fn(move || {
        while at + 1 < words.len() {
            at += 1;
            if has(options, &words[at - 1]) {
                at += 1;
                return Some(at - 1);
            }
        }
        None
    })
}

/// Returns whether programs could read these words in two ways: an option that takes a text is followed by something
/// like an option, or is itself in a place where it may be the value of the previous one, or comes after `--`.
pub(super) fn is_unclear(words: &[String]) -> bool {
    let Some((with_text, flags)) = words.first().and_then(|program| with_text(local(program))) else {
        return false;
    };
    words.iter().enumerate().skip(1).any(|(at, option)| {
        let before = &words[at - 1];
        let is_group = before.strip_prefix('-').is_some_and(|letters| {
            !letters.is_empty() && letters.chars().all(|letter| has(flags, &format!("-{letter}")))
        });
        let is_flag = has(flags, before) || is_group || before.contains('=') || is_amount(before);
        let may_belong = at > 1 && before.starts_with('-') && !is_flag;
        let has_odd_value = words.get(at + 1).is_some_and(|value| is_option(value) && !is_amount(value));
        let is_path = words[..at].iter().any(|word| word == "--");
        has(with_text, option) && (may_belong || has_odd_value || is_path)
    })
}

/// Returns the options of a program that take a text, and those that take no value and may stand before them.
fn with_text(program: &str) -> Option<(&'static str, &'static str)> {
    Some(match program {
        "awk" => ("-F", ""),
        "cargo" => (
            "-E",
            "--all-features --all-targets --lib --locked --no-fail-fast --offline --release --tests --workspace -q -v",
        ),
        "column" => ("-s", "-t"),
        "ctest" => ("-R -E -L", "-N -Q -V --output-on-failure --rerun-failed --verbose"),
        "cut" => ("-d -f -c -b", "-s"),
        "dotnet" => (
            "--collect --filter --logger",
            "--blame --list-tests --no-build --no-restore --nologo --verify-no-changes",
        ),
        "docker" => ("--format", "-a -l -q -s --all --no-trunc --quiet"),
        "eslint" => ("--ext", "--cache --fix --quiet"),
        "find" => ("-size -mtime -mmin", "-not -o -print -print0"),
        "gh" => ("-q --jq", "--comments --log --log-failed --required"),
        "git" => (
            "-S -G --author --grep --since --until",
            "-p -w -b -s --all --branches --cached --decorate --first-parent --follow --graph --merges --name-only --name-status \
             --no-color --no-merges --no-patch --numstat --oneline --patch --reverse --shortstat --staged --stat",
        ),
        "go" => {
            ("-run -skip -bench -f", "-v -benchmem -cover -failfast -json -race -short -deps -e -m -test -u")
        }
        "head" | "tail" => ("-n -c", "-f -q -v"),
        "jest" | "vitest" => ("-t", "--bail --ci --coverage --run --runInBand --silent --verbose"),
        "pest" | "phpunit" | "psalm" => {
            ("--filter", "--compact --no-coverage --parallel --stop-on-failure --testdox")
        }
        "rg" => (
            "-g --glob",
            "-F -S -U -a -c -h -i -l -n -o -s -v -w -x --count --files --ignore-case --line-number",
        ),
        "rspec" => ("-e", "-b --backtrace --fail-fast --next-failure --only-failures"),
        "sort" => ("-t -k", "-b -d -f -g -h -i -n -r -s -u -V"),
        _ => return None,
    })
}

/// Returns the position of the pattern of a search: the first word that is neither an option nor a value of one.
/// Returns none if the pattern could be given otherwise, because then the first such word is a file.
fn pattern(words: &[String], with_value: &str) -> Option<usize> {
    let mut at = 1;
    while let Some(word) = words.get(at) {
        let Some(option) = word.strip_prefix('-').filter(|option| !option.is_empty()) else {
            return Some(at);
        };
        if option == "-" {
            return (at + 1 < words.len()).then_some(at + 1);
        }
        if option.starts_with("--") || option.starts_with('-') {
            // Of the long options, only these take the next word.
            at += 1 + usize::from(has("--glob --type --type-not", word));
            continue;
        }
        let letters: Vec<char> = option.chars().filter(|c| !c.is_ascii_digit()).collect();
        let takes_value = |c: &char| with_value.contains(*c);
        match letters.as_slice() {
            letters if letters.contains(&'e') => return None,
            [one] if takes_value(one) => at += 1 + usize::from(option.len() == 1),
            // The text after such a letter in the same word is its value.
            letters if letters.iter().any(takes_value) => return None,
            _ => at += 1,
        }
    }
    None
}

/// Returns whether a word is a number, optionally with a sign and a unit: `+10M`, `-7`, `20`.
fn is_amount(word: &str) -> bool {
    let digits = word.trim_start_matches(['+', '-']).trim_end_matches(['k', 'K', 'M', 'G', 'c']);
    word.len() <= 12 && !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn what_is_no_name_of_a_file_is_known() {
        let table: [(&str, &[usize]); 21] = [
            ("grep -n KEY .env", &[2]),
            ("grep -A 3 KEY .env", &[3]),
            ("grep -A3 -in KEY .env", &[3]),
            ("grep -- KEY .env", &[2]),
            ("grep -e KEY .env", &[]),
            ("grep -enil .env", &[]),
            ("grep -mA KEY .env", &[]),
            ("rg KEY .env", &[1]),
            ("rg -gA KEY .env", &[]),
            ("rg -tst KEY .env", &[]),
            ("rg -t ts KEY .env", &[3]),
            ("rg --files .ssh", &[]),
            ("rg --type ts KEY .env", &[3]),
            ("sed -n 1p .env", &[2]),
            ("jq -r .a .env", &[2]),
            ("awk -F : 1 .env", &[2, 3]),
            ("go test -run A|B ./x", &[3]),
            ("bundle exec rspec -e a|b", &[4]),
            ("npx jest -t a|b", &[]),
            ("find . -size +1M", &[3]),
            ("tail -n +5 .env", &[2]),
        ];
        for (text, expected) in table {
            assert_eq!(texts(&words(text)), expected, "{text}");
        }
    }
}
