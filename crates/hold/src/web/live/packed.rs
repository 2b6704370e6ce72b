//! Compresses a stream as it is sent, so that rows can refer to what was sent before.

use std::io::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::body::{Body, Bytes};
use axum::http::HeaderMap;
use axum::response::Response;
use flate2::Compression;
use flate2::write::GzEncoder;
use tokio_stream::StreamExt as _;

use crate::web::compressed;

/// How many streams are compressed at once; each keeps about a third of a megabyte of what it sent last. Others are
/// sent uncompressed.
const MOST: usize = 64;

static PACKED: AtomicUsize = AtomicUsize::new(0);

/// A slot for a compressed stream, released when the stream ends.
struct StreamSlot;

impl StreamSlot {
    fn take() -> Option<Self> {
        let add = |taken: usize| (taken < MOST).then_some(taken + 1);
        PACKED.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add).is_ok().then_some(Self)
    }
}

impl Drop for StreamSlot {
    fn drop(&mut self) {
        PACKED.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Compresses one stream.
struct Packer {
    encoder: GzEncoder<Vec<u8>>,
    _place: StreamSlot,
}

impl Packer {
    /// Compresses a piece and flushes it, so that each event is sent at once.
    fn pack(&mut self, read: &[u8]) -> std::io::Result<Bytes> {
        self.encoder.write_all(read)?;
        self.encoder.flush()?;
        Ok(Bytes::from(std::mem::take(self.encoder.get_mut())))
    }
}

/// Compresses a stream for a browser that accepts that, if a slot is free.
pub(super) fn packed(headers: &HeaderMap, response: Response) -> Response {
    let Some(place) = compressed::is_wanted(headers).then(StreamSlot::take).flatten() else {
        return response;
    };
    let (mut head, body) = response.into_parts();
    let mut packer = Packer { encoder: GzEncoder::new(Vec::new(), Compression::new(6)), _place: place };
    let stream = body.into_data_stream().map(move |read| packer.pack(&read?).map_err(axum::Error::new));
    compressed::mark(&mut head.headers);
    Response::from_parts(head, Body::from_stream(stream))
}
