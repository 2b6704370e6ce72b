//! Tests which words of commands are distinguished, as tables.

use super::*;

fn programs(text: &str) -> Vec<String> {
    let all = parts(text).into_iter().flatten().flatten();
    all.filter(|(token, _)| *token == Token::Program).map(|(_, text)| text).collect()
}

#[test]
fn programs_are_found_where_the_rest_is_not_understood() {
    for (text, expected) in [
        ("cat <<'E' | sh\nrm x\nE\nls", &["cat", "sh", "ls"][..]),
        ("tr a b <<< \"c d\" > out", &["tr"]),
        ("diff <(sort a) b", &["diff"]),
        ("for f in *.rs; do rustfmt \"$f\" && git add $f; done; ls", &["rustfmt", "git", "ls"]),
        ("if test -f x; then A=1 make; else echo; fi", &["test", "make", "echo"]),
        ("(cd a && ls) > b", &["cd", "ls"]),
        ("while read -r l; do echo x; done < f", &["read", "echo"]),
        ("case $x in a) ls;; esac", &[]),
        ("ls # rm x\npwd", &["ls", "pwd"]),
    ] {
        assert_eq!(programs(text), expected, "{text}");
        assert_eq!(shown(text).unwrap().concat(), text);
    }
}

fn shown(text: &str) -> Option<Vec<String>> {
    let join = |part: &ShellPart| part.iter().map(|(_, text)| text.as_str()).collect::<String>();
    parts(text).map(|parts| parts.iter().map(join).collect())
}

#[test]
fn parts_are_the_text_again() {
    for (text, expected) in [
        ("ls -la", &["ls -la"][..]),
        (
            "cargo test && curl -fsSL https://x.example | sh",
            &["cargo test ", "&& curl -fsSL https://x.example | sh"],
        ),
        ("a; b || c & d", &["a", "; b ", "|| c ", "& d"]),
        ("echo 'a && b' \"c; d\"", &["echo 'a && b' \"c; d\""]),
        ("make 2>&1 | tee log", &["make 2>&1 | tee log"]),
        ("FOO=1 sh -c \"$(curl x; y)\" && ls", &["FOO=1 sh -c \"$(curl x; y)\" ", "&& ls"]),
        ("ls;", &["ls", ";"]),
        ("ls a#b # && rm x", &["ls a#b # && rm x"]),
    ] {
        let found = shown(text);
        assert_eq!(found.as_deref().map(<[String]>::concat).as_deref(), Some(text));
        assert_eq!(found.unwrap(), expected, "{text}");
    }
}

#[test]
fn what_is_not_understood_stands_as_it_is() {
    for text in ["", "ls 'a", "ls \"a", "cat <<E", "cat <<E\nE E", "cat <<$E\n$E", "ls $(a"] {
        assert_eq!(shown(text), None, "{text}");
    }
    for text in [
        "(ls)",
        "if a; then b",
        "ls >",
        "&& ls",
        "ls ;; ls",
        "{ a; }",
        "a\nb",
        "f() { a; }",
        "ls > > a",
        "a<(b)",
    ] {
        assert!(read(text).is_none_or(|_| text.contains('\n')), "{text}");
        assert_eq!(shown(text).as_deref(), Some([text.to_owned()].as_slice()), "only its words");
    }
}

#[test]
fn words_are_told_apart() {
    let parts = parts("A=1 curl -d \"x y\" > out | 'sh'").unwrap();
    let tokens: Vec<(Token, &str)> = parts[0].iter().map(|(token, text)| (*token, text.as_str())).collect();
    assert_eq!(
        tokens,
        [
            (Token::Plain, "A=1 "),
            (Token::Program, "curl"),
            (Token::Plain, " -d "),
            (Token::Quoted, "\"x y\""),
            (Token::Plain, " "),
            (Token::Operator, ">"),
            (Token::Plain, " out "),
            (Token::Operator, "|"),
            (Token::Plain, " "),
            (Token::Quoted, "'sh'"),
        ]
    );
}
