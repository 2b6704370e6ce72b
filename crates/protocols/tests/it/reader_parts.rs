//! What is said in parts: a length in two units, a day by another one, a range with its day, a text among other values.

use serde_json::json;

use crate::reader_rules::{check, check_all, check_asked};

/// A quantity in two units is one, and what is only a part of a number is none.
#[test]
fn a_quantity_in_parts_is_one() {
    check_asked(
        "minutes",
        r"
        1h 30m => minutes=90
        1 hour and 20 minutes => minutes=80
        1h30 => minutes=90
        from 9 to 11 => minutes? pickup_time?
        90 zorks => minutes?
    ",
    );
    check(
        r"
        deposit 2 Mio € => deposit=2000000
        deposit: 11 zorks => deposit?
        3 tables of 10 drivers => drivers?
        2 drivers plus 3 helpers => drivers?
        me plus 3 drivers => drivers?
        4 drivers, give or take => drivers?
        drivers 3 boxes 4 deposit 50 => boxes=4 deposit=50 drivers=3
    ",
    );
    check_asked("drivers", "me plus 3 => drivers?");
    check_asked("boxes", "until 2025 => boxes?");
}

/// A day that is said by another one is reckoned, or not read at all.
#[test]
fn a_day_is_said_by_another() {
    check_asked(
        "start_date",
        r"
        two days before 1 December => start_date=2026-11-29
        three days after tomorrow => start_date=2026-11-20
        a week after 1 December => start_date=2026-12-08
        the day before 10 December => start_date=2026-12-09
        the day after tomorrow => start_date=2026-11-18
        3 weeks from now => start_date=2026-12-07
        a week from Friday => start_date=2026-11-27
        the Monday after 10 December => start_date?
        the first Monday in December =>
        Friday next week => start_date=2026-11-27
        next week on Friday =>
        two days before Christmas =>
    ",
    );
}

/// A day and a month without a year are a day, where one is asked for.
#[test]
fn a_day_without_a_year() {
    check_asked(
        "start_date",
        r"
        30.11 => start_date=2026-11-30
        24.11. => start_date=2026-11-24
        13/12 => start_date=2026-12-13
        12/12 => start_date=2026-12-12
        1/12 => start_date?
        31.4 => start_date!
    ",
    );
    check(
        r"
        first day: 24.11. => start_date=2026-11-24
        open 24/7 =>
        4/8/50 =>
    ",
    );
}

/// The day of a range of times is that of both, and one half of a moment is changed by itself.
#[test]
fn a_moment_has_two_halves() {
    let known = json!({"meeting": "2026-11-24T10:30:00"});
    check(
        r"
        handover meeting from 10:00 to 12:30 on 1 December => meeting?
        handover meeting 1 December 9 am, I mean 2 December => meeting=2026-12-02T09:00:00
    ",
    );
    check_all(
        None,
        &known,
        r"
        change the handover meeting to 25 November => meeting=2026-11-25T10:30:00
        the handover meeting is at 11:15, not 10:30 => meeting=2026-11-24T11:15:00
    ",
    );
    check_all(Some("meeting"), &json!({"meeting": "2026-11-24"}), "at 10:30 => meeting=2026-11-24T10:30:00");
}

/// At the question for a text, what is plainly said of other fields is theirs.
#[test]
fn a_text_leaves_other_values_alone() {
    check_asked(
        "company",
        r"
        Acme => company=Acme
        The company is called Acme. => company=Acme
        It's Acme => company=Acme
        Acme. No, Bolt. => company?
        Acme, and the deposit is 300 euros => company=Acme deposit=300
        Acme. 3 drivers. => company=Acme drivers=3
        handover meeting 24 November 10:30 => meeting=2026-11-24T10:30:00
        truck => company=truck
        Friday => company=Friday
        Acme and Sons => company=Acme and Sons
    ",
    );
    check_all(Some("company"), &json!({"colour": ["Red"]}), "blue too => colour=[Red,Blue]");
    check_all(
        None,
        &json!({"company": "Acme", "boxes": 3}),
        "change the company to Bolt and the boxes to 5 => boxes=5 company=Bolt",
    );
}

/// A field of several options takes all, all but some, more and less.
#[test]
fn several_options_are_added_and_left_out() {
    check(
        r"
        red or blue => colour?
    ",
    );
    check_all(
        None,
        &json!({"colour": ["Red", "Blue"]}),
        r"
        not red => colour=[Blue]
        green as well => colour=[Red,Blue,Green]
        no red, please => colour=[Blue]
    ",
    );
}

/// Words of an option that are part of something else name no option.
#[test]
fn part_of_something_else() {
    check(
        r"
        a bicycle-like thing =>
        it's kind of a truck => vehicle?
        on the truck of my brother => vehicle?
        insurance? no => insurance=false
        do you need insurance? Yes. => insurance=true
        hardly any insurance =>
        is insurance needed? not as far as I know =>
        insurance? no thanks => insurance=false
        drop-off yesterday, 3 drivers => drivers=3 end_date? start_date?
    ",
    );
}

/// What is pasted from a chat, or stands below a mail, was not said to the form.
#[test]
fn a_pasted_chat_is_not_said_to_the_form() {
    check(
        r"
        Ana 10:31 AM⏎the truck on 3 December⏎Ben 10:32 AM⏎3 drivers =>
        [10:31] Ben: the truck, 3 drivers =>
        the truck, please⏎-- ⏎Ben, 3 drivers => vehicle=truck
    ",
    );
}
