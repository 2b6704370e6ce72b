//! Items, projects, retention, health, backup, set-up.

use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use serde_json::json;

use crate::process::{Running, Stream, finish};
use crate::sandbox::{Sandbox, at};

#[test]
fn an_item_is_blocked_while_a_decision_on_it_is_pending() {
    let sandbox = Sandbox::new();
    sandbox.run(&["item", "list"]).exits(0).prints("").says("There are no work items");
    assert_eq!(sandbox.json(&["item", "list", "--json"]), json!([]));
    at(&sandbox.json(&["item", "add", "bd-1", "--title", "The work", "--json"]), "/status", "open");
    let id = sandbox.ask(&["Q?", "--owner", "item:bd-1", "-o", "a:A"]);
    let item = sandbox.json(&["item", "show", "bd-1", "--json"]);
    at(&item, "/status", "blocked");
    at(&item, "/pending", 1);
    at(&item, "/title", "The work");
    at(&item, "/decisions/0/id", id.as_str());
    assert!(sandbox.ok(&["item", "list"]).contains("blocked"));
    sandbox.ok(&["answer", &id, "a"]);
    at(&sandbox.json(&["item", "list", "--json"]), "/0/status", "open");
    let card = sandbox.ok(&["item", "show", "bd-1"]);
    assert!(card.contains("open") && card.contains(&id), "{card}");
    sandbox.run(&["item", "show", "bd-2"]).exits(3).says("bd-2");
}

#[test]
fn asking_makes_an_unknown_item_and_guidance_keeps_it_blocked() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask(&["Q?", "--owner", "item:new", "-o", "a:A", "--project", "p"]);
    assert_eq!(sandbox.tags(), ["item:created", "decision:created"]);
    sandbox.ok(&["answer", &id, "--guidance", "more"]);
    let item = sandbox.json(&["item", "show", "new", "--project", "p", "--json"]);
    at(&item, "/pending", 1);
    at(&item, "/status", "blocked");
}

#[test]
fn deleting_an_item_removes_its_decisions_and_only_those() {
    let sandbox = Sandbox::new();
    let settled = sandbox.ask(&["One?", "--owner", "item:x", "-o", "a:A"]);
    sandbox.ok(&["answer", &settled, "a"]);
    let pending = sandbox.ask(&["Two?", "--owner", "item:x"]);
    let other = sandbox.ask(&["Three?", "--owner", "item:y"]);
    let elsewhere = sandbox.ask(&["Four?", "--owner", "item:x", "--project", "p"]);
    sandbox.run(&["item", "delete", "x"]).exits(0).prints("Deleted x and 2 decisions on it");
    for gone in [&settled, &pending] {
        sandbox.run(&["show", gone]).exits(3);
        sandbox.run(&["answer", gone, "a"]).exits(3);
    }
    for there in [&other, &elsewhere] {
        at(&sandbox.show(there), "/status", "pending");
    }
    sandbox.refuses(&["item", "delete", "x"], 3, &["x"]);
    assert_eq!(sandbox.tags().iter().filter(|tag| *tag == "decision:removed").count(), 2);
    assert!(sandbox.tags().contains(&"item:deleted".to_owned()));
    sandbox.is_well();
}

#[test]
fn projects_have_a_least_timeout() {
    let sandbox = Sandbox::new();
    sandbox.ask(&["Q?", "--project", "web"]);
    assert!(sandbox.ok(&["project", "list"]).contains("web"));
    at(&sandbox.json(&["project", "set", "web", "--min-timeout", "5m", "--json"]), "/min_timeout", "5m");
    assert!(sandbox.ok(&["project", "set", "web", "--min-timeout", "2h"]).contains("2h"));
    let list = sandbox.json(&["project", "list", "--json"]);
    let web = list.as_array().unwrap().iter().find(|project| project["name"] == "web").unwrap();
    at(web, "/min_timeout", "2h");
    sandbox.run(&["project", "set", "web"]).exits(2);
    sandbox.run(&["project", "set", "web", "--min-timeout", "soon"]).exits(2).says("soon");
}

