//! The keys: what each does, and on which pages. The script shows those that fit the page, as help and in the palette.

use maud::{Markup, html};

/// A key: how it is shown, what it does, and what must be on a page for it to do that.
struct Key(&'static str, &'static str, &'static str);

const KEYS: [Key; 25] = [
    Key("j", "Next decision", ".rows, #card"),
    Key("k", "Previous decision", ".rows, #card"),
    Key("Enter", "Open the decision", "#list"),
    Key("Enter", "Send the answer", "#answer, #batch"),
    Key("1 – 9", "Pick an option", "[data-number], #list"),
    Key("0", "Pick what you answered before", "#again"),
    Key("x", "Mark, to answer several at once", "#list"),
    Key("X", "Mark all from the last mark to here", "#list"),
    Key("*", "Mark all that are shown", "#list"),
    Key("g", "Request changes", "#guidance"),
    Key("m", "Write a message", "#message"),
    Key("a", "Make a rule from it", "[data-rules]"),
    Key("t", "Take it: others see that you are on it", "[data-take]"),
    Key("z", "Snooze it", "[data-snooze]"),
    Key("o", "Unfold everything", ".subject .unfold"),
    Key("i", "Ids, digests and the subject as it was sent", "#details"),
    Key("]", "Next file", ".diff .file"),
    Key("[", "Previous file", ".diff .file"),
    Key("Ctrl Enter", "Send from a text box", "#answer"),
    Key("U", "Undo the last answer, while it is not sent yet", "#list, #card"),
    Key("/", "Search", "body"),
    Key("u", "Back to the inbox", "[data-back]"),
    Key("Ctrl K", "Find a decision, a page or a command", "body"),
    Key("Esc", "Leave a text box", "#answer, #search"),
    Key("?", "These keys", "body"),
];

/// Shows the keys.
pub(super) fn dialog() -> Markup {
    html! {
        dialog #help aria-labelledby="help-title" {
            h2 #help-title { "Keyboard shortcuts" }
            dl .keys {
                @for Key(key, what, fits) in KEYS {
                    div data-fits=(fits) { dt { kbd { (key) } } dd { (what) } }
                }
            }
            form method="dialog" { button { "Close" } }
        }
    }
}
