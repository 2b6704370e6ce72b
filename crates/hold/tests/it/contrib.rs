//! What is given along for running a server: nothing here runs a container or a service manager, but what can be
//! checked without one is.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::sandbox::skipped;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

#[test]
fn the_container_file_copies_all_that_the_build_needs() {
    let file = std::fs::read_to_string(root().join("contrib/Containerfile")).unwrap();
    let build = file.split("\nFROM ").nth(1).unwrap();
    let context = tempfile::tempdir().unwrap();
    for line in build.lines().filter_map(|line| line.strip_prefix("COPY ")) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (to, from) = words.split_last().unwrap();
        for name in from {
            let to = if *to == "./" { context.path().join(name) } else { context.path().join(to) };
            copy(&root().join(name), &to);
        }
    }
    let cargo = option_env!("CARGO").unwrap_or("cargo");
    let ran = Command::new(cargo)
        .args(["metadata", "--locked", "--offline", "--no-deps", "--format-version", "1"])
        .current_dir(context.path())
        .output()
        .unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let known = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(known.contains("\"name\":\"hold\""), "{known}");
    // The program that the last stage starts is the one that the first stage leaves.
    assert!(build.contains("cp target/release/hold /usr/local/bin/hold"), "{build}");
    assert!(file.contains("COPY --from=build /usr/local/bin/hold /usr/local/bin/hold"), "{file}");
}

/// Copies what cargo looks at; what a build made is not part of a clone.
fn copy(from: &Path, to: &Path) {
    if from.is_dir() {
        std::fs::create_dir_all(to).unwrap();
        for entry in std::fs::read_dir(from).unwrap() {
            let entry = entry.unwrap();
            if entry.file_name() != "target" {
                copy(&entry.path(), &to.join(entry.file_name()));
            }
        }
    } else {
        std::fs::copy(from, to).unwrap();
    }
}

#[test]
fn the_units_say_nothing_that_systemd_does_not_know() {
    for name in ["hold.service", "hold-user.service"] {
        let unit = root().join("contrib/systemd").join(name);
        let Ok(ran) = Command::new("systemd-analyze").arg("verify").arg(&unit).output() else {
            skipped("systemd-analyze is not installed");
            return;
        };
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        // The program and its manual need not be installed where this is checked.
        let installed = |line: &&str| line.contains("is not executable") || line.contains("man hold(1)");
        let wrong: Vec<&str> = said.lines().filter(|line| line.contains(name) && !installed(line)).collect();
        assert!(wrong.is_empty(), "{wrong:?}");
    }
}
