//! HTTP requests with bounded responses, since a node may not be trusted.

use alloy_json_rpc::{RequestPacket, ResponsePacket};
use alloy_transport::{TransportError, TransportErrorKind, TransportFut, TransportResult};
use reqwest::{Client, Response, Url, header::RETRY_AFTER};
use std::{
    task::{Context, Poll},
    time::Duration,
};
use tower_service::Service;

/// Maximum size of a response in bytes.
const MOST_BYTES: usize = 64 << 20;

/// HTTP transport to one node.
#[derive(Clone)]
pub(super) struct Http {
    pub(super) client: Client,
    pub(super) url: Url,
}

impl Http {
    async fn ask(self, request: RequestPacket) -> TransportResult<ResponsePacket> {
        let headers = request.headers();
        let sent = self.client.post(self.url).json(&request).headers(headers).send().await;
        let response = sent.map_err(TransportErrorKind::custom)?;
        let (status, wait) = (response.status(), wait(&response));
        let body = body(response).await?;
        let parsed = serde_json::from_slice::<ResponsePacket>(&body);
        if status.is_success() {
            return parsed.map_err(|error| TransportError::deser_err(error, String::from_utf8_lossy(&body)));
        }
        // A JSON-RPC error may come with an HTTP error status.
        match parsed {
            Ok(response) if response.is_error() => Ok(response),
            _ => {
                let text = String::from_utf8_lossy(&body).into_owned();
                Err(TransportErrorKind::http_error_with_retry_after(status.as_u16(), text, wait))
            }
        }
    }
}

/// Returns the delay that the node requests before a retry (`Retry-After` in seconds).
fn wait(response: &Response) -> Option<Duration> {
    let value = response.headers().get(RETRY_AFTER)?.to_str().ok()?;
    value.trim().parse().ok().map(Duration::from_secs)
}

async fn body(mut response: Response) -> TransportResult<Vec<u8>> {
    let mut body = Vec::new();
    while let Some(bytes) = response.chunk().await.map_err(TransportErrorKind::custom)? {
        if body.len() + bytes.len() > MOST_BYTES {
            let mebibytes = MOST_BYTES >> 20;
            return Err(TransportErrorKind::custom_str(&format!(
                "the answer is longer than {mebibytes} MiB"
            )));
        }
        body.extend_from_slice(&bytes);
    }
    Ok(body)
}

impl Service<RequestPacket> for Http {
    type Response = ResponsePacket;
    type Error = TransportError;
    type Future = TransportFut<'static>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: RequestPacket) -> Self::Future {
        Box::pin(self.clone().ask(request))
    }
}
