//! Sends mail.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use holdpoint_core::text::inert;
use holdpoint_core::{Decision, Lane, Occasion, Status};
use holdpoint_protocols::present;
use lettre::message::header::{ContentType, Header, HeaderName, HeaderValue};
use lettre::message::{Mailbox, Message};
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Tls, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use lettre::{Address, AsyncSmtpTransport, AsyncTransport as _, Tokio1Executor};

use super::Settings;
use crate::error::{Error, Result};
use crate::notify::{Channel, Notice, Outlet, Trouble, Way, as_duration, excerpt, secret};
use crate::settings;

/// How many characters of what an agent wrote go into a subject, and into a message.
const SUBJECT: usize = 120;
const EXCERPT: usize = 4_000;

/// Sends mail through one server.
struct Mail {
    smtp: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
}

impl fmt::Debug for Mail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Mail(…)")
    }
}

#[async_trait]
impl Channel for Mail {
    async fn send(&self, notice: &Notice) -> std::result::Result<(), Trouble> {
        let name = excerpt(&notice.target, 60);
        let Some(email) = notice.person.as_ref().and_then(|person| person.email.as_deref()) else {
            tracing::info!(decision.id = %notice.decision.id, "{name} gets no mail: no address is known");
            return Ok(());
        };
        let asks = matches!(notice.occasion, Occasion::Create | Occasion::Escalate);
        if asks && notice.decision.status != Status::Pending {
            // Settled before the message went out: there is nothing left to ask.
            return Ok(());
        }
        let to: Address =
            email.parse().map_err(|_| Trouble::never(format!("the address of {name} is not an address")))?;
        let message = self.message(notice, Mailbox::new(None, to))?;
        self.smtp.send(message).await.map(drop).map_err(|error| trouble(&error))
    }
}

impl Mail {
    fn message(&self, notice: &Notice, to: Mailbox) -> std::result::Result<Message, Trouble> {
        let (decision, domain) = (&notice.decision, self.from.email.domain());
        let subject: String = format!("{}: {}", headline(notice), excerpt(decision.summary(), SUBJECT));
        Message::builder()
            .from(self.from.clone())
            .to(to)
            .subject(subject)
            // The same each time it is sent, so that a recipient who gets it twice can tell.
            .message_id(Some(format!("<{}.{}@{domain}>", notice.id, decision.id)))
            .header(AutoSubmitted)
            .header(ContentType::TEXT_PLAIN)
            .body(text(notice))
            .map_err(|why| Trouble::never(format!("the message cannot be written: {why}")))
    }
}

fn headline(notice: &Notice) -> &'static str {
    match notice.occasion {
        Occasion::Create => "Decision needed",
        Occasion::Respond => "Decision settled",
        Occasion::Timeout => "Deadline passed",
        Occasion::Escalate => "Decision still needed",
    }
}

/// Returns the message: our own lines first, then what the agent wrote, each line marked as a quotation, so that
/// nothing in it can pass for ours.
fn text(notice: &Notice) -> String {
    let decision = &notice.decision;
    let mut lines =
        vec![format!("{} in project {}.", headline(notice), excerpt(&decision.project, 60)), String::new()];
    match (&notice.link, &notice.url) {
        (Some(link), _) => {
            lines.push("Look at it and answer, once, without signing in:".into());
            lines.push(link.reveal().to_owned());
            lines.push("The link is yours alone: anyone who has it can answer in your name.".into());
        }
        (None, Some(url)) => lines.extend(["Look at it:".into(), url.clone()]),
        (None, None) => {}
    }
    if let Some(deadline) = decision.deadline {
        lines.push(format!("Deadline: {deadline}"));
    }
    lines.push(format!("On the command line: hold show {}", decision.id));
    lines.extend(decision.account_warning().map(|warning| format!("Warning: {warning}")));
    if let Some(subject) = present::subject(decision) {
        lines.extend([String::new(), format!("{}:", subject.title)]);
        lines.extend(quoted(&subject.text()));
    }
    lines.extend([String::new(), format!("{} wrote:", asker(decision))]);
    let written = [decision.title.as_deref(), decision.prompt.as_deref()].into_iter().flatten();
    lines.extend(quoted(&inert(&written.collect::<Vec<_>>().join("\n\n"))));
    lines.join("\r\n") + "\r\n"
}

/// Marks each line as a quotation, and says how much of the text is left out.
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

fn trouble(error: &lettre::transport::smtp::Error) -> Trouble {
    let code = error.status().map(u16::from);
    let why = format!("the mail server: {}", excerpt(&error.to_string(), 200));
    match code {
        // Wrong credentials are for the operator to fix; the message is as good as before.
        Some(530 | 534 | 535 | 538) => Trouble::later(why),
        Some(500..=599) => Trouble::never(why),
        _ => Trouble::later(why),
    }
}

/// Tells answering machines not to answer.
#[derive(Clone, Copy)]
struct AutoSubmitted;

impl Header for AutoSubmitted {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("Auto-Submitted")
    }

    fn parse(_: &str) -> std::result::Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(Self)
    }

    fn display(&self) -> HeaderValue {
        HeaderValue::new(Self::name(), "auto-generated".into())
    }
}

impl Settings {
    pub(super) fn from(&self) -> std::result::Result<Mailbox, String> {
        self.from.parse().map_err(|_| "from is not an address like Holdpoint <hold@example.org>".into())
    }

    fn open(&self) -> std::result::Result<Mail, String> {
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
        Ok(Mail { smtp: smtp.build(), from })
    }
}

pub(super) fn open(settings: &settings::Settings) -> Result<Vec<Outlet>> {
    let Some(mail) = &settings.mail else { return Ok(Vec::new()) };
    let channel = mail.open().map_err(|why| Error::Settings(format!("mail: {why}")))?;
    // Of a conversation of several steps each has its time; all together have a little more.
    let timeout = as_duration(mail.timeout) + Duration::from_secs(1);
    Ok(vec![Outlet { lane: Lane::Mail, target: None, timeout, way: Way::Once(Arc::new(channel)) }])
}
