//! A node of a chain, from npm, with the blocks that the fork fixtures have.

use super::tools::{REPOSITORY, node};
use std::{
    fs,
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};
use tempfile::TempDir;

/// A node answers within this time.
const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) struct Node {
    pub(crate) url: String,
    port: u16,
    child: Option<Child>,
    /// Of a node that a script has started.
    adopted: Option<String>,
    /// Where it leaves its chain when it is asked to end.
    state: TempDir,
}

fn anvil() -> PathBuf {
    let scope = Path::new(REPOSITORY).join("testdata/node_modules/@foundry-rs");
    let packages = fs::read_dir(&scope).unwrap().filter_map(Result::ok);
    let binary = packages.map(|package| package.path().join("bin/anvil")).find(|binary| binary.exists());
    binary.expect("`npm ci` in testdata installs anvil")
}

impl Node {
    pub(crate) fn start() -> Self {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let state = TempDir::new().unwrap();
        let mut command = Command::new(anvil());
        command
            .args(arguments(port, state.path()).split_whitespace())
            .stdin(Stdio::null())
            .stdout(Stdio::null());
        let child = command.spawn().unwrap();
        let node =
            Self { url: format!("http://127.0.0.1:{port}"), port, child: Some(child), adopted: None, state };
        node.wait();
        node.prepare();
        node
    }

    fn wait(&self) {
        let until = Instant::now() + PATIENCE;
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(Instant::now() < until, "anvil does not answer");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    fn prepare(&self) {
        node(&[&prepare(), self.url.as_ref()]);
    }

    pub(crate) fn stop(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
        if let Some(process) = self.adopted.take() {
            let _ = Command::new("kill").args(["-9", &process]).status();
        }
    }

    /// A shell script that ends this node, and starts one with its chain after so many seconds.
    pub(crate) fn restart_script(&self, seconds: u32) -> String {
        let process = self.child.as_ref().map_or(0, Child::id);
        format!(
            "kill -INT {process}\nwhile kill -0 {process} 2> /dev/null; do\n    case $(cat /proc/{process}/stat) in *') Z '*) break ;; esac\n    sleep 0.1\ndone\n\
             (sleep {seconds}; exec {} {}) > /dev/null 2>&1 &\necho $! > node.pid\n",
            anvil().display(),
            arguments(self.port, self.state.path()),
        )
    }

    /// A script that stops the node.
    pub(crate) fn stop_script(&self) -> String {
        format!("kill -INT {}\n", self.child.as_ref().map_or(0, Child::id))
    }

    /// What that script started in a directory is stopped with this one.
    pub(crate) fn adopt_restarted(&mut self, directory: &Path) {
        self.adopted = fs::read_to_string(directory.join("node.pid")).ok().map(|id| id.trim().to_owned());
    }
}

fn prepare() -> PathBuf {
    Path::new(REPOSITORY).join("scripts/conformance/prepare.mjs")
}

fn arguments(port: u16, state: &Path) -> String {
    let state = state.join("state.json");
    let chain = "--timestamp 1700000000 --chain-id 271828 --no-mining --order fifo";
    format!("--port {port} {chain} --quiet --state {}", state.display())
}

impl Drop for Node {
    fn drop(&mut self) {
        self.stop();
    }
}
