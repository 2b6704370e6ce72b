//! What is given along for running a server: nothing here runs a container or a service manager, but what can be
//! checked without one is.

use std::os::unix::fs::PermissionsExt as _;
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
fn archive_and_package_hold_all_that_a_user_needs() {
    let folder = tempfile::tempdir().unwrap();
    // A debug build is too large to be compressed in a test; what is packed is a program all the same.
    let program = folder.path().join("hold");
    std::fs::write(&program, format!("#!/bin/sh\nexec {} \"$@\"\n", env!("CARGO_BIN_EXE_hold"))).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let out = folder.path().join("out");
    let ran = Command::new(root().join("scripts/dist"))
        .arg("--binary")
        .arg(&program)
        .arg("--out")
        .arg(&out)
        .output();
    let ran = ran.unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let listed = |program: &str, arguments: &[&str], ending: &str| {
        let file = std::fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().path());
        let file = file.into_iter().find(|path| path.to_str().unwrap().ends_with(ending)).unwrap();
        let ran = Command::new(program).args(arguments).arg(file).output().unwrap();
        String::from_utf8(ran.stdout).unwrap()
    };
    let mut lists = vec![listed("tar", &["-tzf"], ".tar.gz")];
    if Command::new("dpkg-deb").arg("--version").output().is_ok() {
        lists.push(listed("dpkg-deb", &["--contents"], ".deb"));
        let control = listed("dpkg-deb", &["--info"], ".deb");
        assert!(control.contains("Package: holdpoint") && control.contains("postinst"), "{control}");
    }
    for list in lists {
        for wanted in [
            "bin/hold",
            "man/man1/hold.1.gz",
            "man/man1/hold-ask.1.gz",
            "completions/hold",
            "_hold",
            "hold.fish",
            "systemd/system/hold.service",
            "systemd/user/hold.service",
            "holdpoint/copyright",
        ] {
            assert!(list.lines().any(|line| line.ends_with(wanted)), "no {wanted} in {list}");
        }
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
