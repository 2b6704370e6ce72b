//! Objects that are submitted to be stored with a run: parsed, completed, and checked against the known ones.

use holdpoint_core::run::ObjectId;
use serde_json::{Value, json};

use super::links::{self, Known};
use super::{Moment, Object, ObjectType};

/// The values that are filled in if missing.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The id of a new object.
    pub id: ObjectId,
    /// The run it is stored with.
    pub run: ObjectId,
    /// The intent of that run.
    pub intent: Option<ObjectId>,
    /// When it is submitted.
    pub at: Moment,
    /// Who submits it.
    pub by: String,
    /// Whether another maker may be named.
    pub believed: bool,
}

/// Reads an object that is to be stored. `object_type` is required; id, version, time, maker, run and intent are filled
/// in if missing.
pub fn read(given: &Value, frame: &Frame, known: &Known<'_>) -> Result<Object, String> {
    let mut given = given.clone();
    let Some(map) = given.as_object_mut() else { return Err("is not a JSON object".into()) };
    let named = map.get("object_type").cloned();
    let Some(named) = named else { return Err(format!("has no object_type; one of: {}", names())) };
    let kind: ObjectType = serde_json::from_value(named.clone())
        .map_err(|_| format!("is of the type {named}, which is none of: {}", names()))?;
    if let Some(instead) = operation_hint(kind) {
        return Err(format!("is a {}: {instead}", kind.folder()));
    }
    let mut fill = |key: &str, value: Value| {
        map.entry(key).or_insert(value);
    };
    fill("object_id", json!(frame.id));
    fill("version", json!(1));
    fill("created_at", json!(frame.at.to_string()));
    fill(
        "created_by",
        json!({ "kind": if frame.by.starts_with("agent") { "agent" } else { "human" }, "id": frame.by }),
    );
    match kind {
        ObjectType::Provenance
        | ObjectType::ToolInvocation
        | ObjectType::PlanStepEvent
        | ObjectType::ContextFrame => {
            fill("run_id", json!(frame.run));
        }
        ObjectType::IntentEvent => match frame.intent {
            Some(intent) => fill("intent_id", json!(intent)),
            None if !map.contains_key("intent_id") => {
                return Err("is an event of no intent: the run has none. Name one that was recorded here (\"intent_id\": \
                            its object_id)"
                    .into());
            }
            None => {}
        },
        ObjectType::Plan => match frame.intent {
            Some(intent) => fill("intent", json!(intent)),
            None if !map.contains_key("intent") => {
                return Err("is a plan for no intent: the run has none. Begin a run with --intent, or record an intent \
                            first and name it here (\"intent\": its object_id)"
                    .into());
            }
            None => {}
        },
        _ => {}
    }
    // The place in the text is meaningless, since missing values have been filled in.
    let plain = |why: String| why.split(" at line ").next().unwrap_or_default().to_owned();
    let object = Object::read(kind, &given.to_string()).map_err(plain)?;
    if let Some(odd) = object.oddities().first() {
        return Err(odd.clone());
    }
    if !frame.believed && object.header().created_by.id != frame.by {
        return Err(format!("says that {} made it; leave created_by out", object.header().created_by.id));
    }
    if of_run(&object).is_some_and(|run| run != frame.run) {
        return Err(format!("is of another run than {}", frame.run));
    }
    links::check(&object, known)?;
    Ok(object)
}

/// Returns the run of an object, if it has one.
fn of_run(object: &Object) -> Option<ObjectId> {
    match object {
        Object::Provenance(it) => Some(it.run_id),
        Object::ToolInvocation(it) => Some(it.run_id),
        Object::PlanStepEvent(it) => Some(it.run_id),
        Object::ContextFrame(it) => it.run_id,
        _ => None,
    }
}

/// The types that are stored: all without a separate operation.
const KEPT: [ObjectType; 8] = [
    ObjectType::Intent,
    ObjectType::IntentEvent,
    ObjectType::Plan,
    ObjectType::PlanStepEvent,
    ObjectType::Provenance,
    ObjectType::ToolInvocation,
    ObjectType::ContextSnapshot,
    ObjectType::ContextFrame,
];

fn names() -> String {
    let name = |kind: &ObjectType| {
        serde_json::to_value(kind).ok().and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default()
    };
    KEPT.iter().map(name).collect::<Vec<_>>().join(", ")
}

