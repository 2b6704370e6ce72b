//! Where a value would be read as a program, and where it would not.

use crate::job::interpolate::{Known, Unsafe, shell};

pub(super) fn refused(command: &str) -> Option<String> {
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
        "node --eval=${var.x}",
        "node --eval ${var.x}",
        "nodejs -p ${var.x}",
        "node --print=${var.x}",
        "bun -e ${var.x}",
        "deno eval ${var.x}",
        "Rscript -e ${var.x}",
        "pwsh -Command ${var.x}",
        "python3.11 -c ${var.x}",
        "echo ${var.x} | python3",
        "echo ${var.x} | python3 -u -",
        "echo ${var.x} | node",
        "echo ${var.x} | perl > out",
        "echo ${var.x} | parallel",
        "echo ${var.x} | xargs -I{} sh -c {}",
        "echo ${var.x} | xargs -I % sh -c 'echo %'",
        "echo ${var.x} | xargs sh -c",
        "echo ${var.x} | xargs -n1 ssh host",
        "npx -c ${var.x}",
        "npm exec --call=${var.x}",
        "git rebase -x ${var.x} main",
        "git rebase --exec=${var.x} main",
        "git submodule foreach ${var.x}",
        "rsync -e ${var.x} a b:",
        "rsync --rsh=${var.x} a b:",
        "bash <(echo ${var.x})",
        "source <(echo ${var.x})",
        "GIT_SSH_COMMAND=${var.x} git fetch",
        "export EDITOR=${var.x}",
        "env BASH_ENV=${var.x} bash script",
        "[[ ${var.x} -eq 1 ]]",
        "[[ 1 -lt ${var.x} ]] && true",
        "let x=${var.x}",
        "declare -i x=${var.x}",
        "(( ${var.x} ))",
        "if (( ${var.x} > 1 )); then true; fi",
        "vim -c ${var.x}",
        "gdb -batch -ex ${var.x}",
        "expect -c ${var.x}",
        "${var.x}",
        "A=b ${var.x} -v",
        "if ${var.x}; then true; fi",
        "env ${var.x} ls",
        "env -u A B=c ${var.x}",
        "sudo -u agent -- ${var.x}",
        "timeout -k 5 10 nice -n 3 ${var.x}",
        "echo a | xargs -n 1 ${var.x}",
        ">log ${var.x}",
        "2>/dev/null ${var.x}",
        "env >log ${var.x}",
        "case a in a) ${var.x};; esac",
        "case a in a)${var.x};; esac",
        "case a in (a) ${var.x};; esac",
        "f() { ${var.x}; }; f",
        "env --unset A ${var.x}",
        "env -iu A ${var.x}",
        "timeout --kill-after 5 10 ${var.x}",
        "xargs -rn 1 ${var.x}",
        "$SUDO ${var.x}",
        "$(true) ${var.x}",
        "$EMPTY${var.x}",
        "setpriv ${var.x}",
        "taskset 1 ${var.x}",
        "find . -exec ${var.x} \\;",
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
        "echo ${var.x} || sh",
        "echo ${var.x} 2>&1 | cat",
        "git -c user.name=${var.x} commit",
        "exec claude ${var.x}",
        "make -S ${var.x}",
        "SHELL=${var.x} claude",
        "env A=${var.x} claude",
        "tar -C ${var.x} -xf a.tar",
        "echo ${var.x} | xargs rm",
        "echo ${var.x} | xargs -I{} mv {} there",
        "node --test ${var.x}",
        "npm run build -- ${var.x}",
        "npm ci",
        "git clean -x ${var.x}",
        "git rebase ${var.x}",
        "rsync -a ${var.x} b:",
        "diff <(echo ${var.x}) file",
        "[[ ${var.x} == main ]]",
        "[ ${var.x} -eq 1 ]",
        "declare x=${var.x}",
        "BRANCH=${var.x} make",
        "pythonic -c ${var.x}",
        "timeout ${var.x} make",
        "sudo -u ${var.x} make",
        "env -u ${var.x} make",
        "( make ${var.x} )",
    ] {
        assert_eq!(refused(command), None, "{command}");
    }
}

