//! Encryption: the server's certificate, read again when its files change, and who signs for clients.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use arc_swap::ArcSwap;
use rustls_pki_types::pem::PemObject as _;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert, WebPkiClientVerifier};
use tokio_rustls::rustls::sign::CertifiedKey;
use tokio_rustls::rustls::{self, RootCertStore, ServerConfig};

use crate::options::TlsFiles;

/// What keeps a server from being encrypted.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    #[error("`{path}` cannot be read: {error}")]
    File { path: String, error: io::Error },
    #[error("`{path}` holds no {what} as PEM")]
    Content { path: String, what: &'static str },
    #[error("certificate and key cannot be used: {0}")]
    Unusable(String),
}

/// The certificate of the server, as its files are now.
#[derive(Debug)]
pub(crate) struct Certificate {
    files: TlsFiles,
    current: ArcSwap<CertifiedKey>,
    read_at: ArcSwap<Vec<Option<SystemTime>>>,
}

impl Certificate {
    pub fn read(files: TlsFiles) -> Result<Arc<Self>, TlsError> {
        let stamps = stamps(&files);
        let current = ArcSwap::from(certified(&files)?);
        Ok(Arc::new(Self { files, current, read_at: ArcSwap::from_pointee(stamps) }))
    }

    /// Reads the files again where they have changed. What cannot be used leaves what is there.
    pub fn refresh(&self) -> Result<(), TlsError> {
        let stamps = stamps(&self.files);
        if **self.read_at.load() == stamps {
            return Ok(());
        }
        self.current.store(certified(&self.files)?);
        self.read_at.store(Arc::new(stamps));
        Ok(())
    }
}

impl ResolvesServerCert for Certificate {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.current.load_full())
    }
}

/// What connections are made with.
pub(crate) fn config(certificate: Arc<Certificate>) -> Result<Arc<ServerConfig>, TlsError> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let unusable = |error: &dyn std::fmt::Display| TlsError::Unusable(error.to_string());
    let builder = ServerConfig::builder_with_provider(provider.clone())
        .with_safe_default_protocol_versions()
        .map_err(|error| unusable(&error))?;
    let builder = match &certificate.files.client_authority {
        None => builder.with_no_client_auth(),
        Some(path) => {
            let mut roots = RootCertStore::empty();
            for root in certificates(path)? {
                roots.add(root).map_err(|error| unusable(&error))?;
            }
            let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider);
            // People with a token need no certificate.
            let verifier = verifier.allow_unauthenticated().build().map_err(|error| unusable(&error))?;
            builder.with_client_cert_verifier(verifier)
        }
    };
    let mut config = builder.with_cert_resolver(certificate);
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}

fn certified(files: &TlsFiles) -> Result<Arc<CertifiedKey>, TlsError> {
    let chain = certificates(&files.certificate)?;
    let key = PrivateKeyDer::from_pem_slice(&bytes(&files.key)?)
        .map_err(|_| TlsError::Content { path: files.key.display().to_string(), what: "key" })?;
    let provider = rustls::crypto::ring::default_provider();
    let certified = CertifiedKey::from_der(chain, key, &provider);
    Ok(Arc::new(certified.map_err(|error| TlsError::Unusable(error.to_string()))?))
}

fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let content = || TlsError::Content { path: path.display().to_string(), what: "certificate" };
    let bytes = bytes(path)?;
    let found =
        CertificateDer::pem_slice_iter(&bytes).collect::<Result<Vec<_>, _>>().map_err(|_| content())?;
    if found.is_empty() { Err(content()) } else { Ok(found) }
}

fn bytes(path: &Path) -> Result<Vec<u8>, TlsError> {
    fs::read(path).map_err(|error| TlsError::File { path: path.display().to_string(), error })
}

fn stamps(files: &TlsFiles) -> Vec<Option<SystemTime>> {
    let stamp = |path: &Path| fs::metadata(path).and_then(|found| found.modified()).ok();
    vec![stamp(&files.certificate), stamp(&files.key)]
}

/// The common name of a certificate that has been verified.
pub(crate) fn common_name(certificate: &CertificateDer<'_>) -> Option<String> {
    let (_, certificate) = x509_parser::parse_x509_certificate(certificate).ok()?;
    let name = certificate.subject().iter_common_name().next()?.as_str().ok()?;
    (!name.is_empty()).then(|| name.to_owned())
}