/// Returns the operation for a type that has its own.
fn operation_hint(kind: ObjectType) -> Option<&'static str> {
    match kind {
        ObjectType::Task | ObjectType::Run | ObjectType::RunEvent | ObjectType::TaskEvent => {
            Some("it follows from beginning and ending a run")
        }
        ObjectType::PatchSet => Some("propose a change instead (hold run patch)"),
        ObjectType::Evidence => Some("add evidence instead (hold run evidence)"),
        ObjectType::RunUsage => Some("add usage instead (hold run usage)"),
        ObjectType::Decision => {
            Some("a run has one verdict, recorded once it was carried out (hold run finish)")
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(n: u8) -> ObjectId {
        ObjectId::at(holdpoint_core::Timestamp::from_millis(1_763_164_800_000), [n; 10])
    }

    fn frame() -> Frame {
        let at = Moment::from(holdpoint_core::Timestamp::from_millis(1_763_164_800_000));
        Frame { id: id(9), run: id(1), intent: Some(id(2)), at, by: "agent-7".into(), believed: false }
    }

    fn objects() -> Vec<Object> {
        let header = |n: u8, kind: &str| {
            json!({"object_id": id(n), "object_type": kind, "version": 1, "created_at": "2026-11-15T00:00:00Z",
                   "created_by": {"kind": "agent", "id": "a"}})
        };
        let with = |mut head: Value, more: Value| {
            head.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            Object::read_any(&head.to_string()).unwrap()
        };
        vec![
            with(header(1, "run"), json!({"task": id(3), "commit": "a".repeat(64)})),
            with(header(2, "intent"), json!({"prompt": "x"})),
            with(header(3, "task"), json!({"title": "t"})),
            with(
                header(4, "plan"),
                json!({"intent": id(2), "steps": [{"step_id": id(5), "description": "d"}]}),
            ),
            with(header(6, "plan"), json!({"intent": id(7), "steps": []})),
        ]
    }

    fn take(given: &Value) -> Result<Object, String> {
        let objects = objects();
        let known: Known<'_> = objects.iter().map(|it| (it.header().object_id, it)).collect();
        read(given, &frame(), &known)
    }

    #[test]
    fn what_is_left_out_is_filled_in() {
        for given in [
            json!({"object_type": "provenance", "provider": "p", "model": "m"}),
            json!({"object_type": "tool_invocation", "tool_name": "sh", "status": "ok"}),
            json!({"object_type": "context_frame", "kind": "checkpoint", "summary": "s"}),
            json!({"object_type": "context_snapshot", "selection_strategy": "explicit"}),
            json!({"object_type": "plan", "parents": [id(4)], "steps": []}),
            json!({"object_type": "plan_step_event", "plan_id": id(4), "step_id": id(5), "status": "completed"}),
            json!({"object_type": "intent_event", "kind": "analyzed"}),
            json!({"object_type": "intent", "prompt": "more", "parents": [id(2)]}),
        ] {
            let object = take(&given).unwrap_or_else(|why| panic!("{given}: {why}"));
            assert_eq!(object.header().object_id, id(9));
            assert_eq!(object.header().created_by.id, "agent-7");
        }
    }

    #[test]
    fn a_plan_without_an_intent_says_what_to_do() {
        let given = json!({"object_type": "plan", "steps": []});
        let frame = Frame { intent: None, ..frame() };
        let said = read(&given, &frame, &Known::default()).unwrap_err();
        assert!(said.contains("--intent") && !said.contains("line"), "{said}");
        let said = take(&json!({"object_type": "provenance", "model": "m"})).unwrap_err();
        assert!(said.contains("provider") && !said.contains("column"), "{said}");
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let rows = [
            (json!([]), "not a JSON object"),
            (json!({}), "no object_type"),
            (json!({"object_type": "poem"}), "none of: intent"),
            (json!({"object_type": "decision", "run_id": id(1)}), "one verdict"),
            (json!({"object_type": "patch_set"}), "hold run patch"),
            (json!({"object_type": "provenance", "provider": "p", "model": "m", "more": 1}), "unknown field"),
            (
                json!({"object_type": "provenance", "provider": "p", "model": "m", "run_id": id(8)}),
                "another run",
            ),
            (json!({"object_type": "plan", "intent": id(8), "steps": []}), "no intent"),
            (json!({"object_type": "plan", "parents": [id(6)], "steps": []}), "same intent"),
            (json!({"object_type": "plan", "parents": [id(4), id(4)], "steps": []}), "twice"),
            (json!({"object_type": "plan", "parents": [id(9)], "steps": []}), "itself"),
            (
                json!({"object_type": "plan_step_event", "plan_id": id(4), "step_id": id(1), "status": "failed"}),
                "no step",
            ),
            (
                json!({"object_type": "context_frame", "kind": "checkpoint", "summary": "", "step_id": id(5)}),
                "no plan",
            ),
            (
                json!({"object_type": "context_snapshot", "selection_strategy": "explicit", "version": 2}),
                "version 2",
            ),
            (
                json!({"object_type": "context_snapshot", "selection_strategy": "explicit",
                       "created_by": {"kind": "human", "id": "ana"}}),
                "says that ana",
            ),
        ];
        for (given, why) in rows {
            let said = take(&given).unwrap_err();
            assert!(said.contains(why), "{given}: {said}");
        }
    }
}
