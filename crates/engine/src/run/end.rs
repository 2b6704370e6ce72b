//! The end of the work on a run: a person is asked, or the verdict is given at once.

use holdpoint_core::run::{Judge, Judgement, ObjectId, RunCommand, Verdict};
use holdpoint_core::{Refusal, Run};
use serde::{Deserialize, Serialize};

use crate::auth::Caller;
use crate::engine::Engine;
use crate::error::Result;

/// Who or what gives a verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = WhoJudges))]
#[serde(rename_all = "snake_case")]
pub enum Judged {
    /// A person is asked.
    #[default]
    Ask,
    /// The evidence.
    Auto,
    /// The caller that finishes it.
    Agent,
}

/// How a run is finished.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, default)]
pub struct FinishRun {
    /// Who gives the verdict: `ask`, or where the project allows it `auto` or `agent`.
    pub verdict: Judged,
    /// With `agent`, what it says: `commit`, `checkpoint`, `retry`, `abandon` or `rollback`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choose: Option<String>,
    /// With `commit`, which patch set; the last if none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub patchset: Option<ObjectId>,
    /// With `retry`, what the next attempt is to be started with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameters: Option<String>,
    /// A note for the person who decides, or why it was decided so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Who is asked; anyone if empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub assignees: Vec<String>,
    /// The work items that wait for the verdict.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<String>,
}

impl Engine {
    /// Ends the work on a run, and requests its verdict or gives it.
    pub async fn finish_run(&self, caller: &Caller, run: &Run, finish: FinishRun) -> Result<Run> {
        let judge = match finish.verdict {
            Judged::Ask => None,
            Judged::Auto => Some(Judge::Auto),
            Judged::Agent => Some(Judge::Agent),
        };
        if judge != Some(Judge::Agent)
            && (finish.choose.is_some() || finish.patchset.is_some() || finish.parameters.is_some())
        {
            return Err(
                Refusal::invalid("choose", "goes with the verdict of an agent, and only with that").into()
            );
        }
        let Some(judge) = judge else {
            let FinishRun { message, assignees, blocks, .. } = finish;
            return self.on_run(caller, run, RunCommand::Finish { message, assignees, blocks }).await;
        };
        let unknown = |name: &String| {
            let names: Vec<&str> = Verdict::ALL.iter().map(|verdict| verdict.name()).collect();
            let name = holdpoint_core::text::quote(name);
            Refusal::invalid(
                "choose",
                format!("{name} is not a verdict; choose one of: {}", names.join(", ")),
            )
        };
        let verdict = finish.choose.as_ref();
        let verdict =
            verdict.map(|name| Verdict::from_name(name).ok_or_else(|| unknown(name))).transpose()?;
        let (patchset, parameters, rationale) = (finish.patchset, finish.parameters, finish.message);
        let judgement = Judgement { judge, verdict, patchset, parameters, rationale };
        self.on_run(caller, run, RunCommand::Judge(Box::new(judgement))).await
    }
}
