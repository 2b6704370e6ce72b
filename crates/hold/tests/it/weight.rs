//! How much there is to compile: crates behind the binary and behind the bare engine, counted by cargo.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// Returns the versions of each crate that is compiled for a package, itself included; build scripts and macros count.
fn crates(arguments: &[&str]) -> BTreeMap<String, Vec<String>> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
    cargo.args(["tree", "--offline", "--locked", "--edges", "normal,build", "--prefix", "none"]);
    let output = cargo.args(["--format", "{p}"]).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        let mut words = line.split_whitespace();
        let (Some(name), Some(version)) = (words.next(), words.next()) else { continue };
        let versions = found.entry(name.to_owned()).or_default();
        if !versions.iter().any(|known| known == version) {
            versions.push(version.to_owned());
        }
    }
    found
}

fn count(crates: &BTreeMap<String, Vec<String>>) -> usize {
    crates.values().map(Vec::len).sum()
}

#[test]
fn a_program_that_only_asks_compiles_few_crates() {
    let bare = crates(&["--package", "holdpoint-engine", "--no-default-features"]);
    assert!(bare.contains_key("rusqlite") && count(&bare) < 120, "{}: {bare:?}", count(&bare));
    for heavy in ["reqwest", "hyper", "rustls", "ring", "lettre", "tungstenite", "portable-pty", "vt100"] {
        assert!(!bare.contains_key(heavy), "{heavy} is behind a feature");
    }
}

#[test]
fn the_binary_stays_below_280_crates() {
    let all = crates(&["--package", "holdpoint"]);
    assert!(all.contains_key("reqwest") && count(&all) < 280, "{}: {all:?}", count(&all));
    let cryptographic = [
        "argon2",
        "blake2",
        "block-buffer",
        "chacha20",
        "crypto-common",
        "curve25519-dalek",
        "digest",
        "ed25519",
        "ed25519-dalek",
        "hmac",
        "rand",
        "rand_core",
        "ring",
        "rustls",
        "rustls-webpki",
        "sha1",
        "sha2",
        "signature",
        "subtle",
        "zeroize",
    ];
    for name in cryptographic {
        let versions = all.get(name).map_or(0, Vec::len);
        assert!(versions <= 1, "{name}: {:?}", all.get(name));
    }
}
