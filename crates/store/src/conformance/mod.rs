//! One suite for all drivers: what the port promises, as cases that run on any store.
//!
//! A driver's tests implement [`StoreHarness`] and pass it to [`conformance_tests!`](crate::conformance_tests), which makes
//! one test of each case. A new method of the port gets its cases here first.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::missing_panics_doc,
    reason = "cases are tests: they fail by panicking"
)]
#![expect(missing_docs, reason = "the name of a case is what it shows")]

pub mod answering;
pub mod asking;
pub mod callbacks;
pub mod channels;
pub mod concurrency;
pub mod credentials;
pub mod deadlines;
pub mod escalation;
pub mod held;
pub mod jobs;
pub mod keys;
pub mod listing;
pub mod log;
pub mod losing;
pub mod outbox;
pub mod owners;
pub mod people;
pub mod push;
pub mod quotas;
pub mod relying;
pub mod remarks;
pub mod rules;
pub mod runs;
mod scene;
pub mod script;
pub mod search;
pub mod threads;
pub mod tokens;
pub mod views;
pub mod vouching;

use std::sync::Arc;

use async_trait::async_trait;

pub use scene::{Scene, T0, choose, question, signer};

use crate::{LogRow, Options, Store};

/// What a driver provides to the suite: one new, empty store, and ways to reach it.
#[async_trait]
pub trait StoreHarness: Send + Sync {
    /// Opens the store; every call gives a separate handle to the same store.
    async fn open(&self, options: Options) -> Arc<dyn Store>;

    /// Changes the database behind the store's back.
    async fn tamper(&self, tampering: Tampering);
}

