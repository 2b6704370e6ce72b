//! The keys, and the pages on which they work. The script shows those that fit the page, in the help and in the
//! palette.

use maud::{Markup, html};

/// A key: its label, what it does, and the selector of what must be on the page.
struct Key(&'static str, &'static str, &'static str);

const KEYS: [Key; 25] = [
    Key("j", "Next decision", ".rows, #card"),
    Key("k", "Previous decision", ".rows, #card"),
    Key("Enter", "Open the decision", "#list"),
    Key("Enter", "Send the answer", "#answer, #batch"),
    Key("1 – 9", "Pick an option", "[data-number], #list"),
    Key("0", "Repeat your last answer", "#again"),
    Key("x", "Mark", "#list"),
    Key("X", "Mark all from the last mark to here", "#list"),
    Key("*", "Mark all shown", "#list"),
    Key("g", "Request changes", "#guidance"),
    Key("m", "Write a message", "#message"),
    Key("a", "Create a rule", "[data-rules]"),
    Key("t", "Tell others you are on it", "[data-take]"),
    Key("z", "Snooze it", "[data-snooze]"),
    Key("o", "Unfold everything", ".subject .unfold"),
    Key("i", "Ids and raw data", "#details"),
    Key("]", "Next file", ".diff .file"),
    Key("[", "Previous file", ".diff .file"),
    Key("Ctrl Enter", "Send from a text box", "#answer"),
    Key("U", "Undo the last answer", "#list, #card"),
    Key("/", "Search", "body"),
    Key("u", "Back to the inbox", "[data-back]"),
    Key("Ctrl K", "Find a decision, a page or a command", "body"),
    Key("Esc", "Leave the text box", "#answer, #search"),
    Key("?", "Show this help", "body"),
];

/// Renders the keys.
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
