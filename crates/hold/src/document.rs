//! Reading a document of a known shape, so that a mistake in it can be found.

use holdpoint_core::{FieldError, Shaped};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Reads a value into a known shape. What does not fit is named by its place, such as `fields[0].kind`, or by what the
/// whole is called.
pub(crate) fn read<T: DeserializeOwned>(value: Value, whole: &str) -> Result<T, FieldError> {
    serde_path_to_error::deserialize(Shaped(value)).map_err(|why| {
        let place = why.path().to_string();
        let place = if place == "." { whole.to_owned() } else { place };
        let message = why.into_inner().to_string();
        // The internal name of a type says nothing to a client that sent something else.
        let message = match message.split_once("expected struct ") {
            Some((before, _)) => format!("{before}expected an object"),
            None => message,
        };
        FieldError::new(place, message)
    })
}
