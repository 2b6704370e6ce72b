//! Commands that talk to a service: which one that is, so that a rule can name it and leave open what is asked of it. A port of this
//! machine with `curl`, what a cluster has with `kubectl`.

use super::programs::has;

/// Hosts that are this machine.
pub(super) const THIS_MACHINE: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];
/// Options of `curl` that take no value, and send nothing elsewhere.
const CURL_FLAGS: &str =
    "--compressed --fail --get --head --include --no-progress-meter --show-error --silent --verbose";
const CURL_LETTERS: &str = "GISfisv";
/// Options of `curl` with a number.
const CURL_NUMBERS: &str = "--connect-timeout --max-time --retry --retry-delay -m";
/// Options of `curl` with what is sent, which is read from a file where it begins with `@`.
const CURL_TEXTS: &str = "--data --data-raw --header --json -H -d";

/// Options of `kubectl` that take no value.
const KUBECTL_FLAGS: &str =
    "--all-containers --all-namespaces --no-headers --previous --show-labels --timestamps --watch -A -w";
/// Options of `kubectl` with a value that only narrows what is shown.
const KUBECTL_VALUES: &str =
    "--container --field-selector --namespace --selector --since --sort-by --tail --timeout -c -l -n";
/// What `kubectl` may print things as.
const KUBECTL_OUTPUTS: &str = "json name wide yaml";

/// Returns the words that name the service a command talks to, if it does only what a rule for that lets through: any request to a
/// port of this machine, or a look at what a cluster has, but for its secrets.
pub(super) fn named(words: &[String]) -> Option<Vec<String>> {
    let (program, after) = words.split_first()?;
    let after: Vec<&str> = after.iter().map(String::as_str).collect();
    let service = match program.as_str() {
        "curl" => vec![curl(&after)?],
        "kubectl" => kubectl(&after)?,
        _ => return None,
    };
    Some(std::iter::once(program.clone()).chain(service).collect())
}

/// Returns whether a rule may name these words, and leave open what is asked.
pub(super) fn is_named<T: AsRef<str>>(words: &[T]) -> bool {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    match words.as_slice() {
        ["curl", address] => origin(address).is_some_and(|origin| origin == *address),
        ["kubectl"] => true,
        ["kubectl", "--context", context] => is_name(context),
        _ => false,
    }
}

/// Says what else a command may be given under such a rule.
pub(super) fn left_open(program: &str) -> &'static str {
    if program == "curl" {
        " with any path, method, headers and data"
    } else {
        " for any look at what is there but secrets"
    }
}

/// Returns the port of this machine that `curl` talks to. It reads no file, writes none, and follows nobody elsewhere.
fn curl(after: &[&str]) -> Option<String> {
    let mut address = None;
    let mut words = after.iter();
    while let Some(word) = words.next() {
        match *word {
            "-o" | "--output" => words.next().filter(|file| **file == "/dev/null").map(drop)?,
            "-X" | "--request" => words.next().filter(|method| is_method(method)).map(drop)?,
            // What is printed afterwards may also be written to a file.
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

/// Returns the words that name the context in which `kubectl` looks at what a cluster has, none for the one that is in use; nothing if
/// it does more than look.
fn kubectl(after: &[&str]) -> Option<Vec<String>> {
    let (mut context, mut operands) = (None, Vec::new());
    let mut words = after.iter();
    while let Some(word) = words.next() {
        let (option, joined) = match word.split_once('=') {
            Some((option, value)) if word.starts_with("--") => (option, Some(value)),
            _ => (*word, None),
        };
        match option {
            "--context" => {
                let name = joined.or_else(|| words.next().copied()).filter(|name| is_name(name))?;
                if context.replace(name.to_owned()).is_some() {
                    return None;
                }
            }
            "-o" | "--output" => {
                let output = joined.or_else(|| words.next().copied())?;
                if !has(KUBECTL_OUTPUTS, output) && !output.starts_with("jsonpath=") {
                    return None;
                }
            }
            // Of other verbs this names a file.
            "-f" | "--follow" if operands.first() == Some(&"logs") => {}
            option if has(KUBECTL_VALUES, option) => {
                joined.or_else(|| words.next().copied()).filter(|value| !value.starts_with('-')).map(drop)?;
            }
            option if joined.is_none() && has(KUBECTL_FLAGS, option) => {}
            option if option.starts_with('-') => return None,
            _ => operands.push(*word),
        }
    }
    let looks = match operands.as_slice() {
        ["get" | "describe", things @ ..] => {
            !things.iter().any(|thing| thing.to_ascii_lowercase().contains("secret"))
        }
        ["logs" | "top" | "events" | "explain", ..]
        | ["api-resources" | "api-versions" | "cluster-info" | "version"]
        | ["rollout", "status" | "history", ..]
        | ["config", "current-context" | "get-contexts"] => true,
        _ => false,
    };
    let context = context.map(|name| vec!["--context".to_owned(), name]);
    looks.then(|| context.unwrap_or_default())
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
        named(&command::words(text).unwrap()).map(|words| words.join(" "))
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
            assert!(is_named(&named(&command::words(text).unwrap()).unwrap()), "{text}");
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
            ("kubectl get pods", "kubectl"),
            ("kubectl --context kind-dev -n web get pods -o wide", "kubectl --context kind-dev"),
            ("kubectl -n web logs deploy/web --tail=50 -f --context=kind-dev", "kubectl --context kind-dev"),
            ("kubectl rollout status deploy/web --timeout=60s", "kubectl"),
            ("kubectl describe pod -l app=web", "kubectl"),
            ("kubectl get events --sort-by=.lastTimestamp -A", "kubectl"),
            ("kubectl config get-contexts", "kubectl"),
        ] {
            assert_eq!(found(text).as_deref(), Some(expected), "{text}");
        }
        for text in [
            "kubectl",
            "kubectl delete pod x",
            "kubectl get secrets",
            "kubectl get secret/x -o yaml",
            "kubectl get pods,Secrets",
            "kubectl get --raw /api/v1/secrets",
            "kubectl get -f x.yaml",
            "kubectl get pods -o go-template-file=/etc/x",
            "kubectl get pods -o jsonpath-file=x",
            "kubectl --kubeconfig x get pods",
            "kubectl --context a --context b get pods",
            "kubectl exec web -- sh",
            "kubectl rollout restart deploy/web",
            "kubectl config view --raw",
            "kubectl config use-context prod",
            "kubectl apply -f x",
            "kubectl get pods --token=x",
            "kubectl -s http://evil.example get pods",
            "kubectl logs web -n --context",
        ] {
            assert_eq!(found(text), None, "{text}");
        }
    }
}
