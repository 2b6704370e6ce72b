//! `hold store copy`, from file to file; the drivers' own tests go between kinds of store.

use crate::sandbox::Sandbox;

#[test]
fn a_copy_is_checked_and_never_overwrites() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask_a_or_b();
    let copy = format!("sqlite:{}", sandbox.path("copy.db").display());
    let said = sandbox.ok(&["store", "copy", "-", &copy]);
    assert!(said.contains("1 events, 1 decisions") && said.trim_end().ends_with("OK"), "{said}");
    sandbox.refuses(&["store", "copy", "-", &copy], 1, &["not empty"]);
    let sandbox = sandbox.with("HOLD_STORE", &copy);
    sandbox.ok(&["answer", &id, "a"]);
    sandbox.is_well();
}

#[test]
fn what_is_not_there_is_not_made() {
    let sandbox = Sandbox::new();
    let missing = sandbox.path("missing.db");
    let (from, to) =
        (format!("sqlite:{}", missing.display()), format!("sqlite:{}", sandbox.path("to.db").display()));
    sandbox.refuses(&["store", "copy", &from, &to], 1, &["no store at"]);
    assert!(!missing.exists());
    let ran = sandbox.refuses(&["store", "copy", "mysql://me:s3cret@here", &to], 1, &["is not known"]);
    assert!(!format!("{ran}").contains("s3cret"));
}
