//! Tools of servers whose names say that they only read. That is a claim: a person who allows it trusts the server.

use serde_json::Value;

use super::files;
use super::guarded::{TELLS, is_guarded};
use super::mismatch::{Mismatch, no};
use super::programs::{self, has};
use super::subject::Call;
use super::telling::may_tell;
use crate::text::quote;

/// How the name of a tool begins that only reads.
const READING: &str = "describe find get list read search";
/// Tools that look up a name, although the beginning of their names may also mean a change.
const LOOKUPS: &str = "resolve-library-id resolve_library_id";
/// Words that the name of a read-only tool does not contain: other things that it would do, or run.
pub(super) const DOING: &str = "accept ack acknowledge activate add and append apply approve archive assign attach authorize ban block book buy call cancel capture \
    clean clear click clone close code command complete confirm consume convert copy create deactivate decline delete dequeue deploy destroy disable disconnect \
    dismiss drop duplicate edit eject enable encrypt decrypt enqueue erase escalate eval evict exec execute expire export fetch file files finalize fire flag flush forget fork \
    forward generate grant ignore import increment insert install invalidate invite invoke join kick kill leave link lock login logout mark merge modify \
    move mute notify offboard onboard open or overwrite pause pay pin pop post press promote provision publish pull purchase purge push put query reassign rebase reboot rebuild redeem \
    refresh refund register reject release remove rename renew reopen replace replay report requeue reschedule reserve reset resolve restart restore resume retry \
    revert revoke rollback rotate run save schedule script send set shell shutdown sign snooze spawn sql star start stop submit subscribe suspend swap sync \
    tag terminate then toggle touch transfer trash trigger truncate unarchive unassign unban unblock uninstall unlink unlock unmark unmute unpin unpublish unregister \
    unsubscribe untag update upgrade upload upsert use vote wipe withdraw write";
/// Things with names of two words, one of which alone would mean an action.
const THINGS: [(&str, &str); 9] = [
    ("merge", "request"),
    ("merge", "requests"),
    ("open", "issues"),
    ("post", "comments"),
    ("pull", "request"),
    ("pull", "requests"),
    ("release", "notes"),
    ("run", "logs"),
    ("tag", "names"),
];
/// Words in the names of tools that read credentials, besides the general words for secrets.
const TELLING: &str = "cert certificate certificates certs connection cookie cookies dsn env environment envs envvar envvars login logins mfa mnemonic otp passphrase \
    passwd pin pwd seed signing ssh totp variable variables vars wallet webhook webhooks";

/// The names of values that may be a program, a command, an address, or an action.
const CODE: &str = "action address arg args arguments argv body callback cmd code command domain email emails endpoint expr expression filter header headers hook host \
    hostname href jq link method mutation notify op operation payload recipient recipients script site statement target to verb webhook where";
/// How the name of a value ends that identifies a thing or a time.
const NAMING: &str = "after at before by count date from id ids key name names no number since slug state status title type until version";
/// The names of switches that show more than should be shown.
const UNVEILING: &str =
    "decrypted decryption plain plaintext raw reveal revealed sensitive unmasked unredacted value values";
/// The names of values that choose which parts of a thing are shown.
const CHOOSING: &str =
    "attribute attributes column columns expand field fields include properties property select";
/// The names of switches that only affect what is shown: how they begin, or all of them.
const SHOWING: &str = "all archived asc ascending brief case closed compact desc descending detail detailed details draft drafts exact exclude expand full has hide include \
    included includes is minimal only pretty private public recursive reverse reversed show starred summary unread verbose whole with";
/// Words in the names of servers whose queries may be commands.
const DATABASES: &str = "bigquery clickhouse database databricks db duckdb elastic mongo mongodb mysql neo4j pg postgres postgresql redis redshift \
    snowflake sql sqlite supabase";

/// Returns whether another text for a value may make a tool do something other than read.
pub(super) fn may_do_more(tool: &str, given: &str) -> bool {
    let name = given.to_ascii_lowercase();
    let server =
        tool.strip_prefix("mcp__").and_then(|rest| rest.split_once("__")).map_or(tool, |(server, _)| server);
    let is_database = || server.split(['-', '_']).any(|word| has(DATABASES, &word.to_ascii_lowercase()));
    let words = programs::parts(given);
    // What a query may do depends on the server.
    let does = |word: &str| has(DOING, word) && word != "query";
    // `pull_number` identifies a thing and does nothing.
    let says_which = words.len() > 1 && words.last().is_some_and(|last| has(NAMING, last));
    words.iter().any(|word| has(CODE, word) || (does(word) && !says_which))
        || ["file", "path", "sql", "uri", "url"].iter().any(|part| name.contains(part))
        || (has("q query", &name) && is_database())
}

