//! This program as a child process: its command line, its output and its end.

use super::{page::cut, progress::ProgressSender};
#[cfg(unix)]
use crate::project::signal_group;
use anyhow::{Context as _, Result, anyhow};
use rmcp::{RoleServer, service::RequestContext};
use std::{
    env,
    ffi::OsString,
    io::{self, Write as _},
    process::{ExitStatus as ChildStatus, Stdio},
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncRead, BufReader},
    process::{Child, Command},
    sync::mpsc::{self, Receiver, Sender},
    time::{Instant, sleep_until, timeout},
};

/// Time that an interrupted child has for its reports, unless the server ends.
const GRACE: Duration = Duration::from_secs(6);
/// The same if the server ends: clients wait two seconds before they kill it.
const SHORT_GRACE: Duration = Duration::from_millis(1500);
/// Time for the rest of the output after the end, which a program started by a test may delay.
const REST: Duration = Duration::from_millis(500);

/// Most bytes that are kept of each output.
const MOST_OUTPUT: usize = 64 << 20;
/// Most characters of the messages of a child that a client sees.
const MOST_MESSAGES: usize = 4000;

/// Output of a child, and how it ended.
#[derive(Debug)]
pub(super) struct ChildOutput {
    status: ChildStatus,
    /// True if it was ended because the request was cancelled.
    pub(super) cancelled: bool,
    pub(super) stdout: String,
    stderr: String,
}

impl ChildOutput {
    /// Returns true if the exit code says that everything held.
    pub(super) fn succeeded(&self) -> bool {
        self.status.success()
    }

    /// Returns the messages of the child: the lines of stderr that are for people.
    pub(super) fn messages(&self) -> String {
        // Programs get events of failures there, as from Forge.
        let lines = self.stderr.lines().filter(|line| !line.starts_with('{') && !line.trim().is_empty());
        cut(&lines.collect::<Vec<_>>().join("\n"), MOST_MESSAGES)
    }

    /// Returns the error of a child that did not do its work.
    pub(super) fn error(&self) -> anyhow::Error {
        let messages = self.messages();
        match self.status.code() {
            _ if self.cancelled => {
                anyhow!("cancelled; failures found so far are saved: `replay_failures` shows them")
            }
            None => anyhow!(
                "the run was killed ({}); failures found so far are saved: `replay_failures` shows them\n{messages}",
                self.status
            ),
            Some(code) if messages.is_empty() => anyhow!("the run ended with exit code {code}"),
            Some(_) => anyhow!("{}", messages.trim_start_matches("Error: ")),
        }
    }
}

/// Request on whose behalf a child runs.
pub(super) struct ChildRequest<'a> {
    pub(super) context: &'a RequestContext<RoleServer>,
    /// True once the server ends.
    pub(super) closing: &'a AtomicBool,
}

/// Runs this program with these arguments to its end, or until the request is cancelled. `progress` gets the lines of
/// stdout. Lines of stderr are passed on.
///
/// # Errors
/// When the program cannot be started.
pub(super) async fn run(
    arguments: Vec<OsString>,
    request: ChildRequest<'_>,
    progress: &mut ProgressSender<'_>,
) -> Result<ChildOutput> {
    let mut child = start(arguments).context("cannot start forge-harvey")?;
    let (mut stdout, mut stderr) = (lines(child.stdout.take()), lines(child.stderr.take()));
    let (mut out, mut err) = (String::new(), String::new());
    let mut kill_at = None;
    let status = loop {
        let deadline = kill_at.unwrap_or_else(Instant::now);
        tokio::select! {
            Some(line) = stdout.recv() => {
                progress.line(&line).await;
                keep(&mut out, &line);
            }
            Some(line) = stderr.recv() => pass_on(&mut err, &line),
            status = child.wait() => break status.context("cannot wait for forge-harvey")?,
            () = request.context.ct.cancelled(), if kill_at.is_none() => {
                interrupt(&mut child);
                let grace = if request.closing.load(Ordering::Relaxed) { SHORT_GRACE } else { GRACE };
                kill_at = Some(Instant::now() + grace);
            }
            () = sleep_until(deadline), if kill_at.is_some() => {
                kill(&mut child);
                kill_at = Some(Instant::now() + GRACE);
            }
        }
    };
    while let Ok(Some(line)) = timeout(REST, stdout.recv()).await {
        keep(&mut out, &line);
    }
    while let Ok(Some(line)) = timeout(REST, stderr.recv()).await {
        pass_on(&mut err, &line);
    }
    Ok(ChildOutput { status, cancelled: kill_at.is_some(), stdout: out, stderr: err })
}

