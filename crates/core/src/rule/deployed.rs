//! Names of things that others use: environments that are deployed to, and branches that are deployed.
//!
//! A command that builds, tests or runs services needs a person if it is given such a name, unless the rule itself
//! names it.

use super::programs::has;
use super::{files, programs};
use crate::text::quote;

/// What a person is told about such a name.
pub(super) const DEPLOYED: &str =
    "names of shared environments and branches need a person unless the rule names them";

/// Environments that others use.
const ENVIRONMENTS: &str = "live preprod prd prod stage staging stg uat";
/// Environments that are also recognised within longer names: `productiondb`.
const WITHIN: [&str; 2] = ["production", "staging"];
/// Branches that others build on, or that are deployed.
const BRANCHES: &str = "acceptance canary default demo deploy deployed deployment deployments dev develop development dokku env environment environments gh heroku hotfix \
    main master next nightly pages publish qa rc release released releases stable trunk";
/// Branches that are shared only under exactly these names: a longer name may be one person's work about them.
const BRANCHES_ALONE: &str = "alpha beta edge integration preview sandbox test testing";
/// The names of folders in which even source code is configuration.
const SETTING_UP: &str = "ansible conf config configs configuration deploy deployment deployments deploys env environment environments envs infra \
    infrastructure inventories k8s kubernetes ops overlays settings terraform";
/// How the names of work branches begin.
const WORK: &str = "bug bugfix build chore ci docs feat feature fix perf refactor spike style test tests wip";
/// What a person is told about a file that later runs with more rights than the agent has.
const RUNS_LATER: &str =
    "changes to what deploys, publishes or runs in CI need a person unless the rule names the file";

/// Words in the names of files that run later with more rights.
const LATER: &str = "cd ci cron cronjob cronjobs crontab deploy deploys deployment pipeline pipelines provision publish release releases rollback rollout";
/// Folders whose scripts and settings run later with more rights.
const LATER_FOLDERS: &str =
    "ansible cd ci cron cron.d deploy deployment deployments deploys helm k8s kubernetes pipelines";
/// Folders whose source code is for running by hand or in CI.
const RUN_BY_HAND: &str = "bin ci script scripts tools";
/// The endings of scripts.
const SCRIPTS: &str = "bash bat cmd fish ksh nomad ps1 sh zsh";
/// The endings of files that configure something, and may hold its credentials.
const SETTINGS: &str = "cfg conf config env ini json properties toml xml yaml yml";

/// Returns whether a word names an environment that others use, and is not a file of source code.
pub(super) fn names_environment(word: &str) -> bool {
    let name = word.rsplit('/').next().unwrap_or_default();
    !name.rsplit_once('.').is_some_and(|(_, end)| has(files::SOURCE, end)) && has_environment(word)
}

/// Returns whether a file configures an environment that others use: `application-prod.yml`,
/// `appsettings.Production.json`.
pub(super) fn sets_up(name: &str) -> bool {
    name.rsplit_once('.')
        .is_some_and(|(stem, end)| has(SETTINGS, &end.to_ascii_lowercase()) && has_environment(stem))
}

fn has_environment(name: &str) -> bool {
    programs::parts(name).iter().any(|part| {
        let part = part.trim_end_matches(|c: char| c.is_ascii_digit());
        has(ENVIRONMENTS, part) || WITHIN.iter().any(|within| part.contains(within))
    })
}

/// Returns why a change to a file needs a person by where it runs later, if the pattern does not name it.
pub(super) fn concern(path: &str, pattern: &str) -> Option<String> {
    let later =
        part_that_runs_later(path, pattern).map(|part| format!("{RUNS_LATER}; this is {}", quote(part)));
    let sets_up = || Some(format!("{DEPLOYED}; this is in {}", quote(part_that_sets_up(path, pattern)?)));
    later.or_else(sets_up)
}

