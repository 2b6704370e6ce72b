//! Checks where a store is kept. The write-ahead log needs memory shared between processes, which network file systems
//! do not provide; SQLite would not notice, and commits would be lost.

use std::path::Path;

use crate::{Error, Result};

/// File systems that are shared over a network, by their magic number in `statfs`.
const SHARED: [(u64, &str); 10] = [
    (0x6969, "NFS"),
    (0x517B, "SMB"),
    (0xFF53_4D42, "CIFS"),
    (0xFE53_4D42, "SMB2"),
    (0x0102_1997, "9P"),
    (0x5346_414F, "AFS"),
    (0x6B41_4653, "kAFS"),
    (0x00C3_6400, "Ceph"),
    (0x7375_7245, "Coda"),
    (0x0BD0_0BD0, "Lustre"),
];

/// FUSE file systems that are shared over a network, by the start of their type in the mount table.
const SHARED_FUSE: [&str; 5] = ["fuse.sshfs", "fuse.rclone", "fuse.s3fs", "fuse.glusterfs", "fuse.gcsfuse"];
const FUSE: u64 = 0x6573_5546;

/// Refuses a file or folder on a network file system.
pub(super) fn check(path: &Path) -> Result<()> {
    match shared(path) {
        Some(kind) => Err(Error::Unsuitable(format!(
            "{} is on a network file system ({kind}), where a store would be damaged; \
             set HOLD_STORE to sqlite: and a path on a local disk, or to a PostgreSQL address",
            path.display()
        ))),
        None => Ok(()),
    }
}

#[cfg(target_os = "linux")]
fn shared(path: &Path) -> Option<String> {
    // SQLite will report a path that cannot be checked.
    let kind = rustix::fs::statfs(path).ok()?.f_type;
    // The type of the field differs between platforms in size and sign; the magic number has 32 bits.
    let magic = u64::try_from(i128::from(kind) & 0xFFFF_FFFF).unwrap_or_default();
    if magic == FUSE {
        let mounts = std::fs::read_to_string("/proc/self/mounts").ok()?;
        return shared_fuse(&mounts, &path.canonicalize().ok()?);
    }
    name_of(magic).map(str::to_owned)
}

#[cfg(not(target_os = "linux"))]
fn shared(_path: &Path) -> Option<String> {
    None
}

fn name_of(magic: u64) -> Option<&'static str> {
    SHARED.iter().find(|(known, _)| *known == magic).map(|(_, name)| *name)
}

/// Finds the innermost mount that contains a path, and returns its type if that is a shared one.
fn shared_fuse(mounts: &str, path: &Path) -> Option<String> {
    let entries = mounts.lines().filter_map(|line| {
        let mut words = line.split(' ').skip(1);
        Some((words.next()?.replace("\\040", " "), words.next()?))
    });
    let (_, kind) = entries.filter(|(at, _)| path.starts_with(at)).max_by_key(|(at, _)| at.len())?;
    SHARED_FUSE.iter().any(|known| kind.starts_with(known)).then(|| kind.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn network_file_systems_are_known_by_their_numbers() {
        for (magic, name) in [
            (0x6969, Some("NFS")),
            (0xFF53_4D42, Some("CIFS")),
            (0x0102_1997, Some("9P")),
            (0xEF53, None),      // ext
            (0x0102_1994, None), // tmpfs
            (0x9123_683E, None), // btrfs
            (0x794C_7630, None), // overlay
        ] {
            assert_eq!(name_of(magic), name, "{magic:x}");
        }
    }

    #[test]
    fn the_innermost_mount_counts() {
        let mounts = "/dev/sda / ext4 rw 0 0\nme@host: /home/me/far fuse.sshfs rw 0 0\nx /home/me/far/near fuse.ntfs rw 0 0\n";
        assert_eq!(shared_fuse(mounts, Path::new("/home/me/far/a")), Some("fuse.sshfs".into()));
        assert_eq!(shared_fuse(mounts, Path::new("/home/me/far/near/a")), None);
        assert_eq!(shared_fuse(mounts, Path::new("/home/me")), None);
    }

    #[test]
    fn a_local_folder_is_fine() {
        let folder = tempfile::tempdir().unwrap();
        check(folder.path()).unwrap();
    }
}
