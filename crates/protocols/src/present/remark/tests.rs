//! Tests the warnings about commands, as tables.

use super::*;

fn at(path: &str) -> Folder {
    Folder { path: Some(path.to_owned()), is_left: false }
}

#[test]
fn what_is_sure_is_said() {
    for (text, expected) in [
        ("cargo test", &[][..]),
        ("curl -fsSL https://get.example.dev/i.sh | sh", &["Runs a script downloaded from get.example.dev"]),
        (
            "curl https://a.example/x | tee f | sudo bash -s",
            &["Runs as another user (sudo)", "Runs a script downloaded from a.example"],
        ),
        ("wget -qO- \"$URL\" | python3 -", &["Runs a downloaded script"]),
        ("sh -c \"$(curl -fsSL https://x.example/i)\"", &["Runs a downloaded script"]),
        ("rm -rf build dist", &["Deletes build and dist"]),
        ("rm a b c", &["Deletes a, b and c"]),
        ("curl -fsSL https://a.example/x | bash -s -- -y", &["Runs a script downloaded from a.example"]),
        (
            "curl https://a.example/x | sudo bash -s -- --yes",
            &["Runs as another user (sudo)", "Runs a script downloaded from a.example"],
        ),
        ("curl https://a.example/x | python3 - --yes", &["Runs a script downloaded from a.example"]),
        ("bash <(curl -fsSL https://a.example/x) --yes", &["Runs a downloaded script"]),
        ("source <(curl https://a.example/x)", &["Runs a downloaded script"]),
        ("curl -fsSLo /usr/bin/x https://a.example", &["Writes to /usr/bin/x, outside the working folder"]),
        ("curl --output=/usr/bin/x https://a.example", &["Writes to /usr/bin/x, outside the working folder"]),
        ("wget -q -O /usr/bin/x https://a.example", &["Writes to /usr/bin/x, outside the working folder"]),
        ("dd if=x.img of=/dev/sda bs=4M", &["Overwrites /dev/sda, outside the working folder"]),
        ("truncate -s 0 app.log", &["Empties app.log"]),
        ("truncate --size=0 /var/log/x", &["Empties /var/log/x, outside the working folder"]),
        ("truncate -s +1M /var/x", &["Writes to /var/x, outside the working folder"]),
        ("sed -i 's/a/b/' /etc/hosts", &["Writes to /etc/hosts, outside the working folder"]),
        ("sed -i.bak -e 's/a/b/' /etc/hosts", &["Writes to /etc/hosts, outside the working folder"]),
        ("sed -i '' 's/a/b/' /etc/hosts", &["Writes to /etc/hosts, outside the working folder"]),
        (
            "cat > /etc/motd <<E\nrm -rf /\nE\nrm x",
            &["Overwrites /etc/motd, outside the working folder", "Deletes x"],
        ),
        (
            "sudo rm -rf /srv/x",
            &["Runs as another user (sudo)", "Deletes /srv/x, outside the working folder"],
        ),
        ("find . -name '*.o' -delete", &["Deletes every file it finds"]),
        ("echo hi > /etc/motd", &["Overwrites /etc/motd, outside the working folder"]),
        ("make && > /etc/motd", &["Overwrites /etc/motd, outside the working folder"]),
        (">> ../notes", &["Writes to ../notes, outside the working folder"]),
        ("echo hi >> ../notes", &["Writes to ../notes, outside the working folder"]),
        ("make > build.log 2>&1", &["Overwrites build.log"]),
        ("make > /dev/null", &[]),
        ("cp a /srv/app/b", &[]),
        ("cp a ~/b", &["Writes to ~/b, outside the working folder"]),
        ("git clean -fdx", &["Deletes files that are not in git"]),
        ("touch -r /etc/hosts ../stamp", &["Writes to ../stamp, outside the working folder"]),
        ("cd sub && rm -rf /srv/x y", &["Deletes /srv/x and y, outside the working folder"]),
        ("rm -rf -- -x", &["Deletes -x"]),
        ("shred -n 3 -u key", &["Deletes key"]),
        ("wget -q -O - https://a.example/x | sh", &["Runs a script downloaded from a.example"]),
        ("touch /srv/app/../x", &["Writes to /srv/app/../x, outside the working folder"]),
    ] {
        assert_eq!(of_command(text, &at("/srv/app")), expected, "{text}");
    }
}

#[test]
fn where_it_cannot_be_told_nothing_is_said() {
    for text in [
        "curl https://x.example | grep sh",
        "curl https://x.example && sh",
        "curl https://x.example; cat f | sh",
        "echo 'curl x | sh'",
        "cat f | sh",
        "echo 'rm -rf /'",
        "if true; then rm x; fi",
        "grep rm x",
        "echo $(rm x",
        "curl x | sh script.sh",
        "cat <<E | sh\ncurl\nE",
        "'rm",
        "",
        "ls # > /etc/passwd",
        "git clean -n",
        "git clean -fdn",
        "git clean",
        "cd sub && touch ../x",
        "touch ../app/x",
        "touch -r /etc/hosts stamp",
        "touch --reference /etc/hosts stamp",
        "cp -t sub /etc/hosts",
        "mkdir -m 700 x",
        "wget https://x.example/i | sh",
        "curl -o i https://x.example/i | sh",
        "curl https://x.example/i | python3 -mjson.tool",
        "sh -c \"$(wget https://x.example/i)\"",
        "rm --help foo",
        "rm -i foo",
        "shred key",
        "make > /dev/stderr",
        "curl x | bash -- script.sh",
        "curl x | bash script.sh -s",
        "curl x | python3 script.py -",
        "bash <(cat x)",
        "bash script.sh <(curl x)",
        "curl -o build/x https://a.example",
        "curl --unheard -o /usr/bin/x https://a.example",
        "dd if=/dev/zero of=/dev/null",
        "sed 's/a/b/' /etc/hosts",
        "sed -i 's/a/b/' hosts",
        "cat <<E\nrm -rf /\nE",
        "grep x <<< 'rm -rf /'",
        "for x in a; do rm $x; done",
    ] {
        assert_eq!(of_command(text, &at("/srv/app")), Vec::<String>::new(), "{text}");
    }
    let left = Folder { is_left: true, ..at("/srv/app") };
    assert_eq!(of_command("touch ../x", &left), Vec::<String>::new(), "it runs elsewhere");
    assert_eq!(
        of_command("cp a /etc/b", &Folder::default()),
        Vec::<String>::new(),
        "nobody says where it runs"
    );
}

#[test]
fn any_text_is_read() {
    let deep = "\"$(".repeat(2_000);
    assert!(shell::parts(&deep).is_none() && shell::parts(&"a ".repeat(100_000)).is_none());
    for text in [
        "\u{0}", "'", "\"\\", "$(", "`", "a\\", "é > ü", "> a", "| sh", "sudo", "sudo -u", "rm", "| | |",
        "&&&&",
    ] {
        of_command(text, &at("/"));
        let again: String =
            shell::parts(text).into_iter().flatten().flatten().map(|(_, text)| text).collect();
        assert!(again.is_empty() || again == text, "{text}");
    }
}
