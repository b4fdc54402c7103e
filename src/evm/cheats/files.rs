//! Files and directories, accessed under the permissions of the configuration.

use super::{
    dispatch::{CheatError, CheatResult, Cheatcode, Cx, done},
    file_access::FileAccess,
    vm::Vm,
};
use crate::files;
use alloy_primitives::U256;
use std::{
    fmt::Display,
    fs::{self, File, OpenOptions},
    io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write},
    path::Path,
    time::{SystemTime, UNIX_EPOCH},
};
use walkdir::WalkDir;

/// Returns an error of the operating system, with the attempted operation.
fn failed(what: &str, path: &Path, error: impl Display) -> CheatError {
    format!("failed to {what} {path:?}: {error}").into()
}

/// Reads the text of a file.
pub(super) fn read_text(cx: &Cx<'_>, path: &str) -> Result<String, CheatError> {
    let path = cx.path(path, FileAccess::Read)?;
    String::from_utf8(contents(&path)?).map_err(|error| failed("read from", &path, error.utf8_error()))
}

/// Reads the text of a file; `None` if it does not exist.
pub(super) fn read_if_any(cx: &Cx<'_>, path: &str) -> Result<Option<String>, CheatError> {
    let exists = cx.path(path, FileAccess::Read)?.exists();
    exists.then(|| read_text(cx, path)).transpose()
}

/// Writes a file, replacing its content.
pub(super) fn write(cx: &Cx<'_>, path: &str, data: impl AsRef<[u8]>) -> Result<(), CheatError> {
    let path = cx.writable(path)?;
    let mut file = File::create(&path).map_err(|error| failed("open file", &path, error))?;
    file.write_all(data.as_ref()).map_err(|error| failed("write to", &path, error))
}

fn contents(path: &Path) -> Result<Vec<u8>, CheatError> {
    files::open(path).map_err(|error| failed("open file", path, error))?;
    files::read(path).map_err(|error| failed("read from", path, error))
}

impl Cheatcode for Vm::readFileCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        read_text(cx, &self.path)
    }
}

impl Cheatcode for Vm::readFileBinaryCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        Ok(contents(&cx.path(&self.path, FileAccess::Read)?)?.into())
    }
}

impl Cheatcode for Vm::readLineCall {
    /// Returns the next line since the file was opened; an empty one at its end.
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let path = cx.path(&self.path, FileAccess::Read)?;
        let mut file = files::open(&path).map_err(|error| failed("open file", &path, error))?;
        let place = cx.cheats.transaction.opened_files.entry(path).or_default();
        let mut line = String::new();
        let mut read = || -> io::Result<usize> {
            file.seek(SeekFrom::Start(*place))?;
            BufReader::new((&file).take(files::MOST_BYTES)).read_line(&mut line)
        };
        *place += read().map_err(|error| error.to_string())? as u64;
        if line.ends_with('\n') {
            line.pop();
            if line.ends_with('\r') {
                line.pop();
            }
        }
        Ok(line)
    }
}

impl Cheatcode for Vm::closeFileCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let path = cx.path(&self.path, FileAccess::Read)?;
        cx.cheats.transaction.opened_files.remove(&path);
        done()
    }
}

impl Cheatcode for Vm::writeFileCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        write(cx, &self.path, &self.data)?;
        done()
    }
}

impl Cheatcode for Vm::writeFileBinaryCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        write(cx, &self.path, &self.data)?;
        done()
    }
}

impl Cheatcode for Vm::writeLineCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let path = cx.writable(&self.path)?;
        let opened = OpenOptions::new().append(true).create(true).open(&path);
        let mut file = opened.map_err(|error| failed("open file", &path, error))?;
        writeln!(file, "{}", self.data).map_err(|error| failed("write to", &path, error))?;
        done()
    }
}

impl Cheatcode for Vm::copyFileCall {
    /// Copies a file and returns its number of bytes.
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let from = cx.path(&self.from, FileAccess::Read)?;
        let to = cx.writable(&self.to)?;
        let copied = files::open(&from)
            .and_then(|_| fs::copy(&from, &to))
            .map_err(|error| format!("failed to copy from {from:?} to {to:?}: {error}"))?;
        Ok(U256::from(copied).to())
    }
}