#[test]
fn a_shell_or_a_language_behind_a_pipe_is_refused_wherever_it_stands() {
    for command in [
        "echo ${var.x} |\nsh",
        "echo ${var.x} | # then\n\nsh",
        "echo ${var.x} |& sh",
        "{ echo ${var.x}; } | sh",
        "{ true; echo ${var.x}; true; } | sh",
        "(echo ${var.x}; true) | sh",
        "if true; then echo ${var.x}; fi | sh",
        "for i in ${var.x}; do echo \"$i\"; done | sh",
        "while true; do if true; then echo ${var.x}; fi; done | cat | sh",
        "case a in a) echo ${var.x};; esac | sh",
        "X=${var.x}; echo \"$X\" | sh",
        "echo ${var.x} | (sh)",
        "echo ${var.x} | (cd / && sh)",
        "echo ${var.x} | { cd /; sh; }",
        "echo ${var.x} | if true; then sh; fi",
        "echo ${var.x} | while true; do sh; done",
        "echo ${var.x} | tee >(sh)",
        "echo ${var.x} | sh -x /dev/stdin",
        "echo ${var.x} | sh script",
        "echo ${var.x} | . /dev/stdin",
        "echo ${var.x} | source /dev/stdin",
        "echo ${var.x} | make -f /dev/stdin",
        "echo ${var.x} | eval \"$(cat)\"",
        "echo ${var.x} | $(cat)",
        "echo ${var.x} | $SHELL",
        "echo ${var.x} | sudo $SHELL",
        "echo ${var.x} | while read -r line; do $line; done",
        "echo ${var.x} | timeout 5 bash",
        "echo ${var.x} | docker exec -i there sh",
        "echo ${var.x} | python3 script.py",
        "echo ${var.x} | python3 -c 'import sys'",
        "echo ${var.x} | python3 -m json.tool",
        "echo ${var.x} | node -e 'process.stdin'",
        "echo ${var.x} | perl -ne print",
        "printf \"%s\\n\" ${var.x} | su root",
        "echo ${var.x} | sudo -i",
        "echo ${var.x} | sudo -u agent -s",
        "echo ${var.x} | ssh -p 22 host",
        "echo ${var.x} | xargs env",
        "echo ${var.x} | xargs -n2 timeout 5",
        "echo ${var.x} | xargs nice",
        "echo ${var.x} | xargs -I{} {}",
        "echo ${var.x} | xargs sh -c 'echo \"$1\"' sh",
        "bash < <(echo ${var.x})",
    ] {
        assert!(refused(command).is_some(), "{command}");
    }
    for command in [
        "echo ${var.x} | cat; sh script",
        "echo ${var.x} | cat\nsh script",
        "echo ${var.x} && sh script",
        "(echo ${var.x}); true | sh",
        "{ echo ${var.x}; }\ntrue | sh",
        "if true; then echo ${var.x} | cat; sh script; fi",
        "sh script | grep ${var.x}",
        "echo ${var.x} | ssh -p 22 host script",
        "echo ${var.x} | sudo -u agent tee file",
        "echo ${var.x} | timeout 5 sort",
        "echo ${var.x} | xargs",
    ] {
        assert_eq!(refused(command), None, "{command}");
    }
}

#[test]
fn a_variable_of_the_shell_that_got_a_value_counts_like_it() {
    for command in [
        "X=${var.x}; eval \"$X\"",
        "X=${var.x}; $X",
        "X=${var.x}; \"$X\" a",
        "X=${var.x}; ${X} a",
        "X=${var.x}\nsh -c \"$X\"",
        "X=${var.x}; Y=a$X; sh -c \"${Y:-b}\"",
        "X=$(echo ${var.x}); $X",
        "export X=a; X+=${var.x}; eval \"$X\"",
        "X=(${var.x}); eval \"${X[0]}\"",
        "for i in 1 2; do eval \"$X\"; X=${var.x}; done",
        "for i in ${var.x}; do $i; done",
        "set -- ${var.x}; eval \"$1\"",
        "set -- ${var.x}; \"$@\"",
        "f() { eval \"$1\"; }; f ${var.x}",
        "true ${var.x}; $_",
        "echo ${var.x} > f; read -r X < f; eval \"$X\"",
        "printf -v X %s ${var.x}; eval \"$X\"",
        "X=${var.x}; N=X; eval \"${!X}\"",
        "X=${var.x}; echo $(( X + 1 ))",
        "X=${var.x}; (( X > 1 ))",
        "X=${var.x}; [[ $X -eq 1 ]]",
        "X=${var.x}; echo ${a[X]}",
        "X=${var.x}; echo \"$X\" | sh",
        "X=${var.x}; awk \"$X\"",
        "$(echo ${var.x})",
        "\"$(echo ${var.x})\" a",
        "A=b $(echo ${var.x}) a",
    ] {
        assert!(refused(command).is_some(), "{command}");
    }
    for command in [
        "X=${var.x}; make \"$X\"",
        "X=${var.x}; $SUDO make \"${X%.git}\"",
        "X=${var.x}; Y=$(date); case \"$X\" in a) make \"$Y\";; esac",
        "X=${var.x}; sh -c 'eval \"$1\"' sh a",
        "X=${var.x}; echo \\$X; echo \"$HOME/$X\"",
        "X=${var.x}; Y=a; echo $(( Y + 1 )) \"$X\"",
        "for i in ${var.x}; do make \"$i\"; done",
        "set -- ${var.x}; make \"$@\"",
        "f() { make \"$1\"; }; f ${var.x}",
        "read -r X; make \"$${X}\" ${var.x}",
        "make BRANCH=\"$(echo ${var.x})\"",
        "echo ${var.x} | while read -r line; do make \"$line\"; done",
    ] {
        assert_eq!(refused(command), None, "{command}");
    }
}

