//! A page with scores and survivors. It needs neither a network nor another file.

use super::{MutationScene, command, difference, effect, groupings, notes, score};
use crate::{
    model::{MutantCounts, MutantVerdict, MutationReport, TestedMutant},
    report::{html::document, visible},
};
use maud::{Markup, html};
use std::collections::BTreeMap;

/// Renders the page.
pub(super) fn report(report: &MutationReport, scene: &MutationScene) -> String {
    let counts = report.counts();
    let survivors = report.survivors();
    let title = visible(&scene.title);
    let body = html! {
        header {
            p .brand { "forge-harvey mutate" }
            h1 { (title) }
            p .verdict.bad[!survivors.is_empty()] { (score(&counts)) " of the mutants are killed" }
            dl .figures {
                @for (name, number) in figures(&counts) {
                    div { dt { (name) } dd { (number) } }
                }
            }
            @for note in notes(report) { p { (visible(&note)) } }
        }
        main #main {
            section {
                h2 { "Changes that no test notices" }
                @if survivors.is_empty() { p { "There are none." } }
                @for tested in &survivors { (survivor(tested, scene)) }
            }
            @for (name, counts) in groupings(report) { (table(name, &counts)) }
        }
    };
    document(&title, &body)
}

fn figures(counts: &MutantCounts) -> [(&'static str, usize); 7] {
    [
        ("killed", counts.killed),
        ("without a search", counts.killed_without_search),
        ("survived", counts.survived),
        ("not reached", counts.not_reached),
        ("same code", counts.equivalent),
        ("duplicate", counts.duplicate),
        ("invalid", counts.invalid),
    ]
}

fn survivor(tested: &TestedMutant, scene: &MutationScene) -> Markup {
    let [removed, added] = difference(tested);
    html! {
        article id=(tested.id) {
            h3 { (tested.mutant.operator) " in " code { (visible(&tested.mutant.surroundings())) } }
            p { (visible(&tested.place.to_string())) }
            pre {
                del { (visible(&removed)) }
                ins { (visible(&added)) }
            }
            p { (visible(&effect(tested))) }
            @if let MutantVerdict::Survived { difference: Some(difference) } = &tested.verdict {
                p { "Calls of " code { (visible(&difference.suite)) } ":" }
                ol { @for call in &difference.calls { li { code { (visible(call)) } } } }
            }
            pre { code { (command(tested, scene)) } }
        }
    }
}

fn table(name: &str, counts: &BTreeMap<String, MutantCounts>) -> Markup {
    html! {
        section {
            h2 { "By " (name) }
            table {
                thead {
                    tr {
                        @for title in [name, "killed", "survived", "not reached", "score"] { th scope="col" { (title) } }
                    }
                }
                tbody {
                    @for (name, counts) in counts {
                        tr {
                            th scope="row" { code { (visible(name)) } }
                            @for number in [counts.killed, counts.survived, counts.not_reached] {
                                td .number { (number) }
                            }
                            td .number { (score(counts)) }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::mutation::samples;

    #[test]
    fn survivors_are_shown_as_text() {
        let mut shown = samples::report();
        shown.mutants[2].after = "<script>".to_owned();
        let page = report(&shown, &samples::scene());
        assert!(page.contains("&lt;script&gt;") && !page.contains("+<script>"));
        assert_eq!(page.matches("<article").count(), 3);
    }
}
