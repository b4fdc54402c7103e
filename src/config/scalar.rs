//! Settings with their own syntax.

use super::{
    ConfigError, EvmVersion, SettingPlace, SolcRequest,
    filter::{Glob, Pattern},
    read::FromNode,
    reference::join,
    value::{ConfigNode, Value},
};
use alloy_primitives::Address;
use std::{collections::BTreeMap, num::NonZeroU32, path::PathBuf};

/// Name of an Ethereum hardfork, with or without the prefix `ethereum:`.
pub(super) struct Hardfork(pub(super) EvmVersion);

impl FromNode for Hardfork {
    fn from_node(node: &ConfigNode, key: &str) -> Result<Self, ConfigError> {
        let text = node.text(key, "the name of a fork")?;
        let name = text.strip_prefix("ethereum:").unwrap_or(text);
        if let Some((chain, _)) = name.split_once(':') {
            return Err(
                node.invalid(key, format!("the rules of `{chain}` are not supported, only Ethereum's"))
            );
        }
        let known = EvmVersion::named(name).map(Self);
        known.ok_or_else(|| node.invalid(key, format!("unknown ethereum hardfork '{name}'")))
    }
}

/// Percentage from 0 to 100, given as a number or text.
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

/// Names of addresses.
pub(super) struct Labels(pub(super) BTreeMap<Address, String>);

impl FromNode for Labels {
    fn from_node(node: &ConfigNode, key: &str) -> Result<Self, ConfigError> {
        let table = node.as_table().ok_or_else(|| node.mismatch(key, "a table"))?;
        let label = |(address, label): (&String, &ConfigNode)| {
            let key = join(key, address);
            let parsed = address.parse::<Address>();
            let parsed = parsed.map_err(|error| label.invalid(&key, format!("invalid address: {error}")))?;
            Ok((parsed, String::from_node(label, &key)?))
        };
        table.iter().map(label).collect::<Result<_, _>>().map(Self)
    }
}

/// Number of workers, or `auto`.
pub(super) struct Workers(pub(super) Option<NonZeroU32>);

impl FromNode for Workers {
    fn from_node(node: &ConfigNode, key: &str) -> Result<Self, ConfigError> {
        let expected = "a number of workers from 1 or \"auto\"";
        let number = match &node.value {
            Value::Text(text) if text.eq_ignore_ascii_case("auto") => return Ok(Self(None)),
            Value::Text(text) => text.parse().map_err(|_| node.mismatch(key, expected))?,
            _ => u32::from_node(node, key)?,
        };
        let workers = NonZeroU32::new(number).ok_or_else(|| node.mismatch(key, expected))?;
        Ok(Self(Some(workers)))
    }
}

/// Amount of gas, given as a number, a number in text, or `max`.
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

/// Chain id, given as a number or as the name of a chain.
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
    /// Accepts a full version; everything else is a path, as in Forge. For example, `0.8` is a path.
    fn from_node(node: &ConfigNode, key: &str) -> Result<Self, ConfigError> {
        let text = node.text(key, "a version or a path")?;
        let version = text.strip_prefix("solc:").unwrap_or(text);
        Ok(version.parse().map_or_else(|_| Self::Path(text.into()), Self::Version))
    }
}

impl SolcRequest {
    /// Resolves a relative path: relative to `root` if it stands in a file, else relative to the working
    /// directory.
    pub(super) fn at(self, root: &std::path::Path, place: &SettingPlace) -> Self {
        match (self, place) {
            (Self::Path(path), SettingPlace::File { .. }) => Self::Path(root.join(path)),
            (request, _) => request,
        }
    }
}

/// Value of `deny`: a word, or a boolean, where true means `warnings`.
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

/// Returns the word that the value is equal to, ignoring case.
///
/// # Errors
/// Fails if the value is not one of `words`.
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

/// Forge's names for some of solc's warnings, with their codes.
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

/// Code of a compiler warning, given as a number or as Forge's name.
pub(super) struct ErrorCode(pub(super) u64);

impl FromNode for ErrorCode {
    fn from_node(node: &ConfigNode, key: &str) -> Result<Self, ConfigError> {
        let Value::Text(text) = &node.value else { return u64::from_node(node, key).map(Self) };
        let code = CODES.iter().find(|(name, _)| name == text).map(|(_, code)| Self(*code));
        code.ok_or_else(|| node.invalid(key, format!("Unknown variant {text}")))
    }
}

/// Pair of a path and the codes of compiler warnings that are ignored below it.
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

/// Access in `fs_permissions`: a word, or a boolean for full access or none.
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

/// Text that was checked to be a regular expression.
pub(super) struct RegexText(pub(super) String);

impl FromNode for RegexText {
    fn from_node(node: &ConfigNode, key: &str) -> Result<Self, ConfigError> {
        let text = String::from_node(node, key)?;
        Pattern::new(&text).map_err(|error| node.invalid(key, error))?;
        Ok(Self(text))
    }
}

/// Text that was checked to be a glob.
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
    use semver::Version;

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
