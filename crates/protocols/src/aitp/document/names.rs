//! Names that are recognised as they are read, so that later walks over a document compare numbers.

/// A name out of a list of [`Names`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Name(u8);

impl Name {
    /// Any name that is not on the list, or no name.
    pub(super) const UNKNOWN: Self = Self(0);

    /// Returns its index in a table with one entry for each name and one for all others.
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A list of names, with an index by tag.
#[derive(Debug)]
pub(crate) struct Names {
    list: &'static [&'static str],
    /// For each tag, the first name with it, counted from 1.
    first: [u8; 256],
    /// For each name, the next one with the same tag.
    next: [u8; Self::MOST + 1],
    /// For each name, its tag.
    tags: [u8; Self::MOST + 1],
}

impl Names {
    /// The length of the longest possible list.
    pub(crate) const MOST: usize = 127;
    /// No names at all.
    pub(crate) const NONE: &'static Self = &Self::new(&[]);

    /// Makes a list; a longer one does not compile.
    pub(crate) const fn new(list: &'static [&'static str]) -> Self {
        let mut names = Self { list, first: [0; 256], next: [0; Self::MOST + 1], tags: [0; Self::MOST + 1] };
        let mut at = list.len();
        while at > 0 {
            let tag = tag(list[at - 1].as_bytes());
            names.tags[at] = tag;
            names.next[at] = names.first[tag as usize];
            names.first[tag as usize] = number(at);
            at -= 1;
        }
        names
    }

    /// Returns a name of the list; any other does not compile.
    pub(crate) const fn name(&self, text: &str) -> Name {
        let mut at = 0;
        while !same(self.list[at].as_bytes(), text.as_bytes()) {
            at += 1;
        }
        Name(number(at + 1))
    }

    /// Returns where a name ends, if the string at a place has it.
    #[inline]
    pub(super) fn ends(&self, name: Name, bytes: &[u8], start: usize) -> Option<usize> {
        let text = self.list.get(name.index().checked_sub(1)?)?;
        let end = start + text.len();
        (bytes.get(start..end) == Some(text.as_bytes()) && bytes.get(end) == Some(&b'"')).then_some(end)
    }

    /// Returns the tag of a name.
    #[inline]
    pub(super) fn tag(&self, name: Name) -> u8 {
        self.tags.get(name.index()).copied().unwrap_or_default()
    }

    /// Finds a name by its text and its tag.
    #[inline]
    pub(super) fn find(&self, text: &[u8], tag: u8) -> Name {
        let mut at = self.first[usize::from(tag)];
        while at != 0 && self.list.get(usize::from(at) - 1).is_none_or(|name| name.as_bytes() != text) {
            at = self.next.get(usize::from(at)).copied().unwrap_or_default();
        }
        Name(at)
    }
}

/// Which name followed which, the last time: objects of one kind usually have their members in the same order, and a
/// name that is guessed need not be searched for.
#[derive(Debug)]
pub(super) struct NameOrder {
    /// By the previous name; in the second half, by the name of the object for its first member.
    next: [Name; 256],
}

/// A position among the names of an object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step(u8);

impl Step {
    /// The position before the first name, in the whole document or in the value of a name.
    pub(super) const fn into(name: Name) -> Self {
        Self(name.0 | 128)
    }

    /// The position after a name.
    pub(super) const fn after(name: Name) -> Self {
        Self(name.0 & 127)
    }
}

impl NameOrder {
    pub(super) const fn new() -> Self {
        Self { next: [Name::UNKNOWN; 256] }
    }

    #[inline]
    pub(super) fn guess(&self, step: Step) -> Name {
        self.next[usize::from(step.0)]
    }

    #[inline]
    pub(super) fn learn(&mut self, step: Step, name: Name) {
        self.next[usize::from(step.0)] = name;
    }
}

/// Returns a number that few names share, computed from length and ends.
#[inline]
pub(super) const fn tag(name: &[u8]) -> u8 {
    let (Some(first), Some(last)) = (name.first(), name.last()) else { return 0 };
    #[expect(clippy::cast_possible_truncation, reason = "that is what makes it a tag")]
    let length = name.len() as u8;
    length.wrapping_add(first.wrapping_mul(3)).wrapping_add(last.wrapping_mul(5))
}

#[expect(clippy::cast_possible_truncation, reason = "no list is so long")]
const fn number(at: usize) -> u8 {
    at as u8
}

const fn same(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    let mut at = 0;
    while at < one.len() {
        if one[at] != other[at] {
            return false;
        }
        at += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    static NAMES: Names = Names::new(&["id", "name", "url", "ab1", "aab1"]);

    #[test]
    fn names_are_found_by_their_text_and_nothing_else_is() {
        for (place, name) in NAMES.list.iter().enumerate() {
            let found = NAMES.find(name.as_bytes(), tag(name.as_bytes()));
            assert_eq!((found, found.index()), (NAMES.name(name), place + 1), "{name}");
        }
        for other in ["", "i", "ID", "names", "uri", "a\u{1}1", "id "] {
            assert_eq!(NAMES.find(other.as_bytes(), tag(other.as_bytes())), Name::UNKNOWN, "{other}");
        }
        assert_eq!(Names::NONE.find(b"id", tag(b"id")), Name::UNKNOWN);
    }

    #[test]
    fn those_that_look_alike_are_told_apart() {
        // Names with the same length and the same ends.
        static ALIKE: Names = Names::new(&["plan_id", "pear_id", "pabcdid"]);
        for name in ALIKE.list {
            assert_eq!(ALIKE.find(name.as_bytes(), tag(name.as_bytes())), ALIKE.name(name));
        }
        assert_eq!(ALIKE.find(b"pxxxxxd", tag(b"pxxxxxd")), Name::UNKNOWN);
    }
}
