//! Settings under which a failure was found. Forge ignores a file whose settings differ from the current
//! ones.

use crate::model::{TargetFunction, TargetSet};
use alloy_primitives::{Address, Selector};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Settings that Forge compares before it replays a file; every field is required.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Settings {
    /// Identifiers by address; only the addresses are compared.
    target_contracts: BTreeMap<Address, String>,
    /// Selectors in the target's order, which is compared, too.
    target_selectors: BTreeMap<Address, Vec<Selector>>,
    target_senders: Vec<Address>,
    excluded_senders: Vec<Address>,
    fail_on_revert: bool,
}

impl Settings {
    /// Returns the current settings.
    pub(super) fn new(targets: &TargetSet, fail_on_revert: bool) -> Self {
        let each = || targets.targets.iter();
        let selectors = |functions: &[_]| functions.iter().map(selector).collect();
        Self {
            target_contracts: each().map(|target| (target.address, target.identifier.clone())).collect(),
            target_selectors: each().map(|target| (target.address, selectors(&target.functions))).collect(),
            target_senders: targets.senders.clone(),
            excluded_senders: targets.excluded_senders.clone(),
            fail_on_revert,
        }
    }

    /// Returns the differences of `now` from these saved settings, as Forge words them; empty if the file is
    /// valid.
    pub(super) fn changes(&self, now: &Self) -> Vec<String> {
        let mut changes = Vec::new();
        let mut contracts = |word: &str, here: &Self, there: &Self| {
            let names: Vec<_> = here
                .target_contracts
                .iter()
                .filter(|(address, _)| !there.target_contracts.contains_key(*address))
                .map(|(_, name)| name.as_str())
                .collect();
            if !names.is_empty() {
                changes.push(format!("{word} target contracts: {}", names.join(", ")));
            }
        };
        contracts("added", now, self);
        contracts("removed", self, now);
        for (what, same) in [
            ("target selectors", self.target_selectors == now.target_selectors),
            ("target senders", self.target_senders == now.target_senders),
            ("excluded senders", self.excluded_senders == now.excluded_senders),
        ] {
            if !same {
                changes.push(format!("{what} changed"));
            }
        }
        if self.fail_on_revert != now.fail_on_revert {
            changes.push(format!(
                "fail_on_revert changed from {} to {}",
                self.fail_on_revert, now.fail_on_revert
            ));
        }
        changes
    }
}

fn selector(function: &std::sync::Arc<TargetFunction>) -> Selector {
    function.selector()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(json: &str) -> Settings {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn every_difference_is_named_in_forges_words_and_order() {
        let saved = settings(
            r#"{"target_contracts":{"0x00000000000000000000000000000000000000aa":"x:Y",
                "0x00000000000000000000000000000000000000bb":"x:Z"},
                "target_selectors":{"0x00000000000000000000000000000000000000aa":["0x00000001","0x00000002"]},
                "target_senders":["0x00000000000000000000000000000000000000aa"],"excluded_senders":[],
                "fail_on_revert":true}"#,
        );
        let now = settings(
            r#"{"target_contracts":{"0x5615deb798bb3e4dfa0139dfa1b3d433cc23b72f":"test/C.t.sol:K",
                "0x2e234dae75c793f67a35089c9d99245e1c58470b":"test/C.t.sol:L"},
                "target_selectors":{"0x00000000000000000000000000000000000000aa":["0x00000002","0x00000001"]},
                "target_senders":[],"excluded_senders":["0x0000000000000000000000000000000000000000"],
                "fail_on_revert":false}"#,
        );
        // Output of Forge 1.7.1 for such a file.
        assert_eq!(
            saved.changes(&now).join(", "),
            "added target contracts: test/C.t.sol:L, test/C.t.sol:K, removed target contracts: x:Y, x:Z, \
             target selectors changed, target senders changed, excluded senders changed, \
             fail_on_revert changed from true to false"
        );
        assert!(saved.changes(&saved).is_empty());
    }

    #[test]
    fn a_wrong_identifier_does_not_matter() {
        let with = |name: &str| {
            settings(&format!(
                r#"{{"target_contracts":{{"0x5615deb798bb3e4dfa0139dfa1b3d433cc23b72f":"{name}"}},
                "target_selectors":{{}},"target_senders":[],"excluded_senders":[],"fail_on_revert":false}}"#
            ))
        };
        assert!(with("test/C.t.sol:K").changes(&with("other")).is_empty());
    }
}