/// How the database is changed.
#[derive(Clone, Debug)]
pub enum Tampering {
    /// Replaces the body of an event.
    Body { seq: i64, body: Option<String> },
    /// Changes the time of an event.
    At { seq: i64, at: i64 },
    /// Removes an event.
    Remove { seq: i64 },
    /// Removes all events after one.
    CutAfter { seq: i64 },
    /// Changes the status in a decision's row, but not its document.
    Projection { status: &'static str },
    /// Changes the short form in the first decision's row.
    Brief { brief: Option<String> },
    /// Changes the document in the first decision's row.
    Row { doc: String, status: &'static str, deadline: Option<i64> },
    /// Changes the document in the rows of all jobs.
    JobRow { doc: String },
    /// Makes all idempotency keys name the first decision, and adds a copy of each with a "2" appended.
    Keys,
    /// Changes the settings of all projects.
    Settings,
    /// Undoes everything after an event, as if restored from an older backup.
    Restore { seq: i64 },
    /// Makes a job's row differ from the log.
    Job,
    /// Changes a counter.
    Counter,
    /// Changes what a credential has pending.
    Usage,
    /// Empties the table of runs.
    Runs,
    /// Empties the table of threads.
    Threads,
    /// Replaces the whole log, and removes all checkpoints.
    Log { links: Vec<LogRow> },
    /// Appends an event.
    Append { link: LogRow },
    /// Adds a session and an outbox row without an event.
    Unexplained,
    /// Adds an outbox row.
    Outbox { id: i64, seq: i64, lane: &'static str, decision: Option<i64> },
    /// Removes a checkpoint.
    Checkpoint { seq: i64 },
    /// Makes all tokens and people admins, adds a token, and turns authentication off.
    Roles,
    /// Removes the words of the first decision from the search index.
    Index,
    /// Gives all tokens and people secrets of the attacker's choice, and adds a session.
    Secrets,
}

/// Makes a test of every case, on the bench that an expression returns.
#[macro_export]
macro_rules! conformance_tests {
    ($bench:expr) => {
        $crate::conformance_tests! { $bench;
            asking: creates_and_reads_back, refuses_without_a_trace, same_key_gives_the_first_again,
                a_key_that_the_table_points_elsewhere_gives_nothing,
                old_keys_are_forgotten_some_at_a_time,
                key_with_another_body_is_refused, keys_count_within_project_and_credential, key_of_a_removed_one_is_spent;
            answering: first_answer_wins, several_are_answered_in_one_transaction, guidance_opens_the_next_round, revising_keeps_the_id, drafts_are_kept,
                talk_is_kept_with_the_draft, cancelling_settles, approvals_are_used_once,
                a_consumption_is_repeated_under_its_key, unknown_ids_are_not_found;
            deadlines: touching_expires_first, next_commit_records_what_is_overdue, time_never_goes_back,
                time_goes_on_when_the_clock_is_stepped_back, a_clock_that_was_back_for_a_moment_fires_nothing,
                clocks_that_are_ahead_in_turn_do_not_add_up,
                a_step_is_recorded_by_a_command_that_does_nothing,
                readers_see_it_before_it_is_recorded, next_deadline_and_due, an_overdue_sibling_does_not_block;
            quotas: a_credential_has_only_so_many_pending, bytes_count_too, usage_is_inspected;
            owners: newer_supersedes, items_wait_while_asked, decisions_block_other_items, exclusive_asks_stand_alone, ending_removes_the_pending,
                deleting_removes_all, projects_keep_settings, actions_are_events, pruning_removes_old_ones;
            rules: a_rule_settles_what_it_matches_as_it_is_asked, rules_count_on_every_handle_at_once, a_limited_rule_answers_only_so_often,
                a_rule_trips_as_the_settings_say, who_made_a_rule_that_trips_is_asked_once_and_answers_on_any_handle, a_rule_whose_time_is_over_is_recorded_with_the_next_ask,
                a_person_who_is_gone_takes_their_rules_along, a_token_that_is_revoked_takes_its_rules_along,
                a_person_who_is_gone_takes_the_rules_of_their_tokens_along;
            people: votes_are_kept_and_the_last_one_settles, of_two_last_votes_at_once_one_settles, groups_count_on_every_handle_at_once,
                policies_count_on_every_handle_at_once, a_token_votes_for_the_person_who_owns_it, a_revision_clears_the_votes;
            escalation: a_step_is_taken_once_over_all_handles, what_is_due_is_found_by_its_time, steps_go_on_when_the_clock_is_stepped_back,
                stand_ins_count_on_every_handle_at_once, who_is_gone_takes_their_vote_along_and_comes_back_as_somebody_else,
                whom_a_step_asks_too_takes_it_from_nobody;
            listing: pages_meet, a_list_shows_what_is_pending_now, pages_are_bounded_in_bytes, a_long_decision_has_a_short_form, a_forged_short_form_shows_no_subject, pages_of_the_log_are_bounded_in_bytes, filters_by_each_key, statuses_are_as_of_now, prefixes_name, settled_before_lists_old_ones,
                counts_are_kept;
            search: words_are_found_wherever_they_stand, what_is_typed_means_nothing_but_its_words, every_alphabet_is_found,
                answers_and_changes_are_found_before_they_are_indexed, what_is_erased_is_not_in_the_index,
                only_what_one_may_see_is_found, pages_of_a_search_meet, a_damaged_index_is_found_and_mended, a_zero_character_is_in_nobodys_way,
                names_of_jobs_are_found;
            views: views_are_kept_for_each_person, views_go_with_the_person;
            outbox: routes_make_outbox_rows, leases_run_out, retries_wait, late_ones_die, dead_ones_are_resent,
                removal_clears_outbox_rows, busy_targets_are_left_alone, a_target_gets_no_more_than_its_room,
                a_burst_of_one_project_delays_no_other, targets_of_a_project_take_turns, many_are_taken_once_and_all,
                lifetimes_are_by_lane_and_occasion, sessions_are_told_once, each_person_who_is_asked_gets_an_outbox_row,
                a_route_stays_in_its_projects;
            remarks: a_remark_is_kept_once_over_all_handles, what_is_settled_revised_or_gone_gets_no_remark,
                programs_look_when_it_is_asked_and_again_when_it_is_revised;
            callbacks: every_end_of_a_decision_is_told_to_its_asker_once;
            channels: messages_are_kept_and_found, what_happens_to_a_decision_follows_its_messages,
                what_a_person_may_no_longer_see_is_taken_back,
                the_newest_change_is_claimed_first,
                the_urgent_is_claimed_first,
                people_are_told_where_nobody_is_asked, notes_are_kept_for_a_month, one_node_listens_at_a_time,
                accounts_are_linked_and_answer, a_linked_account_does_nothing_else;
            held: what_is_held_back_waits_until_it_is_due, what_is_held_back_is_still_worth_sending_when_it_is_due,
                a_change_of_mind_releases_what_is_held, what_is_gathered_is_taken_together, of_several_who_gather_one_gets_all,
                how_a_person_is_told_is_kept;
            push: the_push_key_is_made_once, browsers_are_kept_up_to_a_number, who_is_signed_out_everywhere_has_no_browsers;
            log: events_in_order, chain_holds, erased_is_not_tampered, tampering_is_named, checkpoints_vouch,
                cut_off_logs_are_found, inspection_finds_and_mends, what_no_event_explains_is_found,
                what_its_event_cannot_have_ordered_is_found;
            tokens: tokens_count_until_revoked, agents_and_people_share_no_name;
            credentials: people_are_kept_without_a_trace_of_the_password,
                whoever_is_removed_is_out_and_forgotten, sessions_end, links_are_used_once, a_link_goes_with_the_answer,
                a_link_does_nothing_else, one_link_settles_one_of_many, authentication_shuts_out_the_unchecked,
                a_credential_stays_in_its_projects, lists_show_what_one_may_see, nobody_gets_a_role_behind_the_log,
                nobody_gets_in_by_a_row,
                credentials_are_events;
            jobs: a_job_lives_in_the_store, an_answer_orders_and_is_typed_once, the_end_of_a_job_ends_its_questions,
                one_node_at_a_time_looks_after_a_job, jobs_are_listed_and_named, a_damaged_job_is_found_and_mended;
            runs: a_retry_starts_the_job_that_worked_again, a_run_is_what_its_events_say, a_verdict_ends_a_run_once, a_verdict_that_fails_is_asked_for_again,
                pages_of_runs_meet, runs_are_found_by_start_and_end, the_log_brings_runs_back;
            threads: opened_once, a_message_asks_and_is_answered, first_decision_in_a_thread_wins,
                a_message_is_posted_once_under_a_key, silence_is_told_and_so_is_what_is_asked, reports_stay_with_the_decision,
                agents_join_what_they_are_named_in, a_thread_goes_with_all_that_was_said, the_log_brings_threads_back,
                speakers_take_turns;
            vouching: a_rewritten_log_is_not_signed, a_log_rewritten_under_a_server_is_not_signed,
                what_is_not_signed_yet_is_not_forged_either, a_log_that_was_cut_is_not_signed,
                an_event_that_nobody_wrote_is_not_signed, a_key_that_nobody_knows_does_not_count,
                each_key_answers_for_its_own, a_batch_in_the_name_of_another_node_does_not_count, one_node_accepts_for_all,
                a_log_is_checked_while_it_is_signed, removed_checkpoints_are_found, a_log_without_proofs_goes_on;
            losing: what_was_committed_is_not_cut_before_it_is_signed, what_was_committed_is_missed_by_who_signs,
                numbers_are_not_given_again_after_a_restore, what_could_not_be_signed_is_missed_after_a_restore, whose_key_was_revoked_does_not_vouch;
            keys: an_order_of_a_stranger_counts_for_nothing_when_it_is_accepted,
                an_order_that_its_hash_does_not_cover_counts_for_nothing,
                an_order_that_the_next_event_does_not_follow_counts_for_nothing,
                an_order_in_the_name_of_another_node_counts_for_nothing,
                a_checkpoint_of_a_revoked_key_covers_nothing_new;
            relying: the_log_makes_what_stands_in_the_row, a_patched_row_is_not_used,
                a_use_of_what_was_pending_is_named, a_yes_to_something_else_is_named,
                events_that_nobody_wrote_are_doubted, a_changed_row_makes_no_events, a_changed_job_is_not_run;
            concurrency: fifty_answerers_one_outcome, two_handles_one_store, a_watcher_sees_others, batches_see_each_other,
                handles_in_turn_know_what_the_other_did;
        }
    };
    ($bench:expr; $($module:ident: $($case:ident),+;)+) => {
        $(mod $module {
            use super::*;
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $case() {
                $crate::conformance::$module::$case(&$bench).await;
            })+
        })+
    };
}
