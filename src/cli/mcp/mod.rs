//! `forge-harvey mcp`: a server for clients of the Model Context Protocol, on stdin and stdout.
//!
//! A tool that compiles or runs contracts starts this program again, as a child. So a panic, a contract without end or
//! a lack of memory ends the child only, and a cancelled request can end it, too. The child saves each failure
//! when it finds it. One child runs at a time, because runs of a project share its artifacts and its corpus.
//!
//! | file | content |
//! |---|---|
//! | `server` | answers to requests, and the report of the last run |
//! | `tools/` | one file a tool: its arguments, its result and what it does |
//! | `child` | a child: its command line, its output, its end |
//! | `progress` | events of a run as notifications |
//! | `document` | the JSON report, as far as tools read it |
//! | `failures` | failures of a report, and their calls in words |
//! | `page` | parts of long lists and texts |
//! | `input` | the end of stdin |

mod child;
mod document;
mod failures;
mod input;
mod page;
mod progress;
mod server;
mod tools;

use self::{input::WatchedInput, server::McpServer};
use super::{
    ExitStatus,
    args::{GlobalArgs, McpArgs},
    console::Console,
    project,
};
use anyhow::{Context as _, Result, anyhow};
use rmcp::{ServiceExt as _, service::ServerInitializeError};
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};
use tokio::runtime::Builder;

/// Serves one client until it closes stdin, or a signal ends the server.
///
/// # Errors
/// When there is no project, its configuration is wrong, or the client does not speak the protocol.
pub(super) fn run(args: &McpArgs, global: &GlobalArgs) -> Result<ExitStatus> {
    // Only warnings are printed here, and they go to stderr.
    let loaded = project::load(&args.as_test(), global, &mut Console::new(global, true))?;
    let closing = Arc::new(AtomicBool::new(false));
    let server = McpServer::new(args, global, loaded.config.paths.root, closing.clone());
    let runtime = Builder::new_current_thread().enable_all().build().context("cannot serve")?;
    let served = runtime.block_on(serve(server, &closing));
    // A thread may still wait for a line of stdin.
    runtime.shutdown_background();
    served.map(|()| ExitStatus::Success)
}

async fn serve(server: McpServer, closing: &AtomicBool) -> Result<()> {
    let (input, closed) = WatchedInput::new(tokio::io::stdin());
    let service = match server.serve((input, tokio::io::stdout())).await {
        Ok(service) => service,
        Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(anyhow!(error).context("the client did not begin as MCP requires")),
    };
    let stop = service.cancellation_token();
    let mut served = std::pin::pin!(service.waiting());
    tokio::select! {
        ended = &mut served => return ended.map(drop).context("the server failed"),
        () = closed.notified() => {}
        signal = signal() => signal.context("cannot listen for signals")?,
    }
    closing.store(true, Ordering::Relaxed);
    stop.cancel();
    served.await.map(drop).context("the server failed")
}

/// Waits for a signal that ends the server: SIGINT or SIGTERM.
#[cfg(unix)]
async fn signal() -> std::io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    Ok(())
}

/// Waits for Ctrl-C.
#[cfg(not(unix))]
async fn signal() -> std::io::Result<()> {
    tokio::signal::ctrl_c().await
}
