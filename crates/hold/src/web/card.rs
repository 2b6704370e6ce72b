//! The card: everything needed to decide, on one page, and the form to answer with.

mod repeats;
mod said;

use holdpoint_core::decision::number;
use holdpoint_core::text::{inert, inert_line};
use holdpoint_core::{Decision, FieldError, OwnerKind, Source, Status, Timestamp};
use holdpoint_protocols::aitp::translate::fill_label;
use holdpoint_protocols::present;
use maud::{Markup, html};
use serde_json::Value;

use super::answer_form::AnswerForm;
use super::form::FLOW;
use super::form_values::FormValues;
use super::outcome::{outcome, reports};
use super::rounds::Round;
use super::run::ShownChange;
use super::{agents, attention, controls, details, long, meanwhile, remarks, rounds, rows, subject, words};
use crate::view_model::guide::{self, ChangeRequest};
use crate::view_model::recent_answer::Again;
use crate::view_model::{
    change, deadline::AtDeadline, rank, read_before_consent, vote_progress, wants, warnings,
};

/// A card to be drawn.
#[derive(Debug)]
pub(super) struct Card<'a> {
    pub(super) decision: &'a Decision,
    /// What the project's rules make of it.
    pub(super) ruled: Option<&'a str>,
    pub(super) now: Timestamp,
    pub(super) filled: &'a FormValues,
    pub(super) faults: &'a [FieldError],
    pub(super) rounds: &'a [Round],
    pub(super) answer_form: &'a AnswerForm,
    /// The visitor, if known.
    pub(super) visitor: Option<&'a str>,
    /// The name of its owner.
    pub(super) owner_name: Option<&'a str>,
    /// The evidence and the change, if a verdict is asked for.
    pub(super) change: Option<ShownChange>,
    /// Others that ask the same, and will get the same answer.
    pub(super) same: &'a [Decision],
    /// The visitor's recent answer to the same question.
    pub(super) again: Option<&'a Again>,
}

/// What follows a name that was not checked.
const UNVERIFIED: &str = " (unverified)";

/// The form value with the patch set that the page shows.
pub(super) const PATCHSET_SHOWN: &str = "patchset_shown";

