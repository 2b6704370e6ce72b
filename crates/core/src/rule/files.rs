//! Names of files that need a person even where a rule covers their folder: secrets, and files that steer programs.

use super::deployed;
use super::programs::{self, has};

/// Parts of names that stand for secrets.
const SECRET: &str = "access-token access_token api-key api_key apikey authtoken credential htpasswd id_dsa id_ecdsa id_ed25519 id_rsa kube.config kubeconfig \
    master_key my.cnf netrc npmrc passw pgpass private_key privatekey privkey secret service-account service_account serviceaccount tfstate \
    vault-pass vault_pass wallet.dat wp-config";
/// Files that hold credentials, although their names do not say so.
const HOLDS_SECRET: &str = "app.config connectionstrings.config connectionstrings.json database.yaml database.yml google-services.json googleservice-info.plist gshadow key.properties \
    keystore.properties local.properties local.settings.json maven-settings.xml nuget.config odbc.ini pip.conf profiles.yml pypirc rclone.conf s3cfg sentry.properties settings-security.xml settings.xml shadow signing.properties tnsnames.ora web.config wg0.conf";
/// The names of files without an extension that hold nothing but a secret.
const BARE: &str = "creds env environ jwt passphrase token tokens";
/// Words of names that stand for secrets, unless the file is source code: `tokens.json`, but not `token.rs`.
const SECRET_WORDS: &str = "accesskeys adminsdk apikey apikeys auth bearer cookies creds dump env jwt key keys oauth pat rootkey tfvars token tokens \
    vault";
/// The extensions of keys and of encrypted files.
const KEY_FILES: &str = ".age .asc .gpg .jks .kdbx .key .keystore .keytab .ovpn .p12 .p8 .pem .pfx .ppk _dsa _ecdsa _ed25519 _rsa deploy-key deploy_key ssh-key ssh_key";
/// The extensions of source code and of texts.
pub(super) const SOURCE: &str = "c cc cjs cpp cs css dart erl ex exs go h heex hpp hs html java js jsx kt kts lua md mjs mts php proto py rb rs rst scala \
    scss svelte swift tf ts tsx vue zig";
/// The extensions of scripts, which hold what was typed in.
const SCRIPTS: &str = "pl sh sql";
/// The extensions of source code whose `hooks` folders belong to web pages.
const ON_PAGES: &str = "ex js jsx svelte ts tsx vue";

/// Files and folders that determine what programs, agents among them, do next.
const STEERING: &str = "activate agents.md alembic.ini appveyor.yml azure-pipelines.yml bitbucket-pipelines.yml boot.rb brakeman.yml build.bazel build.gradle build.gradle.kts build.rs build.sbt \
    buildspec.yml buildsrc bunfig.toml cargo.lock cargo.toml circle.yml claude.local.md claude.md cloudbuild.yaml cmakelists.txt cmakepresets.json cmakeuserpresets.json conanfile.py conanfile.txt codeowners \
    composer.json composer.lock conftest.py deno.json dockerfile dvc.lock dvc.yaml fabfile.py flake.nix gemfile gemfile.lock gemini.md gems.rb global.json gnumakefile go.mod go.sum go.work gradle-wrapper.jar gradle-wrapper.properties gradle.properties gradlew gruntfile.js head gulpfile.js husky jenkinsfile justfile lefthook.toml lefthook.yaml lefthook.yml lerna.json local.properties makefile manage.py meson.build meson_options.txt module.bazel mix.exs mvnw mypy.ini nuget.config phpunit.xml phpunit.xml.dist pipfile pipfile.lock \
    node_modules noxfile.py nx.json package-lock.json package.json package.swift pnpm-lock.yaml pnpm-workspace.yaml poetry.lock pom.xml pylintrc pyproject.toml pytest.ini rakefile rakefile.rb renovate.json rush.json rust-toolchain rust-toolchain.toml settings.gradle settings.gradle.kts setup.cfg setup.py \
    site-packages sitecustomize.py skill.md snakefile tasks.py tox.ini tsconfig.json turbo.json sqlc.json sqlc.yaml sqlc.yml uv.lock uv.toml usercustomize.py vagrantfile vendor venv \
    vcpkg.json vitest.workspace.ts workspace workspace.bazel yarn.lock ansible.cfg app.yaml artisan autogen.sh brewfile buf.gen.yaml build.zig capfile \
    chart.yaml codegen.ts config.ru configure dangerfile default.nix deploy.rb deploy.sh earthfile fastfile fly.toml githooks guardfile helmfile.yaml \
    karma.conf.js kustomization.yaml netlify.toml phpstan.neon pre-commit-config.yaml project.json pubspec.yaml rector.php release.sh shell.nix \
    skaffold.yaml terragrunt.hcl tiltfile vercel.json wrangler.toml build.mill build.sc build.xml cartfile containerfile \
    deps.edn environment.yml hooks.json ivy.xml libs.versions.toml mcp.json opencode.json podfile podfile.lock premake5.lua project.clj rebar.config sconscript \
    sconstruct stack.yaml workspace.bzlmod wscript xmake.lua thorfile heroku.yml";
