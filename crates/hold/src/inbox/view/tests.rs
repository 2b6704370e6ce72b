//! Snapshots of whole screens.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr as _;

use crate::inbox::events::InboxEvent;
use crate::inbox::scene::{approval, decision, draw, inbox, open, press};
use crate::inbox::update::update;

#[test]
fn the_list_at_eighty_columns() {
    let model = inbox((80, 24), &[approval(1), decision(2, &json!({}))]);
    let shown = draw(&model);
    let expected = "\
Inbox · 2 pending decisions
> Approval    [urgent] kubectl apply               \"agent-7\"        5m due 5 min
  Question    Which cache?                         \"agent-7\"        5m";
    assert!(shown.starts_with(expected), "{shown}");
    let preview = "\
────────────────────────────────────────────────────────────────────────────────
Deploy?
kubectl apply
agent-7 (unverified) wants to run a command, for job:deploy. Asked 5 min ago.
Refused in 5 min if nobody answers.
1 Yes   2 No";
    assert!(shown.contains(preview), "{shown}");
    assert!(shown.ends_with("j k move  Enter opens  1-9 pick  x mark  / search  ? keys  q quit"), "{shown}");
}

#[test]
fn a_row_that_several_decide_on_names_its_subject_first() {
    let needs =
        json!({"source": "approval", "subject": {"command": "make deploy"}, "needs": {"approvals": 2}});
    let wide = "> Approval    make deploy";
    for (size, line) in [((80, 24), wide), ((120, 24), "> make deploy"), ((200, 50), wide)] {
        let shown = draw(&inbox(size, &[decision(1, &needs)]));
        let row = shown.lines().nth(1).unwrap();
        assert!(row.starts_with(line) && row.contains(" 0/2 "), "{shown}");
    }
    let shown = draw(&inbox((80, 24), &[decision(1, &needs)]));
    assert!(shown.replace('\n', " ").contains("Votes: 0 of 2; still needed: 2 more people."), "{shown}");
}

#[test]
fn a_card_at_eighty_columns() {
    let mut model = inbox((80, 24), &[approval(1)]);
    open(&mut model, &approval(1), None);
    let expected = "\
Inbox · 1 of 1 · kubectl apply — Deploy?
Deploy?
Approval, Urgent: agent-7 (unverified) wants to run a command, for job:deploy.
Asked 5 min ago.
! Refused in 5 min if nobody answers.

Command
  kubectl apply

Your answer
  1 Yes
> 2 No (refuses)

  Message (m): ______________________________
  Request changes (g): ______________________________
    Sends “No” with your text.";
    let shown = draw(&model);
    assert!(shown.starts_with(expected), "{shown}");
}

#[test]
fn narrow_and_low_screens_show_what_matters() {
    let mut model = inbox((40, 12), &[approval(1)]);
    let shown = draw(&model);
    assert!(shown.contains("> [urgent] kubectl") && shown.contains("due 5 min"), "{shown}");
    open(&mut model, &approval(1), None);
    press(&mut model, "k");
    assert!(draw(&model).contains("> 1 Yes"), "{}", draw(&model));
    // However small the screen, drawing does not panic.
    for (width, height) in (1..50).map(|n| (n, n % 13 + 1)) {
        update(&mut model, InboxEvent::Resized(width, height));
        press(&mut model, "??ms<esc>su");
        open(&mut model, &approval(1), None);
    }
}

#[test]
fn the_subject_is_one_key_away_and_scrolls() {
    let lines = (1..=100).map(|n| format!("line {n}")).collect::<Vec<_>>().join("\n");
    let question = decision(1, &json!({"source": "approval", "subject": lines}));
    let mut model = inbox((80, 24), std::slice::from_ref(&question));
    open(&mut model, &question, None);
    press(&mut model, "s");
    let shown = draw(&model);
    assert!(shown.starts_with("Subject\nline 1\nline 2\n"), "{shown}");
    assert!(shown.contains("lines 1–20 of 102"), "{shown}");
    press(&mut model, "G");
    assert!(draw(&model).contains("You approve exactly this"), "{}", draw(&model));
    press(&mut model, "u");
    assert!(draw(&model).contains("\nSubject\n  line 1\n"), "{}", draw(&model));
}

#[test]
fn what_others_say_came_of_it_stands_on_the_card() {
    let report = |approved: bool| {
        json!({"message": "payment_result", "content": {"payment_result": {"result": "success\u{1b}[31m"}},
            "thread": "thr-1", "by": "evil", "actor": "shop", "auth": "token", "approved": approved, "at": "2026-11-15T12:00:00Z"})
    };
    let question =
        decision(1, &json!({"source": "approval", "subject": "x", "reports": [report(true), report(false)]}));
    let mut model = inbox((100, 40), std::slice::from_ref(&question));
    open(&mut model, &question, None);
    let shown = draw(&model);
    for words in ["payment_result: success<U+001B>", "says evil, as \"shop\"", "! Done without approval"] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    assert_eq!(shown.matches("Done without approval").count(), 1, "{shown}");
}

