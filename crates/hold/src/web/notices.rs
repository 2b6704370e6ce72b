//! How people are notified: a page for each person, and for admins everybody's.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{StatusCode, Uri};
use holdpoint_core::notify::{DayTime, Digest, Notify, Quiet, Rule};
use holdpoint_core::text::inert_line;
use holdpoint_core::{FieldError, Refusal};
use holdpoint_engine::{Error, NotifyView, People as _};
use maud::{Markup, html};

use super::error::Reply;
use super::form::{Form, Posted};
use super::page::{NavItem, Page, see_other};
use super::visitor::Visitor;
use crate::http::app::App;

pub(super) async fn show(State(app): State<Arc<App>>, visitor: Visitor, uri: Uri) -> Reply {
    let query = Form::parse(uri.query().unwrap_or_default());
    let person = settings_owner(&visitor, query.get("person"));
    let view = visitor.client(&app).notify_of(&person).await?;
    let saved = html! { @if query.get("saved") == "1" { p .banner.good role="status" { "Saved." } } };
    Ok(page(&visitor, StatusCode::OK, &view, &NoticeForm::of(&view.notify), &saved))
}

pub(super) async fn save(State(app): State<Arc<App>>, posted: Posted) -> Reply {
    let Posted { visitor, form } = posted.ours()?;
    let person = settings_owner(&visitor, form.get("person"));
    let (client, typed) = (visitor.client(&app), NoticeForm::read(&form));
    let view = client.notify_of(&person).await?;
    let saved = match typed.notify() {
        Ok(notify) => client.set_notify(&person, notify).await,
        Err(faults) => Err(Refusal::Invalid(faults).into()),
    };
    match saved {
        Ok(_) => Ok(see_other(&format!("{}&saved=1", address(&person)))),
        Err(Error::Refused(Refusal::Invalid(faults))) => {
            let notice = html! {
                div .banner.bad role="alert" {
                    p { "Nothing was changed:" }
                    ul { @for fault in faults { li { (fault.to_string()) } } }
                }
            };
            Ok(page(&visitor, StatusCode::UNPROCESSABLE_ENTITY, &view, &typed, &notice))
        }
        Err(error) => Err(error.into()),
    }
}

/// Returns the address of a person's page.
pub(super) fn address(person: &str) -> String {
    let person: String = form_urlencoded::byte_serialize(person.as_bytes()).collect();
    format!("/settings/notices?person={person}")
}

fn settings_owner(visitor: &Visitor, named: &str) -> String {
    if named.is_empty() { visitor.caller.actor.by.clone() } else { named.to_owned() }
}

/// The contents of the fields.
#[derive(Clone, Debug, Default)]
struct NoticeForm {
    zone: String,
    from: String,
    until: String,
    urgent_from: String,
    digest: String,
    daily: String,
    rules: String,
}

impl NoticeForm {
    fn of(notify: &Notify) -> Self {
        let (digest, daily) = match notify.digest {
            Digest::Daily(time) => ("daily".to_owned(), time.to_string()),
            other => (other.to_string(), String::new()),
        };
        let rules: Vec<String> = notify.rules.iter().map(Rule::to_string).collect();
        Self {
            zone: notify.zone.clone().unwrap_or_default(),
            from: notify.quiet.map(|quiet| quiet.from.to_string()).unwrap_or_default(),
            until: notify.quiet.map(|quiet| quiet.until.to_string()).unwrap_or_default(),
            urgent_from: notify.urgent_from.join("\n"),
            digest,
            daily,
            rules: rules.join("\n"),
        }
    }

    fn read(form: &Form) -> Self {
        let get = |name| form.get(name).to_owned();
        Self {
            zone: get("zone"),
            from: get("from"),
            until: get("until"),
            urgent_from: get("urgent_from"),
            digest: get("digest"),
            daily: get("daily"),
            rules: get("rules"),
        }
    }

