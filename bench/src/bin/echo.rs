//! A minimal HTTP server that echoes requests: the least that a request to any server costs.

use std::io::Write as _;

use axum::Router;
use axum::body::Bytes;
use axum::routing::post;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
        writeln!(std::io::stderr(), "Listening on http://{}", listener.local_addr()?)?;
        axum::serve(listener, Router::new().route("/", post(async |body: Bytes| body))).await?;
        Ok(())
    })
}
