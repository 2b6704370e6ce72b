//! Tokens: how long they are valid, what is stored of them, and which names they may have.

use holdpoint_core::{Command, Permission, Refusal, Role, SecretHash, Timestamp};

use super::credentials::{log, person, token};
use super::{Scene, StoreHarness};
use crate::Repair;
use crate::chain::hex;

pub async fn tokens_count_until_revoked(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    scene.submit(token("tok-1", "builder", 0xA1)).await.unwrap();
    scene.at(1);
    scene.submit(token("tok-2", "builder", 0xA2)).await.unwrap();
    let found = scene.store.token_by_hash(&SecretHash([0xA1; 32])).await.unwrap().unwrap();
    assert_eq!((found.id.as_str(), found.role, found.created_by.as_str()), ("tok-1", Role::Agent, "ana"));
    assert_eq!(found.projects, ["web"]);
    assert_eq!(scene.store.token_by_hash(&SecretHash([0xA3; 32])).await.unwrap(), None);
    let revoke = Command::RevokeToken { id: "tok-1".into() };
    scene.submit(revoke.clone()).await.unwrap();
    assert_eq!(scene.store.token_by_hash(&SecretHash([0xA1; 32])).await.unwrap(), None);
    assert!(scene.submit(revoke).await.unwrap().replayed);
    let listed = scene.store.tokens().await.unwrap();
    let listed: Vec<_> = listed.iter().map(|token| (token.id.as_str(), token.revoked_at.is_some())).collect();
    assert_eq!(listed, [("tok-1", true), ("tok-2", false)]);
    // Permissions and the expiry are returned as they were given.
    let mut ending = token("tok-3", "builder", 0xA3);
    if let Command::CreateToken { permissions, expires_at, .. } = &mut ending {
        *permissions = vec![Permission::Jobs, Permission::Answer];
        *expires_at = Some(Timestamp::from_millis(7_000));
    }
    scene.submit(ending).await.unwrap();
    let ending = scene.store.token_by_hash(&SecretHash([0xA3; 32])).await.unwrap().unwrap();
    assert_eq!(ending.permissions, [Permission::Answer, Permission::Jobs]);
    assert_eq!(ending.expires_at, Some(Timestamp::from_millis(7_000)));
    let again = scene.refused(token("tok-1", "other", 0xA4)).await;
    assert!(matches!(again, Refusal::Invalid(_)), "an id is never given twice");
    assert!(!log(&scene).await.contains(&hex(&[0xA1; 32])), "no hash in the log");
}

pub async fn agents_and_people_share_no_name(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let as_person = |name: &str, id: &str| match token(id, name, id.len().to_le_bytes()[0]) {
        Command::CreateToken { id, name, projects, permissions, expires_at, owner, hash, .. } => {
            let role = Role::Person;
            Command::CreateToken { id, name, role, projects, permissions, expires_at, owner, hash }
        }
        other => other,
    };
    scene.submit(token("tok-1", "builder", 0xA1)).await.unwrap();
    scene.submit(person("bo", None)).await.unwrap();
    scene.submit(as_person("cy", "tok-22")).await.unwrap();
    for (command, whose) in [
        (token("tok-3", "bo", 0xA3), "a person's"),
        (token("tok-4", "cy", 0xA4), "a person's"),
        (person("builder", None), "an agent's"),
        (as_person("builder", "tok-555"), "an agent's"),
    ] {
        let refusal = scene.refused(command).await.to_string();
        assert!(refusal.contains(whose), "{refusal}");
    }
    scene.submit(token("tok-6", "builder", 0xA6)).await.unwrap();
    scene.submit(as_person("bo", "tok-7777")).await.unwrap();
    for id in ["tok-1", "tok-6"] {
        scene.submit(Command::RevokeToken { id: id.into() }).await.unwrap();
    }
    scene.submit(person("builder", None)).await.unwrap();
    assert_eq!(scene.store.inspect(Repair::No).await.unwrap().findings, Vec::<String>::new());
}
