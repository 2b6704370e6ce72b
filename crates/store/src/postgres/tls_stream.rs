//! Carries the PostgreSQL protocol over TLS, and binds the sign-in to the server's certificate.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use sha2::{Digest as _, Sha256, Sha384, Sha512};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use tokio_rustls::TlsConnector;

/// Makes TLS connections with one configuration.
#[derive(Clone)]
pub(super) struct MakeTls(Arc<ClientConfig>);

impl MakeTls {
    pub(super) fn new(config: ClientConfig) -> Self {
        Self(Arc::new(config))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> MakeTlsConnect<S> for MakeTls {
    type Stream = Secured<S>;
    type TlsConnect = Connect;
    type Error = io::Error;

    fn make_tls_connect(&mut self, host: &str) -> io::Result<Connect> {
        Ok(Connect { config: Arc::clone(&self.0), host: host.to_owned() })
    }
}

/// Makes one TLS connection.
pub(super) struct Connect {
    config: Arc<ClientConfig>,
    host: String,
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> TlsConnect<S> for Connect {
    type Stream = Secured<S>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Secured<S>>> + Send>>;

    fn connect(self, stream: S) -> Self::Future {
        Box::pin(async move {
            // Checked only here, because the path of a Unix socket is not a server name and is never used with TLS.
            let name = ServerName::try_from(self.host)
                .map_err(|why| io::Error::new(io::ErrorKind::InvalidInput, why))?;
            Ok(Secured(TlsConnector::from(self.config).connect(name, stream).await?))
        })
    }
}

/// A connection over TLS.
pub(super) struct Secured<S>(tokio_rustls::client::TlsStream<S>);

impl<S: AsyncRead + AsyncWrite + Unpin> TlsStream for Secured<S> {
    fn channel_binding(&self) -> ChannelBinding {
        let certificates = self.0.get_ref().1.peer_certificates();
        let digest = certificates.and_then(|chain| chain.first()).and_then(|first| end_point(first));
        digest.map_or_else(ChannelBinding::none, ChannelBinding::tls_server_end_point)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for Secured<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Secured<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}

/// Returns the data of `tls-server-end-point` (RFC 5929): the certificate, hashed with the hash of its signature, or
/// with SHA-256 if that is MD5 or SHA-1. None if the signature has no such hash.
fn end_point(certificate: &[u8]) -> Option<Vec<u8>> {
    Some(match signature_algorithm(certificate)? {
        RSA_MD5 | RSA_SHA1 | ECDSA_SHA1 | RSA_SHA256 | ECDSA_SHA256 => Sha256::digest(certificate).to_vec(),
        RSA_SHA384 | ECDSA_SHA384 => Sha384::digest(certificate).to_vec(),
        RSA_SHA512 | ECDSA_SHA512 => Sha512::digest(certificate).to_vec(),
        _ => return None,
    })
}

const RSA_MD5: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x04];
const RSA_SHA1: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x05];
const RSA_SHA256: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0b];
const RSA_SHA384: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0c];
const RSA_SHA512: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0d];
const ECDSA_SHA1: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x01];
const ECDSA_SHA256: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02];
const ECDSA_SHA384: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x03];
const ECDSA_SHA512: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x04];

const SEQUENCE: u8 = 0x30;
const OBJECT_IDENTIFIER: u8 = 0x06;

/// Returns the signature algorithm of a certificate: `Certificate ::= SEQUENCE { tbs SEQUENCE, algorithm SEQUENCE {
/// OID, … }, … }`.
fn signature_algorithm(certificate: &[u8]) -> Option<&[u8]> {
    let (certificate, _) = element(SEQUENCE, certificate)?;
    let (_, after) = element(SEQUENCE, certificate)?;
    let (algorithm, _) = element(SEQUENCE, after)?;
    Some(element(OBJECT_IDENTIFIER, algorithm)?.0)
}

/// Splits DER into the content of its first element, which must have this tag, and the rest.
fn element(tag: u8, der: &[u8]) -> Option<(&[u8], &[u8])> {
    let (&found, rest) = der.split_first()?;
    let (&first, rest) = rest.split_first()?;
    let (length, rest) = match first {
        0..=0x7f => (usize::from(first), rest),
        // The number of length bytes that follow; no certificate needs more than four.
        0x81..=0x84 => {
            let (bytes, rest) = rest.split_at_checked(usize::from(first - 0x80))?;
            (bytes.iter().fold(0, |sum, byte| sum << 8 | usize::from(*byte)), rest)
        }
        _ => return None,
    };
    (found == tag).then(|| rest.split_at_checked(length)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn der(tag: u8, contents: &[u8]) -> Vec<u8> {
        let [high, low] = u16::try_from(contents.len()).unwrap().to_be_bytes();
        let head = if contents.len() < 0x80 { vec![tag, low] } else { vec![tag, 0x82, high, low] };
        [&head, contents].concat()
    }

    /// Returns the parts of a certificate that are read.
    fn signed(algorithm: &[u8]) -> Vec<u8> {
        let parts = [
            der(SEQUENCE, &[7; 300]),
            der(SEQUENCE, &[der(OBJECT_IDENTIFIER, algorithm), vec![5, 0]].concat()),
            der(3, &[0; 256]),
        ];
        der(SEQUENCE, &parts.concat())
    }

    #[test]
    fn a_certificate_is_hashed_as_it_is_signed() {
        for (algorithm, hash) in [
            (RSA_SHA1, Some(32)),
            (ECDSA_SHA256, Some(32)),
            (RSA_SHA384, Some(48)),
            (ECDSA_SHA512, Some(64)),
            // Ed25519 has no separate hash.
            (&[0x2b, 0x65, 0x70], None),
        ] {
            assert_eq!(end_point(&signed(algorithm)).map(|digest| digest.len()), hash, "{algorithm:x?}");
        }
    }

    #[test]
    fn what_is_no_certificate_has_no_algorithm() {
        let whole = signed(RSA_SHA256);
        assert_eq!(signature_algorithm(&whole), Some(RSA_SHA256));
        for end in 0..whole.len() {
            assert_eq!(signature_algorithm(&whole[..end]), None, "{end}");
        }
        for bad in [
            &[SEQUENCE, 0x80][..],
            &[SEQUENCE, 0x85, 1, 1, 1, 1, 1],
            &[SEQUENCE, 0xff],
            &[SEQUENCE, 0x84, 0xff, 0xff, 0xff, 0xff, 0],
            &[0x31, 0],
        ] {
            assert_eq!(signature_algorithm(bad), None, "{bad:x?}");
        }
    }
}