/// Returns whether a switch only affects what is shown of what is read: no other switch is left open.
pub(super) fn only_shows(name: &str) -> bool {
    let words = programs::parts(name);
    let tells = files::looks_secret(name) || files::has_secret_word(&words.join(" "));
    words.first().is_some_and(|first| has(SHOWING, first))
        && !words.iter().any(|word| has(DOING, word) || has(TELLING, word) || has(UNVEILING, word))
        && !tells
}

/// Returns whether a value, by its name, chooses which parts of a thing are shown, and one of them is a credential.
fn chooses_secret(name: &str, text: &str) -> bool {
    let chooses = programs::parts(name).iter().any(|word| has(CHOOSING, word));
    chooses && files::has_secret_word(&programs::parts(text).join(" "))
}

/// Returns whether a tool reads the documentation of a library, by an id that looks like a path: `/vercel/next.js`.
fn is_library(tool: &str, name: &str, value: &str) -> bool {
    let is_part = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphanumeric())
            && part.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
    };
    let id = value.strip_prefix('/').unwrap_or_default();
    let top = id.split('/').next().unwrap_or_default();
    tool.starts_with("mcp__context7__")
        && has("context7CompatibleLibraryID libraryId", name)
        && matches!(id.split('/').count(), 2 | 3)
        && id.split('/').all(is_part)
        && !files::is_system(&format!("/{top}"))
        && !is_guarded(id, "", false)
}

/// Returns whether a text given to a reading tool may lead to a file, an address or a secret.
pub(super) fn tells(tool: &str, name: &str, text: &str) -> bool {
    !is_library(tool, name, text)
        && (chooses_secret(name, text) || is_guarded(text, "", false) || may_tell(text))
}

/// The endings of the names of tools that do what the visitor of a page does: none that runs code, uploads or
/// downloads.
const VISITING: &str = "click close console_messages drag fill fill_form handle_dialog hover navigate_back press_key resize select_option snapshot tabs \
    take_screenshot type wait_for";

/// Returns whether a tool drives a browser as a visitor of the page that is open: `mcp__playwright__browser_click`.
pub(super) fn visits(tool: &str) -> bool {
    let name = tool
        .strip_prefix("mcp__playwright__browser_")
        .or_else(|| tool.strip_prefix("mcp__puppeteer__puppeteer_"));
    name.is_some_and(|name| has(VISITING, name))
}

/// Returns whether a rule for a tool may leave its input open: the tool says that it only reads, or it visits a page.
pub(super) fn takes_other_values(tool: &str) -> bool {
    says_it_reads(tool) || visits(tool)
}

/// Returns the server of a tool, in the form in which a rule names it: `mcp__github`.
pub(super) fn server(tool: &str) -> Option<&str> {
    let (server, _) =
        tool.strip_prefix("mcp__")?.split_once("__").filter(|(server, _)| !server.is_empty())?;
    Some(&tool[.."mcp__".len() + server.len()]).filter(|_| says_it_reads(tool))
}

/// Returns whether a rule may cover all reading tools of a server.
pub(super) fn is_server(name: &str) -> bool {
    server(&format!("{name}__read")) == Some(name)
}

/// Checks whether a call only reads with a tool of a server, and its input has no code, address or secret.
pub(super) fn server_matches(named: &str, call: &Call<'_>) -> Result<(), Mismatch> {
    let tool = call.tool.unwrap_or_default();
    if server(tool) != Some(named) {
        return no(2, format!("{} is not known to only read with {}", quote(tool), quote(named)));
    }
    let members: Vec<&str> = call.input.keys().map(String::as_str).collect();
    if let Some(other) = call.other_than(&members) {
        return no(6, format!("this also gives {}, which the rule does not cover", quote(other)));
    }
    for (name, value) in call.input {
        let is_open = match value {
            Value::Object(_) | Value::Array(_) => false,
            Value::Bool(_) => only_shows(name),
            _ => true,
        };
        if !is_open || may_do_more(tool, name) {
            return no(5, format!("{} may make it do more", quote(name)));
        }
        if let Value::String(text) = value
            && tells(tool, name, text)
        {
            return no(5, format!("{TELLS}; this is {}", quote(text)));
        }
    }
    Ok(())
}

