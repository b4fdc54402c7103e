//! Places from which native builds of solc come, for each platform. They are those of svm, and so of Forge.

use semver::Version;
use std::env::consts::{ARCH, OS};

/// Oldest version that is used as a native build: the first one that reads standard JSON. The script that runs builds
/// of npm knows the input of older ones, too.
const OLDEST: Version = Version::new(0, 4, 11);

/// Directory of builds on a server, with the versions for which it is used.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct BuildSource {
    /// Name of the directory on a mirror.
    pub(super) directory: &'static str,
    /// URL of the directory, if no mirror is configured.
    pub(super) url: &'static str,
    first: Version,
    /// Version before which the directory is used; none if it is used for all later versions.
    end: Option<Version>,
}

impl BuildSource {
    const fn linux_amd64() -> Self {
        let url = "https://binaries.soliditylang.org/linux-amd64";
        Self { directory: "linux-amd64", url, first: OLDEST, end: None }
    }

    const fn macos_amd64(first: Version, end: Option<Version>) -> Self {
        let url = "https://binaries.soliditylang.org/macosx-amd64";
        Self { directory: "macosx-amd64", url, first, end }
    }

    const fn windows_amd64() -> Self {
        let url = "https://binaries.soliditylang.org/windows-amd64";
        Self { directory: "windows-amd64", url, first: OLDEST, end: None }
    }

    /// Tells whether a version is looked for in this directory.
    pub(super) fn has(&self, version: &Version) -> bool {
        *version >= self.first && self.end.as_ref().is_none_or(|end| version < end)
    }
}

static LINUX_AMD64: [BuildSource; 1] = [BuildSource::linux_amd64()];

/// The Solidity project builds for this platform since 0.8.31. Older builds are those that Forge uses, at a fixed
/// commit.
static LINUX_ARM64: [BuildSource; 2] = [
    BuildSource {
        directory: "linux-aarch64",
        url: "https://raw.githubusercontent.com/nikitastupin/solc/2287d4326237172acf91ce42fd7ec18a67b7f512/linux/aarch64",
        first: Version::new(0, 5, 0),
        end: Some(Version::new(0, 8, 31)),
    },
    BuildSource {
        directory: "linux-arm64",
        url: "https://binaries.soliditylang.org/linux-arm64",
        first: Version::new(0, 8, 31),
        end: None,
    },
];

static MACOS_AMD64: [BuildSource; 1] = [BuildSource::macos_amd64(OLDEST, None)];

/// Builds of the Solidity project are universal since 0.8.25, and run by Rosetta before 0.8.5. Those between are of the
/// authors of svm, at a fixed commit.
static MACOS_ARM64: [BuildSource; 3] = [
    BuildSource::macos_amd64(OLDEST, Some(Version::new(0, 8, 5))),
    BuildSource {
        directory: "macosx-aarch64",
        url: "https://raw.githubusercontent.com/alloy-rs/solc-builds/e4b80d33bc4d015b2fc3583e217fbf248b2014e1/macosx/aarch64",
        first: Version::new(0, 8, 5),
        end: Some(Version::new(0, 8, 25)),
    },
    BuildSource::macos_amd64(Version::new(0, 8, 25), None),
];

static WINDOWS: [BuildSource; 1] = [BuildSource::windows_amd64()];

/// Returns the places of builds for this computer.
pub(super) fn sources() -> &'static [BuildSource] {
    sources_of(OS, ARCH)
}

/// Returns the places of builds for an operating system and a processor, as [`std::env::consts`] names them. Windows
/// runs the builds for x86_64 on ARM as well.
fn sources_of(os: &str, arch: &str) -> &'static [BuildSource] {
    match (os, arch) {
        ("linux", "x86_64") => &LINUX_AMD64,
        ("linux", "aarch64") => &LINUX_ARM64,
        ("macos", "x86_64") => &MACOS_AMD64,
        ("macos", "aarch64") => &MACOS_ARM64,
        ("windows", "x86_64" | "aarch64") => &WINDOWS,
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_version_comes_from_one_directory_of_the_platform() {
        let of = |os, arch, version: &str| {
            let version = Version::parse(version).unwrap();
            let found: Vec<_> = sources_of(os, arch).iter().filter(|source| source.has(&version)).collect();
            assert!(found.len() <= 1, "{found:?}");
            found.first().map_or("none", |source| source.directory)
        };
        for (os, arch, version, directory) in [
            ("linux", "x86_64", "0.8.30", "linux-amd64"),
            ("linux", "x86_64", "0.4.11", "linux-amd64"),
            ("linux", "x86_64", "0.4.10", "none"),
            ("linux", "aarch64", "0.4.26", "none"),
            ("linux", "aarch64", "0.8.30", "linux-aarch64"),
            ("linux", "aarch64", "0.8.31", "linux-arm64"),
            ("macos", "x86_64", "0.8.30", "macosx-amd64"),
            ("macos", "aarch64", "0.8.4", "macosx-amd64"),
            ("macos", "aarch64", "0.8.24", "macosx-aarch64"),
            ("macos", "aarch64", "0.8.25", "macosx-amd64"),
            ("windows", "x86_64", "0.5.0", "windows-amd64"),
            ("windows", "aarch64", "0.8.30", "windows-amd64"),
            ("freebsd", "x86_64", "0.8.30", "none"),
            ("linux", "riscv64", "0.8.30", "none"),
        ] {
            assert_eq!(of(os, arch, version), directory, "{os} {arch} {version}");
        }
    }

    #[test]
    fn builds_come_by_https() {
        let platforms = [&LINUX_AMD64[..], &LINUX_ARM64, &MACOS_AMD64, &MACOS_ARM64, &WINDOWS];
        for source in platforms.into_iter().flatten() {
            let url = reqwest::Url::parse(source.url).unwrap();
            assert!(url.scheme() == "https" && !source.url.ends_with('/'), "{url}");
        }
    }
}
