//! The places where Libra stores objects: as blobs in a separate tree, under a ref that shares no history with the
//! code.

use holdpoint_core::run::ObjectId;

use super::{Object, ObjectType};

/// The ref that holds them.
pub const REF: &str = "refs/libra/intent";
/// Who commits to it.
pub const AUTHOR: (&str, &str) = ("Libra", "history@libra");

/// Returns the path of an object in the tree.
pub fn path(object: &Object) -> String {
    format!("{}/{}", object.kind().folder(), object.header().object_id)
}

/// Returns the message of the commit that adds an object.
pub fn message(object: &Object) -> String {
    format!("Update {}", path(object))
}

/// Parses a path in the tree: the type of the object, and its id.
pub fn parse_path(path: &str) -> Result<(ObjectType, ObjectId), String> {
    let (folder, name) = path.split_once('/').ok_or_else(|| format!("{path:?} is in no folder"))?;
    let kind = ObjectType::from_folder(folder).ok_or_else(|| format!("{folder:?} holds no known objects"))?;
    Ok((kind, name.parse()?))
}
