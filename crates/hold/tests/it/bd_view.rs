//! The view `decision_points`, read as any other program would.

use serde_json::{Value, json};

use crate::bd::{COLUMNS, CREATE, beads};
use crate::sandbox::{Sandbox, at, look_into};

#[test]
fn the_view_has_the_documents_columns() {
    let sandbox = beads();
    sandbox.shell(CREATE).exits(0);
    let connection = look_into(&sandbox.store());
    let statement = connection.prepare("SELECT * FROM decision_points").unwrap();
    assert!(statement.column_names().eq(COLUMNS.into_iter().chain(["id"])));
    drop(statement);
    let row = &rows(&sandbox)[0];
    at(row, "/issue_id", "bd-abc123");
    at(row, "/prompt", "Which approach?");
    at(row, "/default_option", "a");
    at(row, "/selected_option", Value::Null);
    at(row, "/responded_at", Value::Null);
    at(row, "/iteration", 1);
    at(row, "/max_iterations", 3);
    let options: Value = serde_json::from_str(row["options"].as_str().unwrap()).unwrap();
    at(&options, "/0/id", "a");
    at(&options, "/0/label", "Use approach A");

    sandbox.shell("bd decision respond bd-abc123 --guidance 'think again'").exits(0);
    // Each round has a row of its own, and names the one before.
    let [first, row] = &rows(&sandbox)[..] else { panic!("two rounds") };
    at(first, "/iteration", 1);
    at(first, "/prior_id", Value::Null);
    at(first, "/response_text", "think again");
    at(row, "/iteration", 2);
    assert_eq!(row["prior_id"], first["id"]);
    at(row, "/issue_id", "bd-abc123");
    at(row, "/guidance", "think again");
    sandbox.shell("bd decision respond bd-abc123 --text 'neither' --by bo").exits(0);
    let row = &rows(&sandbox)[1];
    at(row, "/selected_option", Value::Null);
    at(row, "/response_text", "neither");
    at(row, "/responded_by", "bo");
    assert!(row["responded_at"].is_string());
    // A context is not the question: not here, nor where agents are told.
    sandbox.shell("bd decision create bd-3 -p 'Which cache?' -c 'Load is 200 rps' --option r:R --option m:M && bd decision respond bd-3 --option r").exits(0);
    let row = rows(&sandbox).into_iter().find(|row| row["issue_id"] == "bd-3").unwrap();
    at(&row, "/prompt", "Which cache?");
    let told = sandbox.shell("bd decision check --inject").exits(0).out;
    assert!(told.contains("Prompt: Which cache?"), "{told}");
    // A cancelled one is no longer pending here either.
    sandbox
        .shell(
            "bd decision create bd-2 --prompt Q --option a:A && bd decision cancel bd-2 --reason 'no need'",
        )
        .exits(0);
    let shell = format!(
        "sqlite3 -readonly {} \"SELECT issue_id FROM decision_points WHERE responded_at IS NULL\"",
        sandbox.store().display()
    );
    sandbox.shell(&shell).exits(0).prints("");
    let cancelled = rows(&sandbox).into_iter().find(|row| row["issue_id"] == "bd-2").unwrap();
    assert!(cancelled["response_text"].is_null(), "a reason is no answer: {cancelled}");
    let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_WRITE;
    let connection = rusqlite::Connection::open_with_flags(sandbox.store(), flags).unwrap();
    let error = connection.execute("DELETE FROM decision_points", []).unwrap_err();
    assert!(error.to_string().contains("it is a view"), "{error}");
}

#[test]
fn what_is_overdue_is_settled_in_the_view_before_any_command_records_it() {
    let sandbox = beads();
    for (item, more) in
        [("bd-3", "--default a"), ("bd-1", "--default a --timeout 8s"), ("bd-2", "--timeout 8s")]
    {
        sandbox.shell(&format!("bd decision create {item} --prompt Q --option a:A {more}")).exits(0);
    }
    let pending = || rows(&sandbox).iter().filter(|row| row["responded_at"].is_null()).count();
    let deadline = std::time::Instant::now() + crate::process::TIMEOUT;
    while pending() != 1 {
        assert!(std::time::Instant::now() < deadline, "{:#?}", rows(&sandbox));
    }
    let before = rows(&sandbox);
    at(&before[0], "/selected_option", "a");
    at(&before[0], "/responded_by", "system:timeout");
    at(&before[1], "/selected_option", Value::Null);
    at(&before[1], "/responded_by", "system:timeout");
    at(&before[2], "/selected_option", Value::Null);
    assert!(!sandbox.ok(&["log"]).contains("expired"), "nobody has recorded it");
    // The row stays as it is when it is recorded.
    sandbox.shell("bd decision await bd-1").exits(0);
    sandbox.shell("bd decision await bd-2").exits(6);
    assert_eq!(rows(&sandbox), before);
}

/// Reads the view as another program would, in the order of items.
pub(crate) fn rows(sandbox: &Sandbox) -> Vec<Value> {
    let connection = look_into(&sandbox.store());
    let mut statement =
        connection.prepare("SELECT * FROM decision_points ORDER BY issue_id, iteration").unwrap();
    let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let read = |row: &rusqlite::Row<'_>| {
        let cell = |(at, name): (usize, &String)| {
            let value = match row.get_ref(at).unwrap() {
                rusqlite::types::ValueRef::Integer(number) => json!(number),
                rusqlite::types::ValueRef::Text(text) => json!(String::from_utf8_lossy(text)),
                _ => Value::Null,
            };
            (name.clone(), value)
        };
        Ok(Value::Object(names.iter().enumerate().map(cell).collect()))
    };
    statement.query_map([], read).unwrap().collect::<Result<_, _>>().unwrap()
}
