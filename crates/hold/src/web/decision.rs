//! The page of one decision.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{StatusCode, Uri};
use axum::response::Response;
use holdpoint_core::{Decision, DecisionId, FieldError, Status};
use holdpoint_engine::{Client as _, Rules as _};
use maud::{Markup, html};

use super::answer_form::{AnswerForm, barred};
use super::card::Card;
use super::error::{PageError, Reply};
use super::filter::Filter;
use super::form::{FLOW, Form};
use super::form_values::FormValues;
use super::page::{NavItem, Page};
use super::visitor::Visitor;
use super::{attention, inbox, rounds, run, timeline, words};
use crate::http::app::App;
use crate::view_model::owners::OwnerNames;
use crate::view_model::{identical, recent_answer};

pub(super) async fn show(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Path(id): Path<String>,
    uri: Uri,
) -> Reply {
    let decision = visitor.client(&app).get(&id).await?;
    let filled = FormValues::of_decision(&decision);
    let back = Filter::read(uri.query().unwrap_or_default()).query();
    let asked = Form::parse(uri.query().unwrap_or_default());
    let notice = inbox::previous_outcome(&app, &visitor, &asked).await;
    let flows = asked.get(FLOW) == "true";
    let view = View { notice, back: &back, flows, ..View::new(&decision, &filled) };
    view.send(&app, &visitor, StatusCode::OK).await
}

/// Shows the card with earlier input, after a sign-in or from an outdated page. Sends nothing.
pub(super) async fn redisplay(app: &Arc<App>, visitor: &Visitor, id: &str, form: &Form) -> Reply {
    let decision = visitor.client(app).get(id).await?;
    let filled = FormValues::of_form(&decision, &form.0);
    let notice = html! { p .banner role="status" { "Nothing was sent yet. Check it and send again." } };
    let back = Filter::read(form.get("back")).query();
    let flows = form.get(FLOW) == "true";
    let query = if back.is_empty() { String::new() } else { format!("?{back}") };
    let address = Some(format!("/d/{}{query}", decision.id));
    let view = View { notice, back: &back, flows, address, ..View::new(&decision, &filled) };
    view.send(app, visitor, StatusCode::OK).await
}

/// The input for rendering a decision's page.
#[derive(Debug)]
pub(super) struct View<'a> {
    pub(super) decision: &'a Decision,
    pub(super) filled: &'a FormValues,
    pub(super) faults: &'a [FieldError],
    /// A notice above the card.
    pub(super) notice: Markup,
    /// The filter of the list that the person came from.
    pub(super) back: &'a str,
    /// Whether the next card follows an answer, instead of the list.
    pub(super) flows: bool,
    /// The page's own address, if it was requested at another.
    pub(super) address: Option<String>,
}

impl<'a> View<'a> {
    pub(super) fn new(decision: &'a Decision, filled: &'a FormValues) -> Self {
        Self { decision, filled, faults: &[], notice: html! {}, back: "", flows: false, address: None }
    }

    pub(super) async fn send(
        &self,
        app: &App,
        visitor: &Visitor,
        status: StatusCode,
    ) -> Result<Response, PageError> {
        let decision = self.decision;
        let seq = app.engine.store().head().await?.seq;
        let now = app.engine.now().await?;
        let rounds = rounds::before(&visitor.client(app), decision).await?;
        let typed_name = self.filled.one("by").trim();
        let name = if typed_name.is_empty() { visitor.name() } else { typed_name.to_owned() };
        let barred = barred(app, visitor, decision).await?;
        let answer_form = AnswerForm::of_visitor(visitor, decision, self.back, name, barred);
        let undo = app.engine.settings().server.undo.as_millis() / 1_000;
        let answer_form = AnswerForm { flows: self.flows, undo, ..answer_form };
        let names = OwnerNames::of(&visitor.client(app), std::slice::from_ref(decision)).await;
        let same = match decision.status {
            Status::Pending => identical::of(&visitor.client(app), decision).await?,
            _ => Vec::new(),
        };
        let again =
            recent_answer::find(&visitor.client(app), decision, &visitor.caller.actor.by, now).await?;
        let ruled = ruled(app, visitor, decision).await;
        let card = Card {
            decision,
            ruled: ruled.as_deref(),
            visitor: Some(&visitor.caller.actor.by),
            same: &same,
            again: again.as_ref(),
            now,
            filled: self.filled,
            faults: self.faults,
            rounds: &rounds,
            answer_form: &answer_form,
            owner_name: names.name(decision),
            change: run::evidence_and_change(app, visitor, decision, self.filled.one("v:patchset")).await,
        };
        let back = if self.back.is_empty() { "/".to_owned() } else { format!("/?{}", self.back) };
        let beside = Neighbours::of(decision.id, self.back);
        let main = html! {
            nav .back aria-label="From card to card" data-address=[self.address.as_deref()] {
                a href=(back) data-back { "‹ Inbox" }
                a href=(beside.previous) data-previous { "Previous " kbd { "k" } }
                a href=(beside.next) data-next { "Next " kbd { "j" } }
            }
            (self.notice)
            div #changed role="alert" {}
            (card.markup())
            @if let Some(chat) = answer_form.chat.as_ref().filter(|_| answer_form.barred.is_none()) {
                p { a .button href=(chat) { "Fill in by chat" } }
            }
            @if answer_form.barred.is_none() { (attention::markup(decision, visitor, self.back, now)) }
            @if let Some(afterwards) = run::afterwards(app, visitor, decision).await { (afterwards) }
            (timeline::of(app, visitor, decision, now).await?)
        };
        let title = words::headline(decision, 80);
        let page = Page { title: &title, nav: NavItem::Inbox, visitor: Some(visitor), seq: Some(seq) };
        Ok(page.send(status, &main))
    }
}

/// Says what the project's rules make of a pending decision: which one asks, or why the closest does not answer. None
/// where no rule comes close.
async fn ruled(app: &App, visitor: &Visitor, decision: &Decision) -> Option<String> {
    let is_asked =
        decision.status == Status::Pending && decision.asked_by.is_some() && decision.rule.is_none();
    if !is_asked {
        return None;
    }
    // An answer needs no reason, so an error is no reason to fail.
    let said = visitor.client(app).explain_rules(&decision.id.to_string()).await.ok()?;
    (!said.rules.is_empty()).then_some(said.summary)
}

/// The neighbouring cards.
#[derive(Debug)]
struct Neighbours {
    next: String,
    previous: String,
}

impl Neighbours {
    /// Returns the addresses of a card's neighbours in a filtered list.
    fn of(id: DecisionId, filter: &str) -> Self {
        let amp = if filter.is_empty() { "" } else { "&" };
        Self {
            next: format!("/next?{filter}{amp}after={id}"),
            previous: format!("/next?{filter}{amp}before={id}"),
        }
    }
}
