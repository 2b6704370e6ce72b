//! Reads a document of a known shape, and says where a mistake is.

use holdpoint_core::{FieldError, ShapeError, shape};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Reads a value into a known shape. An error names the place of the mistake, such as `fields[0].kind`, or `whole` if
/// it is not inside.
pub(crate) fn read<T: DeserializeOwned>(value: Value, whole: &str) -> Result<T, FieldError> {
    shape::read(value).map_err(|ShapeError { place, why }| {
        let place = if place.is_empty() { whole.to_owned() } else { place };
        let message = why.to_string();
        // The internal name of a type means nothing to a client that sent something else.
        let message = match message.split_once("expected struct ") {
            Some((before, _)) => format!("{before}expected an object"),
            None => message,
        };
        FieldError::new(place, message)
    })
}
