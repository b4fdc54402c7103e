//! A server on this computer, for what a run downloads.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};

/// Answer to a request: its head, its body, and the time before it.
#[derive(Clone)]
pub(crate) struct Answer {
    head: String,
    body: Vec<u8>,
    delay: Duration,
}

impl Answer {
    fn new(status: &str, headers: &str, body: &[u8]) -> Self {
        let head = format!("HTTP/1.1 {status}\r\nConnection: close\r\n{headers}\r\n");
        Self { head, body: body.to_vec(), delay: Duration::ZERO }
    }

    pub(crate) fn body(body: impl AsRef<[u8]>) -> Self {
        let body = body.as_ref();
        Self::of_length(body.len(), body)
    }

    /// A body that is announced with another length.
    pub(crate) fn of_length(length: usize, body: impl AsRef<[u8]>) -> Self {
        Self::new("200 OK", &format!("Content-Length: {length}\r\n"), body.as_ref())
    }

    /// A body that ends with the connection.
    pub(crate) fn of_unknown_length(body: impl AsRef<[u8]>) -> Self {
        Self::new("200 OK", "", body.as_ref())
    }

    /// An answer without a body, such as `404 Not Found`.
    pub(crate) fn status(status: &str) -> Self {
        Self::new(status, "Content-Length: 0\r\n", b"")
    }

    pub(crate) fn redirect(to: &str) -> Self {
        Self::new("302 Found", &format!("Location: {to}\r\nContent-Length: 0\r\n"), b"")
    }

    pub(crate) fn after(self, delay: Duration) -> Self {
        Self { delay, ..self }
    }
}

/// A server that runs until the process ends.
pub(crate) struct Server {
    /// Its address, without a slash at the end.
    pub(crate) url: String,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Starts a server that answers by the end of the path that is asked for, and 404 for all others.
    pub(crate) fn start(answers: &[(&str, Answer)]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let requests = Arc::<Mutex<Vec<String>>>::default();
        let answers: Vec<_> =
            answers.iter().map(|(end, answer)| ((*end).to_owned(), answer.clone())).collect();
        let (answers, noted) = (Arc::new(answers), requests.clone());
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (answers, noted) = (answers.clone(), noted.clone());
                // A client may close the connection before the end.
                thread::spawn(move || drop(answer(&stream, &answers, &noted)));
            }
        });
        Self { url, requests }
    }

    /// Names of the files that were asked for so far.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

fn answer(
    mut stream: &TcpStream,
    answers: &[(String, Answer)],
    noted: &Mutex<Vec<String>>,
) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream).lines();
    let first = lines.next().transpose()?.unwrap_or_default();
    // The rest of the head ends with an empty line.
    while lines.next().transpose()?.is_some_and(|line| !line.is_empty()) {}
    let path = first.split(' ').nth(1).unwrap_or_default();
    noted.lock().unwrap().push(path.rsplit('/').next().unwrap_or_default().to_owned());
    let found = answers.iter().find(|(end, _)| path.ends_with(end)).map(|(_, answer)| answer.clone());
    let answer = found.unwrap_or_else(|| Answer::status("404 Not Found"));
    thread::sleep(answer.delay);
    stream.write_all(answer.head.as_bytes())?;
    stream.write_all(&answer.body)
}