fn hostile(number: u32) -> holdpoint_core::Decision {
    let nasty = "\u{1b}[31mred\u{1b}]0;owned\u{7} \u{202e}live\u{202c}\u{200b}\r\u{8}";
    let zalgo = format!("z{}", "\u{301}".repeat(100_000));
    let options: Vec<Value> = (0..10_000)
        .map(|n| json!({"id": format!("o{n}"), "label": format!("{nasty}{zalgo:.20} {n}"), "description": nasty.repeat(50)}))
        .collect();
    decision(
        number,
        &json!({
            "title": format!("{nasty}{}", "T".repeat(20_000)), "prompt": format!("{nasty}{}", "word ".repeat(200_000)),
            "requested_by": nasty, "project": nasty, "assignees": [nasty.repeat(10)], "guidance": nasty.repeat(1_000),
            "iteration": 2, "subject": {"command": format!("{zalgo}{}", nasty.repeat(20_000))},
            "fields": [
                {"id": "x", "kind": "choices", "label": nasty.repeat(100), "options": options, "required": false},
                {"id": "y", "kind": "text", "label": zalgo, "description": "W".repeat(500_000)},
            ],
            "outs": [{"id": "cancel", "label": nasty}],
        }),
    )
}

#[test]
fn hostile_text_is_inert_bounded_and_quick() {
    let all: Vec<_> = (1..4).map(hostile).collect();
    let mut model = inbox((80, 24), &all);
    let inert =
        |shown: &str| !shown.contains(['\u{1b}', '\u{7}', '\u{8}', '\u{202e}', '\u{202c}', '\u{200b}']);
    let shown = draw(&model);
    assert!(inert(&shown), "{shown}");
    open(&mut model, &all[0], None);
    // Only visible lines are created: even unoptimised and on a busy machine, a drawing takes milliseconds.
    let start = Instant::now();
    for _ in 0..10 {
        press(&mut model, "jj<tab>");
        let shown = draw(&model);
        assert!(inert(&shown), "{shown}");
        assert!(shown.len() < 80 * 24 * 8, "{}", shown.len());
        for line in shown.lines() {
            assert!(line.width() <= 80, "{line}");
        }
    }
    press(&mut model, "p<pgdn><pgdn>");
    assert!(inert(&draw(&model)));
    press(&mut model, "us<pgdn>");
    assert!(inert(&draw(&model)));
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn all_keys_are_shown_on_a_small_screen() {
    let mut model = inbox((80, 24), &[]);
    press(&mut model, "?");
    let shown = draw(&model);
    for key in ["j k", "1 … 9", "request changes", "Ctrl-S", "q           quit"] {
        assert!(shown.contains(key), "{key}: {shown}");
    }
}

#[test]
fn from_120_columns_on_the_list_stands_beside_the_card() {
    let all = [approval(1), decision(2, &json!({}))];
    let mut model = inbox((119, 24), &all);
    assert!(!draw(&model).contains('│'));
    update(&mut model, InboxEvent::Resized(120, 24));
    let shown = draw(&model);
    let lines: Vec<&str> = shown.lines().collect();
    assert!(lines[1].starts_with("> [urgent] kubectl apply") && lines[1].ends_with("│ Deploy?"), "{shown}");
    assert!(lines[2].starts_with("  Which cache?") && lines[2].ends_with("│ kubectl apply"), "{shown}");
    open(&mut model, &all[0], None);
    let shown = draw(&model);
    assert!(shown.contains("│ > 2 No (refuses)") && shown.contains("\n  Which cache?"), "{shown}");
    assert!(shown.lines().all(|line| line.width() <= 120), "{shown}");
    // A pager has the screen to itself.
    press(&mut model, "s");
    assert!(!draw(&model).contains('│'));
}

#[test]
fn what_lies_beyond_the_edges_is_announced() {
    let all: Vec<_> = (1..=30).map(|n| decision(n, &json!({"prompt": format!("Question {n}?")}))).collect();
    let mut model = inbox((80, 24), &all);
    // 24 lines: one above, two below, seven for the preview of the selected row, one for the edge.
    assert!(
        draw(&model).contains("Question 13?") && draw(&model).contains("\n↓ 17 more below\n"),
        "{}",
        draw(&model)
    );
    press(&mut model, ">");
    assert!(draw(&model).contains("\n↑ 17 more above\n"), "{}", draw(&model));
    press(&mut model, "kkkkkkkkkkkkkk");
    assert!(draw(&model).contains("\n↑ 15 more above  ↓ 2 more below\n"), "{}", draw(&model));
    let long = decision(1, &json!({"source": "approval", "subject": "line\n".repeat(50)}));
    let mut model = inbox((80, 24), std::slice::from_ref(&long));
    open(&mut model, &long, None);
    let shown = draw(&model);
    assert!(shown.contains("\n↓ ") && !shown.contains("above"), "{shown}");
    press(&mut model, "<pgdn>");
    assert!(draw(&model).contains("more above  ↓ "), "{}", draw(&model));
}
