//! One answer to all decisions marked in the list: a preview with each of them in full, and then the outcome of each.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use holdpoint_core::text::inert_line;
use holdpoint_core::{Decision, DecisionId, Status, Timestamp};
use holdpoint_engine::{AnswerItem, AnswerItems, AnsweredItem};
use holdpoint_protocols::present;
use maud::{Markup, html};

use super::error::{PageError, Reply};
use super::filter::Filter;
use super::form::{Form, Posted};
use super::page::{NavItem, Page};
use super::visitor::{Visitor, remember};
use super::{markdown, remarks, subject, words};
use crate::api::answer_each;
use crate::http::app::App;
use crate::view_model::bulk_answer::{self, AnswerChoice, MarkedDecision, SubjectSeen};
use crate::view_model::{identical, read_before_consent};

/// Shows the marked decisions. Sends nothing.
pub(super) async fn preview(State(app): State<Arc<App>>, posted: Posted) -> Reply {
    let Posted { visitor, form } = posted.ours()?;
    let ids = form.0.iter().filter(|(name, _)| name == "id").filter_map(|(_, id)| id.parse().ok());
    let ids: Vec<DecisionId> = ids.collect();
    if ids.is_empty() {
        return Err(PageError::new(422, "nothing_marked", "nothing is marked: tick what to answer"));
    }
    let back = Filter::read(form.get("back")).query();
    show(&app, &visitor, &ids, &html! {}, &back).await
}

/// Shows decisions in full, with one answer for each. Sends nothing.
pub(super) async fn show(
    app: &App,
    visitor: &Visitor,
    ids: &[DecisionId],
    why: &Markup,
    back: &str,
) -> Reply {
    let found = bulk_answer::gather(&visitor.client(app), ids).await?;
    let now = app.engine.now().await?;
    let offers = bulk_answer::counted(&found);
    let left = ids.iter().filter(|id| !found.iter().any(|one| one.shows(**id))).count();
    let many = if found.len() == 1 { "1 decision".to_owned() } else { format!("{} decisions", found.len()) };
    let main = html! {
        p .back { a href={ "/?" (back) } data-back { "‹ Inbox" } }
        h1 { "Answer " (many) }
        (why)
        p .hint {
            "Your answer goes to every decision that offers it. Untick the rest."
            @if left > 0 { " " (left) " marked cannot be answered here: settled, withdrawn, answered one by one, or more than " (AnswerItems::MOST) "." }
        }
        form #batch method="post" action="/many/send" autocomplete="off" {
            (visitor.token())
            input type="hidden" name="back" value=(back);
            @for one in &found { (whole(one, now)) }
            div .card.answers {
                div .field {
                    label for="message" { "Message" span .hint { " (sent with each answer)" } }
                    textarea #message name="message" rows="2" dir="auto" {}
                }
                @if !visitor.signed_in {
                    div .field {
                        label for="by" { "Your name" span .hint { " (unverified)" } }
                        input #by name="by" value=(if visitor.name() == "anonymous" { String::new() } else { visitor.name() }) dir="auto";
                    }
                }
                @if offers.is_empty() { p .banner { "None of these can be answered together." } }
                div .acts-foot role="group" aria-label="One answer for each" { (buttons(&offers, found.len())) }
            }
        }
    };
    let title = format!("Answer {many}");
    Ok(Page { title: &title, nav: NavItem::Inbox, visitor: Some(visitor), seq: None }
        .send(StatusCode::OK, &main))
}

/// Sends the answer to each decision that is still ticked, and shows the outcomes.
pub(super) async fn send(State(app): State<Arc<App>>, posted: Posted) -> Reply {
    let Posted { visitor, form } = posted.ours()?;
    let client = visitor.client(&app);
    let offer: AnswerChoice =
        read_offer(form.get("choice")).ok_or_else(|| PageError::new(422, "no_choice", "choose an answer"))?;
    let by = Some(form.get("by")).filter(|by| !by.is_empty() && !visitor.signed_in);
    let (mut told, mut items, mut gone) = (Vec::new(), Vec::new(), 0);
    for (_, value) in form.0.iter().filter(|(name, _)| name == "item") {
        let Some(ticked) = TickedDecision::read(value) else { continue };
        let Some(decision) = bulk_answer::present(&client, ticked.id).await? else {
            gone += 1;
            continue;
        };
        match ticked.answer(&decision, &offer, &form) {
            Ok(mut item) => {
                item.answer.by = by.map(str::to_owned);
                items.push(item);
            }
            Err(why) => told.push((decision, Err(why))),
        }
    }
    if !items.is_empty() {
        for AnsweredItem { id, refused, .. } in answer_each(&app, &client, AnswerItems { items }).await? {
            let outcome = refused.map_or(Ok(()), |refused| Err(refused.detail));
            match bulk_answer::present(&client, id).await? {
                Some(decision) => told.push((decision, outcome)),
                None => gone += 1,
            }
        }
    }
    let back = Filter::read(form.get("back")).query();
    let mut response = outcome(&told, gone, &offer, &back, &visitor);
    if let Some(cookie) = by.and_then(remember) {
        response.headers_mut().append(axum::http::header::SET_COOKIE, cookie);
    }
    Ok(response)
}

