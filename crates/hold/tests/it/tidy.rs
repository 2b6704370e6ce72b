//! Rules about the code and the documents themselves, so that nobody has to remember them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// How long a source file may get before it must be split.
const LONGEST: usize = 400;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Returns all files under a folder with one of these endings, leaving out what is built.
fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() && !name.starts_with('.') && name != "target" && name != "node_modules" {
            found.extend(files(&path, endings));
        } else if endings.iter().any(|ending| name.ends_with(ending)) {
            found.push(path);
        }
    }
    found
}

/// Returns the source files of all crates, relative to the root, with their text.
fn sources() -> Vec<(String, String)> {
    let root = root();
    let all = files(&root.join("crates"), &[".rs"]);
    let of_source = |path: PathBuf| {
        let name = path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
        name.contains("/src/").then(|| (name, std::fs::read_to_string(path).unwrap()))
    };
    let sources: Vec<_> = all.into_iter().filter_map(of_source).collect();
    assert!(sources.len() > 100, "looks in the wrong place");
    sources
}

#[track_caller]
fn none(found: &[String], rule: &str) {
    assert!(found.is_empty(), "{rule}:\n{}", found.join("\n"));
}

/// Lists lines that hold one of some words, as `file:line: text`.
fn lines_with(sources: &[(String, String)], words: &[&str], allowed: impl Fn(&str) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    for (name, text) in sources.iter().filter(|(name, _)| !allowed(name)) {
        for (at, line) in text.lines().enumerate() {
            if words.iter().any(|word| line.contains(word)) {
                found.push(format!("{name}:{}: {}", at + 1, line.trim()));
            }
        }
    }
    found
}

#[test]
fn files_are_short() {
    let long = |(name, text): (String, String)| (text.lines().count() > LONGEST).then_some(name);
    none(&sources().into_iter().filter_map(long).collect::<Vec<_>>(), "split these");
}

/// The built-in reader does not grow: all that only the reader uses lies in its folder. The tokenizer is the conversation's as well.
#[test]
fn the_reader_stays_small() {
    let lines = |folder: &str| -> usize {
        let inside = |(name, _): &(String, String)| name.starts_with(folder);
        sources().iter().filter(|source| inside(source)).map(|(_, text)| text.lines().count()).sum()
    };
    let reader = lines("crates/protocols/src/action/reader/");
    let conversation = lines("crates/protocols/src/action/conversation/");
    let tokenizer = lines("crates/protocols/src/action/token.rs");
    assert!((1..=2_318).contains(&reader), "the reader has {reader} lines");
    assert!((1..=210).contains(&tokenizer), "its tokenizer has {tokenizer} lines");
    assert!(reader + conversation <= 4_326, "with the conversation it has {}", reader + conversation);
}

#[test]
fn sql_stays_in_the_drivers() {
    let words =
        ["SELECT ", "INSERT INTO", "UPDATE OR ", "DELETE FROM", "CREATE TABLE", "PRAGMA ", "BEGIN IMMEDIATE"];
    let driver = |name: &str| {
        ["crates/store/src/sqlite/", "crates/store/src/postgres/"]
            .iter()
            .any(|folder| name.starts_with(folder))
    };
    none(&lines_with(&sources(), &words, driver), "SQL belongs into a driver's folder");
    let others = lines_with(&sources(), &["rusqlite"], |name| name.starts_with("crates/store/src/"));
    none(&others, "no driver's types outside the store");
}

#[test]
fn the_time_comes_from_the_clock() {
    let words = ["SystemTime::now", "Timestamp::now()", "Zoned::now", "Utc::now", "Local::now"];
    none(&lines_with(&sources(), &words, |name| name.ends_with("/clock.rs")), "ask the clock instead");
}

#[test]
fn nothing_is_called_after_nothing() {
    let vague = ["utils", "util", "helpers", "helper", "common", "types", "misc"];
    let named = sources()
        .into_iter()
        .map(|(name, _)| name)
        .filter(|name| name.split(['/', '.']).any(|part| vague.contains(&part)));
    none(&named.collect::<Vec<_>>(), "name these after what they do");
}

