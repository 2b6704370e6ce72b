//! The key of Web Push, and people's browsers.

use holdpoint_core::{Command, Role, Timestamp};

use super::{Scene, StoreHarness};
use crate::PushSubscription;

fn browser(id: &str, person: &str, endpoint: &str, at: i64) -> PushSubscription {
    PushSubscription {
        id: id.into(),
        person: person.into(),
        endpoint: endpoint.into(),
        p256dh: "key".into(),
        auth: "secret".into(),
        browser: "Firefox on Linux".into(),
        created_at: Timestamp::from_millis(at),
    }
}

fn ids(subscriptions: &[PushSubscription]) -> Vec<&str> {
    subscriptions.iter().map(|one| one.id.as_str()).collect()
}

pub async fn the_push_key_is_made_once(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let other = Scene::new(bench).await;
    assert_eq!(scene.store.push_key().await.unwrap(), None);
    scene.store.keep_push_key(&[1, 0, 255]).await.unwrap();
    other.store.keep_push_key(&[2]).await.unwrap();
    for store in [&scene.store, &other.store] {
        assert_eq!(store.push_key().await.unwrap(), Some(vec![1, 0, 255]));
    }
}

pub async fn browsers_are_kept_up_to_a_number(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let put = async |new: &PushSubscription| scene.store.put_subscription(new, 2).await.unwrap();
    let first = browser("a", "ana", "https://push.example/1", 5);
    assert!(put(&first).await);
    assert!(put(&browser("b", "ana", "https://push.example/2", 4)).await);
    assert!(!put(&browser("c", "ana", "https://push.example/3", 6)).await, "ana has two");
    assert!(put(&browser("d", "bo", "https://push.example/3", 6)).await);
    let of = async |person| scene.store.subscriptions(person).await.unwrap();
    assert_eq!(of(Some("ana")).await.last(), Some(&first));
    assert_eq!(ids(&of(Some("ana")).await), ["b", "a"]);
    assert_eq!(ids(&of(None).await), ["b", "a", "d"]);
    // The same browser keeps its id, and belongs to the person who turned it on last.
    assert!(put(&browser("e", "ana", "https://push.example/1", 7)).await);
    assert!(put(&browser("f", "bo", "https://push.example/2", 8)).await);
    assert_eq!(ids(&of(Some("ana")).await), ["a"]);
    assert_eq!(ids(&of(Some("bo")).await), ["d", "b"]);
    // Knowing the endpoint alone is not enough to take a browser over.
    let other_keys =
        PushSubscription { auth: "guessed".into(), ..browser("g", "cy", "https://push.example/1", 9) };
    assert!(!put(&other_keys).await);
    assert_eq!(ids(&of(Some("ana")).await), ["a"]);
    assert!(scene.store.forget_subscription("a").await.unwrap());
    assert!(!scene.store.forget_subscription("a").await.unwrap());
    assert_eq!(of(Some("ana")).await, []);
}

pub async fn who_is_signed_out_everywhere_has_no_browsers(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let person = |name: &str| Command::PutPerson {
        name: name.into(),
        role: Role::Person,
        email: None,
        projects: vec![],
        password: None,
    };
    for name in ["ana", "bo", "cy"] {
        scene.submit(person(name)).await.unwrap();
        let new = browser(name, name, &format!("https://push.example/{name}"), 5);
        assert!(scene.store.put_subscription(&new, 9).await.unwrap());
    }
    scene.submit(Command::RemovePerson { name: "ana".into() }).await.unwrap();
    scene.store.end_sessions_of("bo").await.unwrap();
    assert_eq!(ids(&scene.store.subscriptions(None).await.unwrap()), ["cy"]);
}
