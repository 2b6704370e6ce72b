//! What the server promises about who may do what, and the tests that try to get round each promise.

use std::fmt::Write as _;
use std::io::Write as _;

use serde_json::json;

use crate::sandbox::{Sandbox, at};
use crate::server::{Server, question};
use crate::serving::Serving;
use crate::terminal::Terminal;

/// Each promise with the tests that attack it, wherever they are.
const PROMISES: &[(&str, &[&str])] = &[
    ("no part of /v1 without a credential", &["who_is_not_known_gets_nothing_anywhere"]),
    (
        "secrets are shown once and kept as hashes",
        &["what_only_looks_like_a_credential_is_refused", "a_secret_is_shown_once_and_kept_nowhere"],
    ),
    (
        "an agent sees and changes only its own",
        &["an_agent_sees_its_own_and_nothing_else", "an_agent_sees_its_own_and_what_it_is_asked"],
    ),
    (
        "an agent answers only what it is asked, and no approval, plan or verdict",
        &["agents_answer_agents_only_where_they_are_asked"],
    ),
    ("an agent speaks for itself: owner and source", &["agents_answer_agents_only_where_they_are_asked"]),
    ("a person does not administer", &["a_person_decides_and_does_not_administer"]),
    (
        "a credential counts in its projects",
        &["a_credential_counts_only_in_its_projects", "events_stay_in_their_projects"],
    ),
    (
        "the asker does not answer with the same credential; names do not count",
        &[
            "whoever_asked_with_a_token_does_not_answer_with_it",
            "who_asked_in_a_session_does_not_answer_by_link",
        ],
    ),
    ("the local token is bound by neither", &["whoever_asked_with_a_token_does_not_answer_with_it"]),
    ("silence answers late for an agent", &["an_agent_cannot_make_silence_answer_soon"]),
    ("names come from the credential", &["a_name_counts_only_where_nobody_checks"]),
    ("a prefix finds what one may see", &["prefixes_are_unique_among_what_one_may_see"]),
    ("no agent sees a draft", &["an_agent_never_sees_a_draft", "drafts_reach_no_agent_by_any_way"]),
    ("where people are named, only they settle", &["where_people_are_named_others_only_look"]),
    (
        "what is taken away is taken at once",
        &[
            "a_revoked_token_ends_what_it_holds_open",
            "a_token_that_another_process_revokes_counts_no_more",
            "what_a_session_holds_open_ends_with_it",
            "whoever_may_see_less_than_before_has_to_come_in_again",
            "what_is_taken_away_is_taken_at_once",
        ],
    ),
    (
        "a store that demands a server is written by one alone, and one that asks who calls",
        &["a_store_that_demands_authentication_is_written_by_its_server_alone"],
    ),
    (
        "local files are their owner's, and the local token goes to one address",
        &[
            "the_local_files_are_for_their_owner_and_lead_commands_to_the_server",
            "the_local_token_is_sent_only_to_its_own_server",
            "files_that_others_could_have_written_are_not_believed",
            "a_token_that_others_could_read_is_made_anew",
        ],
    ),
    ("a port has one server", &["a_port_that_is_taken_is_not_shared"]),
    ("the browser comes in by a link on a terminal", &["a_terminal_shows_a_link_that_works_once"]),
    ("nobody is asked on loopback alone", &["no_auth_is_for_loopback_alone"]),
    (
        "foreign hosts, origins and sites are refused on every route",
        &[
            "only_our_own_names_are_answered_on_every_route",
            "other_origins_are_refused_whatever_they_send",
            "other_sites_are_refused_unless_a_person_follows_a_link",
            "only_a_named_origin_may_read",
            "json_comes_only_as_json",
        ],
    ),
    (
        "a cookie opens nothing to other pages",
        &[
            "the_cookie_alone_writes_nothing_on_any_route",
            "only_the_token_of_this_session_counts_and_only_in_its_header",
            "a_page_elsewhere_writes_nothing_even_if_it_knew_the_token",
            "what_a_form_can_send_is_not_taken",
            "a_named_origin_brings_a_token_of_its_own",
            "other_pages_cannot_send_our_forms",
        ],
    ),
    (
        "bodies, rates and guesses are limited",
        &[
            "a_body_that_is_too_large_is_refused",
            "no_more_than_so_many_are_held_at_once",
            "whoever_sends_too_fast_is_told_when_to_come_back",
            "a_name_is_not_guessed_at_for_long",
            "many_at_once_do_not_slip_through",
            "links_are_not_guessed_at_for_long",
            "wrong_passwords_do_not_tell_who_is_known",
        ],
    ),
    (
        "a link is for one person, one decision as it stands, once, and not for long",
        &[
            "looking_uses_nothing_up_and_answering_does",
            "a_link_lasts_a_day_at_most_and_never_past_the_deadline",
            "a_link_dies_when_the_question_changes",
            "any_other_character_makes_it_no_link",
            "another_key_makes_no_link_of_ours",
            "each_kind_of_link_is_for_one_thing",
            "a_signed_link_opens_its_card_and_is_answered_once",
            "a_one_time_link_signs_in_once_and_only_by_its_button",
        ],
    ),
    (
        "only a notice to a named person carries a link",
        &[
            "links_are_for_people_who_are_asked_and_still_known",
            "each_person_who_is_asked_gets_a_link_of_their_own",
            "each_occasion_is_told_once_and_signed",
        ],
    ),
    (
        "keys are their owner's, and what they signed needs only the public half",
        &[
            "whatever_the_umask_everything_is_private",
            "a_receipt_states_the_answer_and_verifies",
            "a_log_rewritten_with_a_new_key_is_not_vouched_for",
        ],
    ),
    (
        "no request to private addresses, no secret anywhere it can be seen",
        &["nothing_goes_to_a_private_address_unless_allowed", "secrets_are_seen_nowhere"],
    ),
    (
        "a yes about a subject says what was seen",
        &[
            "without_a_terminal_an_answer_about_a_subject_needs_its_digest",
            "beads_and_oddjobs_need_it_too",
            "what_was_not_shown_or_has_changed_is_shown_and_asked_for",
            "over_http_a_subject_needs_the_digest",
        ],
    ),
    (
        "a no is a no, and a confirmation can be declined",
        &[
            "a_no_by_any_of_its_names_exits_8",
            "a_confirmation_without_a_no_is_refused_with_how_to_mark_one",
            "a_foreign_confirmation_can_be_declined",
        ],
    ),
    (
        "a name is shown as what it is",
        &["a_name_that_nobody_checked_is_marked_as_one", "the_credential_comes_first_at_every_door"],
    ),
    (
        "an agent makes no yes, whatever it sends",
        &["an_agent_makes_no_yes_of_its_own", "fuzzed_requests_break_nothing"],
    ),
    (
        "over MCP nothing is answered that a person did not allow",
        &[
            "a_connection_approves_nothing_of_its_own",
            "a_persons_questions_are_answered_only_where_a_person_allowed_it",
            "one_agent_neither_cancels_nor_uses_what_another_asked",
            "over_http_a_persons_credential_does_not_let_a_program_answer",
        ],
    ),
    (
        "what was answered in the terminal is not answered again",
        &[
            "a_call_that_ran_was_answered_in_the_terminal",
            "a_new_prompt_or_the_end_of_the_turn_leaves_no_dialog_open",
        ],
    ),
    (
        "an agent in a job acts for itself, and under its own account reaches no keys",
        &[
            "an_agent_acts_by_a_token_of_its_own_and_cannot_answer",
            "the_settings_words_stand_before_all_that_a_job_runs",
            "an_agent_under_another_account_cannot_reach_the_keys_and_is_ended",
        ],
    ),
    (
        "programs are started only by those who may, from where the settings say",
        &[
            "starting_takes_an_admin_of_all_projects_or_the_permission",
            "a_credential_starts_only_runbooks_that_lie_where_the_settings_say",
        ],
    ),
    (
        "a change runs no hooks of its own, and does not say who decided",
        &["a_change_of_hooks_is_marked_and_does_not_run_them", "a_rationale_does_not_say_who_decided"],
    ),
    (
        "a yes is used by what the log says, and by no row",
        &[
            "a_yes_is_not_moved_to_another_subject",
            "a_row_that_says_yes_is_no_yes",
            "an_event_that_nobody_wrote_is_no_yes",
        ],
    ),
    (
        "history is not rewritten unseen",
        &[
            "rewriting_history_without_a_key_is_seen_until_it_is_accepted_and_named_for_ever",
            "a_store_that_was_rolled_back_is_seen_and_a_restore_has_its_way_through",
            "a_receipt_proves_offline_that_it_stands_in_the_log",
            "a_witness_elsewhere_sees_what_the_holder_of_the_keys_does",
        ],
    ),
    (
        "accepting a log adopts no stranger's orders about keys",
        &["a_key_that_a_stranger_revoked_signs_on_once_the_log_is_accepted"],
    ),
    (
        "no credential uses up what others need",
        &[
            "a_credential_has_a_rate_of_its_own_on_loopback_too",
            "a_credential_may_have_only_so_much_pending",
            "lists_of_long_decisions_take_little_memory",
            "whoever_does_not_read_is_cut_off",
            "nobody_is_kept_out_by_what_others_fail",
            "an_address_is_believed_only_from_a_trusted_proxy",
        ],
    ),
    (
        "a store that is gone stays gone",
        &[
            "a_store_deleted_under_a_server_is_not_made_anew",
            "a_store_emptied_or_overwritten_where_it_lies_is_gone",
            "a_full_disk_is_not_ready",
        ],
    ),
];

