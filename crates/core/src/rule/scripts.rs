//! Small scripts in read-only commands, of `sed`, `jq`, `awk` and `printf`: whether they do more than print.

use super::filters::{operands, values};
use super::programs::has;

/// Returns whether the script in a command does more than print.
pub(super) fn does_more(words: &[String]) -> bool {
    let first = |options: &str| operands(words, options).next().map(|at| words[at].as_str());
    match words.first().map(String::as_str) {
        Some("sed") => !first("").is_some_and(only_prints),
        Some("jq") => !first("").is_some_and(is_plain_filter),
        Some("awk") => !first("-F").is_some_and(prints_fields),
        // Some shells evaluate an argument of a numeric format, and run what is in it.
        Some("printf") => !first("").is_some_and(prints_texts),
        Some("gh") => !values(words, "-q --jq").all(|at| is_plain_filter(&words[at])),
        _ => false,
    }
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

/// Takes the addresses of a `sed` command off a text; none if they are not plain.
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

/// Takes a pattern off a text, up to its delimiter. Some programs take the delimiter within brackets for a letter, so
/// brackets are not accepted.
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

/// Returns whether a filter of `jq` reads only its input: no variables of the environment, no other files.
fn is_plain_filter(filter: &str) -> bool {
    let mut names = filter.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    !filter.contains('$') && !names.any(|name| has("env import include modulemeta", name))
}

/// Returns whether a format of `printf` prints nothing but texts: `%s`, `%-20s`, `%%`.
fn prints_texts(format: &str) -> bool {
    let mut rest = format;
    while let Some((_, after)) = rest.split_once('%') {
        let after = after.trim_start_matches(|c: char| c.is_ascii_digit() || c == '-' || c == '.');
        let Some(after) = after.strip_prefix(['s', '%']) else { return false };
        rest = after;
    }
    true
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
