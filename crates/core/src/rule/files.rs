//! Which names of files are asked about although a rule covers where they lie: secrets, and what steers programs.

use super::programs::{self, has};

/// Parts of names that stand for secrets.
const SECRET: &str = "access-token access_token api-key api_key apikey authtoken credential htpasswd id_dsa id_ecdsa id_ed25519 id_rsa kube.config kubeconfig \
    master_key my.cnf netrc npmrc passw pgpass private_key privatekey privkey secret service-account service_account serviceaccount tfstate \
    vault-pass vault_pass wallet.dat wp-config";
/// Words of names that stand for secrets, unless the file is source code: `tokens.json`, but not `token.rs`.
const SECRET_WORDS: &str = "accesskeys adminsdk apikey apikeys auth bearer cookies creds dump env jwt key keys oauth pat rootkey tfvars token tokens \
    vault";
/// How the names of keys, and of what is locked away, end.
const KEY_FILES: &str = ".age .asc .gpg .jks .kdbx .key .keystore .keytab .ovpn .p12 .p8 .pem .pfx .ppk _dsa _ecdsa _ed25519 _rsa deploy-key deploy_key ssh-key ssh_key";
/// How the names of source code and of texts end.
pub(super) const SOURCE: &str = "c cc cjs cpp cs css dart erl ex exs go h heex hpp hs html java js jsx kt kts lua md mjs mts php proto py rb rs rst scala \
    scss svelte swift tf ts tsx vue zig";
/// How the names of scripts end, which hold what is typed in.
const SCRIPTS: &str = "pl sh sql";
/// How the names of source code end that is kept in folders called `hooks` for what it does on a page.
const ON_PAGES: &str = "ex js jsx svelte ts tsx vue";

/// Files and folders that say what programs, agents among them, do next.
const STEERING: &str = "activate agents.md alembic.ini appveyor.yml azure-pipelines.yml bitbucket-pipelines.yml boot.rb brakeman.yml build.bazel build.gradle build.gradle.kts build.rs build.sbt \
    buildspec.yml buildsrc bunfig.toml cargo.lock cargo.toml circle.yml claude.local.md claude.md cloudbuild.yaml cmakelists.txt cmakepresets.json cmakeuserpresets.json conanfile.py conanfile.txt codeowners \
    composer.json composer.lock conftest.py deno.json directory.build.props directory.build.targets dockerfile dvc.lock dvc.yaml fabfile.py flake.nix gemfile gemfile.lock gemini.md gems.rb global.json gnumakefile go.mod go.sum go.work gradle-wrapper.jar gradle-wrapper.properties gradle.properties gradlew gruntfile.js head gulpfile.js husky jenkinsfile justfile lefthook.toml lefthook.yaml lefthook.yml lerna.json local.properties makefile manage.py meson.build meson_options.txt module.bazel mix.exs mvnw mypy.ini nuget.config phpunit.xml phpunit.xml.dist pipfile pipfile.lock \
    node_modules noxfile.py nx.json package-lock.json package.json package.swift pnpm-lock.yaml pnpm-workspace.yaml poetry.lock pom.xml procfile pylintrc pyproject.toml pytest.ini rakefile rakefile.rb renovate.json rush.json rust-toolchain rust-toolchain.toml settings.gradle settings.gradle.kts setup.cfg setup.py \
    site-packages sitecustomize.py skill.md snakefile tasks.py tox.ini tsconfig.json turbo.json uv.lock uv.toml usercustomize.py vagrantfile vendor venv \
    vcpkg.json vitest.workspace.ts workspace workspace.bazel yarn.lock ansible.cfg app.yaml artisan autogen.sh brewfile buf.gen.yaml build.zig capfile \
    chart.yaml codegen.ts config.ru configure dangerfile default.nix deploy.rb deploy.sh earthfile fastfile fly.toml githooks guardfile helmfile.yaml \
    karma.conf.js kustomization.yaml netlify.toml phpstan.neon pre-commit-config.yaml project.json pubspec.yaml rector.php release.sh shell.nix \
    skaffold.yaml terragrunt.hcl tiltfile vercel.json wrangler.toml";
/// How the names of others of that kind begin.
const STEERING_STARTS: &str = "compose. docker-compose dockerfile. env. init.gradle requirements taskfile.";
/// What stands in or at the end of still others.
const STEERING_PARTS: [&str; 7] = [".config.", ".csproj", ".gemspec", ".mk", ".pth", ".rake", ".tf"];

/// How the names of still others end.
const STEERING_ENDS: &str = ".bzl .cmake .dockerfile .gradle .gradle.kts .just .ninja";

/// Folders of the system, with all that is below them.
const SYSTEM: &str = "bin boot dev etc lib lib64 proc run sbin sys usr";
/// Folders that hold what many people or programs have.
const SHARED: &str = "Users home media mnt opt root srv tmp var";
/// Folders in which programs keep what they are let in with.
const KEPT: &str = ".aws .azure .config .docker .gnupg .kube .password-store .ssh";

