//! Detection of the end of the input: the client has closed the connection.

use std::{
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};
use tokio::{
    io::{AsyncRead, ReadBuf},
    sync::Notify,
};

/// Input that reports its end at once. Otherwise, requests that run would delay the report.
pub(super) struct WatchedInput<R> {
    inner: R,
    closed: Arc<Notify>,
}

impl<R> WatchedInput<R> {
    /// Wraps an input. Also returns what is notified at its end.
    pub(super) fn new(inner: R) -> (Self, Arc<Notify>) {
        let closed = Arc::new(Notify::new());
        (Self { inner, closed: closed.clone() }, closed)
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for WatchedInput<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let (before, room) = (buffer.filled().len(), buffer.remaining());
        let polled = Pin::new(&mut self.inner).poll_read(context, buffer);
        let ended = match &polled {
            Poll::Ready(Ok(())) => room > 0 && buffer.filled().len() == before,
            Poll::Ready(Err(_)) => true,
            Poll::Pending => false,
        };
        if ended {
            self.closed.notify_one();
        }
        polled
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{future::Future as _, pin::pin, task::Waker};

    #[test]
    fn only_the_end_is_notified() {
        let (mut input, closed) = WatchedInput::new(&b"ab"[..]);
        let mut context = Context::from_waker(Waker::noop());
        let mut notified = pin!(closed.notified());
        let mut bytes = [0; 8];
        for (expected, ended) in [(2, Poll::Pending), (0, Poll::Ready(()))] {
            let mut buffer = ReadBuf::new(&mut bytes);
            assert!(Pin::new(&mut input).poll_read(&mut context, &mut buffer).is_ready());
            assert_eq!(buffer.filled().len(), expected);
            assert_eq!(notified.as_mut().poll(&mut context), ended);
        }
    }
}