    fn notify(&self) -> Result<Notify, Vec<FieldError>> {
        let mut faults = Vec::new();
        let zone = Some(self.zone.clone()).filter(|zone| !zone.is_empty());
        let quiet = match (self.from.as_str(), self.until.as_str()) {
            ("", "") => None,
            (from, until) => {
                let hours =
                    from.parse::<DayTime>().and_then(|from| Ok(Quiet { from, until: until.parse()? }));
                hours.map_err(|why| faults.push(FieldError::new("quiet hours", why))).ok()
            }
        };
        let digest = match self.digest.as_str() {
            "daily" => self.daily.parse().map(Digest::Daily),
            "" => Ok(Digest::AtOnce),
            other => other.parse(),
        };
        let digest = digest.map_err(|why| faults.push(FieldError::new("mail", why))).unwrap_or_default();
        let mut rules = Vec::new();
        let lines = self.rules.lines().map(str::trim).enumerate().filter(|(_, line)| !line.is_empty());
        for (at, line) in lines {
            match line.parse() {
                Ok(rule) => rules.push(rule),
                Err(why) => faults.push(FieldError::new(format!("routing, line {}", at + 1), why)),
            }
        }
        let names = self.urgent_from.lines().map(str::trim).filter(|name| !name.is_empty());
        let urgent_from = names.map(str::to_owned).collect();
        if faults.is_empty() { Ok(Notify { zone, quiet, urgent_from, digest, rules }) } else { Err(faults) }
    }
}

fn page(
    visitor: &Visitor,
    status: StatusCode,
    view: &NotifyView,
    typed: &NoticeForm,
    notice: &Markup,
) -> axum::response::Response {
    let reached: Vec<_> = view.reached_by.iter().map(|channel| channel.name()).collect();
    let rhythm = |value: &str, words: &str| {
        html! { option value=(value) selected[typed.digest == value] { (words) } }
    };
    let main = html! {
        h1 { "Notifications for " bdi { (inert_line(&view.person)) } }
        (notice)
        section .panel aria-labelledby="notices-title" {
            h2 #notices-title .quiet { "Delivery" }
            p .hint { "Sent to: " (reached.join(", ")) }
            @if let Some(until) = view.quiet_until {
                p .hint { "Quiet now, until " (view.notify.local(until)) "." }
            }
            @if let Some(at) = view.next_digest { p .hint { "The next digest is due " (view.notify.local(at)) "." } }
            @for warning in &view.warnings { p .banner.warn { (inert_line(warning)) } }
            form .stack method="post" action="/settings/notices" autocomplete="off" {
                (visitor.token()) input type="hidden" name="person" value=(view.person);
                label { "Time zone" span .hint { " (such as Europe/Berlin; UTC if empty)" }
                    input name="zone" value=(typed.zone); }
                label { "Quiet hours from" span .hint { " (urgent only; empty = off)" }
                    input name="from" type="time" value=(typed.from); }
                label { "Quiet hours until" span .hint { " (then what is still open is sent)" }
                    input name="until" type="time" value=(typed.until); }
                label { "Agents that may break quiet hours" span .hint {
                        " (one token name per line; " code { "*" } " = all, empty = none)"
                    }
                    textarea name="urgent_from" rows="2" spellcheck="false" { "\n" (typed.urgent_from) } }
                label { "Non-urgent mail" select name="digest" {
                    (rhythm("at_once", "at once")) (rhythm("hourly", "one every hour"))
                    (rhythm("daily", "one a day, at the time below")) (rhythm("never", "never"))
                } }
                label { "Daily at" input name="daily" type="time" value=(typed.daily); }
                label { "Routing" span .hint {
                        " (one rule per line, first match wins, such as " code { "source=approval project=web: telegram,mail" }
                        " or " code { "priority=low: none" } "; none = every channel)"
                    }
                    textarea name="rules" rows="4" spellcheck="false" { "\n" (typed.rules) } }
                button .primary { "Save" }
            }
        }
    };
    let nav = if visitor.administers() { NavItem::Settings } else { NavItem::Elsewhere };
    Page { title: "Notices", nav, visitor: Some(visitor), seq: None }.send(status, &main)
}
