//! Hosts that are not written in plain Latin letters: in the form that browsers use, so that none can pass for another.

/// A host in the form in which it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Host {
    /// In unambiguous letters.
    pub(super) plain: String,
    /// As it was sent, if that differs.
    pub(super) sent: Option<String>,
    /// A warning about it, in a sentence without its full stop.
    pub(super) remark: Option<String>,
}

/// Cyrillic, Greek and Armenian letters that look like Latin ones.
const ALIKE: &str = "асԁеһіјӏорԛѕуԝхѵѡҽԍανορυικսոօհց";

/// Reads a host with its port; none if browsers might interpret it differently.
pub(super) fn read(host: &str) -> Option<Host> {
    if host.contains('%') {
        return None;
    }
    let name = host.split(':').next().unwrap_or_default();
    if host.is_ascii() {
        // A host in the form of browsers is judged by its decoded letters.
        let remark = odd(host, name.split('.').filter_map(written));
        return Some(Host { plain: host.to_owned(), sent: None, remark });
    }
    let lower = name.to_lowercase();
    let is_known = lower.chars().all(|c| c.is_ascii() || alphabet(c).is_some());
    let port = &host[name.len()..];
    if !is_known || !port.is_ascii() {
        let escaped =
            host.chars().map(|c| if c.is_ascii() { c.into() } else { format!("<U+{:04X}>", u32::from(c)) });
        let plain = escaped.collect();
        let remark = Some("The host uses look-alike letters".to_owned());
        return Some(Host { plain, sent: Some(host.to_owned()), remark });
    }
    let label = |label: &str| {
        if label.is_ascii() {
            Some(label.to_owned())
        } else {
            Some(format!("xn--{}", idna::punycode::encode_str(label)?))
        }
    };
    let labels = lower.split('.').map(label).collect::<Option<Vec<_>>>()?;
    let plain = format!("{}{port}", labels.join("."));
    let remark = odd(&plain, lower.split('.').map(str::to_owned));
    Some(Host { plain, sent: Some(host.to_owned()), remark })
}

/// Returns the decoded letters of a part of a name in the form of browsers.
fn written(label: &str) -> Option<String> {
    let start = label.get(..4).filter(|start| start.eq_ignore_ascii_case("xn--"))?;
    idna::punycode::decode_to_string(&label[start.len()..])
}

fn odd(plain: &str, mut labels: impl Iterator<Item = String>) -> Option<String> {
    labels.find_map(|label| {
        let mut alphabets: Vec<Alphabet> = label.chars().filter_map(alphabet).collect();
        let is_alike =
            label.chars().filter(|c| c.is_alphabetic()).all(|c| !c.is_ascii() && ALIKE.contains(c));
        alphabets.dedup();
        let has = |one: Alphabet| alphabets.contains(&one);
        let european = [Alphabet::Latin, Alphabet::Greek, Alphabet::Cyrillic, Alphabet::Armenian];
        if european.into_iter().filter(|one| has(*one)).count() > 1 {
            Some(format!("The host {plain} mixes alphabets"))
        } else if is_alike && label.chars().any(char::is_alphabetic) {
            Some(format!("The host {plain} uses look-alike letters"))
        } else {
            None
        }
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Alphabet {
    Latin,
    Greek,
    Cyrillic,
    Armenian,
    Other,
}

/// Returns the alphabet of a lower-case letter that browsers keep unchanged; none for letters that they replace.
fn alphabet(c: char) -> Option<Alphabet> {
    Some(match c {
        'a'..='z'
        | '\u{DF}'..='\u{F6}'
        | '\u{F8}'..='\u{131}'
        | '\u{134}'..='\u{137}'
        | '\u{139}'..='\u{13E}'
        | '\u{142}'..='\u{148}'
        | '\u{14B}'..='\u{17E}'
        | '\u{180}'..='\u{1BF}' => Alphabet::Latin,
        '\u{3AC}'..='\u{3CE}' => Alphabet::Greek,
        '\u{430}'..='\u{481}' | '\u{48B}'..='\u{52F}' => Alphabet::Cyrillic,
        '\u{561}'..='\u{586}' => Alphabet::Armenian,
        // Hebrew, Arabic, Devanagari, Thai, Georgian, Kana, Han and Hangul.
        '\u{5D0}'..='\u{5EA}'
        | '\u{620}'..='\u{64A}'
        | '\u{904}'..='\u{94D}'
        | '\u{E01}'..='\u{E32}'
        | '\u{E34}'..='\u{E4E}'
        | '\u{10D0}'..='\u{10FA}'
        | '\u{3041}'..='\u{3096}'
        | '\u{30A1}'..='\u{30FA}'
        | '\u{30FC}'
        | '\u{3400}'..='\u{4DBF}'
        | '\u{4E00}'..='\u{9FFF}'
        | '\u{AC00}'..='\u{D7A3}' => Alphabet::Other,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_host_passes_for_another() {
        let mixed = |plain: &str| Some(format!("The host {plain} mixes alphabets"));
        let alike = |plain: &str| Some(format!("The host {plain} uses look-alike letters"));
        let unsure = Some("The host uses look-alike letters".to_owned());
        for (host, plain, remark) in [
            ("apple.com:8443", "apple.com:8443", None),
            ("аpple.com", "xn--pple-43d.com", mixed("xn--pple-43d.com")),
            ("АPPLE.com:81", "xn--pple-43d.com:81", mixed("xn--pple-43d.com:81")),
            ("xn--pple-43d.com", "xn--pple-43d.com", mixed("xn--pple-43d.com")),
            ("аррӏе.com", "xn--80ak6aa92e.com", alike("xn--80ak6aa92e.com")),
            ("münchen.de", "xn--mnchen-3ya.de", None),
            ("пример.испытание", "xn--e1afmkfd.xn--80akhbyknj4f", None),
            ("例え.jp", "xn--r8jz45g.jp", None),
            ("ａpple.com", "<U+FF41>pple.com", unsure.clone()),
            ("evil.example。apple.com", "evil.example<U+3002>apple.com", unsure.clone()),
            ("ɡoogle.com", "<U+0261>oogle.com", unsure),
        ] {
            let found = read(host).unwrap();
            assert_eq!((found.plain.as_str(), found.remark), (plain, remark), "{host}");
            assert_eq!(found.sent.as_deref(), (!host.is_ascii()).then_some(host));
        }
        assert!(read("%D0%B0pple.com").is_none(), "a browser reads other letters");
    }
}