impl Cheatcode for Vm::removeFileCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let path = cx.removable(&self.path)?;
        cx.cheats.transaction.opened_files.remove(&path);
        fs::remove_file(&path).map_err(|error| failed("remove file", &path, error))?;
        done()
    }
}

/// Implements cheatcodes that query the kind of a path; they return false if it does not exist.
macro_rules! questions {
    ($($call:ident $question:ident;)*) => {$(
        impl Cheatcode for Vm::$call {
            fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
                Ok(cx.path(&self.path, FileAccess::Read)?.$question())
            }
        }
    )*};
}

questions! {
    existsCall exists;
    isFileCall is_file;
    isDirCall is_dir;
}

impl Cheatcode for Vm::fsMetadataCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let path = cx.path(&self.path, FileAccess::Read)?;
        let data = path.metadata().map_err(|error| error.to_string())?;
        let seconds = |time: io::Result<SystemTime>| {
            let since = time.ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
            U256::from(since.unwrap_or_default().as_secs())
        };
        Ok(Vm::FsMetadata {
            isDir: data.is_dir(),
            isSymlink: data.is_symlink(),
            length: U256::from(data.len()),
            readOnly: data.permissions().readonly(),
            modified: seconds(data.modified()),
            accessed: seconds(data.accessed()),
            created: seconds(data.created()),
        })
    }
}

impl Cheatcode for Vm::createDirCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let path = cx.writable(&self.path)?;
        let created = if self.recursive { fs::create_dir_all(&path) } else { fs::create_dir(&path) };
        created.map_err(|error| failed("create dir", &path, error))?;
        done()
    }
}

impl Cheatcode for Vm::removeDirCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let path = cx.removable(&self.path)?;
        let removed = if self.recursive { fs::remove_dir_all(&path) } else { fs::remove_dir(&path) };
        removed.map_err(|error| failed("remove dir", &path, error))?;
        done()
    }
}

impl Cheatcode for Vm::readLinkCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let path = cx.link(&self.linkPath, FileAccess::Read)?;
        let target = fs::read_link(&path).map_err(|error| failed("read from", &path, error))?;
        Ok(target.display().to_string())
    }
}

/// Returns the entries below a directory sorted by name, each directory before its content.
fn entries(cx: &Cx<'_>, path: &str, depth: u64, follow: bool) -> Result<Vec<Vm::DirEntry>, CheatError> {
    let root = cx.path(path, FileAccess::Read)?;
    let walk = WalkDir::new(root)
        .min_depth(1)
        .max_depth(usize::try_from(depth).unwrap_or(usize::MAX))
        .follow_links(follow)
        .contents_first(false)
        .same_file_system(true)
        .sort_by_file_name();
    let entry = |found: Result<walkdir::DirEntry, walkdir::Error>| match found {
        Ok(entry) => Vm::DirEntry {
            errorMessage: String::new(),
            path: entry.path().display().to_string(),
            depth: entry.depth() as u64,
            isDir: entry.file_type().is_dir(),
            isSymlink: entry.path_is_symlink(),
        },
        Err(error) => Vm::DirEntry {
            errorMessage: error.to_string(),
            path: error.path().map(|path| path.display().to_string()).unwrap_or_default(),
            depth: error.depth() as u64,
            isDir: false,
            isSymlink: false,
        },
    };
    // A link may lead to a place where reading is not allowed.
    let is_allowed = |found: &Result<walkdir::DirEntry, walkdir::Error>| match found {
        Ok(entry) if follow => cx.path(&entry.path().to_string_lossy(), FileAccess::Read).is_ok(),
        _ => true,
    };
    Ok(walk.into_iter().filter(is_allowed).map(entry).collect())
}

impl Cheatcode for Vm::readDir_0Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        entries(cx, &self.path, 1, false)
    }
}

impl Cheatcode for Vm::readDir_1Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        entries(cx, &self.path, self.maxDepth, false)
    }
}

impl Cheatcode for Vm::readDir_2Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        entries(cx, &self.path, self.maxDepth, self.followLinks)
    }
}

impl Cheatcode for Vm::currentFilePathCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        Ok(cx.cheats.shared.running.id.path.clone())
    }
}
