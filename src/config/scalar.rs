//! Settings with a grammar of their own.

use super::{
    ConfigError, SettingPlace, SolcRequest,
    filter::{Glob, Pattern},
    read::FromNode,
    value::{ConfigNode, Value},
};
use semver::Version;
use std::path::PathBuf;

/// EVM versions in order, each with the first solc that can compile for it.
const EVM_VERSIONS: [(&str, Version); 15] = [
    ("homestead", Version::new(0, 0, 0)),
    ("tangerineWhistle", Version::new(0, 0, 0)),
    ("spuriousDragon", Version::new(0, 0, 0)),
    ("byzantium", Version::new(0, 4, 21)),
    ("constantinople", Version::new(0, 4, 22)),
    ("petersburg", Version::new(0, 5, 5)),
    ("istanbul", Version::new(0, 5, 14)),
    ("berlin", Version::new(0, 8, 5)),
    ("london", Version::new(0, 8, 7)),
    ("paris", Version::new(0, 8, 18)),
    ("shanghai", Version::new(0, 8, 20)),
    ("cancun", Version::new(0, 8, 24)),
    ("prague", Version::new(0, 8, 27)),
    ("osaka", Version::new(0, 8, 29)),
    // Not in any released solc, and named by Forge all the same.
    ("amsterdam", Version::new(u64::MAX, 0, 0)),
];

/// The name of an EVM version, as solc spells it.
pub(super) struct EvmVersion(usize);

impl EvmVersion {
    fn named(text: &str) -> Option<Self> {
        EVM_VERSIONS.iter().position(|(name, _)| name.eq_ignore_ascii_case(text)).map(Self)
    }

    /// Its name.
    pub(super) fn name(&self) -> &'static str {
        EVM_VERSIONS[self.0].0
    }

    /// The newest version up to this one that a fixed compiler can compile for, as Forge lowers it. A compiler older
    /// than the setting itself (0.4.21) changes nothing.
    pub(super) fn lowered_to(self, solc: &SolcRequest) -> Self {
        let SolcRequest::Version(solc) = solc else { return self };
        let newest = EVM_VERSIONS[..=self.0].iter().rposition(|(_, since)| since <= solc);
        if *solc < EVM_VERSIONS[3].1 { self } else { newest.map_or(self, Self) }
    }
}

impl FromNode for EvmVersion {
    fn from_node(node: &ConfigNode, key: &str) -> Result<Self, ConfigError> {
        let text = node.text(key, "an EVM version")?;
        Self::named(text).ok_or_else(|| node.invalid(key, format!("Unknown evm version: {text}")))
    }
}

