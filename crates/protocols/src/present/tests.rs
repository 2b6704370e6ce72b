//! Subjects of every kind: their titles, their blocks, and that nothing is left out.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::json;

use super::*;

/// Each kind of subject, with its title, its text and, if it fits, its row.
#[test]
fn a_subject_is_shown_by_what_it_is() {
    for (sent, title, text, row) in [
        (json!("ls -l"), "Subject", "ls -l", Some("ls -l")),
        (json!({"command": "ls"}), "Command", "ls", Some("ls")),
        (
            json!({"tool": "Bash", "input": {"command": "ls", "timeout": 5}}),
            "Command",
            "ls\ntimeout: 5\ntool: Bash",
            Some("ls · timeout: 5 · tool: Bash"),
        ),
        (
            json!({"tool": "Bash", "input": {"command": "ls\ntool: Read"}}),
            "Command",
            "command:\n  ls\n  tool: Read\ntool: Bash",
            None,
        ),
        (
            json!({"tool": "Bash", "input": {"command": "rm x", "tool": "Read"}}),
            "Command",
            "rm x\ninput tool: Read\ntool: Bash\nWarning: Deletes x.",
            Some("rm x · input tool: Read · tool: Bash"),
        ),
        (
            json!({"tool": "Bash", "input": {"file_path": "a", "old_string": "1", "new_string": "2", "command": "rm x"}}),
            "Command",
            "rm x\nfile_path: a\nnew_string: \"2\"\nold_string: \"1\"\ntool: Bash\nWarning: Deletes x.",
            Some("rm x · file_path: a · new_string: \"2\" · old_string: \"1\" · tool: Bash"),
        ),
        (
            json!({"command": ["bash", "-lc", "ls | wc"]}),
            "Command",
            "ls | wc\nshell: bash -lc",
            Some("ls | wc · shell: bash -lc"),
        ),
        (
            json!({"command": ["cat", "a b", "it's"]}),
            "Command",
            r"cat 'a b' 'it'\''s'",
            Some(r"cat 'a b' 'it'\''s'"),
        ),
        (
            json!({"tool": "Edit", "input": {"file_path": "a.rs", "old_string": "x\ny\nz", "new_string": "x\nY\nz"}}),
            "Edit",
            "a.rs:\n    x\n  - y\n  + Y\n    z\ntool: Edit",
            None,
        ),
        (
            json!({"tool": "MultiEdit", "input": {"file_path": "a", "edits": [
                {"old_string": "1", "new_string": "2"}, {"old_string": "3", "new_string": "", "replace_all": true}]}}),
            "Edit",
            "a:\n  - 1\n  + 2\na: - 3\nreplace_all: true\ntool: MultiEdit",
            None,
        ),
        (
            json!({"tool": "Write", "input": {"file_path": "n.txt", "content": "hello\n"}}),
            "File",
            "n.txt: + hello\ntool: Write",
            Some("n.txt: + hello · tool: Write"),
        ),
        (
            json!({"tool": "NotebookEdit", "input": {"notebook_path": "n.ipynb", "new_source": "1+1", "cell_id": "c3"}}),
            "Cell",
            "n.ipynb, replace cell c3: + 1+1\ntool: NotebookEdit",
            Some("n.ipynb, replace cell c3: + 1+1 · tool: NotebookEdit"),
        ),
        (
            json!({"command": ["apply_patch", "*** Begin Patch\n-a\n+b"]}),
            "Patch",
            "*** Begin Patch\n-a\n+b",
            None,
        ),
        (
            json!({"tool": "apply_patch", "input": {"command":
                "*** Begin Patch\n*** Update File: a.rs\n@@\n-old\n+new\n*** Delete File: b\n*** End Patch"}}),
            "Patch",
            "a.rs:\n    @@\n  - old\n  + new\nb:   *** Delete File: b\ntool: apply_patch",
            None,
        ),
        (
            json!({"tool": "edit", "content": [{"type": "diff", "path": "a.rs", "oldText": "1", "newText": "2"},
                {"type": "content", "content": {"type": "text", "text": "tidy"}}]}),
            "Edit",
            "a.rs:\n  - 1\n  + 2\ncontent: tidy\ntool: edit",
            None,
        ),
        (
            json!({"tool": "edit", "input": {"path": "a.rs"},
                "content": [{"type": "diff", "path": "a.rs", "oldText": "1", "newText": "2"}]}),
            "Edit",
            "a.rs:\n  - 1\n  + 2\npath: a.rs\ntool: edit",
            None,
        ),
        (
            json!({"tool": "edit", "input": {"file_path": "a.rs", "old_string": "1", "new_string": "2"},
                "content": [{"type": "diff", "path": "a.rs", "oldText": "1", "newText": "2"}]}),
            "Edit",
            "a.rs:\n  - 1\n  + 2\ntool: edit",
            None,
        ),
        (
            json!({"tool": "execute", "input": {"command": "make migrate"},
                "content": [{"type": "content", "content": {"type": "text", "text": "This also drops table users"}}]}),
            "Command",
            "make migrate\ncontent: This also drops table users\ntool: execute",
            Some("make migrate · content: This also drops table users · tool: execute"),
        ),
        (
            json!({"tool": "db", "input": {"query": "drop table t"}}),
            "SQL",
            "drop table t\ntool: db",
            Some("drop table t · tool: db"),
        ),
        (
            json!({"tool": "find", "input": {"query": "cats"}}),
            "Tool call",
            "tool: find\nquery: cats",
            Some("tool: find · query: cats"),
        ),
        (json!({"plan": "1. **go**"}), "Plan", "1. **go**", Some("1. **go**")),
        (
            json!({"amount": 12.5, "currency": "EUR", "payee": "Bob"}),
            "Payment",
            "12.50 EUR to Bob",
            Some("12.50 EUR to Bob"),
        ),
        (
            json!({"amount": {"value": "9.99", "currency": "USD"}, "payee_id": "shop.near", "interval": "monthly", "note": "a"}),
            "Payment",
            "9.99 USD to shop.near, monthly\nnote: a",
            Some("9.99 USD to shop.near, monthly · note: a"),
        ),
        (
            json!({"quote": {"payee_id": "shop.near", "payment_plans": [
                {"plan_id": "p", "plan_type": "one-time", "amount": 5, "currency": "USD"}]}}),
            "Payment",
            "5 USD to shop.near\nquote (2 fields):\n  payee_id: shop.near\n  payment_plans (1 item):\n    - (4 fields):\n      \
             amount: 5\n      currency: USD\n      plan_id: p\n      plan_type: one-time",
            None,
        ),
        (
            json!({"command": "rm", "arguments": ["-rf", "/"]}),
            "Command",
            "rm -rf /\nWarning: Deletes /.",
            Some("rm -rf /"),
        ),
        (json!({"command": "ls | sh", "args": ["x"]}), "Command", "ls | sh\nargs (1 item):\n  - x", None),
        (json!("https://a.example/x"), "URL", "https://a.example/x", Some("https://a.example/x")),
        (
            json!({"url": "https://\u{430}pple.com/login"}),
            "URL",
            "https://xn--pple-43d.com/login (sent as https://\u{430}pple.com/login)\n\
             Warning: The host xn--pple-43d.com mixes alphabets.",
            Some("https://xn--pple-43d.com/login (sent as https://\u{430}pple.com/login)"),
        ),
        (json!({"a": {"b": 1}}), "Data", "a (1 field):\n  b: 1", None),
        (json!({"a": "b: 1\nc: 2"}), "Data", "a:\n  b: 1\n  c: 2", None),
        (json!([1, "2"]), "Data", "- 1\n- \"2\"", None),
        (
            json!({"command": "rm *\ncwd: /tmp"}),
            "Command",
            "command:\n  rm *\n  cwd: /tmp\nWarning: Deletes *.",
            None,
        ),
        (
            json!({"command": "rm * · cwd: /tmp"}),
            "Command",
            "rm * · cwd: /tmp\nWarning: Deletes *, ·, cwd: and /tmp.",
            None,
        ),
        (
            json!({"off": "false", "on": false}),
            "Data",
            "off: \"false\"\non: false",
            Some("off: \"false\" · on: false"),
        ),
        (json!({"a\nb": 1, "": 2}), "Data", "\"\": 2\n\"a\\nb\": 1", Some("\"\": 2 · \"a\\nb\": 1")),
        (
            json!({"file_path": "a", "old_string": "x\r\ny", "new_string": "x\ny"}),
            "Edit",
            "a:\n  - x<U+000D>\n  + x\n    y",
            None,
        ),
        (
            json!({"file_path": " ", "old_string": "a", "new_string": "b"}),
            "Data",
            "file_path:  \nnew_string: b\nold_string: a",
            Some("file_path:   · new_string: b · old_string: a"),
        ),
        (
            json!({"path": "", "edits": [{"old_string": "a", "new_string": "b"}], "content": "c"}),
            "Data",
            "content: c\nedits (1 item):\n  - (2 fields):\n    new_string: b\n    old_string: a\npath: ",
            None,
        ),
        (json!({"command": 5}), "Data", "command: 5", Some("command: 5")),
        (json!({"tool": "x\u{202e}y"}), "Tool call", "tool: x<U+202E>y", Some("tool: x<U+202E>y")),
        (json!({}), "Data", "{}", Some("{}")),
        (json!(null), "Data", "null", Some("null")),
    ] {
        let subject = of_value(&sent);
        assert_eq!((subject.title, subject.text().as_str()), (title, text), "{sent}");
        assert_eq!(subject.row(160).as_deref(), row, "{sent}");
    }
}

