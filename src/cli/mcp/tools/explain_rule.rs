//! `explain_rule`: the rules that are checked.

use super::{Answer, ToolEffect, define, parse};
use crate::{
    cli::explain,
    model::{Confidence, Rule},
    oracle,
};
use anyhow::{Result, bail};
use rmcp::model::Tool;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(super) const NAME: &str = "explain_rule";

const DESCRIPTION: &str = "Explains the rule of a failure, with advice on how to fix the code. Lists all rules without an argument.";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RuleArguments {
    /// Id of the rule, as in failures. Lists all rules if it is left out.
    rule: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct RuleList {
    rules: Vec<ExplainedRule>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ExplainedRule {
    id: &'static str,
    summary: &'static str,
    /// Id in the SWC registry, as SWC-110.
    swc: Option<String>,
    /// Severity from 0 to 10; null for the project's own tests.
    severity: Option<f32>,
    /// `high`, `medium` or `low`; null for the project's own tests.
    confidence: Option<&'static str>,
    /// Explanation and advice, if one rule was asked for.
    help: Option<&'static str>,
}

pub(super) fn definition() -> Tool {
    define::<RuleArguments, RuleList>(NAME, "Explain a rule", DESCRIPTION, ToolEffect::Reads)
}

pub(super) fn call(arguments: serde_json::Value) -> Result<Answer> {
    let RuleArguments { rule } = parse(arguments)?;
    let Some(id) = rule else {
        let text: String =
            oracle::RULES.iter().map(|rule| format!("{}: {}\n", rule.id, rule.summary)).collect();
        let rules = oracle::RULES.iter().map(|rule| explained(rule, None)).collect();
        return Answer::new(text, &RuleList { rules });
    };
    let Some(rule) = oracle::rule(&id) else {
        let ids: Vec<_> = oracle::RULES.iter().map(|rule| rule.id).collect();
        bail!("there is no rule {id:?}; the rules are {}", ids.join(", "));
    };
    Answer::new(explain::explained(rule), &RuleList { rules: vec![explained(rule, Some(rule.help))] })
}

fn explained(rule: &Rule, help: Option<&'static str>) -> ExplainedRule {
    ExplainedRule {
        id: rule.id,
        summary: rule.summary,
        swc: rule.swc_id(),
        severity: rule.severity,
        confidence: rule.confidence.map(Confidence::name),
        help,
    }
}
