//! Requests to servers of native builds: by HTTPS, bounded in time and size.

use reqwest::{
    Url,
    blocking::{Client, Response},
    redirect::Policy,
};
use sha2::{Digest as _, Sha256};
use std::{
    error::Error,
    ffi::OsStr,
    io::{self, Read as _, Write},
    net::IpAddr,
    sync::OnceLock,
    time::{Duration, Instant},
};

/// Time in which a connection must be made, including the lookup of the name. A computer without access to the server
/// spends it once a run, before npm is used.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// Limits of an answer.
struct RequestLimits {
    /// Largest answer in bytes.
    bytes: u64,
    /// Time in which the server must begin the answer, and continue it.
    idle: Duration,
    /// Time for the whole answer.
    total: Duration,
}

/// Limits of a list. Those of 2025 have 100 kB.
const LIST: RequestLimits =
    RequestLimits { bytes: 16 << 20, idle: Duration::from_secs(10), total: Duration::from_secs(30) };
/// Limits of a compiler. Universal builds have 80 MB.
const BUILD: RequestLimits =
    RequestLimits { bytes: 256 << 20, idle: Duration::from_secs(20), total: Duration::from_secs(600) };

/// Most redirects that are followed.
const MOST_REDIRECTS: usize = 5;

/// Failure of a request.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum RequestError {
    /// There was no answer, so that further requests are of no use.
    Unreachable(String),
    /// The answer is not usable.
    Refused(String),
    /// The answer cannot be written to its file.
    Unwritable(String),
}

impl RequestError {
    /// Converts an error of a request that brought no answer.
    fn of(url: &Url, error: &reqwest::Error) -> Self {
        let text = format!("{} cannot be fetched: {}", shown(url), cause(error));
        match error.is_redirect() {
            true => Self::Refused(text),
            false => Self::Unreachable(text),
        }
    }

    /// Returns the reason as a clause that begins with the URL or the file.
    pub(super) fn into_reason(self) -> String {
        match self {
            Self::Unreachable(reason) | Self::Refused(reason) | Self::Unwritable(reason) => reason,
        }
    }
}

/// Parses the address of a mirror.
///
/// # Errors
/// Fails with the reason if it is no URL, or neither HTTPS nor of this computer.
pub(super) fn mirror(value: &OsStr) -> Result<Url, &'static str> {
    let text = value.to_str().ok_or("it is not UTF-8")?;
    let mut url = Url::parse(text).map_err(|_| "it is not a URL")?;
    if !(url.scheme() == "https" || url.scheme() == "http" && is_loopback(&url)) {
        return Err("it must begin with `https://`");
    }
    if !url.path().ends_with('/') {
        // Otherwise the last part of the path would be replaced.
        url.set_path(&format!("{}/", url.path()));
    }
    Ok(url)
}

/// Returns a URL without a user name and password.
pub(super) fn shown(url: &Url) -> Url {
    let mut url = url.clone();
    // This fails only for URLs without a host, which have no user.
    _ = url.set_username("");
    _ = url.set_password(None);
    url
}

/// Fetches a list.
///
/// # Errors
/// Fails if there is no answer, or another one than a text of limited size.
pub(super) fn list(url: &Url) -> Result<Vec<u8>, RequestError> {
    let mut text = Vec::new();
    copy(url, &LIST, &mut text)?;
    Ok(text)
}

/// Fetches a compiler into `file`, and returns its SHA-256.
///
/// # Errors
/// Fails if there is no answer, if it is incomplete or too large, or if the file cannot be written.
pub(super) fn build(url: &Url, file: &mut impl Write) -> Result<[u8; 32], RequestError> {
    let mut hashed = Hashed { file, hasher: Sha256::new() };
    copy(url, &BUILD, &mut hashed)?;
    Ok(hashed.hasher.finalize().into())
}

/// Writer that computes the SHA-256 of all that is written.
struct Hashed<'a, W> {
    file: &'a mut W,
    hasher: Sha256,
}