/// Returns the part of a path that shows that the file configures an environment that others use, unless the pattern
/// names it: `deploy/prod/web.yaml`, `config/environments/production.rb`. Source code counts if it lies beside
/// settings.
fn part_that_sets_up<'a>(path: &'a str, pattern: &str) -> Option<&'a str> {
    let is_source = path.rsplit_once('.').is_some_and(|(_, end)| has(files::SOURCE, end));
    let unnamed = || path.split('/').filter(|part| !pattern.split('/').any(|named| named == *part));
    let has_word = |part: &str, list: &str| programs::parts(part).iter().any(|word| has(list, word));
    if has_word(path.rsplit('/').next()?, "spec test tests")
        || (is_source && !unnamed().any(|part| has_word(part, SETTING_UP)))
    {
        return None;
    }
    // Source code may deal with something live, or with a stage.
    let is_other =
        |part: &str| is_source && has_word(part, "live stage") && !has_word(part, "prod production");
    unnamed().find(|part| has_environment(part) && !is_other(part))
}

/// Returns the part of a path that shows that the file later runs with more rights, unless the pattern names it:
/// `deploy.yml`, `scripts/publish.sh`, `ci/test.sh`. Source code counts only where it is run by hand.
fn part_that_runs_later<'a>(path: &'a str, pattern: &str) -> Option<&'a str> {
    let (folders, name) = path.rsplit_once('/')?;
    let is_named = |part: &str| pattern.split('/').any(|named| named == part);
    let folded = name.to_lowercase();
    let (stem, end) = folded.rsplit_once('.').unwrap_or((&folded, ""));
    let is_run = has(SETTINGS, end) || has(SCRIPTS, end);
    let by_hand =
        || folders.rsplit('/').next().is_some_and(|folder| has(RUN_BY_HAND, &folder.to_lowercase()));
    let says_so = || programs::parts(stem).iter().any(|word| has(LATER, word));
    if !is_named(name) && (is_run || ((end.is_empty() || has(files::SOURCE, end)) && by_hand())) && says_so()
    {
        return Some(name);
    }
    let is_later = |part: &&str| has(LATER_FOLDERS, &part.to_lowercase()) && !is_named(part);
    folders.split('/').find(is_later).filter(|_| is_run && !is_named(name))
}

