//! Files that appear whole or not at all.

use std::{
    fs, io,
    io::Write as _,
    path::{Path, PathBuf},
};
use tempfile::Builder;

/// A file that could not be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {error}; make its directory writable, or configure another one", path.display())]
pub struct WriteError {
    /// The file.
    pub path: PathBuf,
    /// Why: it, or a directory above it, cannot be made or written.
    pub error: io::Error,
}

/// Writes `bytes` to `path`: into a temporary file beside it, which then takes its place. Missing directories
/// are made. A reader, also after a run that was killed or a machine that lost its power, sees the old file or the new one, never a part.
///
/// # Errors
/// When a directory or the temporary file cannot be made or written, or cannot take the path's place.
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
    // Temporary files are private by default; what we write is meant to be shared (the umask applies).
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(dir)?;
    file.write_all(bytes)?;
    // Else a machine that loses its power might have a name without content.
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
