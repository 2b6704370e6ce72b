//! Sends mail.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use holdpoint_core::text::inert;
use holdpoint_core::{Decision, Lane, Occasion, Person, Status};
use holdpoint_protocols::channel::{DetailLevel, progress, remarks};
use holdpoint_protocols::present;
use lettre::message::header::ContentType;
use lettre::message::{Mailbox, Message, MessageBuilder};
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Tls, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use lettre::{Address, AsyncSmtpTransport, AsyncTransport as _, Tokio1Executor};

use super::headers::{AutoSubmitted, ListUnsubscribe, OneClick};
use super::{Settings, digest};
use crate::error::{Error, Result};
use crate::notify::channel::{Channel, DeliveryError};
use crate::notify::channel_settings::as_duration;
use crate::notify::excerpt::excerpt;
use crate::notify::gathering::GatheredNotices;
use crate::notify::notice::Notice;
use crate::notify::outlet::{ChannelKind, Outlet};
use crate::notify::shown::Shown;
use crate::notify::{reply, secret};

/// How many characters of an agent's text go into a subject, and into a message.
const SUBJECT: usize = 120;
const EXCERPT: usize = 4_000;

/// Sends mail through one server.
struct Mail {
    smtp: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
    shown: Shown,
}

impl fmt::Debug for Mail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Mail(…)")
    }
}

#[async_trait]
impl Channel for Mail {
    async fn send(&self, notice: &Notice) -> std::result::Result<(), DeliveryError> {
        let name = excerpt(&notice.target, 60);
        let Some(email) = notice.person.as_ref().and_then(|person| person.email.as_deref()) else {
            tracing::info!(decision.id = %notice.decision.id, "{name} gets no mail: no address is known");
            return Ok(());
        };
        let asks = matches!(notice.occasion, Occasion::Create | Occasion::Escalate | Occasion::Vote);
        if asks && notice.decision.status != Status::Pending {
            // Settled before the message went out: there is nothing left to ask.
            return Ok(());
        }
        let message = self.message(notice, address(&notice.target, email)?)?;
        self.post(message).await
    }

    async fn gather(&self, gathering: &GatheredNotices) -> std::result::Result<(), DeliveryError> {
        let Some(email) = &gathering.person.email else { return Ok(()) };
        let domain = self.from.email.domain();
        let count = gathering.notices.len();
        let mut message = self
            .begin(address(&gathering.person.name, email)?)
            .subject(digest::subject(gathering))
            .message_id(Some(format!("<digest.{}.{count}@{domain}>", gathering.id)));
        if let Some(link) = &gathering.unsubscribe {
            message = message.header(ListUnsubscribe(link.clone()));
            if OneClick::suits(link) {
                message = message.header(OneClick);
            }
        }
        self.post(written(message, digest::text(gathering))?).await
    }

    async fn test(&self, person: &Person) -> std::result::Result<(), DeliveryError> {
        let Some(email) = &person.email else { return Err(DeliveryError::never("no address is known")) };
        let message = self.begin(address(&person.name, email)?).subject("A test of Holdpoint");
        let text = "This message only shows that messages arrive. There is nothing to do.\r\n";
        self.post(written(message, text.into())?).await
    }
}

impl Mail {
    fn message(&self, notice: &Notice, to: Mailbox) -> std::result::Result<Message, DeliveryError> {
        let (decision, domain) = (&notice.decision, self.from.email.domain());
        let subject: String = format!("{}: {}", headline(notice), excerpt(decision.summary(), SUBJECT));
        let thread = format!("<thread.{}@{domain}>", notice.root);
        let message = self
            .begin(to)
            .subject(subject)
            // The same each time it is sent, so that a recipient who gets it twice can recognise it.
            .message_id(Some(format!("<{}.{}@{domain}>", notice.id, decision.id)))
            // All mail about a decision and its rounds refers to one message that was never sent, so that it forms one
            // thread.
            .in_reply_to(thread.clone())
            .references(thread);
        written(message, text(notice, self.shown.of(decision)))
    }

    fn begin(&self, to: Mailbox) -> MessageBuilder {
        Message::builder().from(self.from.clone()).to(to).header(AutoSubmitted)
    }

    async fn post(&self, message: Message) -> std::result::Result<(), DeliveryError> {
        self.smtp.send(message).await.map(drop).map_err(|error| trouble(&error))
    }
}

fn address(name: &str, email: &str) -> std::result::Result<Mailbox, DeliveryError> {
    let wrong = |_| DeliveryError::never(format!("the address of {} is not an address", excerpt(name, 60)));
    Ok(Mailbox::new(None, email.parse::<Address>().map_err(wrong)?))
}

fn written(message: MessageBuilder, text: String) -> std::result::Result<Message, DeliveryError> {
    let wrong = |why| DeliveryError::never(format!("the message cannot be written: {why}"));
    message.header(ContentType::TEXT_PLAIN).body(text).map_err(wrong)
}

fn headline(notice: &Notice) -> &'static str {
    match notice.occasion {
        Occasion::Create => "Decision needed",
        Occasion::Respond => "Decision settled",
        Occasion::Timeout => "Deadline passed",
        Occasion::Escalate => "Decision still needed",
        Occasion::Vote => "Vote recorded",
    }
}