#[test]
fn where_the_shell_computes_or_names_a_variable_a_value_is_refused() {
    for command in [
        "[[ -v ${var.x} ]]",
        "if [[ ${var.x} -eq 1 ]]; then true; fi",
        "[[ -n a && 1 -lt ${var.x} ]]",
        "test -v ${var.x}",
        "echo ${a[${var.x}]}",
        "echo ${a:${var.x}:2}",
        "echo \"${a:-${var.x}}\"",
        "printf -v ${var.x} a",
        "read ${var.x}",
        "unset ${var.x}",
        "export ${var.x}",
        "for ${var.x} in a; do true; done",
        "true; let x=${var.x}",
        "if true; then declare -i x=${var.x}; fi",
    ] {
        assert!(refused(command).is_some(), "{command}");
    }
    for command in
        ["echo ${a[1]} ${var.x}", "echo \"${a:-it's}\" ${var.x}", "export A=${var.x}", "printf %s ${var.x}"]
    {
        assert_eq!(refused(command), None, "{command}");
    }
}

#[test]
fn a_value_is_an_operand_or_nothing() {
    let with = |command: &str, a: &str, b: &str| {
        let known = Known::from([("var.a".into(), a.into()), ("var.b".into(), b.into())]);
        shell(command, &known)
    };
    for (command, a, b) in [
        ("make ${var.a}", "--eval=$(shell touch x)", ""),
        ("make \"${var.a}\"", "-f/tmp/x", ""),
        ("make ''${var.a}", "-f/tmp/x", ""),
        ("make ${var.b}${var.a}", "--eval=x", ""),
        ("make ${var.b}\"${var.a}\"", "-f/tmp/x", ""),
        ("make ${var.a}", "SHELL=/tmp/x", ""),
        ("make -- ${var.a}", "SHELL=/tmp/x", ""),
        ("make ${var.a}", "SHELL := /tmp/x", ""),
        ("sh -c 'make \"$1\"' sh ${var.a}", "SHELL=/tmp/x", ""),
        ("sh -c 'make \"$1\"' sh ${var.a}", "--eval=x", ""),
        ("tar xf ${var.a}", "--to-command=x", ""),
        ("git log ${var.a}", "--output=x", ""),
        ("git commit -m ${var.a}", "--amend", ""),
        ("less ${var.a}", "+!x", ""),
        ("make ${var.a}${var.b}", "-", "-eval=x"),
        ("make ${var.a}${var.b}", "T", "=x"),
        ("make T${var.a}", "=x", ""),
        ("make BRANCH=${var.a}", "$(shell touch x)", ""),
        ("ls ${var.a}la", "-", ""),
        ("ls $A${var.a}", "-la", ""),
        ("ls -${var.a}", "la", ""),
        ("case a in a) ls ${var.a};; esac", "-la", ""),
        ("claude ${var.a}", "--dangerously-skip-permissions", ""),
        ("true && make ${var.a}", "-f/tmp/x", ""),
        ("make -- x; make ${var.a}", "-f/tmp/x", ""),
    ] {
        let why = with(command, a, b);
        assert!(matches!(why, Err(Unsafe::Misread { .. })), "{command} with {a}: {why:?}");
    }
    for (command, a, b) in [
        ("make -- ${var.a}", "-f", ""),
        ("git log -- ${var.a}", "--output=x", ""),
        ("make --eval-not=${var.a}", "--eval", ""),
        ("make TO=${var.a}", "-x", ""),
        ("echo ${var.a}", "-n", ""),
        ("echo a > ${var.a}", "-n", ""),
        ("cat ${var.b}${var.a}", "-x", "a"),
        ("git tag ${var.a}", "A=b", ""),
        ("git commit --message=${var.a}", "- fix", ""),
        ("ls -C${var.a}", "x", ""),
        ("$HOME/bin/tool ${var.a}", "x", ""),
        ("make ${var.a}", "main", ""),
        ("true # make ${var.a}", "-x", ""),
    ] {
        let made = with(command, a, b);
        assert!(made.is_ok(), "{command} with {a}: {made:?}");
    }
}
