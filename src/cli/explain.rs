//! `forge-harvey explain`: the rules that are checked.

use super::{
    ExitStatus,
    args::{ExplainArgs, GlobalArgs},
    console::Console,
};
use crate::{
    model::{Confidence, Rule},
    oracle,
};
use anyhow::Result;
use serde_json::json;

/// Explains one rule, or lists all.
pub(super) fn run(args: &ExplainArgs, global: &GlobalArgs) -> Result<ExitStatus> {
    let mut console = Console::new(global, false);
    let rule = args.rule.as_deref().and_then(oracle::rule);
    let text = match rule {
        _ if global.json => {
            let rules: Vec<_> =
                oracle::RULES.iter().filter(|known| rule.is_none_or(|rule| rule == *known)).collect();
            format!("{}\n", json!(rules.into_iter().map(as_json).collect::<Vec<_>>()))
        }
        Some(rule) => explained(rule),
        None => oracle::RULES.iter().map(|rule| format!("{:24} {}\n", rule.id, rule.summary)).collect(),
    };
    console.print(&text)?;
    Ok(ExitStatus::Success)
}

/// Explains a rule in words.
pub(super) fn explained(rule: &Rule) -> String {
    let swc = rule.swc_id().zip(rule.swc_uri()).map(|(id, uri)| format!(" ({id}, {uri})"));
    let swc = swc.unwrap_or_default();
    let severity =
        rule.severity.map(|severity| format!("Severity: {severity:.1} of 10\n")).unwrap_or_default();
    let confidence = rule.confidence.map(|confidence| format!("Confidence: {}\n", confidence.name()));
    let confidence = confidence.unwrap_or_default();
    let asked = match rule.by_default {
        true => String::new(),
        false => format!("It is looked for with `--oracles {}`.\n", rule.id),
    };
    format!("{}{swc}\n{}.\n{severity}{confidence}{asked}\n{}\n", rule.id, rule.summary, rule.help)
}

fn as_json(rule: &Rule) -> serde_json::Value {
    let Rule { id, name, summary, severity, confidence, by_default, help, .. } = rule;
    json!({
        "id": id, "name": name, "summary": summary, "swc": rule.swc_id(), "severity": severity,
        "confidence": confidence.map(Confidence::name), "default": by_default, "help": help,
    })
}
