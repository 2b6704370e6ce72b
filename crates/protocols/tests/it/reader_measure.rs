//! The sets of sentences that measure the reader are whole; what it scores is printed by `bench/run --only reader`.

use holdpoint_protocols::action::form;

#[test]
fn every_set_has_its_form() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/sentences");
    for set in ["freight", "hiring", "vet"] {
        let form = form::read(&std::fs::read_to_string(format!("{folder}/{set}.json")).unwrap()).unwrap();
        let text = std::fs::read_to_string(format!("{folder}/{set}.txt")).unwrap();
        assert!(text.lines().count() <= 60);
        for line in text.lines() {
            let (_, values) = line.split_once('|').unwrap();
            for value in values.split(';').map(str::trim).filter(|value| !value.is_empty()) {
                let (id, _) = value.split_once('=').unwrap();
                assert!(form.fields.iter().any(|field| field.id == id), "{line}");
            }
        }
    }
}
