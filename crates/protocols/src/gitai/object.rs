//! Objects of any type: parsed by their type, written as one line.

use super::context::{ContextFrame, ContextSnapshot, ToolInvocation};
use super::header::object_types;
use super::intent::{Intent, IntentEvent, Plan, PlanStepEvent, Task, TaskEvent};
use super::run::{Decision, Evidence, PatchSet, Provenance, Run, RunEvent, RunUsage};
use super::{Header, ObjectType};

macro_rules! objects {
    ($($name:ident $folder:literal,)*) => {
        /// An object of any type.
        #[derive(Clone, Debug, PartialEq)]
        #[expect(missing_docs, reason = "variants are named as their types")]
        pub enum Object { $($name($name),)* }

        impl Object {
            /// Reads an object of a type. Unknown keys are refused.
            pub fn read(kind: ObjectType, text: &str) -> Result<Self, String> {
                match kind {
                    $(ObjectType::$name => serde_json::from_str(text).map(Self::$name),)*
                }
                .map_err(|why| format!("cannot be read as {}: {why}", kind.folder()))
            }

            /// Returns its type.
            pub fn kind(&self) -> ObjectType {
                match self { $(Self::$name(_) => ObjectType::$name,)* }
            }

            /// Returns its header.
            pub fn header(&self) -> &Header {
                match self { $(Self::$name(object) => &object.header,)* }
            }

            /// Returns its JSON: one line, keys in their order.
            pub fn text(&self) -> Result<String, String> {
                match self { $(Self::$name(object) => serde_json::to_string(object),)* }
                    .map_err(|why| format!("cannot be written: {why}"))
            }
        }

        $(impl From<$name> for Object {
            fn from(object: $name) -> Self {
                Self::$name(object)
            }
        })*
    };
}

object_types!(objects);

impl Object {
    /// Reads an object of the type given in it.
    pub fn read_any(text: &str) -> Result<Self, String> {
        #[derive(serde::Deserialize)]
        struct Said {
            object_type: ObjectType,
        }
        let said: Said = serde_json::from_str(text).map_err(|why| format!("is not an object: {why}"))?;
        Self::read(said.object_type, text)
    }

    /// Returns warnings about it: things that others accept, but that deserve attention.
    pub fn oddities(&self) -> Vec<String> {
        let header = self.header();
        let mut odd = Vec::new();
        if header.object_type != self.kind() {
            odd.push(format!("says it is a {}", header.object_type.folder()));
        }
        if header.version != 1 {
            odd.push(format!("is of version {}, not 1", header.version));
        }
        if header.object_id.version() != 7 {
            odd.push("has an id that is not a UUID of version 7".into());
        }
        if header.created_by.id.trim().is_empty() {
            odd.push("does not say who made it".into());
        }
        if let Self::RunUsage(usage) = self
            && usage.input_tokens.checked_add(usage.output_tokens) != Some(usage.total_tokens)
        {
            odd.push("has a total that is not the sum".into());
        }
        odd
    }
}
