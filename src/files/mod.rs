//! Files: reads with a size limit, and atomic writes.
//!
//! Files that are kept in a project (module `nofollow`) may have been committed by anyone, so that links there
//! are not followed.

mod links;
pub mod nofollow;

pub use links::{followed, normalized};

use std::{
    fs::{self, File},
    io::{self, Read as _, Write as _},
    path::{Path, PathBuf},
};
use tempfile::Builder;

/// Returns a path for people: relative to the project, if it is in it.
pub fn shown(path: &Path, root: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).display().to_string()
}

/// Most bytes of a file that is read.
pub const MOST_BYTES: u64 = 1 << 26;

/// A file that could not be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {error}; make its directory writable, or configure another one", path.display())]
pub struct WriteError {
    /// The file.
    pub path: PathBuf,
    /// Reason: the file, or a directory above it, cannot be created or written.
    pub error: io::Error,
}

/// Reads a file, and follows links to it.
///
/// # Errors
/// When it cannot be opened (see [`open`]) or read, or has more than [`MOST_BYTES`] bytes.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(io::Error::other(format!("it has more than {MOST_BYTES} bytes")));
    }
    Ok(bytes)
}

/// Opens a file for reading.
///
/// # Errors
/// When it cannot be opened, or is no regular file: devices never end, and pipes wait for a writer. A
/// directory can be opened, but not read.
pub fn open(path: &Path) -> io::Result<File> {
    let metadata = fs::metadata(path)?;
    match metadata.is_file() || metadata.is_dir() {
        true => File::open(path),
        false => Err(io::Error::other("it is no regular file")),
    }
}

/// Reads a file of UTF-8 text.
///
/// # Errors
/// As those of [`read`], and [`io::ErrorKind::InvalidData`] when it is not UTF-8.
pub fn read_text(path: &Path) -> io::Result<String> {
    String::from_utf8(read(path)?).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// Writes `bytes` to `path`, via a temporary file in the same directory that then replaces `path`. Missing
/// directories are created. Even after a crash or a power failure, a reader sees the old file or the new one,
/// never a part.
///
/// # Errors
/// When a directory or the temporary file cannot be created or written, or cannot replace `path`.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    replace(path, bytes).map_err(|error| WriteError { path: path.to_owned(), error })
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let dir = match path.parent() {
        Some(dir) if dir != Path::new("") => dir,
        _ => Path::new("."),
    };
    fs::create_dir_all(dir)?;
    let mut builder = Builder::new();
    builder.prefix(".harvey-");
    // Temporary files are private by default, but these files are meant to be shared (the umask applies).
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(dir)?;
    file.write_all(bytes)?;
    // Otherwise a power failure might leave a name without content.
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_and_nothing_else_remains() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a/b/report.json");
        write_atomically(&path, b"old and longer").unwrap();
        write_atomically(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn what_never_ends_is_not_read() {
        let error = read(Path::new("/dev/zero")).unwrap_err();
        assert_eq!(error.to_string(), "it is no regular file");
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("large");
        File::create(&path).unwrap().set_len(MOST_BYTES + 1).unwrap();
        assert_eq!(read(&path).unwrap_err().to_string(), "it has more than 67108864 bytes");
    }

    #[test]
    fn an_error_names_the_file() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("a"), "a file where a directory is needed").unwrap();
        let path = dir.path().join("a/file");
        let error = write_atomically(&path, b"").unwrap_err().to_string();
        assert!(error.starts_with(&format!("cannot write {}: ", path.display())), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn others_may_read_what_is_written() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        fs::write(dir.path().join("plain"), "").unwrap();
        write_atomically(&path, b"").unwrap();
        let mode = |name: &str| fs::metadata(dir.path().join(name)).unwrap().permissions().mode();
        assert_eq!(mode("file"), mode("plain"));
    }
}
