//! Who a commit names: the identity git itself would use, from any level of its settings; and who proposed and decided
//! in any case.

use super::shop::Shop;

/// What a commit says of who made it.
struct Signed {
    author: String,
    committer: String,
    trailers: String,
}

/// Commits a change that `bo` decided on, in an environment of its own.
fn signed(shop: &Shop, environment: &[(&str, Option<&str>)]) -> Signed {
    let (run, decision) = shop.asked();
    let words = shop.commit(&run, &decision);
    let words: Vec<&str> = words.iter().map(String::as_str).chain(["--by", "bo"]).collect();
    let mut command = shop.sandbox.command(&words);
    for (name, value) in environment {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    crate::process::finish(&mut command, b"").exits(0);
    let commit = shop.show(&run)["verdict"]["commit"].as_str().unwrap().to_owned();
    let shown = |format: &str| shop.git(&["log", "-1", &format!("--format={format}"), &commit]);
    Signed {
        author: shown("%an <%ae>"),
        committer: shown("%cn <%ce>"),
        trailers: shown("%(trailers:key=Holdpoint-Proposed-By,key=Holdpoint-Decided-By)"),
    }
}

const ANA: &str = "[user]\n\tname = Ana Example\n\temail = ana@example.org\n";

#[test]
fn where_git_has_nobody_they_are_named_themselves() {
    let shop = Shop::new();
    for none in [&[][..], &[("HOME", None)], &[("GIT_CONFIG_NOSYSTEM", Some("1")), ("USER", None)]] {
        // The account that tests run as may have settings of its own, which count where nobody says what its folder is.
        let none: Vec<_> = none.iter().copied().chain([("GIT_CONFIG_GLOBAL", Some("/dev/null"))]).collect();
        let signed = signed(&shop, &none);
        assert_eq!(signed.committer, "bo <holdpoint@localhost>");
        assert_eq!(signed.author, "ana <holdpoint@localhost>");
        assert_eq!(signed.trailers, "Holdpoint-Proposed-By: ana\nHoldpoint-Decided-By: bo");
    }
}

#[test]
fn every_level_of_settings_counts_the_nearest_most() {
    let shop = Shop::new();
    let system = shop.sandbox.file("system", "[user]\n\tname = Sys\n\temail = sys@example.org\n");
    let nowhere = [("GIT_CONFIG_SYSTEM", Some(system.as_str())), ("GIT_CONFIG_GLOBAL", Some("/dev/null"))];
    let by_system = signed(&shop, &nowhere);
    assert_eq!(by_system.committer, "Sys <sys@example.org>");
    assert_eq!(by_system.trailers, "Holdpoint-Proposed-By: ana\nHoldpoint-Decided-By: bo");
    std::fs::write(shop.sandbox.path(".gitconfig"), ANA).unwrap();
    let account = signed(&shop, &nowhere[..1]);
    assert_eq!(
        (account.committer.as_str(), account.author.as_str()),
        ("Ana Example <ana@example.org>", "Ana Example <ana@example.org>")
    );
    shop.git(&["config", "user.email", "ana@work.example"]);
    assert_eq!(signed(&shop, &nowhere[..1]).committer, "Ana Example <ana@work.example>");
    // A service has no folder, and often no name.
    shop.git(&["config", "user.name", "Ana at Work"]);
    for bare in [[("HOME", None), ("USER", None)], [("HOME", Some("/nonexistent")), ("USER", Some("root"))]] {
        let signed = signed(&shop, &bare);
        assert_eq!(signed.committer, "Ana at Work <ana@work.example>");
        assert_eq!(signed.author, "Ana at Work <ana@work.example>");
    }
    shop.git(&["config", "author.email", "author@work.example"]);
    let environment = [("GIT_AUTHOR_NAME", Some("Env")), ("GIT_COMMITTER_EMAIL", Some("env@example.org"))];
    let signed = signed(&shop, &environment);
    assert_eq!(signed.author, "Env <author@work.example>");
    assert_eq!(signed.committer, "Ana at Work <env@example.org>");
}

#[test]
fn with_hooks_it_is_the_same() {
    use std::os::unix::fs::PermissionsExt as _;
    let shop = Shop::new();
    let hook = shop.repo().join(".git/hooks/pre-commit");
    std::fs::create_dir_all(hook.parent().unwrap()).unwrap();
    std::fs::write(&hook, "#!/bin/sh\ntrue\n").unwrap();
    std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o755)).unwrap();
    shop.git(&["config", "user.email", "ana@work.example"]);
    let signed = signed(&shop, &[("GIT_CONFIG_GLOBAL", Some("/dev/null"))]);
    assert_eq!(signed.committer, "bo <ana@work.example>", "git has an address and no name");
}
