//! The address for messages that a browser gives. It is not verified: anyone can send one.

use url::Url;

use crate::notify::address::{self, literal};
use crate::notify::private;

/// The length limit; push services need a few hundred characters.
const LONGEST: usize = 2_048;

/// Which services may be contacted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AllowedServices {
    /// Only public ones, with TLS.
    Public,
    /// Any, as the settings allow.
    Any,
}

/// Parses the address of a push service. Names are checked again when they are resolved.
pub(super) fn read(text: &str, reach: AllowedServices) -> Result<Url, String> {
    if text.len() > LONGEST {
        return Err(format!("has more than {LONGEST} characters"));
    }
    let url = address::read(text)?;
    if reach == AllowedServices::Public {
        if url.scheme() != "https" {
            return Err("must start with https://".into());
        }
        private::check_all(literal(&url).into_iter()).map_err(|why| why.to_string())?;
    }
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_push_services_that_everybody_reaches_are_spoken_to() {
        let long = format!("https://push.example/{}", "x".repeat(LONGEST));
        for bad in [
            "",
            "push.example/x",
            "http://push.example/x",
            "ftp://push.example/x",
            "file:///etc/passwd",
            "https://user:secret@push.example/x",
            "https://127.0.0.1/x",
            "https://10.1.2.3:8443/x",
            "https://[::1]/x",
            "https://[::ffff:169.254.169.254]/x",
            "https://2130706433/x",
            "https://0x7f.1/x",
            &long,
        ] {
            assert!(read(bad, AllowedServices::Public).is_err(), "{bad}");
        }
        for good in [
            "https://fcm.googleapis.com/fcm/send/abc:def",
            "https://updates.push.services.mozilla.com/wpush/v2/gAAA",
            "https://web.push.apple.com/QABC",
        ] {
            assert!(read(good, AllowedServices::Public).is_ok(), "{good}");
        }
        assert!(read("http://127.0.0.1:9/x", AllowedServices::Any).is_ok());
        assert!(read("ftp://127.0.0.1/x", AllowedServices::Any).is_err());
    }
}
