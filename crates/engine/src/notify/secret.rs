//! Secrets that the settings refer to but do not contain: they come from the environment or from a file.

#[cfg(feature = "notify")]
use std::fmt;
use std::path::Path;

/// How much of a secret's file is read.
#[cfg(feature = "notify")]
const LIMIT: usize = 4096;

/// A secret. It is shown only on request.
#[cfg(feature = "notify")]
#[derive(Clone)]
pub(super) struct SecretValue(String);

#[cfg(feature = "notify")]
impl SecretValue {
    pub(super) fn reveal(&self) -> &str {
        &self.0
    }
}

#[cfg(feature = "notify")]
impl fmt::Debug for SecretValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretValue(…)")
    }
}

/// Checks that exactly one source is given; `what` is `secret` or `password`.
pub(super) fn check(what: &str, variable: Option<&str>, file: Option<&Path>) -> Result<(), String> {
    match (variable, file) {
        (Some(_), Some(_)) => Err(format!("{what}_env and {what}_file are both set; keep one")),
        (Some(name), None) if name.is_empty() || name.contains(['=', '\0']) => {
            Err(format!("{what}_env is not the name of a variable"))
        }
        (None, Some(file)) if !file.is_absolute() => Err(format!("{what}_file must be an absolute path")),
        (None, None) => Err(format!("set {what}_env or {what}_file to say where the {what} is")),
        _ => Ok(()),
    }
}

/// Reads a secret. No part of it is in the error.
#[cfg(feature = "notify")]
pub(super) fn read(what: &str, variable: Option<&str>, file: Option<&Path>) -> Result<SecretValue, String> {
    let text = match (variable, file) {
        (Some(name), _) => std::env::var(name)
            .map_err(|_| format!("{what}_env: the variable {name} is not set, or not UTF-8"))?,
        (None, Some(file)) => {
            let cannot = |why: std::io::Error| format!("{what}_file: cannot read {}: {why}", file.display());
            std::fs::read_to_string(file).map_err(cannot)?
        }
        (None, None) => return Err(format!("no {what} is named")),
    };
    let text = text.trim();
    if text.is_empty() || text.len() > LIMIT {
        return Err(format!("the {what} is empty, or longer than {LIMIT} bytes"));
    }
    Ok(SecretValue(text.to_owned()))
}
