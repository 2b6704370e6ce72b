//! AITP over HTTP: threads in which agents of different parties talk, under `/aitp/v1`.

mod messages;
mod threads;

use holdpoint_engine::Threads as _;
use holdpoint_engine::api::threads::{
    CREATE_MESSAGE, CREATE_THREAD, DELETE_THREAD, GET_THREAD, LIST_MESSAGES, LIST_THREADS, List, OPEN_THREAD,
    READ_THREAD,
};

use super::routes::Routes;

pub(super) fn routes(routes: Routes) -> Routes {
    routes
        .raw(&CREATE_THREAD, threads::create)
        .raw(&OPEN_THREAD, threads::create)
        .on(&LIST_THREADS, threads::list)
        .on(&GET_THREAD, |call| async move { call.client().thread(&call.name).await })
        .raw(&READ_THREAD, threads::get_by_post)
        .on(&DELETE_THREAD, |call| async move { call.client().delete_thread(&call.name).await })
        .raw(&CREATE_MESSAGE, messages::create)
        .on(&LIST_MESSAGES, messages::list)
}

fn list_of<T>(data: Vec<T>, limit: usize, id: impl Fn(&T) -> String) -> List<T> {
    let (first_id, last_id) = (data.first().map(&id), data.last().map(&id));
    List { object: "list".to_owned(), first_id, last_id, has_more: data.len() >= limit, data }
}
