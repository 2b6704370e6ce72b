//! What commands that only look are given beside names of files: patterns, separators, formats, and small scripts that print.

use super::programs::{before_tool, has, local};

/// Returns which words of a command that is known are text and no names of files.
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
        "rg" => pattern(words, "ABCgmt").into_iter().chain(values(words, "-g")).collect(),
        "sed" | "jq" => operands(words, "").take(1).collect(),
        "awk" => values(words, "-F").chain(operands(words, "-F").take(1)).collect(),
        "cut" => values(words, "-d -f -c -b").collect(),
        "column" => values(words, "-s").collect(),
        "sort" => values(words, "-t -k").collect(),
        "date" => operands(words, "").filter(|at| words[*at].starts_with('+')).collect(),
        "head" | "tail" => values(words, "-n -c").filter(|at| is_amount(&words[*at])).collect(),
        "find" => values(words, "-size -mtime -mmin").filter(|at| is_amount(&words[*at])).collect(),
        "git" => values(words, "-S -G --author --grep --since --until").collect(),
        "gh" => values(words, "-q --jq").collect(),
        "docker" => values(words, "--format").collect(),
        "eslint" => values(words, "--ext").filter(|at| words[*at].starts_with('.')).collect(),
        "go" => values(words, "-run -skip -bench -f").collect(),
        "gradle" | "./gradlew" => values(words, "--tests").filter(is_name).collect(),
        "pest" | "phpunit" | "psalm" => values(words, "--filter").collect(),
        // A runner may hand what it is given to a shell.
        "jest" | "vitest" if is_direct => values(words, "-t").collect(),
        "rspec" if is_direct => values(words, "-e").collect(),
        "cargo" => values(words, "-E").collect(),
        _ => Vec::new(),
    };
    at.into_iter().map(|at| before + at).collect()
}

/// Returns whether an option has its value in the same word, and nothing else: `-d,`, `-k2,2n`, `-func=cover.out`.
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
        _ if begins(&["go", "tool", "cover"]) => {
            option.strip_prefix("-func=").is_some_and(|name| is_file(name, ".out"))
        }
        _ if begins(&["go", "test"]) => {
            option.strip_prefix("-coverprofile=").is_some_and(|name| is_file(name, ".out"))
        }
        _ => false,
    }
}

/// Returns whether a small script that a command is given does more than print.
pub(super) fn script_does_more(words: &[String]) -> bool {
    let first = |options: &str| operands(words, options).next().map(|at| words[at].as_str());
    match words.first().map(String::as_str) {
        Some("sed") => !first("").is_some_and(only_prints),
        Some("jq") => !first("").is_some_and(is_plain_filter),
        Some("awk") => !first("-F").is_some_and(prints_fields),
        Some("gh") => !values(words, "-q --jq").all(|at| is_plain_filter(&words[at])),
        _ => false,
    }
}

fn is_option(word: &str) -> bool {
    word.starts_with('-') && word.len() > 1
}

/// Lists where the words stand that are neither options nor the values of those which take one.
fn operands<'a>(words: &'a [String], with_value: &'a str) -> impl Iterator<Item = usize> + 'a {
    let is_value = move |at: usize| has(with_value, &words[at - 1]);
    (1..words.len()).filter(move |at| !is_option(&words[*at]) && !is_value(*at))
}

/// Lists where the values of some options stand.
fn values<'a>(words: &'a [String], options: &'a str) -> impl Iterator<Item = usize> + 'a {
    (2..words.len()).filter(move |at| has(options, &words[*at - 1]) && !is_option(&words[*at]))
}

/// Returns where the pattern of a search stands: the first word that is no option and no value of one. None where it could be
/// given otherwise, because then the first such word is a file.
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
            // Of the long ones, only these take the next word.
            at += 1 + usize::from(has("--type --type-not", word));
            continue;
        }
        let letters: Vec<char> = option.chars().filter(|c| !c.is_ascii_digit()).collect();
        let takes_value = |c: &char| with_value.contains(*c);
        match letters.as_slice() {
            letters if letters.contains(&'e') => return None,
            [one] if takes_value(one) => at += 1 + usize::from(option.len() == 1),
            // What stands behind such a letter in the same word is its value.
            letters if letters.iter().any(takes_value) => return None,
            _ => at += 1,
        }
    }
    None
}

