//! Words of a command that name something in the folder where it runs.

use super::glob;

/// Returns whether a word is an operand within the folder where the command runs: no option, no address, no path that
/// leads out, and no leading character that programs give a meaning. A command that does more than read may pass its
/// operands to a shell.
pub(super) fn is_operand(word: &str, looks: bool) -> bool {
    !word.is_empty()
        && (looks || !word.contains([';', '$', '|', '&', '<', '>', '(', ')', '{', '}', '`', '"', '\'']))
        && !word.starts_with(['-', '+', '/', ':', '@', '~', '%'])
        && !word.contains(['=', '@', '\\'])
        // Colons are allowed only in names within a file: `tests/a.py::test_b`.
        && !word.replace("::", "").contains(':')
        && !glob::leads_out(word)
}
