//! Who or what a clause speaks of: plain statements in a person's own words are taken, what is said of something else is asked.

use holdpoint_core::Values;
use holdpoint_protocols::action::form::read_value;
use holdpoint_protocols::action::reader::{self, Question};
use serde_json::{Value, json};

use crate::reader_rules::{NOW, told};

#[track_caller]
fn check(fields: &Value, table: &str) {
    let form = read_value(&json!({"form": "one", "title": "One", "fields": fields})).unwrap();
    let known = Values::default();
    let read = |(text, expected): (&str, &str)| {
        let question =
            Question { fields: &form.fields, asked: None, text, now: NOW, zone: None, known: &known };
        let got = told(&reader::read(question));
        (got != expected.trim()).then(|| format!("{text:?}: {got:?}, not {:?}", expected.trim()))
    };
    let rows = table.lines().filter_map(|line| line.trim_start().split_once(" =>"));
    let wrong: Vec<String> = rows.filter_map(read).collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

fn stall() -> Value {
    json!([
        {"id": "chairs", "kind": "integer", "label": "Number of chairs", "min": 0},
        {"id": "tables", "kind": "integer", "label": "Tables", "min": 0, "max": 10},
        {"id": "power", "kind": "boolean", "label": "Do you need power?"},
        {"id": "colours", "kind": "choices", "label": "Colours", "options": ["red", "blue"]},
        {"id": "budget", "kind": "number", "label": "Budget", "unit": "EUR"},
        {"id": "day", "kind": "date", "label": "Day"}
    ])
}

fn server() -> Value {
    json!([
        {"id": "host", "kind": "text", "label": "Host name", "synonyms": ["hostname"]},
        {"id": "os", "kind": "choice", "label": "Operating system", "options": ["Debian 12", "Windows Server"]},
        {"id": "cpus", "kind": "integer", "label": "Number of CPUs", "synonyms": ["cores"], "min": 1},
        {"id": "memory", "kind": "integer", "label": "Memory", "unit": "GB", "synonyms": ["RAM"]},
        {"id": "disk", "kind": "integer", "label": "Disk size", "unit": "GB", "synonyms": ["disk"]},
        {"id": "packages", "kind": "choices", "label": "Packages", "options": ["Monitoring agent", "nginx", "postgres"]},
        {"id": "backup", "kind": "boolean", "label": "Daily backup?", "synonyms": ["backups"]},
        {"id": "ready", "kind": "date", "label": "Needed by", "synonyms": ["deadline"]},
        {"id": "window", "kind": "time", "label": "Start of the maintenance window", "synonyms": ["maintenance"]},
        {"id": "budget", "kind": "number", "label": "Monthly budget", "unit": "EUR"},
        {"id": "police", "kind": "boolean", "label": "Police informed?", "synonyms": ["police"]},
        {"id": "policy", "kind": "text", "label": "Policy number", "synonyms": ["policy"]}
    ])
}

/// Another subject, another owner, and what is said about the value itself leave it open.
#[test]
fn what_is_said_of_something_else_is_asked() {
    check(
        &stall(),
        r"
        the room next to ours has 20 chairs => chairs?
        our competitors get 3 tables => tables?
        3 chairs are broken => chairs?
        2 tables won't be enough => tables?
        2 tables are enough => tables=2
        table 3 is ours => tables?
        a table for 8 people => tables?
        the chairs from 2019 => chairs?
        we already have 2 tables => tables?
        we'll bring our own 3 tables => tables?
        Anna's budget is 400 euros => budget?
        the parking fee is 12 euros => budget?
        the fair is on 3 December => day?
        I'm away on 3 December => day?
        the blue carpet at home is nice => colours?
        red would be ugly => colours?
        we sell red wine => colours?
        The kitchen at work has 4 chairs and we need 2 tables => chairs? tables=2
    ",
    );
}

/// Words that nobody listed do not keep a plain value from being taken.
#[test]
fn plain_values_are_taken_in_any_words() {
    check(
        &stall(),
        r"
        Please put us down for 5 chairs, budget 300 euros => budget=300 chairs=5
        no chairs, 2 tables => chairs=0 tables=2
        Power isn't necessary, 2 tables please => power=false tables=2
        4 chairs instead of the 2 we had =>
        tables (2) and chairs (4) => chairs=4 tables=2
    ",
    );
    check(
        &server(),
        r"
        hostname web-prod-01, 100 GB disk => disk=100 host=web-prod-01
        Debian 12 with 4 cores and 16 GB of RAM, please => cpus=4 memory=16 os=Debian 12
        monitoring agent yes, nginx no, postgres yes => packages=[Monitoring agent,postgres]
        our monthly budget should be 800 => budget=800
        we paid 300 euros for the old one three years ago => budget? ready?
        maintenance starts at 3 am => window=03:00:00
        maintenance window starts at 6 a.m. UTC => window?
        policy KF-118-0042, the police were informed => policy=KF-118-0042
        policy KF-118-0042, sorry, KF-118-0043 => policy=KF-118-0043
        our old server had 8 cores =>
    ",
    );
}

/// What an option and a day are both called is asked, and a longer value is not cut.
#[test]
fn a_weekday_may_be_an_option() {
    let course = json!([
        {"id": "level", "kind": "choice", "label": "Level", "options": ["Bronze", "Silver"]},
        {"id": "weekday", "kind": "choice", "label": "Weekday", "options": ["Monday", "Wednesday"]},
        {"id": "start", "kind": "date", "label": "Course start"},
        {"id": "lessons", "kind": "integer", "label": "Number of lessons"}
    ]);
    check(
        &course,
        r"
        Wednesday would be best => start? weekday?
        weekday: Monday => weekday=Monday
        twelve lessons starting on Monday, 7 December => lessons=12 start=2026-12-07
        preferred course start: 1 December => start=2026-12-01
        He did silver in June => level?
    ",
    );
}
