//! Settings, for admins: tokens and people.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use holdpoint_core::text::inert_line;
use holdpoint_core::{FieldError, Person, Refusal, Role, Timestamp, Token};
use holdpoint_engine::auth::{MIN_PASSWORD, NewPerson, NewToken, Password};
use holdpoint_engine::{Admin as _, Channels as _, Error};
use maud::{Markup, html};

use super::error::{PageError, Reply};
use super::form::{Form, Posted};
use super::page::{NavItem, Page, see_other};
use super::visitor::{Visitor, links};
use super::words;
use super::{accounts, notices};
use crate::http::app::App;
use crate::http::mode::Mode;

pub(super) async fn show(State(app): State<Arc<App>>, visitor: Visitor) -> Reply {
    page(&app, &visitor, StatusCode::OK, &html! {}).await
}

pub(super) async fn create_token(State(app): State<Arc<App>>, posted: Posted) -> Reply {
    let Posted { visitor, form } = posted.ours()?;
    let role = Role::from_name(form.get("role"))
        .ok_or_else(|| Refusal::invalid("role", "is agent, person or admin"))?;
    let new = NewToken {
        name: form.get("name").into(),
        role,
        projects: projects(&form),
        permissions: Vec::new(),
        lasts: None,
        owner: None,
    };
    match visitor.client(&app).create_token(new).await {
        Ok(created) => {
            let notice = html! {
                section .panel.good aria-labelledby="new-token" {
                    h2 #new-token { "Token for " bdi { (inert_line(&created.token.name)) } }
                    p { "Copy it now, it is shown only once:" }
                    p { code .secret #secret tabindex="0" { (created.secret.reveal()) } " " button type="button" data-copy="secret" hidden { "Copy" } }
                    p .hint { code { "export HOLD_URL=" (app.address) } br; code { "export HOLD_TOKEN=…" } }
                }
            };
            page(&app, &visitor, StatusCode::CREATED, &notice).await
        }
        Err(error) => refused(&app, &visitor, error).await,
    }
}

pub(super) async fn revoke_token(State(app): State<Arc<App>>, posted: Posted) -> Reply {
    let Posted { visitor, form } = posted.ours()?;
    match visitor.client(&app).revoke_token(form.get("id")).await {
        Ok(_) => Ok(see_other("/settings#tokens")),
        Err(error) => refused(&app, &visitor, error).await,
    }
}

pub(super) async fn put_person(State(app): State<Arc<App>>, posted: Posted) -> Reply {
    let Posted { visitor, form } = posted.ours()?;
    let role =
        Role::from_name(form.get("role")).ok_or_else(|| Refusal::invalid("role", "is person or admin"))?;
    let typed = form.0.iter().find(|(name, _)| name == "password").map(|(_, value)| value.as_str());
    let new = NewPerson {
        name: form.get("name").into(),
        role,
        email: Some(form.get("email").to_owned()).filter(|email| !email.is_empty()),
        projects: projects(&form),
        password: typed.filter(|text| !text.is_empty()).map(Password::new),
    };
    match visitor.client(&app).put_person(new).await {
        Ok(_) => Ok(see_other("/settings#people")),
        Err(error) => refused(&app, &visitor, error).await,
    }
}

pub(super) async fn remove_person(State(app): State<Arc<App>>, posted: Posted) -> Reply {
    let Posted { visitor, form } = posted.ours()?;
    match visitor.client(&app).remove_person(form.get("name")).await {
        Ok(()) => Ok(see_other("/settings#people")),
        Err(error) => refused(&app, &visitor, error).await,
    }
}

pub(super) async fn sign_in_link(State(app): State<Arc<App>>, posted: Posted) -> Reply {
    let Posted { visitor, form } = posted.ours()?;
    let name = form.get("name");
    let known = visitor.client(&app).people().await?.into_iter().any(|person| person.name == name);
    if !known {
        return Err(Refusal::NotFound { what: "person", id: name.to_owned() }.into());
    }
    let text = links(&app)?.issue_sign_in(name, app.engine.now().await?)?;
    let notice = html! {
        section .panel.good aria-labelledby="new-link" {
            h2 #new-link { "Sign-in link for " bdi { (inert_line(name)) } }
            p { "It works once, within 15 minutes. Send it only to them:" }
            p { code .secret #secret tabindex="0" { (app.address) "/sign-in/" (text) } " " button type="button" data-copy="secret" hidden { "Copy" } }
        }
    };
    page(&app, &visitor, StatusCode::OK, &notice).await
}

/// Creates a code with which a person links a channel account.
pub(super) async fn link_account(State(app): State<Arc<App>>, posted: Posted) -> Reply {
    let Posted { visitor, form } = posted.ours()?;
    let (name, channel) = (form.get("name"), form.get("channel"));
    match app.engine.account_code(&visitor.caller, links(&app)?, name, channel).await {
        Ok(made) => page(&app, &visitor, StatusCode::OK, &accounts::new_code(&made, name, channel)).await,
        Err(error) => refused(&app, &visitor, error).await,
    }
}

/// Unlinks the accounts of a channel from a person, so that they no longer answer for the person.
pub(super) async fn unlink_account(State(app): State<Arc<App>>, posted: Posted) -> Reply {
    let Posted { visitor, form } = posted.ours()?;
    match visitor.client(&app).unlink_account(form.get("name"), form.get("channel")).await {
        Ok(()) => Ok(see_other("/settings#people")),
        Err(error) => refused(&app, &visitor, error).await,
    }
}

async fn refused(app: &App, visitor: &Visitor, error: Error) -> Reply {
    let Error::Refused(refusal) = error else { return Err(error.into()) };
    let faults: Vec<FieldError> = match &refusal {
        Refusal::Invalid(faults) => faults.clone(),
        Refusal::NotFound { .. } => vec![FieldError::new("name", refusal.to_string())],
        _ => return Err(refusal.into()),
    };
    let notice = html! {
        div .banner.bad role="alert" {
            p { "Nothing was changed:" }
            ul { @for fault in faults { li { (fault.to_string()) } } }
        }
    };
    page(app, visitor, StatusCode::UNPROCESSABLE_ENTITY, &notice).await
}

async fn page(app: &App, visitor: &Visitor, status: StatusCode, notice: &Markup) -> Reply {
    visitor.caller.administers().map_err(PageError::from)?;
    let client = visitor.client(app);
    let (tokens, people) = (client.tokens().await?, client.people().await?);
    let now = app.engine.now().await?;
    let main = html! {
        h1 { "Settings" }
        (notice)
        (people_section(app, visitor, &people))
        (tokens_section(visitor, &tokens, now))
    };
    Ok(Page { title: "Settings", nav: NavItem::Settings, visitor: Some(visitor), seq: None }
        .send(status, &main))
}

fn people_section(app: &App, visitor: &Visitor, people: &[Person]) -> Markup {
    let links = matches!(app.mode, Mode::Auth(_));
    // Without people there is no one to link an account to.
    let channels = if links { accounts::channels(app) } else { Vec::new() };
    html! {
        section #people .panel aria-labelledby="people-title" {
            h2 #people-title { "People" }
            p .hint { "People who sign in to this inbox. Notices and signed links go to their address." }
            @if !people.is_empty() {
                ul .things {
                    @for person in people {
                        li {
                            span .thing {
                                strong dir="auto" { (inert_line(&person.name)) } " "
                                span .tag { (person.role.name()) }
                                span .hint dir="auto" {
                                    @if let Some(email) = &person.email { (inert_line(email)) " · " }
                                    (scope(&person.projects)) " · "
                                    @if person.has_password { "has a password" } @else { "no password" }
                                }
                            }
                            span .acts {
                                @if links {
                                    form method="post" action="/settings/people/link" {
                                        (visitor.token()) input type="hidden" name="name" value=(person.name);
                                        button { "Sign-in link" span .quiet { " for " (inert_line(&person.name)) } }
                                    }
                                }
                                a .button href=(notices::address(&person.name)) {
                                    "Notices" span .quiet { " for " (inert_line(&person.name)) }
                                }
                                (accounts::buttons(visitor, person, &channels))
                                form method="post" action="/settings/people/remove" {
                                    (visitor.token()) input type="hidden" name="name" value=(person.name);
                                    button .no { "Remove" span .quiet { " " (inert_line(&person.name)) } }
                                }
                            }
                        }
                    }
                }
            }
            details {
                summary { "Add or change a person" }
                form .stack method="post" action="/settings/people" autocomplete="off" {
                    (visitor.token())
                    label { "Name" input name="name" required dir="auto"; }
                    label { "Role" select name="role" { option value="person" { "person: answers" } option value="admin" { "admin: answers, and manages settings" } } }
                    label { "E-mail" span .hint { " (optional, for notices)" } input name="email" type="email"; }
                    label { "Projects" span .hint { " (comma-separated; empty = all)" } input name="projects"; }
                    label { "Password" span .hint { " (at least " (MIN_PASSWORD) " characters; the old one stays if empty)" }
                        input name="password" type="password" autocomplete="new-password"; }
                    button .primary { "Save" }
                }
            }
        }
    }
}

fn tokens_section(visitor: &Visitor, tokens: &[Token], now: Timestamp) -> Markup {
    let (alive, revoked): (Vec<&Token>, Vec<&Token>) =
        tokens.iter().partition(|token| token.revoked_at.is_none());
    html! {
        section #tokens .panel aria-labelledby="tokens-title" {
            h2 #tokens-title { "Tokens" }
            p .hint { "Credentials for agents and programs. Tokens are shown only once." }
            @if !alive.is_empty() {
                ul .things {
                    @for token in alive {
                        li {
                            span .thing {
                                strong dir="auto" { (inert_line(&token.name)) } " " span .tag { (token.role.name()) }
                                span .hint { code { (token.id) } " · " (scope(&token.projects)) " · created " (words::ago(token.created_at, now)) " ago by " bdi { (inert_line(&token.created_by)) } }
                            }
                            span .acts {
                                form method="post" action="/settings/tokens/revoke" {
                                    (visitor.token()) input type="hidden" name="id" value=(token.id);
                                    button .no { "Revoke" span .quiet { " the token of " (inert_line(&token.name)) } }
                                }
                            }
                        }
                    }
                }
            }
            details {
                summary { "Create a token" }
                form .stack method="post" action="/settings/tokens" autocomplete="off" {
                    (visitor.token())
                    label { "Name" span .hint { " (shown as the actor)" } input name="name" required dir="auto"; }
                    label { "Role" select name="role" {
                        option value="agent" { "agent: asks, and sees its own" }
                        option value="person" { "person: asks and answers" }
                        option value="admin" { "admin: everything" }
                    } }
                    label { "Projects" span .hint { " (comma-separated; empty = all)" } input name="projects"; }
                    button .primary { "Create token" }
                }
            }
            @if !revoked.is_empty() { p .hint { (revoked.len()) " revoked " @if revoked.len() == 1 { "token" } @else { "tokens" } } }
        }
    }
}

fn scope(projects: &[String]) -> String {
    if projects.is_empty() { "all projects".into() } else { words::short(&projects.join(", "), 100) }
}

fn projects(form: &Form) -> Vec<String> {
    form.get("projects")
        .split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}
