//! Survivors for code scanning and editors.

use super::{MutationScene, effect};
use crate::{
    model::{MutationReport, TestedMutant},
    report::sarif::{location, log, unlinked},
};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Formats the survivors as one document.
pub(super) fn report(report: &MutationReport, scene: &MutationScene) -> String {
    let survivors = report.survivors();
    let ids: BTreeSet<&str> = survivors.iter().map(|tested| &*tested.mutant.operator).collect();
    let rules = ids.into_iter().map(|id| rule(id, scene.reasons.get(id).copied().unwrap_or_default()));
    let results = survivors.into_iter().map(|survivor| result(survivor, scene));
    log(rules.collect(), results.collect(), report.left == 0)
}

fn rule(id: &str, reason: &str) -> Value {
    json!({
        "id": rule_id(id),
        "shortDescription": { "text": format!("A change that no test notices ({id}).") },
        "fullDescription": { "text": reason },
        "help": { "text": reason },
        "defaultConfiguration": { "level": "note" },
        "properties": { "tags": ["test"] },
    })
}

fn rule_id(operator: &str) -> String {
    format!("mutant-{operator}")
}

fn result(tested: &TestedMutant, scene: &MutationScene) -> Value {
    let text =
        format!("`{}` in place of `{}`: {}.", tested.after.trim(), tested.before.trim(), effect(tested));
    json!({
        "ruleId": rule_id(&tested.mutant.operator),
        "kind": "fail",
        "level": "note",
        "message": { "text": unlinked(text) },
        "locations": [location(&tested.place, &scene.base)],
        "partialFingerprints": { "forgeHarveyMutant/v1": tested.id },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::mutation::samples;

    #[test]
    fn only_survivors_are_results() {
        let text = report(&samples::report(), &samples::scene());
        let value: Value = serde_json::from_str(&text).unwrap();
        let results = value["runs"][0]["results"].as_array().unwrap();
        assert_eq!(results.len(), 3);
        insta::assert_snapshot!(results[0], @r#"{"ruleId":"mutant-dropped-write","kind":"fail","level":"note","message":{"text":"`total = amount;` in place of `total += amount;`: no test notices that storage differs: slot 0x0 of Bank becomes 0x2 with the change, slot 0x0 of Bank becomes 0x3 without it."},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"src/Bank.sol","uriBaseId":"%SRCROOT%"},"region":{"startLine":6,"startColumn":9}}}],"partialFingerprints":{"forgeHarveyMutant/v1":"a4"}}"#);
    }
}