#[test]
fn nothing_is_left_undone_or_unsafe() {
    let words = ["#[allow(", "#![allow(", "unsafe {", "unsafe fn", "todo!(", "unimplemented!(", "dbg!("];
    none(&lines_with(&sources(), &words, |_| false), "not like this");
    let tests = files(&root().join("crates"), &[".rs"])
        .into_iter()
        .filter(|path| path.to_str().unwrap().contains("/tests/"));
    let read = |path: PathBuf| (path.display().to_string(), std::fs::read_to_string(path).unwrap());
    let tests: Vec<_> = tests.map(read).collect();
    none(
        &lines_with(&tests, &["thread::sleep", "time::sleep"], |name| name.ends_with("/tidy.rs")),
        "wait on a signal",
    );
}

#[test]
fn every_crate_has_its_description_lints_and_one_test_binary() {
    for entry in std::fs::read_dir(root().join("crates")).unwrap() {
        let folder = entry.unwrap().path();
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let name = folder.display();
        assert!(manifest.contains("\ndescription = \""), "{name} has no description");
        assert!(manifest.contains("[lints]\nworkspace = true"), "{name} does not take the workspace's lints");
        let Ok(tests) = std::fs::read_dir(folder.join("tests")) else { continue };
        let binaries = tests.map(|entry| entry.unwrap().path()).filter(|path| {
            path.extension().is_some_and(|ending| ending == "rs") || path.join("main.rs").exists()
        });
        assert!(binaries.count() <= 1, "{name} has several test binaries");
    }
}

/// Source files are the formatter's.
#[test]
fn text_files_are_clean() {
    let mut dirty = Vec::new();
    for path in files(&root(), &[".md", ".toml", ".sql", ".sh", ".yml", "justfile"]) {
        let text = std::fs::read_to_string(&path).unwrap();
        let trailing = text.lines().position(|line| line.ends_with([' ', '\t', '\r']));
        if let Some(at) = trailing {
            dirty.push(format!("{}:{}: white space at the end", path.display(), at + 1));
        }
        if !text.is_empty() && (!text.ends_with('\n') || text.ends_with("\n\n")) {
            dirty.push(format!("{}: must end with one line break", path.display()));
        }
    }
    none(&dirty, "clean these");
}

#[test]
fn every_file_says_what_it_is() {
    let silent = sources().into_iter().filter(|(_, text)| !text.starts_with("//!")).map(|(name, _)| name);
    none(&silent.collect::<Vec<_>>(), "start these with what lives there");
}

/// Returns the names in one table of a manifest.
fn dependencies(manifest: &str, table: &str) -> BTreeSet<String> {
    let text = std::fs::read_to_string(root().join(manifest)).unwrap();
    let lines = text.lines().skip_while(|line| line.trim() != format!("[{table}]")).skip(1);
    let lines = lines.take_while(|line| !line.starts_with('['));
    let name = |line: &str| line.split(['=', '.', ' ']).next().unwrap_or_default().trim().to_owned();
    lines.map(name).filter(|name| !name.is_empty() && !name.starts_with('#')).collect()
}

#[test]
fn arrows_point_down_only() {
    let house = |krate: &str| -> BTreeSet<String> {
        let all = dependencies(&format!("crates/{krate}/Cargo.toml"), "dependencies");
        all.into_iter().filter(|name| name.starts_with("holdpoint-")).collect()
    };
    let set = |names: &[&str]| names.iter().map(|name| format!("holdpoint-{name}")).collect::<BTreeSet<_>>();
    assert_eq!(house("core"), set(&[]));
    assert_eq!(house("protocols"), set(&["core"]));
    assert_eq!(house("store"), set(&["core"]));
    assert!(house("engine").is_subset(&set(&["core", "store", "protocols"])));
    let engine = dependencies("crates/engine/Cargo.toml", "dependencies");
    for door in ["axum", "clap", "ratatui", "crossterm", "rusqlite"] {
        assert!(!engine.contains(door), "{door} is a matter of the doors or the drivers");
    }
    assert!(!dependencies("crates/hold/Cargo.toml", "dependencies").contains("rusqlite"));
}

