//! JSON web tokens that authenticate requests to a node.

use alloy_primitives::hex;
use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use hmac::{Hmac, Mac as _};
use serde_json::json;
use sha2::Sha256;
use std::time::SystemTime;

/// Returns the `Authorization` header for a shared secret, issued now. As in Forge, a connection has only
/// one.
///
/// # Errors
/// Fails if the secret is not hexadecimal.
pub(super) fn token(secret: &str) -> Result<String, String> {
    let secret = hex::decode(secret).map_err(|error| format!("eth_rpc_jwt: {error}"))?;
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
    Ok(format!("Bearer {}", signed(&secret, now)))
}

/// Returns a JSON web token (RFC 7519) issued at `now` (seconds since the epoch), signed by HMAC-SHA-256.
fn signed(secret: &[u8], now: u64) -> String {
    let encode = |text: &[u8]| BASE64_URL_SAFE_NO_PAD.encode(text);
    let claims = json!({ "iat": now }).to_string();
    let body = [encode(br#"{"alg":"HS256","typ":"JWT"}"#), encode(claims.as_bytes())].join(".");
    let mut mac = Hmac::<Sha256>::new_from_slice(secret).expect("a key of any length will do");
    mac.update(body.as_bytes());
    format!("{body}.{}", encode(&mac.finalize().into_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_signed() {
        let token = signed(b"secret", 1);
        insta::assert_snapshot!(
            token,
            @"eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpYXQiOjF9.75y--Iaw0szg_VLLlRRG-55NKRYEJ84YPGi8H2FHW-E"
        );
        assert_eq!(super::token("0xgg"), Err("eth_rpc_jwt: invalid character 'g' at position 0".into()));
    }
}