impl Card<'_> {
    /// Renders the card.
    pub(super) fn markup(&self) -> Markup {
        let decision = self.decision;
        html! {
            article .card #card data-decision=(decision.id) data-status=(decision.status.name()) data-digest=(decision.digest) data-headline=(words::headline(decision, 120))
                data-live=[self.answer_form.live.as_deref()] data-due=[decision.deadline] data-undo=(self.answer_form.undo) {
                (self.head())
                @if let Some(guidance) = &decision.guidance {
                    section .said aria-label="Guidance for this round" {
                        p .hint { "Round " (decision.iteration) " of " (decision.max_iterations) ". Changes requested:" }
                        p .pre dir="auto" { (inert(guidance)) }
                    }
                }
                (self.subject())
                (self.said())
                @for warning in warnings::all(decision) {
                    p .hint dir="auto" { strong { "Warning: " } (warning) }
                }
                (remarks::all(decision))
                (rounds::earlier(self.rounds))
                @if decision.status == Status::Pending { (self.form()) (remarks::later()) } @else { (outcome(decision, self.now)) }
                (reports(decision, self.now))
                @if let Some(ruled) = self.ruled { p #ruled .hint dir="auto" { (inert_line(ruled)) } }
                @if self.suggests_rules() {
                    p .hint { a href={ "/d/" (decision.id) "/rules" } data-rules { "Create a rule from this…" } }
                }
                (self.details())
            }
        }
    }

    /// Returns whether the visitor could create a rule from this decision.
    fn suggests_rules(&self) -> bool {
        let is_askable = matches!(self.decision.source, Source::Approval | Source::Question);
        self.answer_form.action.starts_with("/d/") && is_askable && self.decision.asked_by.is_some()
    }

    fn head(&self) -> Markup {
        const TITLE: usize = 300;
        // A title that takes several lines is set smaller: it must not push what is asked off a phone's screen.
        const LONG: usize = 90;
        let decision = self.decision;
        let summary = words::title(decision, TITLE);
        let summary = match decision.source {
            Source::Verdict => summary.strip_prefix("Verdict on ").map(str::to_owned).unwrap_or(summary),
            _ => summary,
        };
        let is_cut = decision.title.as_deref().is_some_and(|title| title.chars().count() > TITLE);
        let begun_by = self.change.as_ref().map(|change| change.begun_by.as_str());
        let known =
            decision.asker().filter(|asker| asker.checked.is_some() && asker.claimed != asker.checked);
        let brief = known.as_ref().map(holdpoint_core::decision::Asker::brief);
        // A session that asks under the id of what it works on has no name of its own.
        let is_name =
            |claimed: &str| decision.owner.as_ref().is_none_or(|owner| !claimed.ends_with(owner.id.as_str()));
        let claimed = known
            .and_then(|asker| asker.claimed.filter(|claimed| *claimed != asker.brief() && is_name(claimed)));
        let named = || {
            brief
                .or_else(|| begun_by.map(|by| words::short(by, 80)))
                .unwrap_or_else(|| words::asker(decision))
        };
        let asker = self.owner_name.map_or_else(named, |name| words::short(name, 80));
        let unnamed = decision.owner.as_ref().filter(|_| self.owner_name.is_none());
        let known_by = decision.asker().map(|asker| asker.brief()).or_else(|| begun_by.map(str::to_owned));
        let page = decision.asked_by.as_deref().or(decision.requested_by.as_deref()).map(agents::address);
        let page = page.filter(|_| self.owner_name.is_none());
        let (name, note) = match asker.strip_suffix(UNVERIFIED) {
            Some(name) => (name, UNVERIFIED),
            None => (asker.as_str(), ""),
        };
        let asks = html! {
            strong { bdi { @if let Some(page) = &page { a href=(page) title="All its requests" { (name) } } @else { (name) } } }
            @if !note.is_empty() { span .hint { (note) } }
            " " (wants::request_sentence(decision))
        };
        // A change is the agent's own text, and its title names the task.
        let is_told = decision.subject.is_none() || decision.source == Source::Verdict;
        html! {
            header .head {
                @if known_by.is_some() { (rows::face(known_by.as_deref())) }
                div .whose {
                    @if is_told { h1 .long[summary.chars().count() > LONG] dir="auto" { (summary) } } @else { p .asks.first { (asks) } }
                    p .meta {
                        @if is_told { span .asks { (asks) } }
                        @if let Some(priority) = words::priority(decision.priority) { span class={ "tag p-" (priority.to_lowercase()) } { (priority) } }
                        @if decision.iteration > 1 { span .tag { "Round " (decision.iteration) " of " (decision.max_iterations) } }
                        @if decision.project != "default" { bdi { (words::short(&decision.project, 80)) } }
                        @if let Some(claimed) = claimed.filter(|_| self.owner_name.is_none()) { span { "as " bdi { (words::short(claimed, 60)) } } }
                        @if let Some(owner) = unnamed.and_then(words::owner_known) { (owner) }
                        @if !decision.assignees.is_empty() { span { "for " bdi { (words::short(&decision.assignees.join(", "), 200)) } } }
                        (self.run())
                        span { "asked " (words::ago(decision.created_at, self.now)) " ago" }
                        (attention::taken(decision, self.visitor, self.now))
                    }
                }
                @if let Some(deadline) = decision.deadline.filter(|_| decision.status == Status::Pending) {
                    @let AtDeadline { before, after } = AtDeadline::of(decision);
                    p class={ "deadline" @if rank::is_due_soon(decision, self.now) { " soon" } } {
                        span dir="auto" { (before) } " in " (words::time_left(deadline, self.now)) (after)
                    }
                }
            }
            @if !is_told {
                h1 .of-asker.quiet[words::repeats_subject(decision) || decision.source == Source::Approval] dir="auto" { (summary) }
            }
            @if is_cut && !self.title_is_said() { p .pre dir="auto" { (inert(decision.summary())) } }
            @if let Some(votes) = vote_progress::on_card(decision, self.now) { p #votes .note dir="auto" { (votes) @if let Some(voted) = self.visitor.and_then(|who| vote_progress::vote_of(decision, who)) { " " (voted) } } }
            @if let Some(warning) = warnings::no_way_to_refuse(decision) { p .note { (warning) } }
        }
    }

    /// Links to the run that a verdict is about.
    fn run(&self) -> Markup {
        let owner = self.decision.owner.as_ref().filter(|owner| owner.kind == OwnerKind::Run);
        let Some(owner) = owner.filter(|_| self.decision.source == Source::Verdict) else { return html! {} };
        html! { span { a href={ "/runs/" (owner.id) } { "Open run" } } }
    }

    fn subject(&self) -> Markup {
        let Some(presented) = present::subject(self.decision) else { return html! {} };
        html! {
            section #subject .subject tabindex="-1" aria-labelledby="subject-title" data-patchset=[self.patchset()] {
                div .subject-head.quiet[self.change.is_some()] {
                    h2 #subject-title { (presented.title) }
                    @if let Some(extent) = presented.extent() { span .hint { (extent) } }
                    (subject::tool_and_folder(&presented))
                }
                // The change in words is shown if the change itself cannot be, and otherwise among the details.
                @match (&self.change, change::describe(self.decision)) {
                    (Some(change), _) => (change.markup),
                    (None, Some(words)) => pre .code tabindex="0" dir="auto" aria-label="In words" { (long::text(&words)) },
                    (None, None) => (subject::markup(&presented)),
                }
                p #subject-end .hint { @if self.decision.status == Status::Pending { "You approve exactly this." } }
            }
        }
    }

    fn details(&self) -> Markup {
        let words = self.change.as_ref().and_then(|_| change::describe(self.decision));
        details::of(self.decision, self.same, words.as_deref())
    }

    /// Returns the patch set that is shown.
    fn patchset(&self) -> Option<usize> {
        self.change.as_ref().map(|change| change.patchset).filter(|number| *number > 0)
    }

    /// Returns whether the person said that they read what is shown: they may have read another patch set.
    fn says_seen(&self) -> bool {
        let same = self.patchset().is_none_or(|shown| self.filled.one(PATCHSET_SHOWN) == shown.to_string());
        self.filled.has("seen", "true") && same
    }

    /// Returns whether all that is decided on fits on any screen; a change may not.
    fn is_short(&self, subject: &Value) -> bool {
        read_before_consent::is_short(subject) && self.change.is_none()
    }

    /// Renders what is between a subject and consent to it. A long one must be read to its end, or consented to
    /// unread in a second step; the script shows how much has been read. Without scripts, the person ticks that they
    /// have read it.
    fn reading(&self) -> Markup {
        let Some(subject) = &self.decision.subject else { return html! {} };
        let short = self.is_short(subject);
        html! {
            div #reading .reading hidden[short] {
                p #reading-left role="status" { "Read to the end to approve." }
                @if !short {
                    label .no-script {
                        input type="checkbox" name="seen" value="true" form="answer" checked[self.says_seen()];
                        " I have read all of it"
                    }
                }
                details {
                    summary { "Skip reading" }
                    label {
                        input type="checkbox" name="unread" value="true" form="answer" checked[self.filled.has("unread", "true")];
                        " Approve without reading all of it (recorded)"
                    }
                }
            }
        }
    }

    /// Renders the form alone.
    pub(super) fn form(&self) -> Markup {
        let (decision, answer_form) = (self.decision, self.answer_form);
        if let Some(why) = &answer_form.barred {
            return html! { p .banner { (inert_line(why)) "." } };
        }
        let sends = controls::sending(decision).is_some();
        let conditional = decision.fields.iter().any(|field| field.visible_if.is_some());
        html! {
            @if !self.faults.is_empty() {
                div .banner.bad role="alert" tabindex="-1" autofocus {
                    p { "Nothing was sent. Fix the marked fields." }
                    ul {
                        @for fault in self.faults {
                            @let label = decision.field(&fault.field).map_or(fault.field.as_str(), |field| field.label.as_str());
                            li dir="auto" { (words::fault(label, &fault.message)) }
                        }
                    }
                }
            }
            form #answer method="post" action=(answer_form.action) novalidate data-draft=[answer_form.drafts.as_deref()]
                data-conditional[conditional] autocomplete="off" aria-label="Your answer" {
                (answer_form.token)
                input type="hidden" name="digest" value=(decision.digest);
                input type="hidden" name="back" value=(answer_form.back);
                @if answer_form.flows { input type="hidden" name=(FLOW) value="true"; }
                // A short subject is shown above in full: it has been on the visitor's screen.
                @if decision.subject.as_ref().is_some_and(|subject| self.is_short(subject)) { input type="hidden" name="seen" value="true"; }
                @if let Some(shown) = self.patchset() { input type="hidden" name=(PATCHSET_SHOWN) value=(shown); }
                input type="hidden" name=(meanwhile::SHOWN) value=(meanwhile::carried(decision, self.filled));
                (self.same())
                (self.recent_answer())
                // The meaning of Enter in a box: never a choice that the person did not make.
                button type="submit" name="verb" value=(if sends { "continue" } else { "answer" }) hidden data-default {}
                @if let Some(label) = fill_label(decision) {
                    p .hint { "The agent's label: “" bdi { (words::short(label, 80)) } "”." }
                }
                div #fields { (controls::fields(decision, self.filled, self.faults, self.now)) }
                @if conditional {
                    p .no-script { button name="verb" value="continue" { "Continue" } span .hint { " shows what else is asked" } }
                }
                div .field.message {
                    label .quiet for="message" { "Message" }
                    textarea #message name="message" rows="1" dir="auto" placeholder="Message (optional)" { "\n" (self.filled.one("message")) }
                    kbd .number aria-hidden="true" { "m" }
                }
                @if let Some(name) = &answer_form.name {
                    div .field {
                        label for="by" { "Your name" span .hint { " (unverified)" } }
                        input #by name="by" value=(name) dir="auto";
                    }
                }
                (self.guide())
                (controls::meanings(decision))
                (self.bar(sends))
            }
        }
    }

    /// Renders the answer bar: at the foot of the page, and in reach while reading.
    fn bar(&self, sends: bool) -> Markup {
        let decision = self.decision;
        html! {
            div #answers {
                div .before {
                    @if let Some(commit) = self.change.as_ref().and_then(|change| change.commit.as_ref()) { p .hint.commits dir="auto" { (commit) } }
                    (self.reading())
                }
                div .acts-foot {
                    @if sends { (controls::buttons(decision)) }
                    @else {
                        button .primary[!words::is_dangerous(decision)] name="verb" value="answer" data-send { "Send answer" kbd .number aria-hidden="true" { "Enter" } }
                        @if let Some(chat) = &self.answer_form.chat {
                            button .no-script formaction=(chat) name="verb" value="save" { "Save and continue by chat" }
                        }
                    }
                    (self.outs())
                    // A plan's and a verdict's own choices say as much.
                    @if !matches!(decision.source, Source::Plan | Source::Verdict) && matches!(guide::of(decision), ChangeRequest::Takes(_)) {
                        button .plain.by-key type="button" data-key="g" { "Request changes" kbd .number aria-hidden="true" { "g" } }
                        button .plain.by-key.on-phone type="button" data-key="m" { "Message" }
                    }
                    @if self.answer_form.action.starts_with("/d/") {
                        span .attend-keys {
                            button .plain.by-key type="button" data-key="z" { "Snooze" kbd .number aria-hidden="true" { "z" } }
                            button .plain.by-key type="button" data-key="t" { "I’m on it" kbd .number aria-hidden="true" { "t" } }
                        }
                    }
                }
            }
        }
    }

    fn guide(&self) -> Markup {
        let decision = self.decision;
        let typed = self.filled.one("guidance");
        let fault = self.faults.iter().find(|fault| fault.field == "guidance");
        let note = match guide::of(decision) {
            ChangeRequest::No => return html! {},
            ChangeRequest::LastRound => return html! { p .hint { (guide::LAST_ROUND) } },
            ChangeRequest::Takes(note) => note,
        };
        html! {
            details #guide .guide open[fault.is_some() || !typed.is_empty()] {
                summary { "Request changes" }
                div .field {
                    label for="guidance" { "What should be different?" }
                    @if let Some(fault) = fault { p .fault #guidance-fault { (words::capital(&inert_line(&fault.message))) "." } }
                    textarea #guidance name="guidance" rows="3" dir="auto" aria-describedby=[fault.map(|_| "guidance-fault")] { "\n" (typed) }
                    p .hint { (note) }
                }
                p { button name="verb" value="guide" data-guide { "Request changes" } }
            }
        }
    }

    fn outs(&self) -> Markup {
        let decision = self.decision;
        if decision.outs.is_empty() {
            return html! {};
        }
        let first = number::of_out(decision, 0);
        let has_no = decision.fields.iter().flat_map(|field| &field.options).any(|option| option.refuses);
        let focus = words::focuses_refusal(decision) && !has_no;
        html! {
            div .outs role="group" aria-label="Instead of answering" {
                @for (at, out) in decision.outs.iter().enumerate() {
                    button name="out" value=(out.id) data-number=(first + at) data-focus[focus && at == 0] {
                        span .label dir="auto" { (inert_line(&out.label)) }
                        @if first + at <= 9 { kbd .number aria-hidden="true" { (first + at) } }
                    }
                }
            }
        }
    }
}
