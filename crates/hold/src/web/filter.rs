//! Which decisions a list shows: read from the address, and written to it.

use holdpoint_core::search::LONGEST;
use holdpoint_core::text::inert_line;
use holdpoint_core::{Decision, Owner, Search, Source};
use maud::{Markup, html};

use super::form::Form;
use super::words;
use crate::view_model::vote_progress;

/// The value that stands for the visitor in the address.
const MINE: &str = "mine";

/// The filter of a list; empty values do not filter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Filter {
    pub(super) project: String,
    pub(super) source: String,
    pub(super) owner: String,
    pub(super) assignee: String,
    pub(super) text: String,
    /// Whether only decisions snoozed by the visitor are shown, rather than all others.
    pub(super) snoozed: String,
}

impl Filter {
    pub(super) fn read(query: &str) -> Self {
        let form = Form::parse(query);
        let start = |name: &str, most: usize| form.get(name).chars().take(most).collect::<String>();
        let get = |name: &str| start(name, 200);
        Self {
            project: get("project"),
            source: get("source"),
            owner: get("owner"),
            assignee: get("assignee"),
            text: start("q", LONGEST),
            snoozed: if form.get("snoozed").is_empty() { String::new() } else { "true".to_owned() },
        }
    }

    /// Returns the query string, without a question mark.
    pub(super) fn query(&self) -> String {
        let mut out = form_urlencoded::Serializer::new(String::new());
        for (name, value) in self.pairs() {
            if !value.is_empty() {
                out.append_pair(name, value);
            }
        }
        out.finish()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.pairs().iter().all(|(_, value)| value.is_empty())
    }

    /// Returns whether different people see different decisions.
    pub(super) fn is_personal(&self) -> bool {
        self.assignee == MINE || self.shows_snoozed()
    }

    /// Returns whether snoozed decisions are shown.
    pub(super) fn shows_snoozed(&self) -> bool {
        !self.snoozed.is_empty()
    }

    fn pairs(&self) -> [(&'static str, &str); 6] {
        [
            ("project", &self.project),
            ("source", &self.source),
            ("owner", &self.owner),
            ("assignee", &self.assignee),
            ("q", &self.text),
            ("snoozed", &self.snoozed),
        ]
    }

    /// Returns the project for the store's query.
    pub(super) fn project(&self) -> Option<String> {
        (!self.project.is_empty()).then(|| self.project.clone())
    }

    pub(super) fn source(&self) -> Option<Source> {
        Source::from_name(&self.source)
    }

    /// Returns the owner for the store's query, if it is named in full.
    pub(super) fn owner(&self) -> Option<Owner> {
        self.owner.parse().ok()
    }

    /// Returns the search for the store's query.
    pub(super) fn search(&self) -> Option<Search> {
        (!self.text.is_empty()).then(|| Search::of(&self.text))
    }

    /// Returns the whole filter as a search for a visitor: "mine" means assigned to them, or to nobody.
    pub(super) fn as_search(&self, visitor: &str) -> String {
        let mine = format!("{visitor},nobody");
        let assignee = if self.assignee == MINE { &mine } else { &self.assignee };
        let mut parts = vec![self.text.clone()];
        for (key, value) in [
            ("project", self.project.as_str()),
            ("source", &self.source),
            ("owner", &self.owner),
            ("assignee", assignee),
        ] {
            if !value.is_empty() {
                let spaced = value.contains(char::is_whitespace);
                parts.push(if spaced { format!("{key}=\"{value}\"") } else { format!("{key}={value}") });
            }
        }
        parts.retain(|part| !part.is_empty());
        parts.join(" ")
    }

    /// Returns whether a decision matches the conditions that the store cannot check.
    pub(super) fn fits(&self, decision: &Decision, visitor: &str) -> bool {
        let holds = |text: &str, part: &str| text.to_lowercase().contains(&part.to_lowercase());
        let owner = || decision.owner.as_ref().map(ToString::to_string).unwrap_or_default();
        let assigned = match self.assignee.as_str() {
            "" => true,
            MINE => vote_progress::is_put_to(decision, visitor),
            named => decision.assignees.iter().any(|who| who == named),
        };
        assigned && (self.owner.is_empty() || holds(&owner(), &self.owner))
    }

    /// Renders the controls; they work by submitting the form.
    pub(super) fn controls(&self, action: &str, projects: &[String], assignees: &[String]) -> Markup {
        html! {
            form .filter role="search" method="get" action=(action) {
                label .grow { span .quiet { "Search" }
                    input #search type="search" name="q" value=(self.text) placeholder="Search" ;
                }
                label { span .quiet { "Project" }
                    select name="project" {
                        option value="" { "All projects" }
                        @for name in projects {
                            option value=(name) selected[*name == self.project] { (inert_line(name)) }
                        }
                        @if !self.project.is_empty() && !projects.contains(&self.project) {
                            option value=(self.project) selected { (inert_line(&self.project)) }
                        }
                    }
                }
                label { span .quiet { "Source" }
                    select name="source" {
                        option value="" { "All sources" }
                        @for source in Source::ALL {
                            option value=(source.name()) selected[source.name() == self.source] { (words::source(source)) }
                        }
                    }
                }
                label { span .quiet { "Assigned to" }
                    select name="assignee" {
                        option value="" { "All assignees" }
                        option value=(MINE) selected[self.assignee == MINE] { "Mine" }
                        @for name in assignees {
                            option value=(name) selected[*name == self.assignee] { (inert_line(name)) }
                        }
                        @if !self.assignee.is_empty() && self.assignee != MINE && !assignees.contains(&self.assignee) {
                            option value=(self.assignee) selected { (inert_line(&self.assignee)) }
                        }
                    }
                }
                label { span .quiet { "Owner" }
                    input .owner name="owner" value=(self.owner) placeholder="Owner" title="For example job:build";
                }
                @if self.shows_snoozed() { input type="hidden" name="snoozed" value="true"; }
                button { "Filter" }
                @if !self.is_empty() { a .button.plain href=(action) { "Clear" } }
            }
        }
    }
}