/// A fork of Ethereum by its name, alone or behind `ethereum:`.
pub(super) struct Hardfork(pub(super) &'static str);

impl FromNode for Hardfork {
    fn from_node(node: &ConfigNode, key: &str) -> Result<Self, ConfigError> {
        let text = node.text(key, "the name of a fork")?;
        let name = text.strip_prefix("ethereum:").unwrap_or(text);
        if let Some((chain, _)) = name.split_once(':') {
            return Err(
                node.invalid(key, format!("the rules of `{chain}` are not supported, only Ethereum's"))
            );
        }
        let known = EvmVersion::named(name).map(|version| Self(version.name()));
        known.ok_or_else(|| node.invalid(key, format!("unknown ethereum hardfork '{name}'")))
    }
}

/// Percent, a number or text of at most 100.
pub(super) struct Percent(pub(super) u32);

impl FromNode for Percent {
    fn from_node(node: &ConfigNode, key: &str) -> Result<Self, ConfigError> {
        let number = match &node.value {
            Value::Text(text) => text.parse().map_err(|_| node.mismatch(key, "a percentage"))?,
            _ => u64::from_node(node, key)?,
        };
        if number <= 100 {
            Ok(Self(number as u32))
        } else {
            Err(node.invalid(key, "percent must be lte 100"))
        }
    }
}

/// GasAmount: a number, the same as text, or `max`.
pub(super) struct GasAmount(pub(super) u64);

impl FromNode for GasAmount {
    fn from_node(node: &ConfigNode, key: &str) -> Result<Self, ConfigError> {
        let number = match &node.value {
            Value::Text(text) if text.eq_ignore_ascii_case("max") => Some(u64::MAX),
            Value::Text(text) => text.parse().ok(),
            Value::Int(value) => u64::try_from(*value).ok(),
            _ => None,
        };
        number.map(Self).ok_or_else(|| node.mismatch(key, "a number of 64 bits or \"max\""))
    }
}

/// A chain id, or the name of a chain.
pub(super) struct ChainId(pub(super) u64);

impl FromNode for ChainId {
    fn from_node(node: &ConfigNode, key: &str) -> Result<Self, ConfigError> {
        let Value::Text(text) = &node.value else { return u64::from_node(node, key).map(Self) };
        let chain = text.parse::<alloy_chains::Chain>().map(|chain| Self(chain.id()));
        chain.map_err(|_| {
            node.invalid(key, format!("unknown chain {text:?}, expected an id or a well-known name"))
        })
    }
}

impl FromNode for SolcRequest {
    /// A version in full, or else a path, as Forge reads it: `0.8` is a path.
    fn from_node(node: &ConfigNode, key: &str) -> Result<Self, ConfigError> {
        let text = node.text(key, "a version or a path")?;
        let version = text.strip_prefix("solc:").unwrap_or(text);
        Ok(version.parse().map_or_else(|_| Self::Path(text.into()), Self::Version))
    }
}

impl SolcRequest {
    /// A relative path that stands in a file starts at the root; one from elsewhere, where the user is.
    pub(super) fn at(self, root: &std::path::Path, place: &SettingPlace) -> Self {
        match (self, place) {
            (Self::Path(path), SettingPlace::File { .. }) => Self::Path(root.join(path)),
            (request, _) => request,
        }
    }
}

/// `deny`: a word, or a boolean for all warnings.
pub(super) struct Deny(pub(super) &'static str);

impl FromNode for Deny {
    fn from_node(node: &ConfigNode, key: &str) -> Result<Self, ConfigError> {
        match node.value {
            Value::Bool(true) => Ok(Self("warnings")),
            Value::Bool(false) => Ok(Self("never")),
            _ => word(node, key, &["never", "warnings", "notes"]).map(Self),
        }
    }
}

/// One of some words, in any case.
///
/// # Errors
/// When the value is none of them.
pub(super) fn word(
    node: &ConfigNode,
    key: &str,
    words: &[&'static str],
) -> Result<&'static str, ConfigError> {
    let text = node.text(key, "a string")?;
    let found = words.iter().find(|word| word.eq_ignore_ascii_case(text)).copied();
    found.ok_or_else(|| {
        let words: Vec<_> = words.iter().map(|word| format!("`{word}`")).collect();
        node.invalid(key, format!("unknown variant: found `{text}`, expected one of {}", words.join(", ")))
    })
}

/// Forge's names for some of solc's warnings.
const CODES: [(&str, u64); 19] = [
    ("license", 1878),
    ("constructor-visibility", 2462),
    ("code-size", 5574),
    ("init-code-size", 3860),
    ("func-mutability", 2018),
    ("unused-var", 2072),
    ("unused-param", 5667),
    ("unused-return", 9302),
    ("virtual-interfaces", 5815),
    ("missing-receive-ether", 3628),
    ("shadowing", 2519),
    ("same-varname", 8760),
    ("unnamed-return", 6321),
    ("unreachable", 5740),
    ("pragma-solidity", 3420),
    ("transient-storage", 2394),
    ("too-many-warnings", 4591),
    ("transfer-deprecated", 9207),
    ("natspec-memory-safe-assembly-deprecated", 2424),
];

/// The number of a compiler warning, or Forge's name for it.
pub(super) struct ErrorCode(pub(super) u64);

impl FromNode for ErrorCode {
    fn from_node(node: &ConfigNode, key: &str) -> Result<Self, ConfigError> {
        let Value::Text(text) = &node.value else { return u64::from_node(node, key).map(Self) };
        let code = CODES.iter().find(|(name, _)| name == text).map(|(_, code)| Self(*code));
        code.ok_or_else(|| node.invalid(key, format!("Unknown variant {text}")))
    }
}

/// Compiler warnings that are ignored below a path: a list of both.
pub(super) struct ErrorCodesFrom {
    pub(super) path: PathBuf,
    pub(super) codes: Vec<u64>,
}

impl FromNode for ErrorCodesFrom {
    fn from_node(node: &ConfigNode, key: &str) -> Result<Self, ConfigError> {
        let Value::List(pair) = &node.value else {
            return Err(node.mismatch(key, "a path and a list of codes"));
        };
        let [path, codes] = &pair[..] else { return Err(node.mismatch(key, "a path and a list of codes")) };
        let codes = Vec::<ErrorCode>::from_node(codes, &format!("{key}.1"))?;
        Ok(Self {
            path: PathBuf::from_node(path, &format!("{key}.0"))?,
            codes: codes.into_iter().map(|code| code.0).collect(),
        })
    }
}

/// What `fs_permissions` allow: a word, or a boolean for everything and nothing.
pub(super) struct FsAccess(pub(super) &'static str);

impl FromNode for FsAccess {
    fn from_node(node: &ConfigNode, key: &str) -> Result<Self, ConfigError> {
        let access = match &node.value {
            Value::Bool(true) => "read-write",
            Value::Bool(false) => "none",
            Value::Text(text) if text == "readwrite" || text == "true" => "read-write",
            Value::Text(text) if text == "false" => "none",
            _ => word(node, key, &["read", "write", "read-write", "none"])?,
        };
        Ok(Self(access))
    }
}

/// A regular expression, known to be one.
pub(super) struct RegexText(pub(super) String);

impl FromNode for RegexText {
    fn from_node(node: &ConfigNode, key: &str) -> Result<Self, ConfigError> {
        let text = String::from_node(node, key)?;
        Pattern::new(&text).map_err(|error| node.invalid(key, error))?;
        Ok(Self(text))
    }
}

/// A glob, known to be one.
pub(super) struct GlobText(pub(super) String);

impl FromNode for GlobText {
    fn from_node(node: &ConfigNode, key: &str) -> Result<Self, ConfigError> {
        let text = String::from_node(node, key)?;
        Glob::new(&text).map_err(|error| node.invalid(key, error))?;
        Ok(Self(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read<T: FromNode>(value: impl Into<Value>) -> Result<T, String> {
        T::from_node(&ConfigNode::new(value, SettingPlace::Default), "key").map_err(|error| error.to_string())
    }

    fn lowered(evm: &str, solc: &str) -> &'static str {
        let solc = read::<SolcRequest>(solc).unwrap();
        read::<EvmVersion>(evm).unwrap().lowered_to(&solc).name()
    }

    #[test]
    fn the_evm_version_is_lowered_to_what_solc_supports() {
        assert_eq!(lowered("osaka", "0.8.30"), "osaka");
        assert_eq!(lowered("osaka", "0.8.28"), "prague");
        assert_eq!(lowered("CANCUN", "0.8.30"), "cancun");
        assert_eq!(lowered("osaka", "0.8.20"), "shanghai");
        assert_eq!(lowered("osaka", "0.8.19"), "paris");
        assert_eq!(lowered("osaka", "0.8.10"), "london");
        assert_eq!(lowered("osaka", "./solc"), "osaka");
        assert_eq!(lowered("amsterdam", "0.8.30"), "osaka");
    }

    #[test]
    fn a_solc_is_a_full_version_or_a_path() {
        assert_eq!(read("solc:0.8.30"), Ok(SolcRequest::Version(Version::new(0, 8, 30))));
        assert_eq!(read("0.8"), Ok(SolcRequest::Path("0.8".into())));
    }

    #[test]
    fn words_are_checked() {
        assert_eq!(read::<Deny>(true).map(|deny| deny.0), Ok("warnings"));
        insta::assert_snapshot!(read::<Deny>("x").err().unwrap(), @r"
        unknown variant: found `x`, expected one of `never`, `warnings`, `notes` for setting `key`
          --> the defaults
        ");
    }

    #[test]
    fn gas_chains_and_percentages_have_two_forms() {
        assert_eq!(read::<GasAmount>("max").map(|gas| gas.0), Ok(u64::MAX));
        assert_eq!(read::<GasAmount>("300").map(|gas| gas.0), Ok(300));
        assert_eq!(read::<ChainId>("optimism").map(|chain| chain.0), Ok(10));
        assert_eq!(read::<Percent>("50").map(|percent| percent.0), Ok(50));
        assert!(read::<Percent>(101u32).is_err());
        assert_eq!(read::<ErrorCode>("license").map(|code| code.0), Ok(1878));
    }
}