#[test]
fn prune_forgets_what_was_settled_and_nothing_else() {
    let sandbox = Sandbox::new();
    let settled = sandbox.ask(&["An old secret?", "-o", "a:A"]);
    sandbox.ok(&["answer", &settled, "a"]);
    let elsewhere = sandbox.ask(&["Elsewhere?", "-o", "a:A", "--project", "p"]);
    sandbox.ok(&["answer", &elsewhere, "a"]);
    let pending = sandbox.ask_a_or_b();
    assert!(sandbox.ok(&["prune"]).contains("Deleted 0"));
    assert!(sandbox.ok(&["prune", "--older-than", "1ms", "--dry-run"]).starts_with("2 decisions"));
    assert!(sandbox.ok(&["prune", "--older-than", "1ms", "--project", "p"]).contains("Deleted 1 "));
    sandbox.run(&["show", &elsewhere]).exits(3);
    at(&sandbox.show(&settled), "/status", "answered");
    assert!(sandbox.ok(&["prune", "--older-than", "1ms"]).contains("Deleted 1 "));
    sandbox.run(&["show", &settled]).exits(3);
    at(&sandbox.show(&pending), "/status", "pending");
    assert!(!sandbox.ok(&["log", "--json"]).contains("An old secret?"));
    at(&sandbox.json(&["audit", "verify", "--json"]), "/sound", true);
    sandbox.is_well();
}

#[test]
fn doctor_finds_projections_that_do_not_fit_and_mends_them() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask(&["Q?", "-o", "a:A", "--owner", "item:x"]);
    sandbox.is_well();
    let connection =
        rusqlite::Connection::open_with_flags(sandbox.store(), rusqlite::OpenFlags::SQLITE_OPEN_READ_WRITE)
            .unwrap();
    connection
        .execute("UPDATE decision SET doc = replace(doc, 'Q?', 'P?'), status = 'answered'", [])
        .unwrap();
    connection.execute("UPDATE item SET pending = 7", []).unwrap();
    connection.execute("DELETE FROM counter", []).unwrap();
    drop(connection);
    let ran = sandbox.run(&["doctor"]).exits(1);
    assert!(ran.out.contains("finding") && ran.out.contains(&id), "{ran}");
    assert!(ran.err.contains("--rebuild"), "{ran}");
    let ran = sandbox.run(&["doctor", "--rebuild"]).exits(0);
    assert!(ran.out.contains("repaired") && ran.out.contains("rebuilt from the log"), "{ran}");
    sandbox.is_well();
    at(&sandbox.show(&id), "/prompt", "Q?");
    at(&sandbox.json(&["item", "list", "--json"]), "/0/pending", 1);
    assert_eq!(sandbox.tags(), ["item:created", "decision:created"]);
}

