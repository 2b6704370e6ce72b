//! All objects of a task's attempts, in the shared format.

use std::collections::BTreeMap;

use holdpoint_core::Run;
use holdpoint_core::run::ObjectId;
use holdpoint_protocols::gitai::{Object, translate};

use crate::engine::Engine;
use crate::error::{Error, Result};

impl Engine {
    /// Returns every object of a run: those derived from it, and those recorded with it. For an imported run these are
    /// the objects that it was read from, with what happened to it here.
    pub async fn run_objects(&self, run: &Run) -> Result<Vec<Object>> {
        let wrong =
            |why: String| Error::Settings(format!("run {} cannot be exported: {why}", run.id.short()));
        let mut objects: BTreeMap<ObjectId, Object> = BTreeMap::new();
        let mut kept = Vec::new();
        // Most runs record nothing else, so their events need not be read.
        let events =
            if run.imported || run.recorded > 0 { self.store.run_events(run).await? } else { Vec::new() };
        for event in events {
            let Some(body) = &event.body else { continue };
            match event.tag.as_str() {
                "run:recorded" => kept.push(body["object"].clone()),
                "run:imported" => kept.extend(body["objects"].as_array().cloned().unwrap_or_default()),
                _ => {}
            }
        }
        for object in kept.iter().filter_map(|object| Object::read_any(&object.to_string()).ok()) {
            objects.insert(object.header().object_id, object);
        }
        if !(run.imported && objects.values().any(|object| matches!(object, Object::Decision(_)))) {
            for object in translate::objects(run).map_err(wrong)? {
                objects.entry(object.header().object_id).or_insert(object);
            }
        }
        Ok(objects.into_values().collect())
    }
}
