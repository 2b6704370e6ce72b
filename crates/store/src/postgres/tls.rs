//! TLS to the database, with the same provider as everywhere else.

use std::path::PathBuf;
use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};

use super::tls_stream::MakeTls;
use crate::Error;

/// How the identity of the server is verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ServerTrust {
    /// Not at all: the connection is encrypted, but the peer is unknown.
    Any,
    /// By the roots that the system trusts.
    System,
    /// By the roots in a file.
    File(PathBuf),
}

/// Makes the connector for TLS connections.
pub(super) fn connector(trust: &ServerTrust) -> Result<MakeTls, Error> {
    let provider = Arc::new(ring::default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|why| Error::Unsuitable(format!("TLS is not available: {why}")))?;
    let config = match trust {
        ServerTrust::Any => builder
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(AnyCertificate(provider)))
            .with_no_client_auth(),
        ServerTrust::System => builder.with_root_certificates(system()?).with_no_client_auth(),
        ServerTrust::File(file) => builder.with_root_certificates(read(file)?).with_no_client_auth(),
    };
    Ok(MakeTls::new(config))
}

fn system() -> Result<RootCertStore, Error> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() {
        return Err(Error::Unsuitable(
            "this system has no root certificates; name a file as sslrootcert".into(),
        ));
    }
    Ok(roots)
}

fn read(file: &PathBuf) -> Result<RootCertStore, Error> {
    let cannot =
        |why: String| Error::Unsuitable(format!("cannot read the roots in {}: {why}", file.display()));
    let mut roots = RootCertStore::empty();
    let certificates = CertificateDer::pem_file_iter(file).map_err(|why| cannot(why.to_string()))?;
    for certificate in certificates {
        roots
            .add(certificate.map_err(|why| cannot(why.to_string()))?)
            .map_err(|why| cannot(why.to_string()))?;
    }
    if roots.is_empty() { Err(cannot("there are none".into())) } else { Ok(roots) }
}

/// Accepts any certificate, as `sslmode=prefer` and `require` do; the server must still hold its key.
#[derive(Debug)]
struct AnyCertificate(Arc<CryptoProvider>);

impl ServerCertVerifier for AnyCertificate {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, cert, dss, &self.0.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, cert, dss, &self.0.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
