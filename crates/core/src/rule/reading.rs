//! Tools of servers that say by their name that they only read. It is their word: a rule for one is made by who trusts the server.

use serde_json::Value;

use super::matching::{GUARDED, Mismatch, is_guarded, no};
use super::programs::has;
use super::subject::Call;
use super::{files, values};
use crate::text::quote;

/// What the name of a tool begins with that only reads.
const READING: &str = "describe find get list read resolve search";
/// What the name of a tool does not have that only reads: what else it would do, or run.
const DOING: &str = "add and apply call code command create delete eval exec execute fetch file files invoke or post publish put query remove \
    replace run script send set shell sql trigger update upload write";

/// What a value is called that may be a program, a command or an address.
const CODE: &str = "address arg args arguments argv cmd code command domain endpoint expr expression filter host hostname href jq link \
    script site statement target where";
/// Words of the names of servers whose queries may be commands.
const DATABASES: &str = "bigquery clickhouse database databricks db duckdb elastic mongo mongodb mysql neo4j pg postgres postgresql redis redshift \
    snowflake sql sqlite supabase";

/// Returns whether other texts for a value may make a tool do something else than read.
pub(super) fn may_do_more(tool: &str, name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let server =
        tool.strip_prefix("mcp__").and_then(|rest| rest.split_once("__")).map_or(tool, |(server, _)| server);
    let is_database = || server.split(['-', '_']).any(|word| has(DATABASES, &word.to_ascii_lowercase()));
    name.split(['_', '-']).any(|word| has(CODE, word))
        || ["file", "path", "sql", "uri", "url"].iter().any(|part| name.contains(part))
        || (has("q query", &name) && is_database())
}

/// What the name of a tool ends with that does with a page what a visitor does: none that runs code there, uploads or downloads.
const VISITING: &str = "click close console_messages drag fill fill_form handle_dialog hover navigate_back press_key resize select_option snapshot tabs \
    take_screenshot type wait_for";

/// Returns whether a tool drives a browser as a visitor of the page that is open: `mcp__playwright__browser_click`.
pub(super) fn visits(tool: &str) -> bool {
    let name = tool
        .strip_prefix("mcp__playwright__browser_")
        .or_else(|| tool.strip_prefix("mcp__puppeteer__puppeteer_"));
    name.is_some_and(|name| has(VISITING, name))
}

/// Returns whether a rule for a tool may leave open what it is given: it says that it only reads, or visits a page.
pub(super) fn takes_other_values(tool: &str) -> bool {
    says_it_reads(tool) || visits(tool)
}

/// Returns the server of a tool, as a rule for whatever its tools read names it: `mcp__github`.
pub(super) fn server(tool: &str) -> Option<&str> {
    let (server, _) =
        tool.strip_prefix("mcp__")?.split_once("__").filter(|(server, _)| !server.is_empty())?;
    Some(&tool[.."mcp__".len() + server.len()]).filter(|_| says_it_reads(tool))
}

/// Returns whether a rule may be for whatever the tools of a server read.
pub(super) fn is_server(name: &str) -> bool {
    server(&format!("{name}__read")) == Some(name)
}

/// Checks whether a call only reads with a tool of a server, and is given nothing that may be code, an address or a secret.
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
        if may_do_more(tool, name) || value.is_object() || value.is_array() {
            return no(5, format!("what {} is may make it do more", quote(name)));
        }
        if let Value::String(text) = value
            && (is_guarded(text, "", false) || values::may_tell(text))
        {
            return no(5, format!("{GUARDED}; this is {}", quote(text)));
        }
    }
    Ok(())
}

/// Returns whether a tool of a server says by its name that it only reads, and nothing that looks like a secret: `mcp__github__get_issue`.
fn says_it_reads(tool: &str) -> bool {
    let Some((server, name)) = tool.strip_prefix("mcp__").and_then(|rest| rest.split_once("__")) else {
        return false;
    };
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    // `getIssue` is two words like `get_issue`.
    let spaced = name.chars().flat_map(|c| [' ', c].into_iter().skip(usize::from(!c.is_ascii_uppercase())));
    let spaced = spaced.collect::<String>().to_ascii_lowercase();
    let mut words = spaced.split([' ', '_', '-']).filter(|word| !word.is_empty());
    let is_secret = |name: &str| files::looks_secret(name) || files::has_secret_word(name);
    tool.chars().all(is_plain)
        && !is_secret(server)
        && !is_secret(&spaced)
        && words.next().is_some_and(|verb| has(READING, verb))
        && words.all(|word| !has(DOING, word))
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
        ] {
            assert!(!says_it_reads(tool), "{tool}");
        }
    }
}
