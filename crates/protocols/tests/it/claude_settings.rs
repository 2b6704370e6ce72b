//! Settings that people wrote: ours go in beside theirs, and out again.

use holdpoint_core::Span;
use holdpoint_protocols::claude::Dialect;
use holdpoint_protocols::claude::ordered::Node;
use holdpoint_protocols::claude::settings::{Install, added_rules, deny_rules, install, uninstall};
use serde_json::{Value, json};

fn wanted() -> Install {
    Install {
        dialect: Dialect::Claude,
        program: "hold".into(),
        home: "/home/ana/.local/state/holdpoint".into(),
        timeout: Span::from_secs(3600),
        idle: false,
        defer: false,
        ask_on_failure: false,
        guards: Vec::new(),
        status: "Answer in the inbox".into(),
    }
}

const THEIRS: &str = r#"{
  "model": "opus",
  "permissions": {
    "deny": [
      "Read(./.env)",
      "Bash(hold answer:*)"
    ],
    "allow": [
      "Bash(ls)"
    ]
  },
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "Bash",
        "hooks": [
          {
            "type": "command",
            "command": "./guard.sh"
          }
        ]
      }
    ]
  },
  "env": {
    "Z": "1",
    "A": "2"
  }
}
"#;

fn value(node: &Node) -> Value {
    serde_json::from_str(&node.text()).unwrap()
}

#[test]
fn what_is_there_stays_and_comes_back_in_its_order() {
    let before = Node::parse(THEIRS).unwrap();
    assert_eq!(before.text(), THEIRS);
    let after = install(&before, &wanted()).unwrap();
    let text = after.text();
    assert!(text.find("\"model\"") < text.find("\"permissions\"") && text.find("\"Z\"") < text.find("\"A\""));
    assert!(text.contains("./guard.sh"));
    // Once more changes nothing.
    assert_eq!(install(&after, &wanted()).unwrap(), after);
    let rules = added_rules(&before, &wanted().program, &wanted().home);
    assert!(!rules.contains(&"Bash(hold answer:*)".to_owned()), "that one was theirs");
    assert_eq!(uninstall(&after, &rules, None).text(), THEIRS);
    assert_eq!(
        uninstall(
            &install(&Node::parse("{}").unwrap(), &wanted()).unwrap(),
            &deny_rules(&wanted().program, &wanted().home),
            None,
        )
        .text(),
        "{}\n"
    );
}

#[test]
fn what_is_installed_fails_closed() {
    let settings = value(&install(&Node::parse("{}").unwrap(), &wanted()).unwrap());
    for event in ["PreToolUse", "PermissionRequest"] {
        let hook = &settings["hooks"][event][0]["hooks"][0];
        assert_eq!(hook["onFailure"], "block", "{event}");
        assert_eq!(hook["timeout"], 3600);
        assert_eq!(hook["statusMessage"], "Answer in the inbox");
        assert_eq!(hook["command"], format!("hold hook claude {event}"));
    }
    assert_eq!(settings["hooks"]["PreToolUse"][0]["matcher"], "AskUserQuestion|ExitPlanMode");
    assert_eq!(settings["permissions"]["defaultMode"], "default", "in its automatic mode nobody is asked");
    for event in ["PostToolUse", "PostToolUseFailure", "UserPromptSubmit", "Stop"] {
        let hook = &settings["hooks"][event][0]["hooks"][0];
        assert_eq!((&hook["timeout"], hook.get("onFailure")), (&json!(10), None), "{event} only tells");
    }
    let deny: Vec<&str> = settings["permissions"]["deny"]
        .as_array()
        .unwrap()
        .iter()
        .map(|rule| rule.as_str().unwrap())
        .collect();
    for rule in [
        "Bash(hold answer:*)",
        "Bash(hold next:*)",
        "Bash(hold review:*)",
        "Bash(hold token:*)",
        "Bash(hold rule:*)",
        "Bash(hold policy:*)",
        "Bash(hold key:*)",
        "Bash(bd decision respond:*)",
        "Bash(oj decision resolve:*)",
        "mcp__hold__answer",
        "Read(//home/ana/.local/state/holdpoint/**)",
        "Edit(//home/ana/.local/state/holdpoint/**)",
    ] {
        assert!(deny.contains(&rule), "{rule} is missing: {deny:?}");
    }
}

#[test]
fn what_is_wanted_is_in_the_commands() {
    let all = Install { idle: true, defer: true, ask_on_failure: true, ..wanted() };
    let settings = value(&install(&Node::parse("{}").unwrap(), &all).unwrap());
    let command = |event: &str| settings["hooks"][event][0]["hooks"][0]["command"].clone();
    assert_eq!(command("PreToolUse"), "hold hook claude PreToolUse --on-failure ask --defer");
    assert_eq!(command("Stop"), "hold hook claude Stop --on-failure ask --idle");
    assert_eq!(settings["hooks"].get("PermissionRequest"), None, "what is deferred is asked before");
    let matcher = settings["hooks"]["PreToolUse"][0]["matcher"].as_str().unwrap();
    let asks_about = |tool: &str| matcher.split('|').any(|known| known == tool);
    assert_eq!(
        ["Bash", "Write", "AskUserQuestion", "Read", "Grep"].map(asks_about),
        [true, true, true, false, false]
    );
}

#[test]
fn a_decision_times_out_before_the_hook_that_holds_it_is_ended() {
    for (timeout, said) in [("1h", ""), ("8h", " --timeout 7h59m"), ("10m", " --timeout 9m30s")] {
        let all = Install { timeout: timeout.parse().unwrap(), ..wanted() };
        let settings = value(&install(&Node::parse("{}").unwrap(), &all).unwrap());
        let hook = &settings["hooks"]["PermissionRequest"][0]["hooks"][0];
        assert_eq!(hook["command"], format!("hold hook claude PermissionRequest{said}"));
        let told = &settings["hooks"]["SessionEnd"][0]["hooks"][0];
        assert_eq!((&told["command"], &told["timeout"]), (&json!("hold hook claude SessionEnd"), &json!(10)));
    }
}

#[test]
fn settings_of_another_shape_are_left_alone() {
    for text in
        ["[]", r#"{"hooks": []}"#, r#"{"hooks": {"PreToolUse": 1}}"#, r#"{"permissions": {"deny": "x"}}"#]
    {
        let node = Node::parse(text).unwrap();
        assert!(install(&node, &wanted()).is_err(), "{text}");
        assert_eq!(uninstall(&node, &deny_rules("hold", "/h"), None), node, "{text}");
    }
    assert!(Node::parse(r#"{"hooks": {}, "hooks": {}}"#).is_err());
}

#[test]
fn the_program_is_denied_by_its_path_too_where_hooks_call_it_so() {
    let by_path = deny_rules("/opt/hold/bin/hold", "/h");
    for rule in [
        "Bash(hold answer:*)",
        "Bash(/opt/hold/bin/hold answer:*)",
        "Bash(/opt/hold/bin/hold bd * respond *)",
    ] {
        assert!(by_path.iter().any(|known| known == rule), "{rule}: {by_path:?}");
    }
    assert!(
        by_path.iter().all(|rule| !rule.contains("/opt/hold/bin/hold decision")),
        "bd is another program"
    );
    let by_name = deny_rules("hold", "/h");
    assert!(by_name.iter().all(|rule| by_path.contains(rule)) && by_name.len() < by_path.len());
}
