//! Saved views.

use holdpoint_core::Command;

use super::credentials::person;
use super::{Scene, StoreHarness};
use crate::View;

fn view(name: &str, q: &str) -> View {
    View { name: name.into(), q: q.into(), status: "pending".into() }
}

pub async fn views_are_kept_for_each_person(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let (first, other) = (view("Zoo", "project=web"), view("abc 'x'", "deploy \"a b\""));
    for one in [&first, &other] {
        scene.store.put_view("ana", one).await.unwrap();
    }
    scene.store.put_view("bo", &view("Zoo", "mine")).await.unwrap();
    assert_eq!(scene.store.views("ana").await.unwrap(), [first.clone(), other.clone()]);
    let changed = View { q: "else".into(), status: "all".into(), ..first };
    scene.store.put_view("ana", &changed).await.unwrap();
    assert_eq!(scene.store.views("ana").await.unwrap(), [changed.clone(), other]);
    assert!(scene.store.remove_view("ana", "abc 'x'").await.unwrap());
    assert!(!scene.store.remove_view("ana", "abc 'x'").await.unwrap());
    assert_eq!(scene.store.views("ana").await.unwrap(), [changed]);
    assert_eq!(scene.store.views("bo").await.unwrap(), [view("Zoo", "mine")]);
    assert_eq!(scene.store.views("nobody").await.unwrap(), []);
}

pub async fn views_go_with_the_person(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    scene.submit(person("bo", None)).await.unwrap();
    scene.store.put_view("bo", &view("Zoo", "web")).await.unwrap();
    scene.store.put_view("ana", &view("Zoo", "web")).await.unwrap();
    scene.submit(Command::RemovePerson { name: "bo".into() }).await.unwrap();
    assert_eq!(scene.store.views("bo").await.unwrap(), []);
    assert_eq!(scene.store.views("ana").await.unwrap().len(), 1);
}
