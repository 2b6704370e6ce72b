//! Which addresses are private.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The error that an address is private, and not for notices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Private(pub(crate) IpAddr);

impl fmt::Display for Private {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is a private address; allow_private = true lets notices go there", self.0)
    }
}

impl std::error::Error for Private {}

/// Refuses if any address is private.
pub(crate) fn check_all(mut addresses: impl Iterator<Item = IpAddr>) -> Result<(), Private> {
    addresses.find(|address| !is_public(*address)).map_or(Ok(()), |address| Err(Private(address)))
}

fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let shared = a == 100 && (64..128).contains(&b);
    let benchmark = a == 198 && (b == 18 || b == 19);
    let assigned = a == 192 && ((b == 0 && c == 0) || (b == 88 && c == 99));
    !(a == 0
        || a >= 240
        || shared
        || benchmark
        || assigned
        || address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_multicast()
        || address.is_documentation())
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let parts = address.segments();
    let inner = |at: usize| Ipv4Addr::from((u32::from(parts[at]) << 16) | u32::from(parts[at + 1]));
    match parts {
        // An embedded IPv4 address is checked as such: mapped, compatible, translated, 6to4.
        [0, 0, 0, 0, 0, 0 | 0xffff, ..] | [0x64, 0xff9b, 0, 0, 0, 0, ..] => is_public_v4(inner(6)),
        [0x2002, ..] => is_public_v4(inner(1)),
        // Tunnels, documentation.
        [0x2001, 0 | 0xdb8, ..] | [0x3fff, ..] => false,
        [first, ..] => first & 0xe000 == 0x2000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_public_addresses_pass() {
        for private in [
            "127.0.0.1",
            "127.9.9.9",
            "10.0.0.1",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.1.1",
            "169.254.169.254",
            "0.0.0.0",
            "100.64.0.1",
            "224.0.0.1",
            "255.255.255.255",
            "240.0.0.1",
            "198.18.0.1",
            "192.0.0.8",
            "192.0.2.1",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::127.0.0.1",
            "fe80::1",
            "fc00::1",
            "fd12::1",
            "ff02::1",
            "fec0::1",
            "64:ff9b::10.0.0.1",
            "64:ff9b:1::1",
            "2002:7f00:1::",
            "2001::1",
            "2001:db8::1",
            "100::1",
        ] {
            assert!(check_all([private.parse().unwrap()].into_iter()).is_err(), "{private}");
        }
        for public in [
            "8.8.8.8",
            "1.1.1.1",
            "172.32.0.1",
            "100.128.0.1",
            "2606:4700::1111",
            "::ffff:8.8.8.8",
            "64:ff9b::8.8.8.8",
        ] {
            assert_eq!(check_all([public.parse().unwrap()].into_iter()), Ok(()), "{public}");
        }
        let mixed = ["8.8.8.8", "127.0.0.1"].map(|text| text.parse().unwrap());
        assert_eq!(check_all(mixed.into_iter()), Err(Private(mixed[1])));
    }
}
