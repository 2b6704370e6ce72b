//! `hold bd decision respond`: answers the decision that a work item waits for.

use holdpoint_core::{Source, Status};
use holdpoint_engine::Role;
use holdpoint_protocols::beads;
use serde_json::Value;

use super::point::{self, PointView};
use super::unsupported;
use crate::cli::answer;
use crate::cli::context::Context;
use crate::cli::failure::{Exit, Failure};
use crate::cli::read_before_consent::{self, ReadOutcome};
use crate::cli::shown_digests::{self, Consent, Stream};
use crate::cli::ui::{self, Ui};
use crate::cli::verdict_outcome::{carried, carrier};
use crate::view_model::change;
use crate::view_model::owners::OwnerNames;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The work item; or a decision, by its id or an unambiguous prefix
    issue: String,
    /// The option to choose
    #[arg(short = 's', long, visible_alias = "select", value_name = "ID")]
    option: Option<String>,
    /// The number of the patch set that a verdict commits
    #[arg(long, value_name = "N", conflicts_with_all = ["text", "guidance"])]
    patchset: Option<usize>,
    /// Your own words
    #[arg(short, long, allow_hyphen_values = true)]
    text: Option<String>,
    /// What should be different; opens another round
    #[arg(long, allow_hyphen_values = true, value_name = "TEXT")]
    guidance: Option<String>,
    /// Take the text as the answer, without another round
    #[arg(long)]
    accept_guidance: bool,
    /// The person who answers
    #[arg(long, value_name = "NAME")]
    by: Option<String>,
    /// The digest of what you saw, if this terminal has not shown it
    #[arg(long)]
    digest: Option<String>,
    #[arg(long, hide = true, value_name = "TEXT", value_parser = unsupported::reason)]
    reason: Option<String>,
}

pub(super) async fn run(
    arguments: Arguments,
    json: bool,
    here: &str,
    context: &Context,
    ui: &mut Ui,
) -> Result<Exit, Failure> {
    let Arguments { issue, option, patchset, text, guidance, accept_guidance, by, digest, reason: _ } =
        arguments;
    let client = context.client(Role::Writer).await?;
    let decision = point::find_to_settle(&*client, here, &issue, &[Status::Answered]).await?;
    let others = point::hint_of_others(&*client, here, &issue, &decision).await;
    shown_digests::is_still(&issue, &decision, &context.home)?;
    let given = beads::Respond { option, text, guidance, accept_guidance, by: by.clone() };
    let mut input = beads::respond(&decision, &given)?;
    if let Some(number) = patchset {
        answer::takes_patchset(&decision, &input)?;
        input.values.insert("patchset".to_owned(), Value::from(number.to_string()));
    }
    answer::names_patchset(&decision, &input, |id| format!("--option commit --patchset {id}"))?;
    let now = client.now().await?;
    let diff = change::read(&*client, &decision).await;
    let names = OwnerNames::of(&*client, std::slice::from_ref(&decision)).await;
    let owner_name = names.name(&decision);
    let shown = PointView { decision: &decision, owner_name, diff: diff.as_deref(), here, now };
    let (has_digest, card) = (digest.is_some(), shown.text(ui));
    match shown_digests::consent(&decision, digest, || card, diff.as_deref(), context, ui)? {
        Consent::Send(digest) => input.digest = digest,
        Consent::Withheld => return Ok(Exit::StillPending),
    }
    // A digest on the command line does not tell what was on this screen.
    if !has_digest && ui::is_interactive() {
        match read_before_consent::ask(&*client, &decision, diff.as_deref(), None, &input, ui).await? {
            ReadOutcome::Send(seen) => input.seen = seen,
            ReadOutcome::Back => {
                ui.note(format!("Nothing was sent; {} is still pending.", decision.id));
                return Ok(Exit::StillPending);
            }
        }
    }
    let answered = client.answer(decision.id, input).await;
    // What becomes of a verdict is reported at the end.
    let is_carried = decision.source == Source::Verdict && !json;
    for failure in client.finish().await {
        if !is_carried {
            ui.warn(failure);
        }
    }
    let answered =
        answered.map_err(|error| others.clone().into_iter().fold(Failure::from(error), Failure::hint))?;
    if let Some(hint) = others {
        ui.note(format!("hint: {}", ui.spoken(&hint)));
    }
    // The same name may stand for another question next time.
    shown_digests::shown_as(&issue, &decision, Stream::Out, &context.home);
    answer::warn_of_name(by.as_deref(), &answered, ui);
    if json {
        ui.json(&beads::view(&answered.decision))?;
        return Ok(Exit::Done);
    }
    answer::report(&answered, false, ui)?;
    if !is_carried {
        return Ok(Exit::Done);
    }
    let ended = carried(&answered.decision, carrier(context, &*client).await?, &*client, ui).await?;
    Ok(ended.unwrap_or(Exit::Done))
}