/// Returns whether the name of a server's tool says that it only reads, and reads nothing that looks like a secret:
/// `mcp__github__get_issue`.
pub(super) fn says_it_reads(tool: &str) -> bool {
    let Some((server, name)) = tool.strip_prefix("mcp__").and_then(|rest| rest.split_once("__")) else {
        return false;
    };
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let words = programs::parts(name);
    let spaced = words.join(" ");
    let is_secret = |name: &str| files::looks_secret(name) || files::has_secret_word(name);
    let does = |(at, word): (usize, &String)| {
        let is_thing = |(one, two): &(&str, &str)| {
            let next = || words.get(at + 1).is_some_and(|next| next == two);
            word == one && next()
        };
        // A longer word with such an ending may be two words: `itemdelete`.
        let hides = || DOING.split_ascii_whitespace().any(|verb| verb.len() > 5 && word.ends_with(verb));
        (has(DOING, word) || has(TELLING, word) || hides()) && !THINGS.iter().any(is_thing)
    };
    // The end of a word in capitals cannot be determined: `getDELETEall`.
    let mut capitals = name.split(|c: char| !c.is_ascii_uppercase());
    let shouts = capitals.any(|run| run.len() > 2 && has(DOING, &run.to_ascii_lowercase()));
    let reads = has(LOOKUPS, name)
        || (words.first().is_some_and(|verb| has(READING, verb))
            && !words.iter().enumerate().skip(1).any(does));
    tool.chars().all(is_plain) && !is_secret(server) && !is_secret(&spaced) && !shouts && reads
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_code_or_an_address_is_known() {
        for (tool, name) in [
            ("mcp__pg__list_rows", "sql"),
            ("mcp__pg__list_rows", "query"),
            ("mcp__my-postgres__search_rows", "q"),
            ("mcp__browser__get_page", "link"),
            ("mcp__x__get_page", "pageUrl"),
            ("mcp__x__get", "where"),
            ("mcp__x__get", "extra_args"),
        ] {
            assert!(may_do_more(tool, name), "{tool} {name}");
        }
        for (tool, name) in [("mcp__github__search_issues", "query"), ("mcp__github__get_issue", "repo")] {
            assert!(!may_do_more(tool, name), "{tool} {name}");
        }
    }

    #[test]
    fn a_server_is_named_without_its_tools() {
        for name in ["mcp__github", "mcp__linear-app"] {
            assert!(is_server(name), "{name}");
        }
        for name in ["mcp__", "github", "mcp__github__get_issue", "mcp__vault", "mcp__a b", ""] {
            assert!(!is_server(name), "{name}");
        }
        assert_eq!(server("mcp__github__get_issue"), Some("mcp__github"));
        assert_eq!(server("mcp__github__merge_pull_request"), None);
    }

    #[test]
    fn a_visitor_of_a_page_runs_no_code_there() {
        for tool in [
            "mcp__playwright__browser_click",
            "mcp__playwright__browser_take_screenshot",
            "mcp__puppeteer__puppeteer_click",
        ] {
            assert!(visits(tool) && takes_other_values(tool), "{tool}");
        }
        for tool in [
            "browser_click",
            "mcp__evil__browser_click",
            "mcp__playwright__browser_evaluate",
            "mcp__playwright__browser_run_code",
            "mcp__playwright__browser_file_upload",
            "mcp__playwright__browser_install",
            "mcp__playwright__browser_navigate",
        ] {
            assert!(!takes_other_values(tool), "{tool}");
        }
    }

    #[test]
    fn only_names_that_say_nothing_else_say_that_a_tool_reads() {
        for tool in [
            "mcp__github__get_issue",
            "mcp__github__list_pull_requests",
            "mcp__jira__searchIssues",
            "mcp__linear-app__find-cycle",
            "mcp__sentry__describe_project",
        ] {
            assert!(says_it_reads(tool), "{tool}");
        }
        for tool in [
            "Read",
            "get_issue",
            "mcp__github",
            "mcp__github__",
            "mcp__github__create_issue",
            "mcp__github__issue_get",
            "mcp__db__read_query",
            "mcp__db__get_or_create_user",
            "mcp__x__search_and_replace",
            "mcp__x__findAndDelete",
            "mcp__fs__read_file",
            "mcp__fs__read_multiple_files",
            "mcp__aws__get_secret_value",
            "mcp__vault__read_item",
            "mcp__x__get_api_key",
            "mcp__x__list_tokens",
            "mcp__x__getEnv",
            "mcp__x__get issue",
            "mcp__x__g\u{435}t_issue",
            "mcp__x__gettysburg",
            "mcp__x__getDELETEall",
            "mcp__x__resolve_thread",
        ] {
            assert!(!says_it_reads(tool), "{tool}");
        }
    }
}
