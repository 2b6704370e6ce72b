//! Menus that still stand on a screen: what Enter would take there.

use holdpoint_core::job::detect::{ScreenText, find_marked, without_typed};

const MENU: &str = "Would you like to proceed?\n❯ 1. Yes, auto-accept edits\n  2. No, keep planning\n";

/// Returns what is marked on a screen; the block stands where the cursor is.
fn marked(text: &str) -> Option<u8> {
    let rows: Vec<&str> = text.lines().collect();
    let row = rows.iter().position(|row| row.contains('█')).unwrap_or(rows.len());
    let rows = rows.iter().map(|row| row.replace('█', "").trim_end().to_owned()).collect();
    find_marked(&ScreenText { rows, cursor: (u16::try_from(row).unwrap(), 0), alternate: false })
}

#[test]
fn lines_below_a_menu_do_not_make_it_go_away() {
    let below = [
        "",
        "\nEnter to select · Esc to cancel",
        "\nPress 2 again to confirm█",
        "(busy)\n█",
        "\n> a hint that only looks like a place to type\n█",
        "────────\n❯ Keep planning\n  Leave\n█",
        "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n█",
        "Are you sure?█",
    ];
    for below in below {
        assert_eq!(marked(&format!("{MENU}{below}")), Some(1), "{below}");
    }
    assert_eq!(marked("  3. Third\n❯ 4. Fourth\n  5. Fifth\n(busy)"), Some(4));
}

#[test]
fn a_place_to_type_below_a_menu_leaves_it_behind() {
    let below = [
        "What should be different?\n> █",
        ">\n\nEsc to cancel\n█",
        "› Summarise recent commits█",
        "────────\n> Try \"fix the tests\"\n────────\n  ? for shortcuts\n█",
        "╭────────╮\n│ > Type your message │\n╰────────╯\n█",
        "dev@host:~$ █",
        ">>> █",
    ];
    for below in below {
        assert_eq!(marked(&format!("{MENU}{below}")), None, "{below}");
    }
    assert_eq!(marked("1. one\n2. two\n> █"), None, "a list in a text has no mark");
}

#[test]
fn what_was_typed_below_a_menu_can_be_taken_off() {
    let screen = |text: &str| {
        let rows: Vec<String> = text.lines().map(str::to_owned).collect();
        let (row, column) = (rows.len() - 1, rows.last().unwrap().chars().count());
        let cursor = (u16::try_from(row).unwrap(), u16::try_from(column).unwrap());
        ScreenText { rows, cursor, alternate: false }
    };
    for (line, before) in [("2", Some("")), ("> 2", Some(">")), ("12", None), ("port2", None), ("3", None)] {
        let found = without_typed(&screen(&format!("{MENU}{line}")), "2");
        assert_eq!(found.map(|screen| screen.rows[3].clone()).as_deref(), before, "{line}");
    }
    let elsewhere = ScreenText { cursor: (0, 0), ..screen(&format!("{MENU}2")) };
    assert_eq!(without_typed(&elsewhere, "2"), None);
}
