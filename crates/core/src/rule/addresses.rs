//! Addresses that a change brings into a file: where programs send things to, or fetch others from.

use super::changes::Change;
use super::service::THIS_MACHINE;

/// Returns the first host other than this machine whose address a change adds. The addresses in the text that the change
/// removes do not count.
pub(super) fn brought_in<'a>(change: &Change<'a>) -> Option<&'a str> {
    let removed: Vec<&str> = change.removed.iter().flat_map(|text| hosts(text)).collect();
    change.added.iter().flat_map(|text| hosts(text)).find(|host| !removed.contains(host))
}

/// Lists the hosts of the addresses in a text, with their ports, except this machine.
fn hosts(text: &str) -> impl Iterator<Item = &str> {
    let authority = |rest: &str| -> usize {
        let is_part = |c: char| c.is_alphanumeric() || "-._:@[]%".contains(c);
        rest.find(|c| !is_part(c)).unwrap_or(rest.len())
    };
    let found = text.split("://").skip(1).map(move |rest| &rest[..authority(rest)]);
    found.filter(|host| !host.is_empty() && !is_this_machine(host))
}

fn is_this_machine(host: &str) -> bool {
    THIS_MACHINE.iter().any(|this| {
        let rest = host.strip_prefix(this);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(':') && !rest.contains('@'))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::rule::subject::Call;

    #[test]
    fn only_hosts_that_were_not_there_are_brought_in() {
        let brought = |tool: &str, input: Value| {
            let subject = json!({"tool": tool, "input": input, "cwd": "/srv/app"});
            let call = Call::of(&subject).unwrap();
            let path = call.input["file_path"].as_str().unwrap();
            brought_in(&Change::of(&call, path)).map(str::to_owned)
        };
        let edit = |old: &str, new: &str| {
            brought("Edit", json!({"file_path": "/srv/app/a.py", "old_string": old, "new_string": new}))
        };
        assert_eq!(edit("", "post('https://webhook.site/x')").as_deref(), Some("webhook.site"));
        assert_eq!(
            edit("https://a.example/1", "https://a.example/2 http://b.example").as_deref(),
            Some("b.example")
        );
        assert_eq!(
            edit("", "'http://localhost:80@evil.example'").as_deref(),
            Some("localhost:80@evil.example")
        );
        assert_eq!(edit("", "wss://\u{e9}vil.example").as_deref(), Some("\u{e9}vil.example"));
        assert_eq!(edit("https://a.example/1", "https://a.example/2"), None);
        assert_eq!(edit("", "http://localhost:8080/up http://127.0.0.1 \"://\" a: b"), None);
        let parts = json!([{"old_string": "a", "new_string": "ftp://evil.example"}]);
        let parts = json!({"file_path": "/srv/app/a.py", "edits": parts});
        assert_eq!(brought("MultiEdit", parts).as_deref(), Some("evil.example"));
        let text = json!({"file_path": "/srv/app/README.md", "content": "https://docs.rs"});
        assert_eq!(brought("Write", text), None);
    }
}