impl<W: Write> Write for Hashed<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Copies the answer to a request.
fn copy(url: &Url, limits: &RequestLimits, to: &mut impl Write) -> Result<(), RequestError> {
    let start = Instant::now();
    let refused = |reason: &str| RequestError::Refused(format!("{} {reason}", shown(url)));
    let mut answer = get(url, limits.idle)?;
    let too_large = || refused(&format!("has more than {} MiB", limits.bytes >> 20));
    if answer.content_length().is_some_and(|length| length > limits.bytes) {
        return Err(too_large());
    }
    let (mut buffer, mut length) = (vec![0; 1 << 16], 0);
    loop {
        let read = match answer.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(refused(&format!("broke off: {}", cause(&error)))),
        };
        length += read as u64;
        if length > limits.bytes {
            return Err(too_large());
        }
        if start.elapsed() > limits.total {
            return Err(refused(&format!("took more than {} s", limits.total.as_secs())));
        }
        to.write_all(&buffer[..read]).map_err(|error| RequestError::Unwritable(error.to_string()))?;
    }
}

/// Sends a request and returns the answer, if it is one of success.
fn get(url: &Url, idle: Duration) -> Result<Response, RequestError> {
    let is_local = is_loopback(url);
    let refused = |reason: String| RequestError::Refused(format!("{} {reason}", shown(url)));
    let client = client(is_local).map_err(|error| refused(format!("cannot be fetched: {error}")))?;
    let answer =
        client.get(url.clone()).timeout(idle).send().map_err(|error| RequestError::of(url, &error))?;
    match answer.status().is_success() {
        true => Ok(answer),
        false => Err(refused(format!("answers {}", answer.status()))),
    }
}

/// Returns the client for servers of this computer, or for all others. It lives as long as the process, because a
/// lookup of a name cannot be cancelled, and the end of a client waits for it.
fn client(is_local: bool) -> Result<&'static Client, String> {
    static CLIENTS: [OnceLock<Result<Client, String>>; 2] = [OnceLock::new(), OnceLock::new()];
    let made = CLIENTS[usize::from(is_local)].get_or_init(|| {
        // Fails if a provider is installed already, which is just as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let builder = Client::builder()
            .user_agent(concat!(env!("CARGO_PKG_NAME"), "/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(CONNECT_TIMEOUT)
            .https_only(!is_local)
            .redirect(redirects(is_local));
        // For a proxy, a local address would be its own computer.
        let builder = if is_local { builder.no_proxy() } else { builder };
        builder.build().map_err(|error| cause(&error))
    });
    made.as_ref().map_err(Clone::clone)
}

/// Follows redirects to HTTPS, and those of a server of this computer to itself.
fn redirects(is_local: bool) -> Policy {
    Policy::custom(move |attempt| {
        let may = attempt.url().scheme() == "https" || is_local && is_loopback(attempt.url());
        if !may {
            attempt.error("it redirects to an address without HTTPS")
        } else if attempt.previous().len() > MOST_REDIRECTS {
            attempt.error("it redirects too often")
        } else {
            attempt.follow()
        }
    })
}

/// Tells whether a URL leads to this computer.
fn is_loopback(url: &Url) -> bool {
    url.host_str().is_some_and(|host| {
        let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        host == "localhost" || address.is_ok_and(|address| address.is_loopback())
    })
}

/// Returns the innermost cause of an error, which says most.
fn cause(error: &dyn Error) -> String {
    let mut innermost = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mirror_is_reached_by_https_or_on_this_computer() {
        for (value, read) in [
            ("https://mirror.example/solc", Ok("https://mirror.example/solc/")),
            ("https://mirror.example", Ok("https://mirror.example/")),
            ("http://127.0.0.1:8000/a/", Ok("http://127.0.0.1:8000/a/")),
            ("http://[::1]:8000", Ok("http://[::1]:8000/")),
            ("http://localhost", Ok("http://localhost/")),
            ("http://mirror.example", Err("it must begin with `https://`")),
            ("http://127.0.0.1.example", Err("it must begin with `https://`")),
            ("file:///srv/solc", Err("it must begin with `https://`")),
            ("mirror.example", Err("it is not a URL")),
        ] {
            let url = mirror(OsStr::new(value)).map(|url| url.to_string());
            assert_eq!(url, read.map(str::to_owned), "{value}");
        }
    }

    #[test]
    fn a_password_is_not_shown() {
        let url = mirror(OsStr::new("https://user:secret@mirror.example/solc")).unwrap();
        assert_eq!(shown(&url).as_str(), "https://mirror.example/solc/");
    }

    #[test]
    fn what_is_written_is_hashed() {
        let mut hashed = Hashed { file: &mut Vec::new(), hasher: Sha256::new() };
        hashed.write_all(b"ab").unwrap();
        hashed.write_all(b"c").unwrap();
        let sum: [u8; 32] = hashed.hasher.finalize().into();
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(alloy_primitives::hex::encode(sum), expected);
    }
}