#[test]
fn every_promise_is_attacked() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut tests = String::new();
    let mut folders = vec![root.join("hold/tests/it"), root.join("engine/tests/it")];
    while let Some(folder) = folders.pop() {
        for file in std::fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                writeln!(tests, "{}", std::fs::read_to_string(path).unwrap()).unwrap();
            }
        }
    }
    for (promise, names) in PROMISES {
        assert!(!names.is_empty(), "{promise}");
        for name in *names {
            let plain = format!("]\nfn {name}()");
            let ends = format!("]\nasync fn {name}()");
            assert!(tests.contains(&plain) || tests.contains(&ends), "{promise}: there is no test {name}");
        }
    }
}

#[test]
fn a_person_decides_and_does_not_administer() {
    let server = Server::start();
    let (ana, agent) = (server.token("ana", "person", &[]), server.token("bot", "agent", &[]));
    let id = agent.ask();
    ana.decision(&id).is(200);
    ana.post(&format!("/v1/decisions/{id}/answer"), &json!({"guidance": "Think again"})).is(200);
    let id = ana.ask();
    ana.post(&format!("/v1/decisions/{id}/cancel"), &json!({})).is(200);
    let before = server.sandbox.log().len();
    for (method, path, body) in [
        ("GET", "/v1/tokens", None),
        ("POST", "/v1/tokens", Some(json!({"name": "x", "role": "admin"}))),
        ("DELETE", "/v1/tokens/tok-x", None),
        ("GET", "/v1/people", None),
        ("PUT", "/v1/people/ana", Some(json!({"name": "ana", "role": "admin"}))),
        ("DELETE", "/v1/people/ana", None),
        ("POST", "/v1/people/ana/link", None),
        ("PUT", "/v1/auth", Some(json!({"required": false}))),
        ("PUT", "/v1/projects/default", Some(json!({"min_timeout": "0s"}))),
        ("DELETE", "/v1/items/x", None),
        ("GET", "/v1/outbox", None),
        ("POST", "/v1/outbox/1/resend", None),
    ] {
        ana.send(method, path, body.as_ref()).refuses(403, "forbidden");
    }
    // What another asked is not theirs to change or to use up.
    let theirs = agent.ask();
    ana.send("PATCH", &format!("/v1/decisions/{theirs}"), Some(&json!({"prompt": "?"})))
        .refuses(403, "forbidden");
    assert_eq!(server.sandbox.log().len(), before + 1);
}

