//! A value stays data: it is never in the name of a command or of a variable, and nothing that a shell is given to run
//! reads it as commands.

use super::tests::refused;

#[test]
fn a_value_is_no_part_of_a_commands_name() {
    for command in [
        "\"x\"${var.x}",
        "x${var.x}",
        "./run-${var.x} all",
        "$HOME/${var.x}/run",
        "A=b x${var.x}",
        "true && x${var.x}",
        "env A=b x${var.x}",
        "x$(echo ${var.x})",
        "\"x$(echo ${var.x})\" a",
        "X=${var.x}; x$X",
        "X=${var.x}; \"./$X\" a",
        "A-B=${var.x}",
        "./a=${var.x}",
    ] {
        assert!(refused(command).is_some(), "{command}");
    }
    for command in [
        "X=${var.x}",
        "X+=${var.x} make",
        "X[1]=${var.x}",
        "X=a/${var.x}/b make",
        "X=$(basename ${var.x})",
        "X=\"$(cat a/${var.x})\"",
        "nice -n${var.x} make",
        "make a-${var.x}",
        "2>log-${var.x} make",
    ] {
        assert_eq!(refused(command), None, "{command}");
    }
}

#[test]
fn a_value_names_no_variable_and_stands_in_no_index() {
    for command in [
        "a[${var.x}]=1",
        "a[b${var.x}]+=1",
        "X=${var.x}; a[X]=1",
        "X=${var.x}; a[$X]=1",
        "declare a[${var.x}]=1",
        "declare -n X=${var.x}",
        "typeset -n X=a${var.x}",
        "X=${var.x}; echo \"${!X}\"",
        "X=${var.x}; echo \"${X@P}\"",
        "mapfile -C ${var.x} -c 1 X < f",
        "enable -f ${var.x} x",
        "hash -p ${var.x} ls",
        "complete -C ${var.x} x",
        "declare -i y; y=${var.x}",
        "X=${var.x}; typeset -i y; y=$X",
        "X=${var.x}; y=X; echo $((y))",
        "X=${var.x}; echo $[X]",
        "PS4=${var.x}; set -x; true",
        "export PATH=${var.x}",
    ] {
        assert!(refused(command).is_some(), "{command}");
    }
    assert_eq!(refused("X=${var.x}; echo \"${#X} ${X%.a}\""), None);
}

#[test]
fn what_a_shell_is_given_to_run_is_read_like_the_command_itself() {
    for command in [
        "export X=${var.x}; sh -c 'eval \"$X\"'",
        "X=${var.x} sh -c 'eval \"$X\"'",
        "X=${var.x}; sh -c \"eval \\\"\\$X\\\"\"",
        "sh -c 'eval \"$1\"' sh ${var.x}",
        "sh -c '$1' sh ${var.x}",
        "bash -ec 'sh -c \"$1\"' sh ${var.x}",
        "sudo sh -c 'X=$1; $X' sh ${var.x}",
        "X=${var.x}; sh -c 'sh -c \"\\$X\"'",
        "X=${var.x}; eval 'x; $X'",
        "X=${var.x}; eval echo '$X; $X'",
        "X=${var.x}; trap '$X' EXIT",
        "f() { eval '$1'; }; f ${var.x}",
        "X=${var.x}; sh -c 'echo \"$X\" | sh'",
    ] {
        assert!(refused(command).is_some(), "{command}");
    }
    for command in [
        "export X=${var.x}; sh -c 'echo \"$X\"'",
        "sh -c 'cd there && make \"$1\"' sh ${var.x}",
        "X=${var.x}; sh -c 'eval \"$1\"' sh a",
        "X=${var.x}; trap 'rm \"$X\"' EXIT",
        "X=${var.x}; Y=a; sh -c 'eval \"$Y\"'",
    ] {
        assert_eq!(refused(command), None, "{command}");
    }
}