/// Returns the message: our own lines first, then the agent's text, each line marked as a quotation, so that none of it
/// can pass for ours.
fn text(notice: &Notice, show: DetailLevel) -> String {
    let decision = &notice.decision;
    let mut lines =
        vec![format!("{} in project {}.", headline(notice), excerpt(&decision.project, 60)), String::new()];
    match (&notice.link, &notice.url) {
        (Some(link), _) => {
            lines.push("Look at it and answer, once, without signing in:".into());
            lines.push(link.reveal().to_owned());
            lines.push("Keep this link to yourself: anyone who has it can answer in your name.".into());
        }
        (None, Some(url)) => lines.extend(["Look at it:".into(), url.clone()]),
        (None, None) => {}
    }
    if let Some(deadline) = decision.deadline {
        lines.push(format!("Deadline: {deadline}"));
    }
    lines.extend(progress(decision));
    lines.push(format!("On the command line: hold show {}", decision.id));
    lines.extend(decision.account_warning().map(|warning| format!("Warning: {warning}")));
    if show < DetailLevel::Prompt {
        lines.extend([String::new(), format!("{} asks. The card shows what.", asker(decision))]);
        return lines.join("\r\n") + "\r\n";
    }
    if show >= DetailLevel::All
        && let Some(subject) = present::subject(decision)
    {
        lines.extend([String::new(), format!("{}:", subject.title)]);
        lines.extend(quoted(&subject.text()));
    }
    lines.extend([String::new(), format!("{} wrote:", asker(decision))]);
    let written = [decision.title.as_deref(), decision.prompt.as_deref()].into_iter().flatten();
    lines.extend(quoted(&inert(&written.collect::<Vec<_>>().join("\n\n"))));
    let remarks = remarks(decision);
    if !remarks.is_empty() {
        lines.push(String::new());
        lines.extend(quoted(&remarks.join("\n")));
    }
    lines.join("\r\n") + "\r\n"
}

/// Marks each line as a quotation, and adds how much of the text is left out.
fn quoted(text: &str) -> Vec<String> {
    let shown: String = text.chars().take(EXCERPT).collect();
    let mut lines: Vec<String> = shown.lines().map(|line| format!("> {line}")).collect();
    let left = text.chars().count() - shown.chars().count();
    if left > 0 {
        lines.push("> […]".into());
        lines.push(format!(
            "{left} more characters are not in this message; hold show and the page show all of it."
        ));
    }
    lines
}

fn asker(decision: &Decision) -> String {
    decision.asker().map_or_else(|| "Someone".into(), |asker| asker.to_string())
}

fn trouble(error: &lettre::transport::smtp::Error) -> DeliveryError {
    let code = error.status().map(u16::from);
    let why = format!("the mail server: {}", reply::loggable(&error.to_string(), &[]));
    match code {
        // Wrong credentials are for the operator to fix; the message is as good as before.
        Some(530 | 534 | 535 | 538) => DeliveryError::later(why),
        Some(500..=599) => DeliveryError::never(why),
        _ => DeliveryError::later(why),
    }
}

impl Settings {
    pub(super) fn from(&self) -> std::result::Result<Mailbox, String> {
        self.from.parse().map_err(|_| "from is not an address like Holdpoint <hold@example.org>".into())
    }

    fn open(&self, projects: &BTreeMap<String, DetailLevel>) -> std::result::Result<Mail, String> {
        let (url, host, port) = self.server()?;
        let from = self.from()?;
        let _ = rustls::crypto::ring::default_provider().install_default();
        let tls = TlsParameters::new(host.clone()).map_err(|why| format!("server: {why}"))?;
        let here = host == "localhost" || host.parse().is_ok_and(|ip: std::net::IpAddr| ip.is_loopback());
        let tls = match url.scheme() {
            "smtps" => Tls::Wrapper(tls),
            _ if here || self.allow_plain => Tls::Opportunistic(tls),
            _ => Tls::Required(tls),
        };
        let mut smtp = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(host)
            .port(port)
            .tls(tls)
            .hello_name(ClientId::Domain(from.email.domain().to_owned()))
            .timeout(Some(as_duration(self.timeout)));
        if let Some(user) = &self.user {
            let password =
                secret::read("password", self.password_env.as_deref(), self.password_file.as_deref())?;
            smtp = smtp.credentials(Credentials::new(user.clone(), password.reveal().to_owned()));
        }
        // A mailbox is a person's own: unless the settings say less, it gets everything.
        Ok(Mail { smtp: smtp.build(), from, shown: Shown::new(DetailLevel::All, projects) })
    }
}

pub(in crate::notify) fn open(
    settings: &Settings,
    projects: &BTreeMap<String, DetailLevel>,
) -> Result<Outlet> {
    let channel = settings.open(projects).map_err(|why| Error::Settings(format!("mail: {why}")))?;
    // Of a conversation of several steps each has its time; all together have a little more.
    let timeout = as_duration(settings.timeout) + Duration::from_secs(1);
    Ok(Outlet { lane: Lane::Mail, target: None, timeout, way: ChannelKind::Once(Arc::new(channel)) })
}
