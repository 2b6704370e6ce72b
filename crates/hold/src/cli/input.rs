//! Reads files and standard input.

use std::io::Read;

use holdpoint_core::json;
use holdpoint_core::text::inert_line;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::failure::Failure;
use crate::document;

/// The maximum number of bytes read from a file or standard input.
const LIMIT: u64 = 16 << 20;

/// Reads a file, or standard input for `-`, as text.
pub(crate) fn text(path: &str) -> Result<String, Failure> {
    String::from_utf8(bytes(path)?).map_err(|why| {
        let good = why.utf8_error().valid_up_to();
        let line = why.as_bytes()[..good].split(|byte| *byte == b'\n').count();
        Failure::error(format!("{}: line {line}: is not UTF-8: {}", name(path), why.utf8_error()))
    })
}

/// Reads a file, or standard input for `-`, as bytes.
pub(crate) fn bytes(path: &str) -> Result<Vec<u8>, Failure> {
    let name = name(path);
    let mut bytes = Vec::new();
    let read = open(path)?.take(LIMIT + 1).read_to_end(&mut bytes);
    read.map_err(|why| Failure::error(format!("cannot read {name}: {why}")))?;
    if bytes.len() as u64 > LIMIT {
        return Err(Failure::error(format!("{name} is longer than {LIMIT} bytes")));
    }
    Ok(bytes)
}

/// Opens a file, or standard input for `-`, to be read piece by piece.
pub(crate) fn open(path: &str) -> Result<Box<dyn Read>, Failure> {
    if path == "-" {
        return Ok(Box::new(std::io::stdin().lock()));
    }
    let failed = |why| Failure::error(format!("cannot read {}: {why}", name(path)));
    let file = std::fs::File::open(path).map_err(failed)?;
    Ok(Box::new(file))
}

/// Returns the name of a file for messages.
fn name(path: &str) -> String {
    if path == "-" { "standard input".to_owned() } else { inert_line(path) }
}

/// Reads a JSON document of a known shape; unknown and duplicate keys are refused.
pub(crate) fn document<T: DeserializeOwned>(path: &str) -> Result<T, Failure> {
    let wrong =
        |why: serde_json::Error| Failure::error(format!("{}: {}", name(path), inert_line(&why.to_string())));
    let value = json::parse_strict(&text(path)?).map_err(wrong)?;
    if !value.is_object() {
        // serde would read an array as a list of the fields in order, which nobody means.
        return Err(Failure::error(format!("{}: must be a JSON object, {{\"prompt\": …}}", name(path))));
    }
    document::read(value, "document")
        .map_err(|fault| Failure::error(format!("{}: {}", name(path), inert_line(&fault.to_string()))))
}

/// Reads a subject: JSON if it parses, otherwise text.
pub(crate) fn subject(path: &str) -> Result<Value, Failure> {
    let text = text(path)?;
    match (json::parse_strict(&text), serde_json::from_str::<serde::de::IgnoredAny>(&text)) {
        (Ok(value), _) => Ok(value),
        // JSON that two readers could interpret differently must not be approved.
        (Err(why), Ok(_)) => Err(Failure::error(format!("the subject is ambiguous JSON: {why}"))),
        (Err(_), Err(_)) => Ok(Value::String(text)),
    }
}

/// Reads a line that a person typed; none at the end of input.
pub(crate) fn line() -> Result<Option<String>, Failure> {
    let mut line = String::new();
    let count = std::io::stdin().read_line(&mut line).map_err(Failure::from)?;
    Ok((count > 0).then(|| line.trim_end_matches(['\n', '\r']).to_owned()))
}
