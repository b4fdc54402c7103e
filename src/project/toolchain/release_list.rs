//! List of the builds in a directory of a server: `list.json`.

use semver::Version;
use serde::Deserialize;
use std::collections::BTreeMap;

/// A native build of one version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NativeBuild {
    /// Name of the file beside the list.
    pub(super) file: String,
    /// SHA-256 of the file.
    pub(super) sha256: [u8; 32],
}

/// Releases of a directory, without nightlies and other prereleases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ReleaseList(BTreeMap<Version, NativeBuild>);

/// The part of `list.json` that is read.
#[derive(Deserialize)]
struct ListFile {
    builds: Vec<ListedBuild>,
    /// Name of the file of each release.
    releases: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct ListedBuild {
    version: String,
    prerelease: Option<String>,
    sha256: Option<String>,
}

impl ReleaseList {
    /// Parses a list. A release whose file name could lead elsewhere, or whose checksum is missing, is left out.
    ///
    /// # Errors
    /// Fails if the text is not JSON of this form.
    pub(super) fn parse(json: &[u8]) -> Result<Self, serde_json::Error> {
        let ListFile { builds, mut releases } = serde_json::from_slice(json)?;
        let mut list = BTreeMap::new();
        for build in builds.into_iter().filter(|build| build.prerelease.as_deref().is_none_or(str::is_empty))
        {
            let Some((file, sha256)) = releases.remove(&build.version).zip(build.sha256) else { continue };
            let parsed = Version::parse(&build.version).ok().zip(checksum(&sha256));
            if let Some((version, sha256)) = parsed.filter(|_| is_plain(&file)) {
                list.insert(version, NativeBuild { file, sha256 });
            }
        }
        Ok(Self(list))
    }

    pub(super) fn get(&self, version: &Version) -> Option<&NativeBuild> {
        self.0.get(version)
    }

    pub(super) fn versions(&self) -> impl Iterator<Item = &Version> {
        self.0.keys()
    }
}

/// Parses a SHA-256 in hexadecimal, with or without `0x`.
fn checksum(text: &str) -> Option<[u8; 32]> {
    alloy_primitives::hex::decode_to_array(text).ok()
}

/// Tells whether a name is one of a file in the directory itself, without parts that a URL or a path would interpret.
fn is_plain(name: &str) -> bool {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || "-_.+".contains(c);
    !name.starts_with('.') && !name.is_empty() && name.chars().all(is_allowed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const SUM: &str = "0x1111111111111111111111111111111111111111111111111111111111111111";

    fn parsed(builds: &serde_json::Value, releases: &serde_json::Value) -> Vec<(String, String)> {
        let text = json!({ "builds": builds, "releases": releases, "latestRelease": "0.8.30" }).to_string();
        let list = ReleaseList::parse(text.as_bytes()).unwrap();
        list.0.into_iter().map(|(version, build)| (version.to_string(), build.file)).collect()
    }

    #[test]
    fn releases_are_read_with_their_files_and_checksums() {
        let builds = json!([
            { "path": "solc-v0.8.29", "version": "0.8.29", "sha256": SUM.trim_start_matches("0x") },
            { "path": "solc-v0.8.30-pre.1", "version": "0.8.30", "prerelease": "pre.1", "sha256": "0x22" },
            { "path": "solc-v0.8.30", "version": "0.8.30", "build": "commit.1", "sha256": SUM },
        ]);
        let releases = json!({ "0.8.30": "solc-v0.8.30+commit.1", "0.8.29": "solc-v0.8.29.zip" });
        let [old, new] = ["solc-v0.8.29.zip", "solc-v0.8.30+commit.1"].map(str::to_owned);
        let expected = [("0.8.29".to_owned(), old), ("0.8.30".to_owned(), new)];
        assert_eq!(parsed(&builds, &releases), expected);
    }

    #[test]
    fn a_release_that_cannot_be_verified_or_leads_elsewhere_is_left_out() {
        for (file, sha256) in [
            ("solc", json!("0x1234")),
            ("solc", json!(null)),
            ("solc", json!("zz")),
            ("../solc", json!(SUM)),
            ("..", json!(SUM)),
            ("https://example.org/solc", json!(SUM)),
            ("solc?x", json!(SUM)),
            ("", json!(SUM)),
        ] {
            let builds = json!([{ "version": "0.8.30", "sha256": sha256 }]);
            assert_eq!(parsed(&builds, &json!({ "0.8.30": file })), [], "{file} {sha256}");
        }
        assert_eq!(parsed(&json!([{ "version": "0.8.30", "sha256": SUM }]), &json!({})), []);
    }

    #[test]
    fn a_list_of_another_form_is_an_error() {
        for text in ["<html>Sign in</html>", "[]", "{\"builds\": 1}", ""] {
            assert!(ReleaseList::parse(text.as_bytes()).is_err(), "{text}");
        }
    }
}
