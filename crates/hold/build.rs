//! Makes the description of the API small, and finds out what the tests can do here.

fn main() -> std::io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(root)");
    describe()?;
    // Some tests need another account to act under; elsewhere they are reported as ignored.
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    if status.lines().any(|line| line.starts_with("Uid:\t0\t")) {
        println!("cargo::rustc-cfg=root");
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
