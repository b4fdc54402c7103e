//! Branches on which campaigns are stuck.

use super::{figure, marked, sources};
use crate::{
    model::{Looked, RunReport},
    report::{stuck, visible as text},
};
use maud::{Markup, html};

/// Most branches shown, of which there may be thousands.
const ROWS: usize = 200;

pub(super) fn section(report: &RunReport) -> Markup {
    html! {
        section #stuck aria-labelledby="stuck-title" {
            h2 #stuck-title { "Stuck on" }
            @if report.covered.looked != Looked::Everywhere {
                p { "It is not known: there was no campaign, or not everything that it kept was looked at." }
            } @else if report.stuck.is_empty() {
                p {
                    "Every branch that calls reached, and that has code behind it which nothing ran, "
                    "was passed."
                }
            } @else {
                p {
                    "Branches that were reached and that nothing passed, those first that most code is behind "
                    "which nothing ran."
                }
                ol .stuck {
                    @for stuck in report.stuck.iter().take(ROWS) {
                        li {
                            p { code .condition { (text(&stuck.condition)) } }
                            dl {
                                div { dt { "place" } dd { (sources::link(&stuck.place, &report.covered)) } }
                                (figure("behind it", &stuck::behind(stuck)))
                                @let nearest = stuck::nearest(stuck);
                                @if !nearest.is_empty() { (figure("nearest", &nearest)) }
                                (figure("so far", &stuck::reached(stuck)))
                                @let advice = stuck::advice(stuck);
                                @if !advice.is_empty() { div { dt { "needs" } dd { (marked(&advice)) } } }
                            }
                        }
                    }
                }
                (sources::more(ROWS, report.stuck.len()))
            }
        }
    }
}