/// Returns whether a word is a number, or more or less than one: `+10M`, `-7`, `20`.
fn is_amount(word: &str) -> bool {
    let digits = word.trim_start_matches(['+', '-']).trim_end_matches(['k', 'K', 'M', 'G', 'c']);
    word.len() <= 12 && !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns whether a script of `sed` only prints, leaves out or replaces lines: `3p`, `10,20p`, `/a/,$p`, `s/a/b/g;1d`.
fn only_prints(script: &str) -> bool {
    let mut rest = script.trim();
    loop {
        let Some(after) = after_addresses(rest) else { return false };
        let Some((command, after)) = after.split_at_checked(1) else { return false };
        rest = match command {
            "p" | "d" | "q" => after,
            "s" => match after_substitution(after) {
                Some(after) => after,
                None => return false,
            },
            _ => return false,
        }
        .trim_start();
        if rest.is_empty() {
            return true;
        }
        match rest.strip_prefix(';') {
            Some(next) if !next.trim().is_empty() => rest = next.trim_start(),
            _ => return false,
        }
    }
}

/// Takes the addresses of a command of `sed` off a text; none if they are not plain.
fn after_addresses(text: &str) -> Option<&str> {
    let after = after_address(text)?;
    let after = match after.strip_prefix(',') {
        Some(second) if after.len() < text.len() => {
            let second = second.strip_prefix('+').unwrap_or(second);
            after_address(second).filter(|after| after.len() < second.len())?
        }
        _ => after,
    };
    Some(after.strip_prefix('!').unwrap_or(after))
}

fn after_address(text: &str) -> Option<&str> {
    match text.strip_prefix('/') {
        Some(pattern) => after_delimited(pattern, '/'),
        None => Some(
            text.strip_prefix('$').unwrap_or_else(|| text.trim_start_matches(|c: char| c.is_ascii_digit())),
        ),
    }
}

fn after_substitution(text: &str) -> Option<&str> {
    let sign = text.chars().next().filter(|sign| "/|#,:@".contains(*sign))?;
    let after = after_delimited(after_delimited(&text[1..], sign)?, sign)?;
    Some(after.trim_start_matches(['g', 'p', 'i', 'I', '1', '2', '3', '4', '5', '6', '7', '8', '9']))
}

/// Takes a pattern off a text, up to the sign that ends it. Within brackets some take that sign for a letter: there is none.
fn after_delimited(text: &str, sign: char) -> Option<&str> {
    let (mut is_escaped, mut brackets) = (false, 0_i32);
    for (at, c) in text.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            c if c == sign => {
                let is_plain = brackets == 0 && !text[..at].contains("[]") && !text[..at].contains("[^]");
                return is_plain.then(|| &text[at + 1..]);
            }
            '[' => brackets += 1,
            ']' => brackets -= 1,
            _ => {}
        }
    }
    None
}

/// Returns whether a filter of `jq` sees nothing but what it is given: no variables of the environment, no other files.
fn is_plain_filter(filter: &str) -> bool {
    let mut names = filter.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    !filter.contains('$') && !names.any(|name| has("env import include modulemeta", name))
}

/// Returns whether a program of `awk` only prints fields of some lines: `{print $1, $3}`, `NR > 1 {print $NF}`, `/a/`.
fn prints_fields(program: &str) -> bool {
    let (lines, does) = match program.split_once('{') {
        Some((lines, rest)) => match rest.trim_end().strip_suffix('}') {
            Some(does) => (lines, Some(does.trim())),
            None => return false,
        },
        None => (program, None),
    };
    let is_of =
        |text: &str, signs: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || signs.contains(c));
    let prints = |does: &str| {
        let after = does.strip_prefix("printf").or_else(|| does.strip_prefix("print"));
        after.is_some_and(|after| {
            !after.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
                && is_of(after, " $,.:;_\"'%\\-+*/")
        })
    };
    !program.contains("getline")
        && is_of(lines, " $,._\"-+*/=<>!&~^:")
        && does.is_none_or(prints)
        && !(does.is_none() && lines.trim().is_empty())
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

    #[test]
    fn small_scripts_that_only_print_are_known() {
        for script in [
            "3p",
            "1,20p",
            "5,$p",
            "/a b/p",
            "/a/,/b/p",
            "s/a/b/g",
            "s|a|b|;1d",
            "1d;$d",
            "/x/!d",
            "2q",
            "s/[a-z]/x/",
        ] {
            assert!(only_prints(script), "{script}");
        }
        for script in [
            "",
            "1e",
            "1e id",
            "w x",
            "1w x",
            "s/a/b/e",
            "s/a/b/w x",
            "s/a/b/ge",
            "r x",
            "1,20p;w x",
            "1p;",
            "{p}",
            "1{e}",
            "p;e id",
            "s/[/]/e/e",
            "/[/]w x/p",
            "s/a/b",
            "1,p",
            "s/[]/]/w x/",
            "y/a/b/",
            "1!e",
            "$!N",
        ] {
            assert!(!only_prints(script), "{script}");
        }
        for filter in [".a", ".[] | select(.x == 1) | .name", "length", "@base64", "map(.environment)"] {
            assert!(is_plain_filter(filter), "{filter}");
        }
        for filter in
            ["env", "$ENV.X", "env.GH_TOKEN", "import \"a\" as a; .", "include \"./x\"; .", "[env]|.[0]"]
        {
            assert!(!is_plain_filter(filter), "{filter}");
        }
        for program in [
            "{print $1}",
            "{ print $1, $NF }",
            "NR>1 {print $2}",
            "/a/",
            "END{print NR}",
            "{printf \"%s\\n\", $1}",
        ] {
            assert!(prints_fields(program), "{program}");
        }
        for program in [
            "",
            "BEGIN{system(\"id\")}",
            "{print > \"x\"}",
            "{print | \"sh\"}",
            "\"id\" | getline",
            "{print ENVIRON[\"X\"]}",
            "@load \"x\"",
            "{while((getline l < \"x\")>0) print l}",
            "{print}{print}",
            "{x=1}",
            "{printx}",
            "1{getline;print}",
        ] {
            assert!(!prints_fields(program), "{program}");
        }
    }
}
