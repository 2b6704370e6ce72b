//! Who gets `[]` where nothing is pending: every reader but a shell that reads it into a variable.

use crate::sandbox::Sandbox;

#[test]
fn an_empty_list_is_json_for_every_reader_but_a_shells_variable() {
    let sandbox = Sandbox::new();
    sandbox.link("bd");
    sandbox.executable("wrapped", "bd decision list --json");
    let python = "import subprocess, sys\nsys.stdout.write(subprocess.run(sys.argv[1:], capture_output=True, text=True).stdout)";
    let python = format!("python3 -c '{python}'");
    for reader in [
        "bd decision list --json",
        "timeout 60 bd decision list --json",
        "echo \"$(timeout 60 bd decision list --json)\"",
        "bd decision list --json | cat",
        "bd decision list --json >out; cat out",
        "wrapped",
        "wrapped | cat",
        &format!("{python} bd decision list --json"),
        &format!("{python} wrapped"),
        &format!("{python} timeout 60 bd decision list --json"),
    ] {
        sandbox.shell(reader).exits(0).prints("[]");
    }
    for shell in ["sh", "bash"] {
        for capture in [
            "bd decision list --json",
            "bd decision list --json 2>/dev/null",
            "cd / && bd decision list --json",
            "wrapped",
        ] {
            let script = format!("{shell} -c 'pending=$({capture}); echo \"<$pending>\"'");
            sandbox.shell(&script).exits(0).prints("<>");
        }
        let loops =
            format!("{shell} -c 'for n in 1 2 3 4 5 6 7 8; do bd decision list --json | jq length; done'");
        sandbox.shell(&loops).exits(0).prints("0\n0\n0\n0\n0\n0\n0\n0");
    }
}
