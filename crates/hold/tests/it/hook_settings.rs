//! `hold hook install` and settings of every kind: what cannot be kept intact is left alone.

use std::os::unix::fs::{PermissionsExt as _, symlink};

use serde_json::Value;

use crate::sandbox::{HOLD, Sandbox};

const THEIRS: &str = "{\"model\" :\"opus\"}";

fn settings(sandbox: &Sandbox, text: &str) -> std::path::PathBuf {
    let file = sandbox.path(".claude/settings.local.json");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, text).unwrap();
    file
}

#[test]
fn a_hook_is_called_so_that_it_is_found() {
    let sandbox = Sandbox::new();
    let file = settings(&sandbox, "{}");
    let command = || -> String {
        let settings: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
        settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"].as_str().unwrap().to_owned()
    };
    // Nothing of this name is on the path, or another program is.
    let own = std::fs::canonicalize(HOLD).unwrap();
    sandbox.run(&["hook", "install", "claude", "--yes"]).exits(0);
    assert_eq!(command(), format!("{} hook claude PreToolUse", own.display()));
    sandbox.run(&["hook", "uninstall", "claude", "--yes"]).exits(0);
    sandbox.link("hold");
    sandbox.shell("hold hook install claude --yes").exits(0);
    assert_eq!(command(), "hold hook claude PreToolUse");
    // A folder with a space in its name is one word for the shell.
    let odd = sandbox.path("my tools");
    std::fs::create_dir(&odd).unwrap();
    std::fs::copy(HOLD, odd.join("hold")).unwrap();
    sandbox.shell("'./my tools/hold' hook install claude --yes").exits(0);
    assert!(
        command().starts_with('\'') && command().contains("/my tools/hold' hook claude"),
        "{}",
        command()
    );
    sandbox.shell(&format!("echo '{{}}' | {}", command())).exits(0);
    sandbox.run(&["hook", "install", "claude", "--yes", "--timeout", "10ms"]).exits(1).says("at least 1s");
}

#[test]
fn what_a_link_leads_to_is_changed_and_the_link_stays() {
    let sandbox = Sandbox::new();
    let file = settings(&sandbox, THEIRS);
    let dotfile = sandbox.path("dotfile.json");
    std::fs::rename(&file, &dotfile).unwrap();
    symlink(&dotfile, &file).unwrap();
    sandbox.run(&["hook", "install", "claude", "--yes"]).exits(0);
    assert!(file.is_symlink());
    assert!(std::fs::read_to_string(&dotfile).unwrap().contains("hook claude"));
    sandbox.run(&["hook", "uninstall", "claude", "--yes"]).exits(0);
    assert!(file.is_symlink());
    assert_eq!(std::fs::read_to_string(&dotfile).unwrap(), THEIRS);
    std::fs::remove_file(&dotfile).unwrap();
    sandbox.run(&["hook", "install", "claude", "--yes"]).exits(1).says("dangling symbolic link");
    assert!(file.is_symlink());

    // A folder that is a link, with no file in it yet.
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.path("elsewhere")).unwrap();
    symlink(sandbox.path("elsewhere"), sandbox.path(".claude")).unwrap();
    sandbox.run(&["hook", "install", "claude", "--yes"]).exits(0);
    sandbox.run(&["hook", "uninstall", "claude", "--yes"]).exits(0);
    assert!(!sandbox.path("elsewhere/settings.local.json").exists(), "it was not there before");
}

#[test]
fn what_may_only_be_read_is_left_alone() {
    let sandbox = Sandbox::new();
    let file = settings(&sandbox, THEIRS);
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o444)).unwrap();
    sandbox.run(&["hook", "install", "claude", "--yes"]).exits(1).says("may only be read");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), THEIRS);
    // Made writable, it is installed, and given back to the letter though the first try failed half-way.
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).unwrap();
    sandbox.run(&["hook", "install", "claude", "--yes"]).exits(0);
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    sandbox.run(&["hook", "uninstall", "claude", "--yes"]).exits(0);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), THEIRS);
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
}

#[test]
fn odd_settings_are_kept_or_refused_never_broken() {
    for theirs in
        ["", "\n", "\u{feff}{\"model\": \"opus\"}\r\n", "{\r\n\t\"env\": {\"A\": \"\\u00e9\"}}", "{}"]
    {
        let sandbox = Sandbox::new();
        let file = settings(&sandbox, theirs);
        sandbox.run(&["hook", "install", "claude", "--yes"]).exits(0);
        let installed: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
        assert!(installed["hooks"]["PermissionRequest"].is_array(), "{theirs:?}");
        sandbox.run(&["hook", "uninstall", "claude", "--yes"]).exits(0);
        assert_eq!(std::fs::read_to_string(&file).unwrap(), theirs);
    }
    for theirs in [
        "// mine\n{}",
        "{\"model\": \"opus\",}",
        "{\"hooks\": 3}",
        "[]",
        "{\"a\": 1, \"a\": 2}",
        "{\"permissions\": {\"deny\": {}}}",
    ] {
        let sandbox = Sandbox::new();
        let file = settings(&sandbox, theirs);
        sandbox.run(&["hook", "install", "claude", "--yes"]).exits(1);
        sandbox.run(&["hook", "uninstall", "claude", "--yes"]);
        assert_eq!(std::fs::read_to_string(&file).unwrap(), theirs);
    }
    let sandbox = Sandbox::new();
    std::fs::create_dir_all(sandbox.path(".claude/settings.local.json")).unwrap();
    sandbox.run(&["hook", "install", "claude", "--yes"]).exits(1).says("cannot read");
}