/// On a card each part of a command is on a separate line, and nothing else changes.
#[test]
fn a_card_breaks_a_command_into_its_parts() {
    for (sent, sheet) in [
        (json!({"command": "cargo test && git push; ls"}), "command:\n  cargo test\n  && git push\n  ; ls"),
        (json!({"command": "curl x | sort"}), "curl x | sort"),
        (json!({"command": "for x in a; do ls; done"}), "for x in a; do ls; done"),
        (json!("a && b"), "a && b"),
    ] {
        assert_eq!(of_value(&sent).sheet(), sheet, "{sent}");
    }
}

/// The host is the one that a browser would connect to, or it is not separated.
#[test]
fn the_host_of_an_address_stands_apart() {
    for (url, host) in [
        ("https://example.org/a?b", Some("example.org")),
        ("https://bank.example@evil.example:8443/", Some("evil.example:8443")),
        ("http://a.example?@b.example/", Some("a.example")),
        ("https://a.example\\@b.example/", None),
        ("https://a.example\t/", None),
        ("https://b\u{fc}cher.example/", Some("xn--bcher-kva.example")),
        ("https://%D0%B0pple.com/", None),
        ("ftp://a.example", None),
        ("https:///x", None),
    ] {
        let subject = of_value(&json!({ "url": url }));
        let found = match &subject.blocks[0].content {
            Content::Address { host, .. } => Some(host.as_str()),
            _ => None,
        };
        assert_eq!(found, host, "{url}");
        assert!(subject.text().contains(&holdpoint_core::text::inert(url)), "{url}");
    }
}

