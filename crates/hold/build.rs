//! Chooses how the binary is linked, and makes the description of the API small.

fn main() -> std::io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(root)");
    describe()?;
    // Some tests need another account to act under; elsewhere they are reported as ignored.
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    if status.lines().any(|line| line.starts_with("Uid:\t0\t")) {
        println!("cargo::rustc-cfg=root");
    }
    let is = |variable: &str, value: &str| std::env::var(variable).is_ok_and(|found| found == value);
    // At a fixed address tens of thousands of pointers need not be relocated at every start, which takes longer than
    // to open the store. What gives way is the random place of the program's own code; heap, stack and libraries
    // keep theirs, and the code that is not memory-safe by its language is SQLite and the ciphers.
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") && is("PROFILE", "release") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
    Ok(())
}

/// Leaves out the space between the parts of the description, which is two thirds of it.
fn describe() -> std::io::Result<()> {
    println!("cargo::rerun-if-changed=openapi.json");
    let text = std::fs::read_to_string("openapi.json")?;
    let (mut within, mut escaped) = (false, false);
    let small: String = text
        .chars()
        .filter(|&c| {
            let ends = c == '"' && !escaped;
            escaped = within && c == '\\' && !escaped;
            within ^= ends;
            within || !c.is_ascii_whitespace()
        })
        .collect();
    let folder = std::env::var("OUT_DIR").map_err(std::io::Error::other)?;
    std::fs::write(format!("{folder}/openapi.json"), small)
}