#[test]
fn core_is_pure_down_to_its_last_dependency() {
    let lock = std::fs::read_to_string(root().join("Cargo.lock")).unwrap();
    let packages: Vec<(String, Vec<String>)> = lock.split("[[package]]").skip(1).map(package).collect();
    let mut reached: BTreeSet<String> = dependencies("crates/core/Cargo.toml", "dependencies");
    assert!(reached.contains("serde_json"), "read the manifest wrongly: {reached:?}");
    loop {
        let before = reached.len();
        let further =
            packages.iter().filter(|(name, _)| reached.contains(name)).flat_map(|(_, needs)| needs.clone());
        reached.extend(further.collect::<Vec<_>>());
        if reached.len() == before {
            break;
        }
    }
    for impure in
        ["tokio", "mio", "rand", "getrandom", "chrono", "time", "rusqlite", "reqwest", "notify", "futures"]
    {
        assert!(!reached.contains(impure), "core depends on {impure}: {reached:?}");
    }
    let words = [
        "async fn",
        ".await",
        "std::fs",
        "TcpStream",
        "UdpSocket",
        "std::env",
        "std::thread",
        "Instant::now",
    ];
    let pure = |name: &str| !name.starts_with("crates/core/") && !name.starts_with("crates/protocols/");
    none(&lines_with(&sources(), &words, pure), "no IO here");
    for manifest in ["crates/core/Cargo.toml", "crates/protocols/Cargo.toml"] {
        assert!(!dependencies(manifest, "dependencies").contains("tokio"));
    }
}

/// Reads the name and the needs of one entry of the lock file.
fn package(entry: &str) -> (String, Vec<String>) {
    let name =
        entry.lines().find_map(|line| line.strip_prefix("name = ")).unwrap().trim_matches('"').to_owned();
    let needs = entry.lines().skip_while(|line| !line.starts_with("dependencies = [")).skip(1);
    let needs = needs.take_while(|line| !line.starts_with(']'));
    let bare = |line: &str| line.trim().trim_matches([',', '"']).split(' ').next().unwrap().to_owned();
    (name, needs.map(bare).collect())
}

#[test]
fn links_in_documents_lead_somewhere() {
    let mut dead = Vec::new();
    let mut links = 0;
    for path in files(&root(), &[".md"]) {
        let text = std::fs::read_to_string(&path).unwrap();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let (target, anchor) = link.split_once('#').unwrap_or((link, ""));
            if target.contains("://") || target.starts_with("mailto:") || target.contains(' ') {
                continue;
            }
            links += 1;
            let file = if target.is_empty() { path.clone() } else { path.parent().unwrap().join(target) };
            let there = file.exists() && (anchor.is_empty() || has_anchor(&file, anchor));
            if !there {
                dead.push(format!("{}: {link}", path.display()));
            }
        }
    }
    assert!(links > 10, "found only {links} links");
    none(&dead, "these lead nowhere");
}

/// Whether a heading of a document has this anchor.
fn has_anchor(file: &Path, anchor: &str) -> bool {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let of_heading = |line: &str| {
        let words = line.trim_start_matches('#').trim().to_lowercase();
        let kept = words.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect::<String>()
    };
    text.lines().filter(|line| line.starts_with('#')).any(|line| of_heading(line) == anchor)
}

#[test]
fn documents_name_commands_that_exist() {
    let known: BTreeSet<String> =
        crate::reference::commands().into_iter().filter_map(|path| path.first().cloned()).collect();
    let mut unknown = Vec::new();
    for path in files(&root(), &[".md"]) {
        let name = path.strip_prefix(root()).unwrap().display().to_string();
        for line in std::fs::read_to_string(&path).unwrap().lines() {
            let command = line.trim_start().trim_start_matches("$ ").strip_prefix("hold ");
            if let Some(verb) = command.and_then(|rest| rest.split_whitespace().next())
                && verb.chars().all(|c| c.is_ascii_lowercase())
                && !known.contains(verb)
            {
                unknown.push(format!("{name}: {line}"));
            }
        }
    }
    none(&unknown, "there is no such command");
}