#[test]
fn a_backup_taken_while_others_write_is_whole() {
    let sandbox = Sandbox::new();
    let mut ids = vec![sandbox.ask_a_or_b()];
    sandbox.link("hold");
    let script = "for i in 1 2 3 4 5 6 7 8; do hold ask Q -o a:A --no-wait || exit 9; done";
    let mut writers: Vec<_> = (0..4).map(|_| Running::start(&mut sandbox.script(script))).collect();
    writers[0].until(Stream::Out, "dcn-");
    let copies: Vec<_> = (0..3).map(|n| sandbox.path(&format!("copy{n}.db"))).collect();
    for copy in &copies {
        sandbox.ok(&["doctor", "--backup", copy.to_str().unwrap()]);
    }
    for writer in writers {
        ids.extend(writer.end().exits(0).out.lines().map(str::to_owned));
    }
    assert_eq!(sandbox.json(&["list", "--json"]).as_array().unwrap().len(), 33);
    for copy in &copies {
        let restored = Sandbox::new();
        std::fs::create_dir_all(restored.home()).unwrap();
        std::fs::copy(copy, restored.store()).unwrap();
        restored.is_well();
        at(&restored.show(&ids[0]), "/status", "pending");
        restored.ok(&["answer", &ids[0], "a"]);
        restored.is_well();
    }
    let taken = copies[0].to_str().unwrap();
    sandbox.run(&["doctor", "--backup", taken]).exits(1).says("there already");
    sandbox.run(&["doctor", "--backup", "/nowhere/at/all.db"]).exits(1).says("/nowhere/at/all.db");
    assert_eq!(std::fs::metadata(&copies[0]).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn init_prints_the_lines_for_an_agent_and_changes_nothing_that_is_there() {
    let sandbox = Sandbox::new();
    let ran = sandbox.run(&["init"]).exits(0);
    assert!(ran.out.contains("hold ask") && ran.out.contains("exits 0"), "{ran}");
    assert!(ran.err.contains(sandbox.home().to_str().unwrap()), "{ran}");
    let mode = |path: PathBuf| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(sandbox.home()), 0o700);
    assert_eq!(mode(sandbox.store()), 0o600);
    assert_eq!(mode(sandbox.home().join("config.toml")), 0o600);
    for key in std::fs::read_dir(sandbox.home().join("keys")).unwrap() {
        let path = key.unwrap().path();
        let public = path.extension().is_some_and(|extension| extension == "pub");
        assert!(public || mode(path.clone()) == 0o600, "{}", path.display());
    }
    sandbox.settings("[hooks]\ndesktop = false\n");
    let key =
        sandbox.run(&["init"]).exits(0).err.lines().find(|line| line.starts_with("Key")).unwrap().to_owned();
    assert!(ran.err.contains(&key), "the key stays");
    assert_eq!(
        std::fs::read_to_string(sandbox.home().join("config.toml")).unwrap(),
        "[hooks]\ndesktop = false\n"
    );
    sandbox.is_well();
}

#[test]
fn no_command_needs_init_and_looking_leaves_nothing_secret_behind() {
    for arguments in [
        &["list"][..],
        &["list", "--json"],
        &["log"],
        &["check", "--inject"],
        &["doctor"],
        &["item", "list"],
        &["project", "list"],
    ] {
        let sandbox = Sandbox::new();
        sandbox.run(arguments).exits(0);
    }
}

#[test]
fn the_default_home_is_in_the_xdg_state_folder() {
    let sandbox = Sandbox::new();
    let mut command = sandbox.command(&["ask", "Q", "--no-wait"]);
    let ran = finish(command.env_remove("HOLD_HOME"), b"");
    ran.exits(0);
    assert!(sandbox.path(".local/state/holdpoint/hold.db").is_file());
    let mut command = sandbox.command(&["ask", "Q", "--no-wait"]);
    let ran = finish(command.env_remove("HOLD_HOME").env("XDG_STATE_HOME", sandbox.path("state")), b"");
    ran.exits(0);
    assert!(sandbox.path("state/holdpoint/hold.db").is_file());
}

#[test]
fn whatever_the_umask_everything_is_private() {
    let sandbox = Sandbox::new();
    sandbox.link("hold");
    let id = sandbox.shell("umask 0; hold ask Q -o a:A --requested-by x --no-wait").exits(0).out;
    sandbox
        .shell(&format!(
            "umask 0; hold answer {} && hold check --requested-by x",
            id.trim().to_owned() + " a"
        ))
        .exits(0);
    let mut open = Vec::new();
    let mut folders = vec![sandbox.home()];
    while let Some(folder) = folders.pop() {
        let modes = std::fs::metadata(&folder).unwrap().permissions().mode();
        open.extend((modes & 0o077 != 0).then(|| format!("{}: {modes:o}", folder.display())));
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let modes = std::fs::metadata(&path).unwrap().permissions().mode();
            if path.is_dir() {
                folders.push(path);
            } else if modes & 0o077 != 0 {
                open.push(format!("{}: {modes:o}", path.display()));
            }
        }
    }
    assert_eq!(open, Vec::<String>::new());
}

#[test]
fn doctor_says_that_nobody_is_told() {
    let sandbox = Sandbox::new();
    sandbox.settings("[hooks]\ndesktop = false\n");
    let said = sandbox.ok(&["doctor"]);
    assert!(said.contains("no notifications configured") && said.contains("OK"), "{said}");
    sandbox.settings("[hooks]\ndesktop = false\non_decision_create = \"true\"\n");
    assert!(!sandbox.ok(&["doctor"]).contains("notified"));
}
