//! A disk that is full: what cannot be written down is refused, agents go on, and so do jobs once there is room.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;

use super::{JobServer, agent};
use crate::process::TIMEOUT;
use crate::sandbox::{Sandbox, skipped};
use crate::serving::Serving;

/// A small disk, mounted where a sandbox keeps its data; gone with this.
struct Disk(PathBuf);

impl Disk {
    /// Nothing where this user may not mount.
    fn mount(sandbox: &Sandbox, mebibytes: u32) -> Option<Self> {
        let place = sandbox.home();
        std::fs::create_dir_all(&place).unwrap();
        let size = format!("size={mebibytes}m,mode=0700");
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(&place).output();
        mounted.is_ok_and(|mounted| mounted.status.success()).then(|| Self(place))
    }

    fn fill(&self) {
        use std::io::Write as _;
        let mut file = std::fs::File::create(self.0.join("ballast")).unwrap();
        let block = [0; 4096];
        while file.write_all(&block).is_ok() {}
    }

    fn free(&self) {
        std::fs::remove_file(self.0.join("ballast")).unwrap();
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_refuses_and_goes_on_when_there_is_room() {
    let sandbox = Sandbox::new().looking();
    let Some(disk) = Disk::mount(&sandbox, 24) else { return skipped("no disk can be mounted here") };
    let server = Serving::start(&sandbox);
    let house = JobServer { sandbox, server: Some(server) };
    // It asks, and after its answer it writes more than there is room for.
    let steps = ["ask Go on? [y/n] ", "flood 1", "line through", "ask More? [y/n] ", "got", "idle"];
    let id = house.start(&agent(&steps, json!({})));
    let first = house.asked_for(&id, "approval");
    disk.fill();
    // What is decided cannot be written down: it is refused, and nothing is typed.
    let ran = house.sandbox.run(&["answer", first["id"].as_str().unwrap(), "approve"]);
    assert_ne!(ran.code, 0, "{ran}");
    assert!(ran.err.to_lowercase().contains("full"), "{ran}");
    let refused = house.sandbox.run(&["job", "start", &house.path("book.json").display().to_string()]);
    assert_ne!(refused.code, 0, "{refused}");
    assert_eq!(house.typed("work"), "");
    // Looking still works, and says where it stands.
    assert_eq!(house.job(&id)["status"], "waiting");
    disk.free();
    house.answer(&first, "approve", &[]);
    // The agent writes while the disk is full again: log is lost, the agent is not.
    let second = house.until(&id, "the next question", |job| {
        job["waiting_for"].is_string() && job["waiting_for"] != first["id"]
    });
    disk.fill();
    let screen = house.api().get(&format!("/v1/jobs/{id}/screen")).is(200).json();
    assert!(screen["text"]["rows"].to_string().contains("through"), "{screen:#}");
    disk.free();
    let named = second["waiting_for"].as_str().unwrap().to_owned();
    house.sandbox.ok(&["answer", &named, "deny"]);
    house.until_typed("y\nn\n");
    house.answer(&house.asked_for(&id, "idle"), "done", &[]);
    house.until_status(&id, "done");
    house.sandbox.is_well();
    drop(house);
    drop(disk);
}

#[test]
fn an_agent_that_ends_on_a_full_disk_is_known_to_have_ended() {
    let sandbox = Sandbox::new().looking();
    let Some(disk) = Disk::mount(&sandbox, 24) else { return skipped("no disk can be mounted here") };
    let server = Serving::start(&sandbox);
    let house = JobServer { sandbox, server: Some(server) };
    let id =
        house.start(&json!({"run": "touch up; until test -f go; do sleep 0.05; done; echo bye; exit 3"}));
    until(&house.path("up"));
    disk.fill();
    std::fs::write(house.path("go"), "").unwrap();
    // The host noted how it ended in the room it took at its start.
    until(&house.session(&id).join("exit.json"));
    assert_eq!(house.job(&id)["status"], "running", "nobody can write down more than that yet");
    disk.free();
    let dead = house.asked_for(&id, "dead");
    assert!(dead["prompt"].as_str().unwrap().contains("exit code 3"));
    house.answer(&dead, "skip", &[]);
    house.until_status(&id, "done");
    drop(house);
    drop(disk);
}

#[track_caller]
fn until(file: &Path) {
    let deadline = std::time::Instant::now() + TIMEOUT;
    while !file.exists() {
        assert!(std::time::Instant::now() < deadline, "{} does not come", file.display());
    }
}
