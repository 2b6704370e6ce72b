//! What each source offers: options, outs, recommendations and effects.

use holdpoint_core::field::Effect;
use holdpoint_core::{Kind, Opt, Source};

/// What a source offers.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceOptions {
    /// The kind of its only field.
    pub kind: Kind,
    /// The options of that field; none for a question, which brings its own.
    pub options: Vec<Opt>,
    /// The outs.
    pub outs: Vec<Opt>,
}

/// The sources of escalations of jobs and crews, in the order in which they are listed.
pub const SOURCES: [Source; 7] = [
    Source::Idle,
    Source::Dead,
    Source::Error,
    Source::Gate,
    Source::Approval,
    Source::Question,
    Source::Plan,
];

/// Returns what a source offers; none if no job or crew escalates with it.
pub fn offer(source: Source) -> Option<SourceOptions> {
    let (kind, options, outs) = match source {
        Source::Idle => (Kind::Choice, vec![recommended(nudge()), done()], vec![cancel(), dismiss()]),
        Source::Dead | Source::Error => {
            let retry = retry("Start the agent again where it left off");
            let skip = skip("Count the step as done and go on without the agent");
            (Kind::Choice, vec![recommended(retry), skip], vec![cancel(), dismiss()])
        }
        Source::Gate => {
            let retry = retry("Start the agent again; the gate is run again after it");
            let skip = skip("Go on as if the gate had passed");
            (Kind::Choice, vec![recommended(retry), skip], vec![cancel()])
        }
        Source::Approval => {
            let approve = option("approve", "Approve", Effect::Approve, "Allows it once");
            let deny = option("deny", "Deny", Effect::Deny, "Does not allow it");
            (Kind::Confirm, vec![approve, Opt { refuses: true, ..deny }], vec![cancel(), dismiss()])
        }
        Source::Question => (Kind::Choice, Vec::new(), vec![cancel(), dismiss()]),
        Source::Plan => (Kind::Choice, plan(), vec![cancel()]),
        Source::Request | Source::Form | Source::Verdict => return None,
    };
    Some(SourceOptions { kind, options, outs })
}

fn nudge() -> Opt {
    option("nudge", "Nudge", Effect::Resume, "Tell the agent to go on")
}

fn done() -> Opt {
    option("done", "Done", Effect::Advance, "Count the step as done and go on")
}

fn retry(description: &str) -> Opt {
    option("retry", "Retry", Effect::Restart, description)
}

fn skip(description: &str) -> Opt {
    option("skip", "Skip", Effect::Advance, description)
}

fn plan() -> Vec<Opt> {
    let revise = option("revise", "Revise", Effect::Revise, "Send the plan back with your remarks");
    vec![
        recommended(option(
            "accept_clear",
            "Accept (clear context)",
            Effect::AcceptClear,
            "Take the plan; the agent starts on it afresh and edits without asking",
        )),
        option(
            "accept_auto",
            "Accept (auto edits)",
            Effect::AcceptAuto,
            "Take the plan; the agent edits without asking",
        ),
        option(
            "accept_manual",
            "Accept (manual edits)",
            Effect::AcceptManual,
            "Take the plan; the agent asks before every edit",
        ),
        Opt { refuses: true, ..revise },
    ]
}

fn cancel() -> Opt {
    option("cancel", "Cancel", Effect::Cancel, "Stop the work for good")
}

fn dismiss() -> Opt {
    option("dismiss", "Dismiss", Effect::Dismiss, "Leave it waiting")
}

fn option(id: &str, label: &str, effect: Effect, description: &str) -> Opt {
    Opt { effect: Some(effect), description: Some(description.to_owned()), ..Opt::new(id, label) }
}

fn recommended(option: Opt) -> Opt {
    Opt { recommended: true, ..option }
}
