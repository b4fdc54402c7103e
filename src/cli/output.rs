//! Output to a reader that may close the pipe early, such as `| head`.

use std::io::{self, Write};

/// A writer for which a broken pipe is no error. Later output is dropped and the work continues, since
/// findings must be persisted and the exit code still counts.
#[derive(Debug)]
pub struct PipeSafe<W> {
    inner: W,
    closed: bool,
}

impl<W: Write> PipeSafe<W> {
    /// Wraps `inner`.
    pub fn new(inner: W) -> Self {
        Self { inner, closed: false }
    }

    /// Calls `act`; returns `fallback` if the pipe is closed, before or during the call.
    fn guard<T>(&mut self, fallback: T, act: impl FnOnce(&mut W) -> io::Result<T>) -> io::Result<T> {
        if self.closed {
            return Ok(fallback);
        }
        match act(&mut self.inner) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(fallback)
            }
            result => result,
        }
    }
}

impl<W: Write> Write for PipeSafe<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.guard(bytes.len(), |inner| inner.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.guard((), W::flush)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writer that accepts one write and then fails.
    struct Once(Vec<u8>, io::ErrorKind);

    impl Write for Once {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if !self.0.is_empty() {
                return Err(self.1.into());
            }
            self.0.extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_broken_pipe_is_swallowed_and_other_errors_are_not() {
        let mut pipe = PipeSafe::new(Once(vec![], io::ErrorKind::BrokenPipe));
        for _ in 0..3 {
            pipe.write_all(b"line\n").unwrap();
            pipe.flush().unwrap();
        }
        assert_eq!(pipe.inner.0, b"line\n");

        let mut full = PipeSafe::new(Once(vec![], io::ErrorKind::StorageFull));
        full.write_all(b"line\n").unwrap();
        assert_eq!(full.write_all(b"line\n").unwrap_err().kind(), io::ErrorKind::StorageFull);
    }
}
