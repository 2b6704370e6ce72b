//! The built-in reader on the labelled sentences, each set in a test of its own so that they run side by side.

use std::time::Duration;

#[path = "../../sentences/score.rs"]
mod score;

/// Of what people state, nearly everything is found in each set, and nothing is made up.
fn holds(name: &str) {
    let mut wrong = Vec::new();
    let mut set = score::Score::default();
    for score in score::score(name, &mut wrong).into_values() {
        set.add(score);
    }
    let wrong = wrong.join("\n");
    assert_eq!(set.invented, 0, "{name}:\n{wrong}");
    let (extracted, stated) = (set.extracted, set.stated);
    assert!(100 * extracted >= 97 * stated, "{name}: {extracted} of {stated}:\n{wrong}");
    assert!(set.slowest < Duration::from_secs(1), "a turn took {:?}", set.slowest);
}

macro_rules! sets {
    ($($test:ident: $file:literal,)*) => {
        $(#[test]
        fn $test() {
            holds($file);
        })*

        /// No set is forgotten, and there are enough sentences in them.
        #[test]
        fn every_set_is_held() {
            assert_eq!([$($file),*], score::SETS);
            let sentences: usize = score::SETS.iter().map(|name| score::entries(name).len()).sum();
            assert!(sentences >= 2000, "{sentences} sentences");
            let known = score::entries("known.txt");
            assert!(known.iter().any(|entry| entry.text.contains("not sick") && entry.form.starts_with("leave")));
        }
    };
}

sets! {
    known: "known.txt",
    unseen: "unseen.txt",
    fresh: "fresh.txt",
    later: "later.txt",
    held_out: "held_out.txt",
    last: "last.txt",
    wide: "wide.txt",
    after: "after.txt",
    final_: "final.txt",
    terse: "terse.txt",
    polite: "polite.txt",
    learner: "learner.txt",
    ward: "ward.txt",
    warehouse: "warehouse.txt",
    intern: "intern.txt",
    trial: "trial.txt",
    dictating: "dictating.txt",
    careful: "careful.txt",
    volunteer: "volunteer.txt",
    support: "support.txt",
    teacher: "teacher.txt",
    parent: "parent.txt",
    assistant: "assistant.txt",
    site: "site.txt",
    market: "market.txt",
    kitchen: "kitchen.txt",
    depot: "depot.txt",
    night: "night.txt",
    staff: "staff.txt",
    nurse: "nurse.txt",
    office: "office.txt",
    commuter: "commuter.txt",
    scots: "scots.txt",
    registrar: "registrar.txt",
    retired: "retired.txt",
    temp: "temp.txt",
    sales: "sales.txt",
    chatty: "chatty.txt",
    neighbours: "neighbours.txt",
    driver: "driver.txt",
    laboratory: "laboratory.txt",
    front_desk: "front_desk.txt",
}
