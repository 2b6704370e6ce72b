//! A recognisable face for an asker: two letters and a colour, the same everywhere.

/// How many colours there are.
const COLOURS: u32 = 8;

/// The face of an asker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Avatar {
    pub(crate) letters: String,
    /// The index of its colour.
    pub(crate) colour: u32,
}

/// Returns the face for a name.
pub(crate) fn of(name: &str) -> Avatar {
    let mut words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let first = words.next().unwrap_or("?");
    let letters: String = match words.next() {
        Some(second) => first.chars().take(1).chain(second.chars().take(1)).collect(),
        None => first.chars().take(2).collect(),
    };
    // Any hash will do, as long as it stays the same.
    let hash =
        name.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    Avatar { letters: letters.to_uppercase(), colour: (hash >> 8) % COLOURS }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_two_letters_and_always_the_same_colour() {
        for (name, letters) in [
            ("claude-web", "CW"),
            ("ci", "CI"),
            ("x", "X"),
            ("", "?"),
            ("claude-code@shop", "CC"),
            ("é-ü", "ÉÜ"),
        ] {
            assert_eq!(of(name).letters, letters, "{name}");
            assert_eq!(of(name), of(name));
            assert!(of(name).colour < COLOURS);
        }
    }
}