/// Returns whether a branch is one that others build on, or that is deployed: `main`, `release/1.2`, `eu/production`.
pub(super) fn is_shared_branch(name: &str) -> bool {
    let is_shared = |part: &str| has(BRANCHES, part) || has_environment(part);
    // Matches `beta2` and `eu/preview`, but not `button-preview`.
    let is_alone = |part: &str| {
        let part = part.trim_end_matches(|c: char| c.is_ascii_digit() || "-_.".contains(c));
        has(BRANCHES_ALONE, &part.to_ascii_lowercase())
    };
    let is_work = name.split('/').next().is_some_and(|kind| name.contains('/') && has(WORK, kind));
    if !is_work && name.split('/').any(is_alone) {
        return true;
    }
    match name.split_once(['/', '-']) {
        // A work branch may be about a deployment.
        Some((kind, rest)) if has(WORK, kind) => is_shared(&rest.to_ascii_lowercase()) && !rest.contains('-'),
        _ => programs::parts(name).iter().any(|part| is_shared(part)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn environments_are_known_by_any_part_of_a_name() {
        for word in [
            "prod",
            "web-prod",
            "docker-compose.prod.yml",
            "deploy/live",
            "prod2",
            "webProd",
            "productiondb",
            "PROD",
        ] {
            assert!(names_environment(word), "{word}");
        }
        for word in ["product", "reproduce", "lively", "src/production.rs", "test/live/a_test.exs", "stages"]
        {
            assert!(!names_environment(word), "{word}");
        }
        assert!(sets_up("application-prod.yml") && sets_up("appsettings.Production.json"));
        assert!(!sets_up("application.yml") && !sets_up("production.rb") && !sets_up("production"));
    }

    #[test]
    fn files_that_set_up_an_environment_are_known_by_where_they_lie() {
        for path in [
            "/srv/app/deploy/prod/web.yaml",
            "/srv/app/config/environments/production.rb",
            "/srv/app/config/deploy/production.rb",
            "/srv/app/config/prod.exs",
            "/srv/app/mysite/settings/production.py",
            "/srv/app/src/environments/environment.prod.ts",
            "/srv/app/overlays/staging/kustomization",
            "/srv/app/infra/prod/main.go",
        ] {
            assert!(part_that_sets_up(path, "/srv/app/**").is_some(), "{path}");
            assert!(part_that_sets_up(path, path).is_none(), "{path}");
        }
        for path in [
            "/srv/app/src/production.rs",
            "/srv/app/lib/app_web/live/page_live.ex",
            "/srv/app/src/config/stage.ts",
            "/srv/app/tests/config/production_test.py",
            "/srv/app/docs/production/README.md",
            "/srv/app/config/environments/test.rb",
            "/srv/app/deploy/dev/web.yaml",
        ] {
            assert_eq!(part_that_sets_up(path, "/srv/app/**"), None, "{path}");
        }
        assert_eq!(part_that_sets_up("/srv/prod/app/a.json", "/srv/prod/app/**"), None);
        assert!(part_that_sets_up("/srv/app/deploy/prod/a.yaml", "/srv/app/deploy/prod/**").is_none());
    }

    #[test]
    fn files_that_run_later_with_more_rights_are_known_by_their_names_and_folders() {
        for path in [
            "/srv/app/deploy.yml",
            "/srv/app/publish.sh",
            "/srv/app/scripts/publish-npm.sh",
            "/srv/app/scripts/release.py",
            "/srv/app/bin/publish",
            "/srv/app/ci/test.sh",
            "/srv/app/ci.yml",
            "/srv/app/CI/Build.yml",
            "/srv/app/web/pipeline.yaml",
            "/srv/app/k8s/web.yaml",
            "/srv/app/cron/nightly.sh",
        ] {
            assert!(part_that_runs_later(path, "/srv/app/**").is_some(), "{path}");
            assert!(part_that_runs_later(path, path).is_none(), "{path}");
        }
        for path in [
            "/srv/app/src/deploy.rs",
            "/srv/app/src/release/notes.ts",
            "/srv/app/docs/deploy.md",
            "/srv/app/docs/ci/README.md",
            "/srv/app/scripts/lint.sh",
            "/srv/app/config/settings.toml",
            "/srv/app/src/civil.json",
            "/srv/app/publishers.json",
        ] {
            assert_eq!(part_that_runs_later(path, "/srv/app/**"), None, "{path}");
        }
        assert_eq!(part_that_runs_later("/srv/deploy/a/b.yml", "/srv/deploy/a/**"), None);
        assert_eq!(part_that_runs_later("/srv/app/ci/test.sh", "/srv/app/ci/**"), None);
        assert_eq!(part_that_runs_later("/srv/app/ci/deploy.sh", "/srv/app/ci/**"), Some("deploy.sh"));
    }

    #[test]
    fn branches_of_others_are_known_by_any_part_of_a_name() {
        for name in [
            "main",
            "release/1.2",
            "eu/production",
            "deploy",
            "gh-pages",
            "feature/production",
            "fix/main",
            "dev",
            "eu/dev",
            "rc-1.2",
            "acceptance",
            "nightly",
            "beta",
            "beta2",
            "preview",
            "eu/preview",
            "integration",
            "test",
        ] {
            assert!(is_shared_branch(name), "{name}");
        }
        for name in [
            "fix/release-notes",
            "feat/live-view",
            "limiter-burst",
            "maintenance",
            "ana/a",
            "button-preview",
            "ana/payment-integration",
            "fix/dev-server",
            "device",
            "test/beta",
            "marc",
        ] {
            assert!(!is_shared_branch(name), "{name}");
        }
    }
}