fn any_subject() -> impl Strategy<Value = Value> {
    let word = || {
        prop_oneof![
            "[a-z ]{0,6}",
            "[a-z\n\u{202e}]{0,8}",
            Just("https://a.example/x".to_owned()),
            Just("select 1".to_owned()),
            Just("@@ -1 +1 @@\n-a\n+b".to_owned()),
            Just("bash".to_owned()),
            Just("https://\u{430}pple.com/".to_owned()),
            Just("12".to_owned()),
            Just("EUR".to_owned()),
            Just("-c".to_owned()),
        ]
    };
    let name = prop_oneof![
        "[a-c]",
        prop::sample::select(vec![
            "tool",
            "tool_name",
            "input",
            "tool_input",
            "command",
            "cmd",
            "file_path",
            "path",
            "old_string",
            "new_string",
            "edits",
            "content",
            "plan",
            "prompt",
            "url",
            "query",
            "sql",
            "patch",
            "amount",
            "currency",
            "payee",
            "interval",
            "arguments",
            "args",
            "replace_all",
        ])
        .prop_map(str::to_owned),
    ];
    let leaf = prop_oneof![
        word().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        any::<bool>().prop_map(Value::from)
    ];
    let object = |members: BTreeMap<String, Value>| Value::Object(members.into_iter().collect());
    // Many known members, with texts only: subjects that can be split in the most ways.
    let flat =
        prop::collection::btree_map(name.clone(), word().prop_map(Value::from), 4..14).prop_map(object);
    let call = flat.clone().prop_map(|input| json!({"tool": "t", "input": input}));
    let nested = leaf.prop_recursive(4, 24, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec(word().prop_map(Value::from), 0..4).prop_map(Value::from),
            prop::collection::btree_map(name.clone(), inner, 0..6).prop_map(object),
        ]
    });
    prop_oneof![nested, flat, call]
}

/// Lists every line of every text and every number in a value.
fn said(value: &Value, all: &mut Vec<String>) {
    match value {
        Value::String(text) => all.extend(text.lines().map(holdpoint_core::text::inert)),
        Value::Array(items) => items.iter().for_each(|item| said(item, all)),
        Value::Object(members) => members.values().for_each(|member| said(member, all)),
        Value::Null => {}
        other => all.push(other.to_string()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// A yes counts for the whole subject, so all of it is shown.
    #[test]
    fn nothing_that_was_sent_is_left_out(subject in any_subject()) {
        let mut all = Vec::new();
        said(&subject, &mut all);
        // A quoted text is shown with its escapes.
        let text = of_value(&subject).text().replace("\\n", "\n");
        for line in all {
            prop_assert!(text.contains(line.trim_end()), "{line:?} is missing of {subject}: {text}");
        }
    }
}
