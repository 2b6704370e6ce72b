//! Long texts for browsers: the time to lay out one line grows with the square of its length, so that a megabyte
//! without a line break would block a page for half a minute.

use holdpoint_core::text::start;
use maud::{Markup, html};

/// The most bytes in one line that a browser lays out quickly.
const PIECE: usize = 4 << 10;

/// Renders a text inside a `pre`. A line over [`PIECE`] is broken between words; no character is added or removed.
pub(super) fn text(text: &str) -> Markup {
    if text.len() <= PIECE || text.lines().all(|line| line.len() <= PIECE) {
        return html! { (text) };
    }
    html! { @for piece in pieces(text) { span .piece { (piece) } } }
}

/// Splits a text after a line break if possible, otherwise after a space, otherwise between two characters.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let head = start(rest, PIECE);
        let between = head.rfind('\n').or_else(|| head.rfind(' ')).filter(|_| head.len() < rest.len());
        let cut = between.map_or(head.len(), |at| at + 1);
        let piece;
        (piece, rest) = rest.split_at(cut);
        (!piece.is_empty()).then_some(piece)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_short_and_all_of_the_text() {
        for source in [
            "word ".repeat(10_000),
            "W".repeat(10_000),
            "ü€".repeat(9_000),
            "line\n\n".repeat(3_000) + &" x".repeat(9_000),
        ] {
            let cut: Vec<_> = pieces(&source).collect();
            assert_eq!(cut.concat(), source);
            assert!(cut.iter().all(|piece| piece.len() <= PIECE) && cut.len() < source.len() / 1_000);
        }
    }

    #[test]
    fn short_lines_stay_one_text() {
        assert!(!text(&"a line\n".repeat(2_000)).into_string().contains("<span"));
    }
}
