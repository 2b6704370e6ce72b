//! Plans on a screen, without what was printed before them.

use holdpoint_core::job::detect::{
    Observation, Patterns, PlanAcceptance, Prompt, QuestionOption, ScreenText, find_prompt, going_on,
    printed_before,
};

const OPTIONS: &str =
    "\n❯ 1. Yes, auto-accept edits\n  2. Yes, manually approve edits\n  3. No, keep planning\n";
const ASKS: &str = "\n\nWould you like to proceed?";

/// Returns the plan that a screen shows, and what it shows before it.
fn plan(above: &str) -> (String, String) {
    let rows = format!("{above}{OPTIONS}").lines().map(str::to_owned).collect();
    let screen = ScreenText { rows, ..ScreenText::default() };
    let seen = Observation { screen: screen.clone(), ..Observation::default() };
    let Some(Prompt::Plan { text, .. }) = find_prompt(&seen, &Patterns::default()) else {
        panic!("no plan on\n{above}{OPTIONS}")
    };
    let before = printed_before(&screen, &text).unwrap().join("\n");
    (text, before)
}

#[test]
fn what_was_printed_before_a_plan_is_not_part_of_it() {
    let output = "● Reading the settings\n  Two servers were found";
    let rule = "─".repeat(40);
    for (plan_shown, starts) in [
        ("Here is the plan:\nFirst this\n\nThen that", "Here is the plan:"),
        ("● Here's my plan:\nFirst this\n\n## Test plan\nThen that", "Here's my plan:"),
        ("## Plan\n\nFirst this\n\n\nThen that", "## Plan"),
        ("Plan: First this\nThen that", "Plan: First this"),
        ("Ready to code?\n\nHere is Claude's plan:\nFirst this\nThen that", "Ready to code?"),
    ] {
        for between in ["\n", "\n\n", &format!("\n{rule}\n")] {
            let (text, before) = plan(&format!("{output}{between}{plan_shown}{ASKS}"));
            assert!(text.starts_with(starts) && text.contains("Then that"), "{plan_shown:?}: {text}");
            assert!(text.ends_with("Would you like to proceed?"), "{text}");
            assert_eq!(before, output, "{plan_shown:?}");
        }
    }
}

#[test]
fn a_plan_that_is_not_announced_begins_below_its_frame() {
    let output = "Reading the settings\nTwo servers were found";
    let rule = "─".repeat(40);
    let framed = format!("╭{rule}╮\n│ First this │\n│ Then that │\n╰{rule}╯");
    for shown in
        [format!("{rule}\nFirst this\nThen that"), format!("{rule}\nFirst this\nThen that\n{rule}"), framed]
    {
        let (text, before) = plan(&format!("{output}\n{shown}{ASKS}"));
        assert_eq!(text, format!("First this\nThen that{ASKS}"), "{shown}");
        assert_eq!(before, output, "{shown}");
    }
    let table = "First this\n┌───┬───┐\n│ a │ b │\n├───┼───┤\n│ 1 │ 2 │\n└───┴───┘\nThen that";
    let (text, before) = plan(&format!("{output}\n{rule}\n{table}{ASKS}"));
    assert!(text.starts_with("First this"), "{text}");
    assert_eq!(before, output);
}

#[test]
fn a_long_plan_is_whole_and_the_one_before_it_is_not_part_of_it() {
    let steps: Vec<String> = (1..=50).map(|step| format!("- step {step}")).collect();
    let first = format!("Here is the plan:\n- something else{ASKS}{OPTIONS}Revised.\n");
    let (text, before) = plan(&format!("{first}Here is the plan:\n{}{ASKS}", steps.join("\n")));
    assert!(text.contains("- step 1\n") && text.contains("- step 50"), "{text}");
    assert!(!text.contains("something else") && before.contains("something else"), "{text}");
    // Where nothing tells them apart, all of it is the plan: no part of it may be left out.
    let (text, before) = plan(&format!("Two servers were found\nFirst this\nThen that{ASKS}"));
    assert!(text.starts_with("Two servers") && before.is_empty(), "{text}");
}

#[test]
fn a_menu_is_accepted_by_what_its_labels_say() {
    let menu = |labels: &[&str]| -> Vec<QuestionOption> {
        let option = |(at, label): (usize, &&str)| QuestionOption {
            number: u8::try_from(at + 1).unwrap(),
            label: (*label).to_owned(),
            description: None,
        };
        labels.iter().enumerate().map(option).collect()
    };
    let number = |labels: &[&str]| PlanAcceptance::ALL.map(|way| way.number(&menu(labels)));
    let (clear, auto) = ("Yes, clear context and auto-accept edits (shift+tab)", "Yes, auto-accept edits");
    let (manual, no) = ("Yes, manually approve edits", "No, keep planning");
    assert_eq!(number(&[clear, auto, manual, no]), [Some(1), Some(2), Some(3)]);
    assert_eq!(number(&[auto, manual, no]), [None, Some(1), Some(2)]);
    assert_eq!(number(&[manual, auto, no]), [None, Some(2), Some(1)]);
    assert_eq!(number(&["Yes, implement this plan", no]), [None, Some(1), None]);
    assert_eq!(number(&["Yes, and bypass permissions", manual, no]), [None, None, Some(2)]);
    assert_eq!(number(&["No, do it manually", "No, and clear context"]), [None; 3]);
    assert_eq!(number(&[]), [None; 3]);
    // And no "go on planning" is typed as what accepts.
    let on = |labels: &[&str]| going_on(&menu(labels)).map(|option| option.number);
    let (words, tell) = ("Type here to tell Claude what to change", "Tell me what to change");
    assert_eq!(on(&[auto, manual, no]), Some(3));
    assert_eq!(on(&[no, auto]), Some(1));
    assert_eq!(on(&[manual, no, auto]), Some(2));
    assert_eq!(on(&["No", manual, clear, auto]), Some(1));
    assert_eq!(on(&[auto, tell, manual]), Some(2));
    assert_eq!(on(&[auto, no, words]), Some(3));
    assert_eq!(on(&["Yes", "Hm"]), Some(2));
    assert_eq!(on(&["Hm", "Yes", "Well"]), None);
    assert_eq!(on(&[auto, manual]), None);
    assert_eq!(on(&[no]), Some(1));
}
