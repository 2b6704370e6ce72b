//! Objects that are only stored: plans, tool calls, context, and the settings of models.

use holdpoint_core::run::RunCommand;
use holdpoint_core::{Auth, Refusal, Run};
use holdpoint_protocols::gitai::{Moment, Object, links, record};
use serde_json::Value;

use crate::auth::Caller;
use crate::engine::Engine;
use crate::error::Result;

impl Engine {
    /// Stores an object with a run: parsed and completed, checked against the other objects of the task, and never
    /// rewritten. Returns the run and the stored object.
    pub async fn record_in_run(&self, caller: &Caller, run: &Run, given: &Value) -> Result<(Run, Value)> {
        let wrong = |why: String| Refusal::invalid("object", why);
        let mut objects = Vec::new();
        for attempt in self.attempts(run.task.id).await? {
            objects.extend(self.run_objects(&attempt).await?);
        }
        let known: links::Known<'_> =
            objects.iter().map(|object| (object.header().object_id, object)).collect();
        let frame = record::Frame {
            id: self.object_id()?,
            run: run.id,
            intent: run.intent.as_ref().map(|intent| intent.id),
            at: Moment::from(self.now().await?),
            by: caller.actor.by.clone(),
            believed: caller.actor.auth == Auth::Claimed || caller.actor.auth == Auth::Local,
        };
        let object = record::read(given, &frame, &known).map_err(wrong)?;
        let value: Value = serde_json::from_str(&object.text().map_err(wrong)?)
            .map_err(|why| wrong(format!("cannot be written: {why}")))?;
        match known.get(&object.header().object_id) {
            Some(kept) if same(kept, &object) => return Ok((run.clone(), value)),
            Some(_) => {
                let id = object.header().object_id;
                return Err(wrong(format!("{id} already exists with other content")).into());
            }
            None => {}
        }
        let command = RunCommand::Record { kind: object.kind().folder().to_owned(), object: value.clone() };
        Ok((self.on_run(caller, run, command).await?, value))
    }
}

/// Returns whether two objects have the same content.
fn same(one: &Object, other: &Object) -> bool {
    one.text().ok() == other.text().ok()
}
