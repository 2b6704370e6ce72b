//! What happened, told by what was done and to what: who cut a finger is injured, and a van that ran into a wall had an
//! accident.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use holdpoint_core::{Field, Opt};

use super::kin;
use super::scan::Scan;

/// What is done to a part of the body.
static HURTING: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    "hurt cut broke broken sprained twisted burnt burned bruised fractured crushed injured scraped banged smashed \
     dislocated hit jammed pinched strained pulled tore torn grazed stubbed scalded trapped caught stabbed scratched \
     knocked bumped squashed sliced pierced wounded"
        .split_whitespace()
        .collect()
});

/// Parts of the body.
static BODY: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    "hand hands finger fingers thumb arm arms wrist elbow shoulder back neck head face eye eyes nose mouth tooth teeth \
     ear leg legs knee knees ankle foot feet toe toes hip rib ribs chest skin palm shin calf forehead chin fingertip"
        .split_whitespace()
        .collect()
});

/// What can run into something.
static VEHICLES: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    "car cars truck trucks forklift forklifts lorry lorries van vans bike bikes bicycle trolley trolleys vehicle vehicles \
     bus tractor scooter motorbike cart carts trailer taxi pickup suv minivan tanker digger excavator motorcycle moped stacker loader hoist ambulance tram train crane jack"
        .split_whitespace()
        .collect()
});

/// Returns the option that what is told amounts to, and from which words.
pub(super) fn told<'a>(scan: &Scan<'_>, field: &'a Field) -> Option<(&'a Opt, Range<usize>)> {
    if !scan.report {
        return None;
    }
    let option = |meaning: &str| field.options.iter().find(|option| kin::means(option, meaning));
    let found = |range: Option<Range<usize>>| {
        range.filter(|range| scan.free(range.clone()) && !scan.negated(range.start))
    };
    (0..scan.tokens.len()).find_map(|at| {
        let harm = || Some((option("injury")?, found(harmed(scan, at))?));
        let crash = || Some((option("accident")?, found(ran_into(scan, at))?));
        harm().or_else(crash)
    })
}

/// Reads `cut his finger`, `a broken arm`, `has hurt himself the foot`.
fn harmed(scan: &Scan<'_>, at: usize) -> Option<Range<usize>> {
    const REACH: usize = 4;
    if !HURTING.contains(scan.word(at)) {
        return None;
    }
    let between = |from: usize, to: usize| {
        (from..to).all(|at| {
            let word = scan.word(at);
            matches!(word, "his" | "her" | "my" | "their" | "the" | "a" | "an" | "both" | "left" | "right")
                || matches!(word, "two" | "own" | "lower" | "upper" | "little" | "big" | "one")
                || word.ends_with("self")
        })
    };
    let part = (at + 1..=at + REACH).find(|at| BODY.contains(scan.word(*at)))?;
    between(at + 1, part).then_some(at..part + 1)
}

/// Reads `the van ran into a wall`, `hit the gate with the forklift`.
fn ran_into(scan: &Scan<'_>, at: usize) -> Option<Range<usize>> {
    let moved = matches!(
        scan.word(at),
        "drove"
            | "ran"
            | "backed"
            | "reversed"
            | "bumped"
            | "slammed"
            | "smashed"
            | "rammed"
            | "rolled"
            | "drives"
    );
    let struck = matches!(scan.word(at), "hit" | "rammed" | "struck" | "clipped")
        && matches!(scan.word(at + 1), "a" | "an" | "the" | "another" | "our" | "my" | "each");
    let vehicle = || {
        scan.sentence(at)
            .filter(|other| scan.is_in_clause_of(*other, at))
            .any(|other| VEHICLES.contains(scan.word(other)))
    };
    let into = moved && scan.word(at + 1) == "into";
    ((into || struck) && vehicle()).then_some(at..at + 2)
}
