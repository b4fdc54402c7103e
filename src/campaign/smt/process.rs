//! One query to a solver, in a process of its own.

use crate::project::{end_group, in_own_group, restrict};
use std::{
    io::{Read as _, Write as _},
    path::Path,
    process::{Child, Command, Stdio},
    sync::mpsc,
    thread,
    time::Duration,
};

/// Maximum number of bytes read of an output.
const MOST_OUTPUT: u64 = 1 << 20;

/// Runs a program with a script on its standard input, and returns what it prints until it ends. Returns `None` if it
/// cannot be started, or has not ended after the limit; it is then killed, with all that it started.
pub(super) fn run(program: &Path, arguments: &[String], script: String, limit: Duration) -> Option<String> {
    let mut command = Command::new(program);
    restrict(&mut command);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = in_own_group(&mut command).spawn().ok()?;
    let output = exchange(&mut child, script, limit);
    end_group(&mut child);
    output
}

fn exchange(child: &mut Child, script: String, limit: Duration) -> Option<String> {
    let (mut stdin, stdout) = (child.stdin.take()?, child.stdout.take()?);
    // Both end with the process at the latest. A solver need not read what it is sent.
    thread::spawn(move || {
        let _ = stdin.write_all(script.as_bytes());
    });
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = stdout.take(MOST_OUTPUT).read_to_end(&mut bytes);
        let _ = sender.send(bytes);
    });
    let bytes = receiver.recv_timeout(limit).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