#[test]
fn a_port_that_is_taken_is_not_shared() {
    let server = Server::start();
    let other = Sandbox::new();
    other.run(&["serve", "--listen", &server.address]).exits(1).says("cannot listen");
    assert!(!other.home().join("server.json").exists(), "nobody is led to a server that is not there");
    // Nor does a second one on the same data folder lead away from the first.
    server.sandbox.run(&["serve", "--listen", &server.address]).exits(1).says("cannot listen");
    let id = server.sandbox.ask_a_or_b();
    at(&server.sandbox.json(&["answer", &id, "a", "--json"]), "/answer/auth", "local");
}

#[test]
fn a_terminal_shows_a_link_that_works_once() {
    let sandbox = Sandbox::new();
    let mut terminal = Terminal::start(&sandbox, &["serve", "--listen", "127.0.0.1:0"]);
    terminal.until("Listening on http://");
    let text = terminal.text().replace('\n', "");
    // It is shown before the address, and may be broken over lines.
    let link = text.split("/sign-in/").nth(1).unwrap_or_else(|| panic!("no link: {text}"));
    let link = link.split("Listening").next().unwrap().trim().to_owned();
    let mut address = String::new();
    while address.is_empty() {
        terminal.until("");
        let found = std::fs::read(sandbox.home().join("server.json")).unwrap();
        let found: serde_json::Value = serde_json::from_slice(&found).unwrap();
        found["address"].as_str().unwrap().trim_start_matches("http://").clone_into(&mut address);
    }
    let enter = || {
        let request = format!(
            "POST /sign-in/{link} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Length: 0\r\n\
             Content-Type: application/x-www-form-urlencoded\r\n\r\n"
        );
        let mut stream = std::net::TcpStream::connect(&address).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        crate::server::read(stream)
    };
    let entered = enter().is(303);
    assert!(entered.header("set-cookie").is_some_and(|cookie| cookie.starts_with("hold_session=")));
    enter().is(410);
    // A pipe keeps what it is shown, so it is shown nothing.
    let sandbox = Sandbox::new();
    let ran = Serving::start(&sandbox).stop();
    assert!(!ran.err.contains("/sign-in/"), "{ran}");
    // And a server that asks nobody has no use for it.
    let open = Server::open();
    open.nobody().post("/v1/decisions", &question()).is(201);
    open.nobody().get("/sign-in/x").is(404);
}
