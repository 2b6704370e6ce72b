//! Decisions as resources: pending ones in a list, any by its address.

use holdpoint_core::Status;
use holdpoint_core::text::inert_line;
use holdpoint_engine::{Error, ListQuery};
use holdpoint_protocols::mcp::peer::{self, Peer, ProtocolEra};
use holdpoint_protocols::mcp::resource;
use holdpoint_protocols::mcp::rpc::{self, Request, RpcError};
use serde_json::{Map, Value};

use super::{CallResult, McpServer};

/// How many resources there are per page.
const PAGE: usize = 100;

impl McpServer {
    pub(super) async fn list_resources(&self, request: &Request, peer: &Peer) -> CallResult {
        let query = ListQuery {
            statuses: vec![Status::Pending],
            limit: PAGE,
            cursor: request.params.get("cursor").and_then(Value::as_str).map(str::to_owned),
            ..ListQuery::default()
        };
        let listed = self.client.list(&query).await.map_err(|error| match error {
            Error::Refused(refusal) => RpcError::params(refusal.to_string()),
            other => RpcError::new(rpc::INTERNAL, other.to_string()),
        })?;
        let entries = listed.items.iter().map(resource::entry).collect();
        let mut result = Map::from_iter([("resources".to_owned(), Value::Array(entries))]);
        if let Some(next) = listed.next {
            result.insert("nextCursor".to_owned(), next.into());
        }
        peer::cacheable(peer.era, 0, &mut result);
        Ok(result)
    }

    pub(super) async fn read_resource(&self, request: &Request, peer: &Peer) -> CallResult {
        let uri = request.params.get("uri").and_then(Value::as_str);
        let uri = uri.ok_or_else(|| RpcError::params("\"uri\" is missing"))?;
        let missing = || {
            let code = if peer.era == ProtocolEra::Modern { rpc::INVALID_PARAMS } else { rpc::NO_RESOURCE };
            RpcError::new(code, format!("there is no resource {:?}", inert_line(uri)))
                .data(serde_json::json!({ "uri": uri }))
        };
        let id = resource::id_in(uri).ok_or_else(missing)?;
        let decision = self.client.get(id).await.map_err(|error| match error {
            Error::Unreachable(why) => RpcError::new(rpc::INTERNAL, why),
            _ => missing(),
        })?;
        let mut result = Map::from_iter([("contents".to_owned(), resource::contents(&decision))]);
        peer::cacheable(peer.era, 0, &mut result);
        Ok(result)
    }
}