fn outcome(
    told: &[(Decision, Result<(), String>)],
    gone: usize,
    offer: &AnswerChoice,
    back: &str,
    visitor: &Visitor,
) -> axum::response::Response {
    let answered = told.iter().filter(|(_, outcome)| outcome.is_ok()).count();
    let left = told.len() - answered;
    let title = format!("{answered} of {} answered", told.len());
    let main = html! {
        p .back { a href={ "/?" (back) } data-back { "‹ Inbox" } }
        h1 { (title) ": " bdi { (inert_line(&offer.label)) } }
        @if left > 0 { p .banner.bad role="alert" { (left) @if left == 1 { " was" } @else { " were" } " not answered; see why below." } }
        @if gone > 0 { p .banner { (gone) " more cannot be shown: withdrawn." } }
        ul .things {
            @for (decision, outcome) in told {
                li data-id=(decision.id) {
                    span .thing {
                        a href={ "/d/" (decision.id) } dir="auto" { (words::headline(decision, 120)) }
                        @if let Err(why) = outcome { span .hint dir="auto" { (words::capital(&inert_line(why))) } }
                    }
                    @if outcome.is_err() { span .tag.bad { "Not answered" } }
                    @else if decision.status == Status::Pending { span .tag.good { "Voted" } }
                    @else { span .tag.good { "Answered" } }
                }
            }
        }
        p { a .button href={ "/?" (back) } data-focus { "Back to inbox" } }
    };
    Page { title: &title, nav: NavItem::Inbox, visitor: Some(visitor), seq: None }.send(StatusCode::OK, &main)
}

/// Renders one of the decisions in full.
fn whole(MarkedDecision { decision, same: others }: &MarkedDecision, now: Timestamp) -> Markup {
    let ids: Vec<String> = others.iter().map(|other| other.id.to_string()).collect();
    let value = format!("{} {} {}", decision.id, decision.digest, ids.join(" "));
    let asker = decision.asker().map(|asker| asker.brief());
    html! {
        article .card data-decision=(decision.id) data-short[is_short(decision)] {
            label .option.slim {
                input type="checkbox" name="item" value=(value.trim()) checked;
                strong dir="auto" { (words::headline(decision, 300)) }
            }
            p .meta {
                span class={ "tag s-" (decision.source.name()) } { (words::source(decision.source)) }
                @if let Some(asker) = &asker { span dir="auto" { (words::short(asker, 60)) } }
                @if decision.project != "default" { span dir="auto" { (words::short(&decision.project, 40)) } }
                @if let Some(words) = identical::same_question_note(decision, others, now) { strong .same dir="auto" { (words) } }
                a href={ "/d/" (decision.id) } { "Open the card" }
            }
            @if let Some(presented) = present::subject(decision) {
                section .subject {
                    div .subject-head { h2 { (presented.title) } (subject::tool_and_folder(&presented)) }
                    (subject::markup(&presented))
                    @if !is_short(decision) {
                        label .option.slim { input type="checkbox" name="read" value=(decision.id); " I have read all of it" span .hint { " (needed to approve)" } }
                    }
                }
            }
            @if let Some(prompt) = words::prompt(decision).filter(|prompt| !words::is_described(decision, prompt)) { section .agent aria-label="What the agent says" { (markdown::shown(prompt)) } }
            (remarks::all(decision))
        }
    }
}

/// A decision that is still ticked, as the preview showed it.
struct TickedDecision<'a> {
    id: DecisionId,
    digest: &'a str,
    same: Vec<DecisionId>,
}

impl<'a> TickedDecision<'a> {
    fn read(value: &'a str) -> Option<Self> {
        let mut words = value.split(' ');
        let (id, digest) = (words.next()?.parse().ok()?, words.next()?);
        Some(Self { id, digest, same: words.filter_map(|id| id.parse().ok()).collect() })
    }

    /// Builds its answer, or returns why there is none.
    fn answer(&self, decision: &Decision, offer: &AnswerChoice, form: &Form) -> Result<AnswerItem, String> {
        if decision.status != Status::Pending {
            return Err(words::raced(decision));
        }
        if decision.digest != self.digest {
            return Err("was revised meanwhile; look at it again".to_owned());
        }
        let says_read = || form.0.iter().any(|(name, id)| name == "read" && *id == self.id.to_string());
        // A page with scripts says of each short one whether it was on the screen; without scripts, all of it was on
        // the page.
        let was_shown = is_short(decision) && form.get("watched").is_empty();
        let reading = if was_shown || says_read() { SubjectSeen::Read } else { SubjectSeen::Unread };
        let mut item = bulk_answer::item(decision, self.same.clone(), offer, reading)?;
        item.answer.message = Some(form.get("message").replace("\r\n", "\n")).filter(|text| !text.is_empty());
        Ok(item)
    }
}

fn is_short(decision: &Decision) -> bool {
    decision.subject.as_ref().is_none_or(read_before_consent::is_short)
}

fn buttons(offers: &[(AnswerChoice, usize)], all: usize) -> Markup {
    let refusal = offers.iter().position(|(offer, _)| offer.refuses);
    html! {
        @for (at, (offer, count)) in offers.iter().enumerate() {
            div .option {
                button class=(if offer.refuses { "no" } else { "yes" }) name="choice" value=(write_offer(offer)) data-number=(at + 1) data-focus[refusal == Some(at)] {
                    span .label dir="auto" { (inert_line(&offer.label)) }
                    @if *count < all { span .hint { "(" (count) " of " (all) ")" } }
                    kbd .number aria-hidden="true" { (at + 1) }
                }
            }
        }
    }
}

fn write_offer(offer: &AnswerChoice) -> String {
    serde_json::json!([offer.id, offer.label, offer.refuses]).to_string()
}

fn read_offer(text: &str) -> Option<AnswerChoice> {
    let (id, label, refuses) = serde_json::from_str(text).ok()?;
    Some(AnswerChoice { id, label, refuses })
}
