//! Failures: reason, rule, source, calls, and everything by which they are shown again.

use super::{PageFacts, calls, excerpt, grouped, marked, sources};
use crate::{
    model::{CodeOrigin, Evidence, Rule, SourceCoverage},
    report::{ReportOptions, count, problem::Problem, reproducer::Reproducer, trace, visible as text},
};
use maud::{Markup, html};

pub(super) fn section(problems: &[Problem<'_>], covered: &SourceCoverage, facts: &PageFacts) -> Markup {
    html! {
        section #failures aria-labelledby="failures-title" {
            h2 #failures-title { "Failures" }
            @if problems.is_empty() { p { "No property was broken and no assertion failed." } }
            @for (index, problem) in problems.iter().enumerate() {
                (failure(*problem, index, covered, facts))
            }
        }
    }
}

fn failure(problem: Problem<'_>, index: usize, covered: &SourceCoverage, facts: &PageFacts) -> Markup {
    let suite = problem.suite();
    let place = problem.failing_place();
    let excerpt = place.and_then(|place| excerpt::excerpt(place, covered, facts));
    let rule = facts.rules.iter().find(|rule| rule.id == problem.rule());
    html! {
        article .failure aria-labelledby={ "failure-" (index) } {
            h3 id={ "failure-" (index) } { code { (text(&problem.name())) } }
            p .reason { span .badge { (problem.rule()) } " " (text(problem.reason())) }
            p .where {
                (text(&suite.id.to_string()))
                // An excerpt names its place.
                @if let Some(place) = place.filter(|_| excerpt.is_none()) {
                    ", " (sources::link(place, covered))
                }
            }
            @if let Some(rule) = rule.filter(|rule| rule.severity.is_some()) { (explained(rule)) }
            @if let Some(excerpt) = excerpt { (excerpt) }
            (calls::sequence(problem))
            (origin(problem))
            @if let Some(reproducer) = facts.reproducers.get(&problem.id()) {
                (reproduced(reproducer, index))
            }
            (traces(problem))
        }
    }
}

/// Renders what an oracle looks for, and how grave it is.
fn explained(rule: &Rule) -> Markup {
    html! {
        dl .rule {
            @if let Some(severity) = rule.severity {
                div { dt { "Severity" } dd { (format!("{severity:.1}")) " of 10" } }
            }
            @if let Some(confidence) = rule.confidence {
                div { dt { "Confidence" } dd { (confidence.name()) } }
            }
            @if let Some(swc) = rule.swc_id() { div { dt { "Registry" } dd { (swc) } } }
        }
        details .explained {
            summary { (rule.summary) "." }
            @for paragraph in rule.help.split("\n\n") { p { (marked(paragraph)) } }
        }
    }
}

/// Renders how a failure was found, and the command that shows it again.
fn origin(problem: Problem<'_>) -> Markup {
    let Some(counterexample) = problem.counterexample() else { return html! {} };
    html! {
        p .note {
            @if counterexample.original_len > counterexample.calls.len() {
                "Shrunk from " (count(counterexample.original_len, "call")) ". "
            }
            @match problem.found() {
                Some(found) if found.calls > 0 => {
                    "Found after " (grouped(found.calls)) " calls by " code { (found.operator) } ". "
                }
                Some(_) => { "Kept from an earlier run. " }
                None => {}
            }
            @match &problem.suite().scene {
                Some(scene) if scene.origin != CodeOrigin::Artifact => "Shown again by the same scan.",
                _ => {
                    "Shown again by "
                    code { "forge-harvey replay --match-contract " (text(&problem.suite().id.name)) } "."
                }
            }
        }
    }
}

/// Renders a test in Solidity that fails in the same way. The script shows the button.
fn reproduced(reproducer: &Reproducer, index: usize) -> Markup {
    let Reproducer { path, test, variable, source, .. } = reproducer;
    html! {
        details .reproducer {
            summary { "Reproducer in Solidity" }
            p {
                "Save it as " code { (text(path)) } ", and run "
                code { (text(variable)) "forge test --match-path " (text(path)) " --match-test " (text(test)) } "."
            }
            p .copy {
                button type="button" hidden data-copies={ "reproducer-" (index) } { "Copy" } " "
                span role="status" {}
            }
            pre tabindex="0" role="group" aria-label={ "Source of " (text(test)) } {
                code id={ "reproducer-" (index) } { (text(source)) }
            }
        }
    }
}

fn traces(problem: Problem<'_>) -> Markup {
    let options = ReportOptions { verbosity: 3, ..ReportOptions::default() };
    let Evidence { traces, logs, .. } = problem.evidence();
    let shown = trace::all(traces, true, &options);
    html! {
        @if !logs.is_empty() {
            details { summary { "Logs" } pre tabindex="0" { (text(&logs.join("\n"))) } }
        }
        @if !shown.trim().is_empty() {
            details { summary { "Traces" } pre tabindex="0" { (text(shown.trim_end())) } }
        }
    }
}