/// How the names of other such files begin.
const STEERING_STARTS: &str =
    "compose. docker-compose dockerfile. env. init.gradle procfile requirements taskfile.";
/// Parts or endings of the names of other such files.
const STEERING_PARTS: [&str; 10] =
    [".config.", ".csproj", ".fsproj", ".vbproj", ".vcxproj", ".gemspec", ".mk", ".pth", ".rake", ".tf."];

/// The endings of other such files.
const STEERING_ENDS: &str = ".bazel .bzl .cabal .cake .cmake .dockerfile .gradle .gradle.kts .just .ninja .podspec .projitems .props .rsp .runsettings .targets .tfbackend .tftest.hcl .versions.toml .xcconfig \
    .xcscheme .xcworkspacedata";

/// Folders of the system, with all that is below them.
const SYSTEM: &str = "bin boot dev etc lib lib64 proc run sbin sys usr";
/// Folders that are shared by many people or programs.
const SHARED: &str = "Users home media mnt opt root srv tmp var";
/// Folders in which programs keep their credentials.
const KEPT: &str = ".aws .azure .config .docker .gnupg .kube .password-store .ssh";

/// Returns whether a folder is more than one person's work: the system's, shared, or one that holds credentials.
pub(super) fn is_system(folder: &str) -> bool {
    let parts: Vec<&str> = folder.split('/').skip(1).collect();
    match parts.as_slice() {
        // The whole file system, and a whole home folder.
        [] | [""] | ["home" | "Users", _] => true,
        ["usr", "src", _, ..] => false,
        // Some systems keep here what others keep at the top level.
        ["private", rest @ ..] => is_system(&format!("/{}", rest.join("/"))),
        [top] if has(SHARED, top) => true,
        [top, ..] => has(SYSTEM, top) || top.contains('*') || parts.iter().any(|part| has(KEPT, part)),
    }
}

/// Hidden files and folders that contain nothing confidential.
const OPEN: &str = ".circleci .dockerignore .editorconfig .env.example .env.sample .env.template .github .gitattributes .gitignore .gitlab-ci.yml \
    .nvmrc .prettierrc .python-version .rubocop.yml .ruby-version .tool-versions";

/// Returns whether something with a hidden name may be read by everyone who sees the project.
pub(super) fn is_open(name: &str) -> bool {
    has(OPEN, name)
}

/// Returns whether a path is that of a scratch file of an agent: a plain name directly in `/tmp`.
pub(super) fn is_scratch(path: &str) -> bool {
    let Some(name) = path.strip_prefix("/tmp/") else { return false };
    let ends = |(_, end): (&str, &str)| has("csv diff json log md out patch txt", end);
    name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
        && name.rsplit_once('.').is_some_and(ends)
        && !looks_secret(name)
}