/// Returns whether a folder holds other things than somebody's work: the system's, everybody's, or what opens doors.
pub(super) fn is_system(folder: &str) -> bool {
    let parts: Vec<&str> = folder.split('/').skip(1).collect();
    match parts.as_slice() {
        // All that is there, and all that somebody has.
        [] | [""] | ["home" | "Users", _] => true,
        ["usr", "src", _, ..] => false,
        // Where some systems keep what others have right at the top.
        ["private", rest @ ..] => is_system(&format!("/{}", rest.join("/"))),
        [top] if has(SHARED, top) => true,
        [top, ..] => has(SYSTEM, top) || top.contains('*') || parts.iter().any(|part| has(KEPT, part)),
    }
}

/// Hidden files and folders that say nothing which others may not read.
const OPEN: &str = ".circleci .dockerignore .editorconfig .env.example .env.sample .env.template .github .gitattributes .gitignore .gitlab-ci.yml \
    .nvmrc .prettierrc .python-version .rubocop.yml .ruby-version .tool-versions";

/// Returns whether what is hidden by its name may be read by everybody who sees the project.
pub(super) fn is_open(name: &str) -> bool {
    has(OPEN, name)
}

/// Returns whether a path is that of a text which agents put aside for a while: a plain name right in `/tmp`.
pub(super) fn is_scratch(path: &str) -> bool {
    let Some(name) = path.strip_prefix("/tmp/") else { return false };
    let ends = |(_, end): (&str, &str)| has("csv diff json log md out patch txt", end);
    name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
        && name.rsplit_once('.').is_some_and(ends)
        && !looks_secret(name)
}

/// Returns whether a name looks like that of a secret. It may be none; then a person says so.
pub(super) fn looks_secret(name: &str) -> bool {
    let name = folded(name);
    let ends = |list: &str| list.split_ascii_whitespace().any(|end| name.ends_with(end));
    let is_source = name.rsplit_once('.').is_some_and(|(_, end)| has(SOURCE, end) || has(SCRIPTS, end));
    SECRET.split_ascii_whitespace().any(|part| name.contains(part))
        || ends(KEY_FILES)
        || (ends(".sql") && name.contains("dump"))
        // A folder or a branch may have such a name; a file has an ending.
        || (name.contains('.') && !is_source && has_secret_word(&name))
}

/// Returns whether one of the words of a name stands for secrets.
pub(super) fn has_secret_word(name: &str) -> bool {
    let name = folded(name);
    name.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| has(SECRET_WORDS, word))
}

/// Returns whether a file lies in a folder for what programs run at certain times, which have no ending of source code, or is
/// one of the tools that a project is checked with.
pub(super) fn is_hook(path: &str) -> bool {
    let path = folded(path);
    let is_on_page = path.rsplit_once('.').is_some_and(|(_, end)| has(ON_PAGES, end));
    let is_tool = match path.rsplit_once('/') {
        Some((folder, name)) => (folder == "bin" || folder.ends_with("/bin")) && programs::is_tool(name),
        None => false,
    };
    is_tool || (!is_on_page && path.split('/').any(|part| part == "hooks"))
}

/// Returns whether a file or folder of this name says what programs do next.
pub(super) fn steers(name: &str) -> bool {
    let name = folded(name);
    has(STEERING, &name)
        || STEERING_STARTS.split_ascii_whitespace().any(|start| name.starts_with(start))
        || STEERING_PARTS.iter().any(|part| name.contains(part))
        || STEERING_ENDS.split_ascii_whitespace().any(|end| name.ends_with(end))
}

/// Returns a name in small letters, also those that file systems which do not tell small from capital ones take for Latin ones.
fn folded(name: &str) -> String {
    name.to_lowercase().replace('\u{17f}', "s")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_secrets_are_seen_in_any_case() {
        for name in [
            "Secrets.yml",
            "id_rsa",
            "a.PEM",
            "CREDENTIALS",
            "passwords.txt",
            "prod.env",
            "env.local",
            "tokens.json",
            "api_key.txt",
            "service-account.json",
            "gcp-key.json",
            "terraform.tfstate",
            "auth.json",
            "vault.yml",
            "dump.sql",
            "backup.gpg",
            "\u{17f}ecrets.yml",
            "api_key",
            "access-token",
            "rails_master_key",
            "creds.yaml",
            "gha-creds-12.json",
            "deploy_key",
            "host_rsa",
            "AuthKey.p8",
            "user.keytab",
            "kube.config",
        ] {
            assert!(looks_secret(name), "{name}");
        }
        for name in
            ["token.rs", "keys.md", "auth.py", "environment.yml", "monkey.json", "author.txt", "src", "env"]
        {
            assert!(!looks_secret(name), "{name}");
        }
    }

    #[test]
    fn what_steers_programs_is_known() {
        for name in [
            "Makefile",
            "pyproject.toml",
            "vite.config.ts",
            "requirements-dev.txt",
            "x.pth",
            "Cargo.toml",
            "SKILL.md",
            // With it, a folder is a repository, whose settings name programs.
            "HEAD",
            "go.work",
            "vendor",
            "rust-toolchain.toml",
            "release.rake",
            "main.tf",
            "CMakePresets.json",
            "deps.cmake",
            "api.Dockerfile",
            "Pipfile",
            "Ma\u{212a}efile",
        ] {
            assert!(steers(name), "{name}");
        }
        assert!(!steers("main.rs") && !steers("README.md") && !steers("config.rs"));
    }
}
