//! The client's address: the peer of the connection or, behind a trusted proxy, the address that the proxy reports.

use std::net::IpAddr;
use std::str::FromStr;

use axum::http::HeaderMap;

/// The address that limits apply to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ClientAddress(pub(crate) IpAddr);

/// Proxies whose `X-Forwarded-For` is trusted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TrustedProxies(Vec<Network>);

impl TrustedProxies {
    /// Parses addresses and networks, such as `127.0.0.1` and `10.0.0.0/8`.
    pub(crate) fn parse(texts: &[String]) -> Result<Self, String> {
        texts.iter().map(|text| text.parse()).collect::<Result<_, _>>().map(Self)
    }

    /// Returns the client's address. Each proxy appends the address that called it, so the last one that is not a
    /// trusted proxy is the client; whatever comes before it may be forged.
    pub(crate) fn client(&self, peer: IpAddr, headers: &HeaderMap) -> ClientAddress {
        let mut client = peer.to_canonical();
        let lines = headers.get_all("x-forwarded-for").iter();
        let lines: Vec<&str> = lines.filter_map(|line| line.to_str().ok()).collect();
        let forwarded = lines.iter().flat_map(|line| line.split(','));
        for text in forwarded.collect::<Vec<_>>().into_iter().rev() {
            if !self.trusts(client) {
                break;
            }
            match text.trim().trim_matches(['[', ']']).parse::<IpAddr>() {
                Ok(address) => client = address.to_canonical(),
                Err(_) => break,
            }
        }
        ClientAddress(client)
    }

    fn trusts(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.holds(address))
    }
}

/// Addresses that start with the same bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Network {
    start: IpAddr,
    bits: u32,
}

impl Network {
    fn holds(&self, address: IpAddr) -> bool {
        match (self.start, address) {
            (IpAddr::V4(start), IpAddr::V4(address)) => {
                let differs = (start.to_bits() ^ address.to_bits()).leading_zeros();
                differs >= self.bits
            }
            (IpAddr::V6(start), IpAddr::V6(address)) => {
                (start.to_bits() ^ address.to_bits()).leading_zeros() >= self.bits
            }
            _ => false,
        }
    }
}

impl FromStr for Network {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text:?} is not an address such as 10.0.0.1 or a network such as 10.0.0.0/8");
        let (start, bits) = text.split_once('/').map_or((text, None), |(start, bits)| (start, Some(bits)));
        let start: IpAddr = start.trim().parse().map_err(|_| wrong())?;
        let most = if start.is_ipv4() { 32 } else { 128 };
        let bits = bits.map_or(Ok(most), str::parse).map_err(|_| wrong())?;
        if bits > most { Err(wrong()) } else { Ok(Self { start, bits }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_trusted_proxy_is_believed() {
        let trusted = |texts: &[&str]| {
            let texts: Vec<String> = texts.iter().map(|&text| text.to_owned()).collect();
            TrustedProxies::parse(&texts)
        };
        let proxies = trusted(&["127.0.0.1", "10.0.0.0/8", "2001:db8::/32"]).unwrap();
        for (peer, forwarded, client) in [
            ("127.0.0.1", "203.0.113.9", "203.0.113.9"),
            ("127.0.0.1", "198.51.100.1, 203.0.113.9", "203.0.113.9"),
            ("127.0.0.1", "203.0.113.9, 10.1.2.3", "203.0.113.9"),
            ("::ffff:127.0.0.1", "203.0.113.9", "203.0.113.9"),
            ("2001:db8::7", "2001:db9::1", "2001:db9::1"),
            ("127.0.0.1", "nonsense", "127.0.0.1"),
            ("127.0.0.1", "203.0.113.9, nonsense", "127.0.0.1"),
            ("127.0.0.1", "10.0.0.7", "10.0.0.7"),
            // A client that is not trusted can send anything.
            ("203.0.113.9", "127.0.0.1", "203.0.113.9"),
            ("11.0.0.1", "198.51.100.1", "11.0.0.1"),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert("x-forwarded-for", forwarded.parse().unwrap());
            let found = proxies.client(peer.parse().unwrap(), &headers).0;
            assert_eq!(found, client.parse::<IpAddr>().unwrap(), "{peer} says {forwarded}");
        }
        for wrong in ["", "10.0.0.0/33", "localhost", "10.0.0.0/x"] {
            assert!(trusted(&[wrong]).is_err(), "{wrong:?}");
        }
        assert!(trusted(&["0.0.0.0/0"]).unwrap().trusts("9.9.9.9".parse().unwrap()));
    }
}
