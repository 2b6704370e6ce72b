//! What a search finds.

use holdpoint_core::decision::New;
use holdpoint_core::search::{DEPTH, LONGEST, Term, Text};
use holdpoint_core::{Actor, Command, Decision, Field, Kind, Search, Timestamp};
use proptest::prelude::*;
use serde_json::json;

use crate::world::World;

fn asked(new: New) -> Decision {
    let mut world = World::new();
    world.submit(&Actor::claimed("ana", "cli"), &Command::Create(Box::new(new))).unwrap();
    world.decisions.values().next().cloned().unwrap()
}

fn question() -> New {
    New { fields: vec![Field::new("why", Kind::Text, "Why?")], ..New::default() }
}

fn fits(search: &str, decision: &Decision) -> bool {
    Search::of(search).fits(decision, Some("Nightly build"), Timestamp::from_millis(i64::MAX / 2))
}

#[test]
fn long_members_do_not_hide_the_others() {
    let long = "x".repeat(DEPTH * 2);
    let subject = json!({"command": format!("first {long} last")});
    let new = New {
        title: Some("The title".into()),
        prompt: Some(format!("question {long} end")),
        subject: Some(subject),
        requested_by: Some("bot".into()),
        ..question()
    };
    let decision = asked(new);
    for found in ["title", "question", "first", "command", "bot", "nightly"] {
        assert!(fits(found, &decision), "{found}");
    }
    for beyond in ["end", "last"] {
        assert!(!fits(beyond, &decision), "{beyond}");
    }
    let text = Text::of(&decision, None).indexed();
    assert!(text.len() < DEPTH * 2, "{}", text.len());
}

#[test]
fn a_search_is_bounded_and_strict_where_something_is_done_by_it() {
    assert!(Search::read(&"a".repeat(LONGEST)).is_ok());
    assert!(Search::read(&"a".repeat(LONGEST + 1)).is_err());
    assert!(Search::of(&"ä ".repeat(LONGEST)).text().len() <= LONGEST);
    assert!(Search::strict("colour=red").is_err());
    assert!(Search::strict("older=soon").is_err());
    assert!(Search::strict("!? --").unwrap().is_empty());
    assert!(Search::of("colour=red").terms().contains(&Term::Start("red".into())));
    assert_eq!(
        Search::of("src/main.rs").terms(),
        [Term::Word("main".into()), Term::Word("src".into()), Term::Start("rs".into()),]
    );
    let many: Vec<String> = (0..200).map(|number| format!("w{number}")).collect();
    assert_eq!(Search::of(&many.join(" ")).terms().len(), 8);
}

#[test]
fn several_values_are_any_of_them_and_nobody_is_one() {
    let of = |assignees: &[&str]| {
        let assignees = assignees.iter().map(ToString::to_string).collect();
        asked(New { title: Some("Which?".into()), assignees, ..question() })
    };
    let (nobodys, anas, bos, odd) = (of(&[]), of(&["Ana"]), of(&["bo", "cy"]), of(&["Doe, Jane"]));
    let table: [(&str, [bool; 4]); 9] = [
        ("assignee=ana", [false, true, false, false]),
        ("assignee=nobody", [true, false, false, false]),
        ("assignee=ana,nobody", [true, true, false, false]),
        ("assignee=nobody,cy", [true, false, true, false]),
        ("assignee=an,nobod", [false; 4]),
        ("assignee=,", [false; 4]),
        ("assignee=\"Doe, Jane\"", [false, false, false, true]),
        ("assignee=\"Doe, Jane,nobody\"", [true, false, false, true]),
        ("priority=low,normal", [true; 4]),
    ];
    for (search, wanted) in table {
        let all = [&nobodys, &anas, &bos, &odd];
        assert_eq!(all.map(|decision| fits(search, decision)), wanted, "{search}");
        // What an index has of each is what it is asked for.
        for (decision, _) in all.into_iter().zip(wanted).filter(|(_, fits)| *fits) {
            let indexed = Text::of(decision, None).indexed();
            for term in Search::of(search).terms() {
                let (Term::Word(word) | Term::Start(word)) = term;
                assert!(indexed.split(' ').any(|has| has == word), "{search}: {word} in {indexed}");
            }
        }
    }
}

#[test]
fn a_value_that_cannot_be_is_refused_where_nobody_sees_it_taken_for_a_word() {
    for (wrong, right) in [
        ("older=x", "older"),
        ("older=", "needs a value"),
        ("priority=foo", "low, normal, high, urgent"),
        ("priority=low,foo", "\"foo\""),
        ("source=nope", "approval"),
        ("deploy project=", "needs a value"),
    ] {
        let why = Search::read(wrong).unwrap_err();
        assert!(why.contains(right), "{wrong}: {why}");
        // In a box it is a word like any other, and a server is told so.
        let typed = Search::of(wrong);
        let sent = typed.to_read();
        let read = Search::read(&sent).unwrap_or_else(|why| panic!("{wrong} as {sent}: {why}"));
        assert_eq!(read.terms(), typed.terms(), "{wrong} as {sent}");
    }
    for fine in ["a=b", "colour=red", "older=10m", "priority=HIGH", "x==y", "=", "text=older=x"] {
        assert!(Search::read(fine).is_ok(), "{fine}");
    }
}

proptest! {
    /// What is typed into a box is understood alike by a server.
    #[test]
    fn what_is_typed_is_read_alike(text in "((priority|older|text|a|tool)=)?\\PC{0,12} ?\"?\\PC{0,8}\"?") {
        let typed = Search::of(&text);
        let read = Search::read(&typed.to_read());
        prop_assert_eq!(read.map(|read| read.terms()), Ok(typed.terms()));
    }

    /// An index that is asked for the terms never leaves out what fits.
    #[test]
    fn what_fits_has_all_terms(text in "\\PC{0,60}", search in "\\PC{0,12}", at in 0_usize..40, length in 1_usize..12) {
        let decision = asked(New { prompt: Some(format!("q {text}")), ..question() });
        let part: String = text.chars().skip(at).take(length).collect();
        for search in [search, part] {
            let search = Search::of(&search);
            let indexed = Text::of(&decision, None).indexed();
            let words: Vec<&str> = indexed.split(' ').collect();
            if search.fits(&decision, None, Timestamp::from_millis(0)) {
                for term in search.terms() {
                    let has = match &term {
                        Term::Word(word) => words.contains(&word.as_str()),
                        Term::Start(start) => words.iter().any(|word| word.starts_with(start.as_str())),
                    };
                    prop_assert!(has, "{term:?} in {indexed:?}");
                }
            }
            for term in search.terms() {
                let (Term::Word(word) | Term::Start(word)) = term;
                let is_plain = |c: char| !c.is_ascii() || c.is_ascii_lowercase() || c.is_ascii_digit();
                prop_assert!(word.chars().all(is_plain) && !word.is_empty(), "{word:?}");
            }
        }
    }
}
