//! One node listens to a channel; when it is killed another goes on where it was.

use std::process::Command;

use crate::cluster::cluster;
use crate::nodes::Shared;
use crate::sandbox::{Sandbox, at};
use crate::serving::Serving;
use crate::telegram::{ANA, TOKEN, buttons, message, question, words};
use crate::telegram_server::Bot;

/// Has the right to listen run out, as it does within a minute of its holder's death.
fn a_minute_passes(shared: &Shared) {
    let cluster = cluster();
    let schema = shared.address.rsplit_once("schema=").unwrap().1;
    let sql = format!("UPDATE {schema}.channel_lease SET leased_until = 0");
    let mut psql = Command::new(cluster.bin.join("psql"));
    psql.args(["-X", "-q", "-U", "hold", "-d", "postgres", "-c", &sql, "-h"]);
    let done = psql.arg(&cluster.folder).output().unwrap();
    assert!(done.status.success(), "{done:?}");
}

fn chatting(shared: &Shared, bot: &Bot) -> Sandbox {
    let sandbox = shared.sandbox().with("BOT_TOKEN", bot.token());
    sandbox.settings(&format!(
        "[hooks]\ndesktop = false\n[telegram]\nserver = \"{}\"\ntoken_env = \"BOT_TOKEN\"\nallow_private = true\n",
        bot.url()
    ));
    sandbox
}

#[test]
fn a_killed_listener_is_replaced_by_another_node() {
    let shared = Shared::new();
    let bot = Bot::start(TOKEN);
    let [here, there] = [chatting(&shared, &bot), chatting(&shared, &bot)];
    let first = Serving::start(&here);
    first.person("ana", None, &[]);
    bot.writes(ANA, &first.account_code("ana", "telegram"), None);
    assert!(words(&bot.next("sendMessage")).starts_with("Linked."));
    // What one node offered is proven to the other by the same key.
    std::fs::copy(here.home().join("keys/link.key"), there.home().join("keys/link.key")).unwrap();
    let second = Serving::start(&there);
    let id = question(&there);
    let asked = bot.next("sendMessage");
    assert_eq!(bot.most_pollers(), 1);
    first.kill();
    // What is tapped while nobody listens waits at Telegram.
    bot.tap(ANA, &message(2), &buttons(&asked)[0].1);
    a_minute_passes(&shared);
    assert!(words(&bot.next("answerCallbackQuery")).contains("Answered by ana: Redis"));
    at(&there.show(&id), "/answer/values/choice", "a");
    bot.next("editMessageText");
    second.stop();
    bot.is_quiet();
}
