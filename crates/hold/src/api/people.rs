//! People and who must decide what, over HTTP: policies, groups, people and their accounts.

use holdpoint_core::{Person, Refusal};
use holdpoint_engine::api::people::{
    ADD_POLICY, CHANGE_GROUP, CREATE_ACCOUNT_CODE, CREATE_SIGN_IN_LINK, END_ABSENCE, GET_ESCALATION,
    GET_NOTIFY, LIST_ABSENCES, LIST_GROUPS, LIST_PEOPLE, LIST_POLICIES, PUT_ABSENCE, PUT_PERSON,
    REMOVE_GROUP, REMOVE_PERSON, REMOVE_POLICY, SET_NOTIFY, SIMULATE_POLICIES, SignInLink, UNLINK_ACCOUNT,
};
use holdpoint_engine::api::{Empty, Items, NoParams};
use holdpoint_engine::auth::{AccountCode, Links, NewPerson};
use holdpoint_engine::{Admin as _, Channels as _, People as _};

use super::routes::{Call, Routes};
use crate::http::app::App;
use crate::http::problem::{HandlerError, HandlerResult};

pub(super) fn routes(routes: Routes) -> Routes {
    routes
        .on(&ADD_POLICY, |call| async move { call.client().add_policy(call.body).await })
        .on(&LIST_POLICIES, |call| async move {
            call.client().policies(call.query.project.as_deref()).await.map(Items::from)
        })
        .on(&REMOVE_POLICY, |call| async move { call.client().remove_policy(&call.name).await })
        .on(&LIST_GROUPS, |call| async move { call.client().groups().await.map(Items::from) })
        .on(&CHANGE_GROUP, |call| async move { call.client().change_group(&call.name, call.body).await })
        .on(
            &REMOVE_GROUP,
            |call| async move { call.client().remove_group(&call.name).await.map(|()| Empty {}) },
        )
        .on(&SIMULATE_POLICIES, |call| async move { call.client().simulate(call.body).await })
        .on(&GET_ESCALATION, |call| async move { call.client().escalation(&call.name).await })
        .on(&LIST_ABSENCES, |call| async move { call.client().absences().await.map(Items::from) })
        .on(&PUT_ABSENCE, |call| async move { call.client().add_absence(&call.name, call.body).await })
        .on(&END_ABSENCE, |call| async move {
            call.client().end_absence(&call.name, call.query.project.as_deref()).await.map(|()| Empty {})
        })
        .on(&LIST_PEOPLE, |call| async move { call.client().people().await.map(Items::from) })
        .on(&PUT_PERSON, put_person)
        .on(&REMOVE_PERSON, |call| async move { call.client().remove_person(&call.name).await })
        .on(&CREATE_SIGN_IN_LINK, sign_in_link)
        .on(&CREATE_ACCOUNT_CODE, account_code)
        .on(&GET_NOTIFY, |call| async move { call.client().notify_of(&call.name).await })
        .on(&SET_NOTIFY, |call| async move { call.client().set_notify(&call.name, call.body).await })
        .on(
            &UNLINK_ACCOUNT,
            |call| async move { call.client().unlink_account(&call.name, &call.second).await },
        )
}

async fn put_person(call: Call<NoParams, NewPerson>) -> HandlerResult<Person> {
    if call.name != call.body.name {
        return Err(Refusal::invalid("name", "differs from the name in the address").into());
    }
    Ok(call.client().put_person(call.body).await?)
}

async fn sign_in_link(call: Call) -> HandlerResult<SignInLink> {
    let (app, name) = (&call.app, &call.name);
    let links = links(app)?;
    let known = app.engine.people(&call.caller.0).await?.into_iter().any(|person| person.name == *name);
    if !known {
        return Err(Refusal::NotFound { what: "person", id: name.clone() }.into());
    }
    let text = links.issue_sign_in(name, app.engine.now().await?)?;
    Ok(SignInLink { url: format!("{}/sign-in/{text}", app.address) })
}

async fn account_code(call: Call) -> HandlerResult<AccountCode> {
    let links = links(&call.app)?;
    Ok(call.app.engine.account_code(&call.caller.0, links, &call.name, &call.second).await?)
}

/// Returns the signer of sign-in links; refuses on a server without sign-in.
fn links(app: &App) -> HandlerResult<&Links> {
    let missing = || HandlerError::new(409, "no_auth", "this server does not require anyone to sign in");
    app.mode.links().ok_or_else(missing)
}
