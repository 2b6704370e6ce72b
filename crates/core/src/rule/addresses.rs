//! Addresses that a change brings into a file: where programs send things to, or fetch others from.

use serde_json::Value;

use super::programs::has;
use super::service::THIS_MACHINE;
use super::subject::Call;

/// How the names of texts for people end, whose addresses nothing follows.
const TEXTS: &str = "adoc md rst txt";
/// What the text is called that a change takes out.
const TAKEN_OUT: [&str; 2] = ["old_string", "oldString"];

/// Returns the first host that a change brings into a file, other than this machine: one that is not in what it takes out.
pub(super) fn brought_in(call: &Call<'_>, path: &str) -> Option<String> {
    let is_text = path.rsplit_once('.').is_some_and(|(_, end)| has(TEXTS, end));
    let (mut before, mut after) = (Vec::new(), Vec::new());
    if !is_text {
        call.input.iter().for_each(|(name, value)| collect(name, value, &mut before, &mut after));
    }
    after.into_iter().find(|host| !before.contains(host))
}

fn collect(name: &str, value: &Value, before: &mut Vec<String>, after: &mut Vec<String>) {
    match value {
        Value::String(text) => {
            let place = if TAKEN_OUT.contains(&name) { before } else { after };
            place.extend(hosts(text).map(str::to_owned));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(name, item, before, after)),
        Value::Object(members) => {
            members.iter().for_each(|(name, value)| collect(name, value, before, after));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Lists the hosts of the addresses in a text, with their ports, but for this machine.
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
    use serde_json::json;

    use super::*;

    #[test]
    fn only_hosts_that_were_not_there_are_brought_in() {
        let brought = |tool: &str, input: Value| {
            let subject = json!({"tool": tool, "input": input, "cwd": "/srv/app"});
            let call = Call::of(&subject).unwrap();
            let path = call.input["file_path"].as_str().unwrap();
            brought_in(&call, path)
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
