//! People, their accounts, groups, and policies: who must decide what.

use holdpoint_core::people::{Absence, Group, GroupChange, NewAbsence, NewPolicy, Policy};
use holdpoint_core::{Notify, Person};
use serde::{Deserialize, Serialize};

use super::{Empty, Items, NoParams, ProjectParams, endpoints};
use crate::auth::{AccountCode, NewPerson};
use crate::notify::NotifyView;
use crate::{EscalationView, Simulation, SimulationInput};

endpoints! {
    "people" {
        /// Makes a policy: what a project demands of some of its decisions. For admins.
        ADD_POLICY = addPolicy ProjectAdmins Post "/v1/policies"
            (NoParams, NewPolicy) => 201 Policy, "The policy";
        /// Lists policies, the oldest first.
        LIST_POLICIES = listPolicies People Get "/v1/policies"
            (ProjectParams, ()) => 200 Items<Policy>, "The policies";
        /// Ends a policy. What was asked under it keeps its needs. For admins.
        REMOVE_POLICY = removePolicy ProjectAdmins Delete "/v1/policies/{id}"
            (NoParams, ()) => 200 Policy, "The removed policy";
        /// Lists groups by name.
        LIST_GROUPS = listGroups People Get "/v1/groups"
            (NoParams, ()) => 200 Items<Group>, "The groups";
        /// Adds people to a group or takes them out; a group begins with its first member. For admins of all projects.
        CHANGE_GROUP = changeGroup Admins Patch "/v1/groups/{name}"
            (NoParams, GroupChange) => 200 Group, "The group";
        /// Ends a group. Votes that counted for it still do. For admins of all projects.
        REMOVE_GROUP = removeGroup Admins Delete "/v1/groups/{name}"
            (NoParams, ()) => 200 Empty, "It was removed";
        /// Replays what was asked lately with further rules and policies; writes nothing. For admins.
        SIMULATE_POLICIES = simulatePolicies ProjectAdmins Post "/v1/policies/simulate"
            (NoParams, SimulationInput) => 200 Simulation, "The simulated outcomes";
        /// Returns what has happened, and what will, while nobody answers a decision.
        GET_ESCALATION = getEscalation Known Get "/v1/decisions/{id}/escalation"
            (NoParams, ()) => 200 EscalationView, "What happens, in the order of time";
        /// Lists who is away, or will be, and who stands in.
        LIST_ABSENCES = listAbsences People Get "/v1/absences"
            (NoParams, ()) => 200 Items<Absence>, "The absences";
        /// Records that somebody is away, and who stands in. For that person, and for admins of all projects.
        PUT_ABSENCE = putAbsence People Put "/v1/absences/{name}"
            (NoParams, NewAbsence) => 200 Absence, "The absence";
        /// Says that somebody is back: from the absence for one project, or from the one for all. For that person, and for admins of all
        /// projects.
        END_ABSENCE = endAbsence People Delete "/v1/absences/{name}"
            (ProjectParams, ()) => 200 Empty, "The absence has ended";
        /// Lists people.
        LIST_PEOPLE = listPeople Admins Get "/v1/people"
            (NoParams, ()) => 200 Items<Person>, "People";
        /// Creates or updates a person.
        PUT_PERSON = putPerson Admins Put "/v1/people/{name}"
            (NoParams, NewPerson) => 200 Person, "The person";
        /// Forgets a person and ends their sessions.
        REMOVE_PERSON = removePerson Admins Delete "/v1/people/{name}"
            (NoParams, ()) => 204 (), "Forgotten";
        /// Makes a link by which a person signs in once.
        CREATE_SIGN_IN_LINK = createSignInLink Admins Post "/v1/people/{name}/link"
            (NoParams, ()) => 200 SignInLink, "A link by which they sign in once";
        /// Makes a code by which a person links an account of a channel.
        CREATE_ACCOUNT_CODE = createAccountCode Admins Post "/v1/people/{name}/accounts/{channel}"
            (NoParams, ()) => 200 AccountCode, "A one-time code to send to the bot";
        /// Returns a person's notification settings and their current effect. For that person, and for admins of all projects.
        GET_NOTIFY = getNotify People Get "/v1/people/{name}/notify"
            (NoParams, ()) => 200 NotifyView, "Their notification settings";
        /// Says how a person wants to be told: quiet hours, digests, which channel for what. All of it: what is left out counts no
        /// more. For that person, and for admins of all projects.
        SET_NOTIFY = setNotify People Put "/v1/people/{name}/notify"
            (NoParams, Notify) => 200 NotifyView, "Their new notification settings";
        /// Lets no account of a channel answer for a person any more.
        UNLINK_ACCOUNT = unlinkAccount Admins Delete "/v1/people/{name}/accounts/{channel}"
            (NoParams, ()) => 204 (), "The account is unlinked";
    }
}

/// A one-time link.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SignInLink {
    /// The whole address.
    pub url: String,
}
