//! Archives of solc for Windows, up to 0.7.1: `solc.exe` and libraries that it loads.

use std::{fs::File, io, path::Path};
use tempfile::TempPath;
use zip::ZipArchive;

/// Name of the compiler in an archive.
const COMPILER: &str = "solc.exe";

/// Unpacks an archive into the directory of `compiler`, and returns the unpacked compiler, which has a temporary name.
/// Files in directories are left out.
///
/// # Errors
/// Fails if the archive is damaged, if it has no compiler, or if a file cannot be written.
pub(super) fn unpack(archive: &Path, compiler: &Path) -> io::Result<TempPath> {
    let mut archive = ZipArchive::new(File::open(archive)?).map_err(io::Error::other)?;
    let mut unpacked = None;
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).map_err(io::Error::other)?;
        let name = entry.name().map_err(io::Error::other)?.into_owned();
        let is_plain = !name.starts_with('.') && !name.contains(['/', '\\', ':']);
        if !entry.is_file() || !is_plain {
            continue;
        }
        let path = compiler.with_file_name(&name);
        let mut file = File::create(&path)?;
        if name == COMPILER {
            unpacked = Some(TempPath::try_from_path(&path)?);
        }
        io::copy(&mut entry, &mut file)?;
        file.sync_all()?;
    }
    unpacked.ok_or_else(|| io::Error::other(format!("the archive has no {COMPILER}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{fs, io::Write as _};
    use zip::{ZipWriter, write::SimpleFileOptions};

    fn archive(path: &Path, files: &[(&str, &str)]) {
        let mut writer = ZipWriter::new(File::create(path).unwrap());
        for (name, text) in files {
            writer.start_file(*name, SimpleFileOptions::default()).unwrap();
            writer.write_all(text.as_bytes()).unwrap();
        }
        writer.finish().unwrap();
    }

    #[test]
    fn the_compiler_is_unpacked_with_its_libraries_and_nothing_else() {
        let directory = tempfile::tempdir().unwrap();
        let [part, compiler] =
            ["0.5.0/solc.part", "0.5.0/solc-0.5.0"].map(|name| directory.path().join(name));
        fs::create_dir(part.parent().unwrap()).unwrap();
        let long = "exe".repeat(10_000);
        archive(
            &part,
            &[("solc.exe", &long), ("soljson.dll", "dll"), ("../evil", "no"), ("a/b", "no"), ("..", "no")],
        );
        let unpacked = unpack(&part, &compiler).unwrap();
        assert_eq!(fs::read_to_string(&unpacked).unwrap(), long);
        unpacked.persist(&compiler).unwrap();
        let mut names: Vec<_> =
            fs::read_dir(part.parent().unwrap()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort_unstable();
        assert_eq!(names, ["solc-0.5.0", "solc.part", "soljson.dll"]);
        assert!(!directory.path().join("evil").exists());
    }

    #[test]
    fn an_archive_without_a_compiler_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let [part, compiler] = ["solc.part", "solc-0.5.0"].map(|name| directory.path().join(name));
        archive(&part, &[("readme.txt", "")]);
        assert_eq!(unpack(&part, &compiler).unwrap_err().to_string(), "the archive has no solc.exe");
        fs::write(&part, "no archive").unwrap();
        assert!(unpack(&part, &compiler).is_err());
    }
}