/// Returns whether a name looks like that of a secret. If it is none, a person decides that.
pub(super) fn looks_secret(name: &str) -> bool {
    let name = folded(name);
    let ends = |list: &str| list.split_ascii_whitespace().any(|end| name.ends_with(end));
    let is_source = name.rsplit_once('.').is_some_and(|(_, end)| has(SOURCE, end) || has(SCRIPTS, end));
    SECRET.split_ascii_whitespace().any(|part| name.contains(part))
        || has(HOLDS_SECRET, &name)
        || deployed::sets_up(&name)
        || ends(KEY_FILES)
        || (ends(".sql") && name.contains("dump"))
        // A folder or a branch may have such a name; a file has an extension.
        || (name.contains('.') && !is_source && has_secret_word(&name))
}

/// Returns whether one of the words of a name stands for secrets.
pub(super) fn has_secret_word(name: &str) -> bool {
    let name = folded(name);
    name.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| has(SECRET_WORDS, word))
}

/// Returns whether a path is that of a file to be read whose name alone suggests a secret: `config/token`. A folder, a
/// branch or a test may have such a name too.
pub(super) fn is_bare_secret(path: &str) -> bool {
    has(BARE, &folded(path.rsplit(['/', ':']).next().unwrap_or_default()))
}

/// Returns whether a pattern for folders or files covers one that holds more than a project, whatever its stars match.
pub(super) fn reaches_wide(pattern: &str) -> bool {
    match pattern.split_once('*') {
        Some((before, _)) => is_system(before.rsplit_once('/').map_or("", |(folder, _)| folder)),
        None => is_system(pattern),
    }
}

/// Returns whether a file lies in a folder for hooks, which have no extension of source code, or is one of the tools
/// that a project is checked with.
pub(super) fn is_hook(path: &str) -> bool {
    let path = folded(path);
    let is_on_page = path.rsplit_once('.').is_some_and(|(_, end)| has(ON_PAGES, end));
    let is_tool = match path.rsplit_once('/') {
        Some((folder, name)) => (folder == "bin" || folder.ends_with("/bin")) && programs::is_tool(name),
        None => false,
    };
    is_tool || (!is_on_page && path.split('/').any(|part| part == "hooks"))
}

/// Returns whether a file or folder of this name determines what programs do next.
pub(super) fn steers(name: &str) -> bool {
    // A folder called `build` steers nothing.
    let is_of_bazel = name == "BUILD";
    let name = folded(name);
    is_of_bazel
        || has(STEERING, &name)
        || STEERING_STARTS.split_ascii_whitespace().any(|start| name.starts_with(start))
        || STEERING_PARTS.iter().any(|part| name.contains(part))
        || STEERING_ENDS.split_ascii_whitespace().any(|end| name.ends_with(end))
        // Projects of any kind: `.esproj`, `.pbxproj`, `.wixproj`.
        || name.rsplit_once('.').is_some_and(|(_, end)| end.ends_with("proj"))
}

/// Returns whether a file that steers programs does so only at the top of a project. Within a package it is source code.
pub(super) fn steers_at_top(name: &str) -> bool {
    name == "tasks.py"
}

/// Returns a name in lower case. Letters that case-insensitive file systems take for Latin ones are folded too.
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
            "NuGet.Config",
            "local.settings.json",
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
            // A folder with this file is a repository, whose settings name programs.
            "HEAD",
            "go.work",
            "vendor",
            "rust-toolchain.toml",
            "release.rake",
            "main.tf.json",
            "s3.tfbackend",
            "CMakePresets.json",
            "deps.cmake",
            "api.Dockerfile",
            "Pipfile",
            "x.targets",
            "Directory.Build.props",
            "tools.proj",
            "build.cake",
            "Procfile.dev",
            "Thorfile",
            "heroku.yml",
            "Ma\u{212a}efile",
        ] {
            assert!(steers(name), "{name}");
        }
        assert!(!steers("main.rs") && !steers("README.md") && !steers("config.rs") && !steers("main.tf"));
    }
}