fn start(arguments: Vec<OsString>) -> io::Result<Child> {
    let mut command = Command::new(env::current_exe()?);
    command.args(arguments);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    // A group of its own, so that compilers and programs of tests end with it.
    #[cfg(unix)]
    command.process_group(0);
    command.spawn()
}

/// Returns the lines of a stream.
fn lines(stream: Option<impl AsyncRead + Unpin + Send + 'static>) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel(64);
    if let Some(stream) = stream {
        tokio::spawn(send_lines(stream, sender));
    }
    receiver
}

async fn send_lines(stream: impl AsyncRead + Unpin, to: Sender<String>) {
    let (mut reader, mut line) = (BufReader::new(stream), Vec::new());
    while reader.read_until(b'\n', &mut line).await.is_ok_and(|count| count > 0) {
        if to.send(String::from_utf8_lossy(&line).into_owned()).await.is_err() {
            return;
        }
        line.clear();
    }
}

/// Adds a line, unless there is too much already.
fn keep(text: &mut String, line: &str) {
    if text.len() + line.len() <= MOST_OUTPUT {
        *text += line;
    }
}

/// Adds a line of stderr, and writes it to the server's own stderr, where clients log it.
fn pass_on(text: &mut String, line: &str) {
    keep(text, line);
    // There is no place to report that stderr cannot be written.
    let _ = io::stderr().write_all(line.as_bytes());
}

/// Asks a child to end and to write its reports, as Ctrl-C does.
#[cfg(unix)]
fn interrupt(child: &mut Child) {
    signal(child, rustix::process::Signal::INT);
}

/// Ends a child, since nothing asks it to end here.
#[cfg(not(unix))]
fn interrupt(child: &mut Child) {
    kill(child);
}

#[cfg(unix)]
fn kill(child: &mut Child) {
    signal(child, rustix::process::Signal::KILL);
}

#[cfg(not(unix))]
fn kill(child: &mut Child) {
    // It fails if the child has ended, which is what is wanted.
    let _ = child.start_kill();
}

/// Sends a signal to a child and all that it started.
#[cfg(unix)]
fn signal(child: &Child, signal: rustix::process::Signal) {
    if let Some(id) = child.id() {
        signal_group(id, signal);
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt as _;

    fn output(raw: i32, cancelled: bool, stderr: &str) -> ChildOutput {
        let status = ChildStatus::from_raw(raw);
        ChildOutput { status, cancelled, stdout: String::new(), stderr: stderr.to_owned() }
    }

    #[test]
    fn an_error_says_what_the_child_said() {
        let said = "{\"event\":\"failure\"}\n\nWarning: slow\nError: no project\n";
        insta::assert_snapshot!(output(256, false, said).error(), @"
        Warning: slow
        Error: no project
        ");
        insta::assert_snapshot!(output(256, false, "Error: no project\n").error(), @"no project");
        insta::assert_snapshot!(output(70 << 8, false, "").error(), @"the run ended with exit code 70");
        insta::assert_snapshot!(output(9, false, "").error().to_string().trim_end(), @"the run was killed (signal: 9 (SIGKILL)); failures found so far are saved: `replay_failures` shows them");
        insta::assert_snapshot!(output(3 << 8, true, said).error(), @"cancelled; failures found so far are saved: `replay_failures` shows them");
    }
}
