//! Where a value would be read as a program, and where not.

use crate::job::interpolate::{Known, Unsafe, shell};

fn refused(command: &str) -> Option<String> {
    let known = Known::from([("var.x".to_owned(), "a'b".to_owned())]);
    match shell(command, &known) {
        Err(why @ Unsafe::Place { .. }) => Some(why.to_string()),
        Err(other) => panic!("{command}: {other}"),
        Ok(_) => None,
    }
}

#[test]
fn a_value_that_something_reads_as_a_program_is_refused() {
    for command in [
        "eval ${var.x}",
        "eval \"echo ${var.x}\"",
        "command eval echo '${var.x}'",
        "true; eval ${var.x}",
        "sh -c \"echo ${var.x}\"",
        "sh -c 'echo ${var.x}'",
        "sh -c ${var.x}",
        "sh>f -c ${var.x}",
        "sh 2>&1 > f -c ${var.x}",
        "$SHELL -c ${var.x}",
        "su a --command=${var.x}",
        "tmux new-session -d ${var.x}",
        "parallel ${var.x}",
        "echo ${var.x} | at now",
        "cd there && /bin/bash -lc \"make ${var.x}\"",
        "bash -o pipefail -c \"make ${var.x}\"",
        "busybox sh -c \"${var.x}\"",
        "sudo -u agent -- sh -ec \"${var.x}\"",
        "timeout 5 sh -c \"${var.x}\"",
        "find . -exec sh -c \"rm ${var.x}\" \\;",
        "sh \\\n  -c \"${var.x}\"",
        "\"sh\" '-c' \"${var.x}\"",
        "sh -c \"$(echo ${var.x})\"",
        "echo $(sh -c \"${var.x}\")",
        "su agent -c \"${var.x}\"",
        "ssh host \"cd ${var.x}\"",
        "ssh -p 22 host make ${var.x}",
        "trap \"rm ${var.x}\" EXIT",
        "python3 -c \"print('${var.x}')\"",
        "awk \"BEGIN{${var.x}}\"",
        "awk -F : ${var.x}",
        "sed -e ${var.x} file",
        "sed s/a/${var.x}/ file",
        "watch -n 5 ${var.x}",
        ". ${var.x}",
        "perl -ne \"${var.x}\"",
        "env -S ${var.x}",
        "env -S\"${var.x}\"",
        "env --split-string=${var.x}",
        "make SHELL=${var.x} all",
        "make --eval ${var.x}",
        "git -c core.sshCommand=${var.x} fetch",
        "git -c alias.x=${var.x} x",
        "tar xf a.tar --to-command=${var.x}",
        "tar -I ${var.x} -xf a",
        "ssh -o ProxyCommand=${var.x} host",
        "echo ${var.x} | sh",
        "echo ${var.x} | sudo bash -s",
        "echo ${var.x} | tee log | sh > out; true",
    ] {
        assert!(refused(command).is_some(), "{command}");
    }
    let why = refused("sh -c \"echo ${var.x}\"").unwrap();
    assert!(why.contains("sh -c '… \"$1\" …' sh ${…}"), "{why}");
}

#[test]
fn what_is_handed_over_as_an_argument_is_not() {
    for command in [
        "sh -c 'echo \"$1\"' sh ${var.x}",
        "sh -c 'echo \"$1\"' sh \"${var.x}\"",
        "sh script.sh ${var.x}",
        "bash -x ./script ${var.x}",
        "X=${var.x} sh -c 'echo \"$X\"'",
        "eval true; echo ${var.x}",
        "echo ${var.x}; eval true",
        "python3 script.py -c ${var.x}",
        "python3 -c 'import sys' ${var.x}",
        "ssh -p 22 ${var.x}",
        "awk -v x=${var.x} '{ print x }' file",
        "awk '{ print }' ${var.x}",
        "awk -f script ${var.x}",
        "sed -n 1p ${var.x}",
        "diff . ${var.x}",
        "echo ${var.x} | grep -c a",
        "echo ${var.x} | sh script",
        "echo ${var.x} || sh",
        "echo ${var.x} 2>&1 | cat",
        "git -c user.name=${var.x} commit",
        "exec claude ${var.x}",
        "make -S ${var.x}",
        "SHELL=${var.x} claude",
        "env A=${var.x} claude",
        "tar -C ${var.x} -xf a.tar",
    ] {
        assert_eq!(refused(command), None, "{command}");
    }
}
