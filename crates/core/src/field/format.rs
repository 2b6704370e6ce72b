//! Formats of dates, times, addresses and phone numbers, checked by their form alone.

use super::Kind;
use crate::text::{is_active, quote};

/// Reads a date, time or datetime in its one exact form.
pub(super) fn civil(kind: Kind, text: &str) -> Result<String, String> {
    let wrong = || format!("{} is not a {} that exists; use {}", quote(text), kind.name(), shape(kind));
    let pattern = match kind {
        Kind::Date => "dddd-dd-dd",
        Kind::Time => "dd:dd:dd",
        _ => "dddd-dd-ddTdd:dd:dd",
    };
    let shaped = text.len() == pattern.len()
        && text
            .bytes()
            .zip(pattern.bytes())
            .all(|(c, p)| if p == b'd' { c.is_ascii_digit() } else { c == p });
    if !shaped {
        return Err(wrong());
    }
    let exists = match kind {
        Kind::Date => text.parse::<jiff::civil::Date>().is_ok(),
        Kind::Time => text.parse::<jiff::civil::Time>().is_ok(),
        _ => text.parse::<jiff::civil::DateTime>().is_ok(),
    };
    // A leap second parses, but people's clocks do not show it.
    if exists && !text.ends_with(":60") { Ok(text.to_owned()) } else { Err(wrong()) }
}

/// Returns the pattern of a date, time or datetime.
pub(super) fn shape(kind: Kind) -> &'static str {
    match kind {
        Kind::Date => "YYYY-MM-DD",
        Kind::Time => "HH:MM:SS",
        _ => "YYYY-MM-DDTHH:MM:SS",
    }
}

pub(super) fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let atom = |c: char| c.is_alphanumeric() || "!#$%&'*+-/=?^_`{|}~".contains(c);
    text.len() <= 254
        && local.len() <= 64
        && local.split('.').all(|part| !part.is_empty() && part.chars().all(atom))
        && domain.contains('.')
        && is_host(domain)
}

/// Returns whether a text is a name that DNS could hold, in any script.
fn is_host(text: &str) -> bool {
    let label = |label: &str| {
        (1..=63).contains(&label.chars().count())
            && label.chars().all(|c| c.is_alphanumeric() || c == '-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    text.split('.').all(label)
}

pub(super) fn is_tel(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let allowed = |(at, c): (usize, char)| {
        c.is_ascii_digit() || matches!(c, ' ' | '-' | '(' | ')' | '.' | '/') || (c == '+' && at == 0)
    };
    (3..=20).contains(&digits) && text.chars().enumerate().all(allowed)
}

pub(super) fn is_url(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once("://") else { return false };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let place = authority.rsplit_once('@').map_or(authority, |(_, place)| place);
    let (host, port) = match place.rsplit_once(':') {
        Some((host, port)) if !place.ends_with(']') => (host, port),
        _ => (place, "0"),
    };
    let address = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    let hosted = match address {
        Some(address) => address.parse::<std::net::Ipv6Addr>().is_ok(),
        None => is_host(host.strip_suffix('.').unwrap_or(host)),
    };
    ["http", "https"].contains(&scheme.to_ascii_lowercase().as_str())
        && hosted
        && port.parse::<u16>().is_ok()
        && !text.contains(|c: char| c.is_whitespace() || c == '\\' || is_active(c))
}
