//! Flags for the form of tables and traces.

use crate::{config::Overrides, report::SummaryForm};
use alloy_primitives::Address;
use clap::Args;

/// Flags for the form of tables and traces.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Display options")]
pub struct DisplayArgs {
    /// Show the results of the suites as a table
    #[arg(long, conflicts_with_all = ["junit", "list"])]
    pub summary: bool,
    /// Add files and times to the table
    #[arg(long, requires = "summary")]
    pub detailed: bool,
    /// Depth to which traces show calls; 0 means only the call of the test
    #[arg(long, value_name = "DEPTH")]
    pub trace_depth: Option<usize>,
    /// Show the addresses of called contracts in traces in place of their names
    #[arg(long)]
    pub disable_labels: bool,
    /// Accepted for compatibility with Forge; has no effect
    #[arg(long, hide_short_help = true)]
    pub compact_labels: bool,
    /// Names for addresses in traces
    #[arg(long = "labels", visible_alias = "label", value_name = "ADDRESS:LABEL", value_parser = label)]
    pub labels: Vec<(Address, String)>,
}

impl DisplayArgs {
    /// Returns the form of the closing summary.
    #[must_use]
    pub fn summary_form(&self) -> SummaryForm {
        match (self.summary, self.detailed) {
            (false, _) => SummaryForm::Totals,
            (true, false) => SummaryForm::Table,
            (true, true) => SummaryForm::DetailedTable,
        }
    }

    pub(super) fn add_to(&self, overrides: &mut Overrides) {
        overrides
            .set("tracing.trace_depth", "--trace-depth", self.trace_depth.map(|depth| depth as u64))
            .switch("tracing.disable_labels", "--disable-labels", self.disable_labels)
            .switch("tracing.compact_labels", "--compact-labels", self.compact_labels);
        for (address, label) in &self.labels {
            overrides.set(&format!("tracing.labels.{address}"), "--labels", Some(label.as_str()));
        }
    }
}

fn label(text: &str) -> Result<(Address, String), String> {
    let (address, label) = text.split_once(':').ok_or("expected an address, a colon and a name")?;
    let address = address.parse().map_err(|_| format!("{address} is no address"))?;
    Ok((address, label.to_owned()))
}
