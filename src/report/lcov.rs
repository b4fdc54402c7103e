//! `--report lcov`: what campaigns covered, in the form that lcov, genhtml and editors read (geninfo(1)).

use crate::{
    model::{CampaignReport, FileCoverage},
    report::Base,
};
use std::fmt::Write as _;

/// The whole report. A count is 1 where something ran: how often is not known.
#[must_use]
pub fn report(report: &CampaignReport, base: &Base) -> String {
    let mut out = "TN:\n".to_owned();
    for (path, file) in &report.covered.files {
        _ = writeln!(out, "SF:{}", base.path(path));
        out += &record(file);
        out += "end_of_record\n";
    }
    out
}

fn record(file: &FileCoverage) -> String {
    let mut out = String::new();
    for (line, (name, _)) in &file.functions {
        _ = writeln!(out, "FN:{line},{name}");
    }
    for (name, covered) in file.functions.values() {
        _ = writeln!(out, "FNDA:{},{name}", u8::from(*covered));
    }
    let (hit, found) = file.function_counts();
    _ = writeln!(out, "FNF:{found}\nFNH:{hit}");
    // As in Forge, the line on which a function begins is one of its own.
    let mut lines = file.lines();
    lines.extend(file.functions.iter().map(|(line, (_, covered))| (*line, *covered)));
    for (line, covered) in &lines {
        _ = writeln!(out, "DA:{line},{}", u8::from(*covered));
    }
    for (block, (extent, branch)) in file.branches.iter().enumerate() {
        let ran = lines.get(&extent.line).copied().unwrap_or_default();
        for (way, gone) in branch.ways.values().enumerate() {
            let taken = if ran { u8::from(*gone).to_string() } else { "-".to_owned() };
            _ = writeln!(out, "BRDA:{},{block},{way},{taken}", extent.line);
        }
    }
    let (hit, found) = file.way_counts();
    _ = writeln!(out, "BRF:{found}\nBRH:{hit}");
    _ = writeln!(out, "LF:{}\nLH:{}", lines.len(), lines.values().filter(|covered| **covered).count());
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples;

    #[test]
    fn functions_lines_and_branches_are_counted() {
        let campaign = CampaignReport { covered: samples::covered(), ..CampaignReport::default() };
        insta::assert_snapshot!(report(&campaign, &Base::default()), @r"
        TN:
        SF:src/Vault.sol
        FN:2,Vault.deposit
        FNDA:1,Vault.deposit
        FNF:1
        FNH:1
        DA:2,1
        DA:3,1
        DA:4,0
        DA:6,1
        BRDA:3,0,0,0
        BRDA:3,0,1,1
        BRDA:6,1,0,1
        BRDA:6,1,1,1
        BRF:4
        BRH:3
        LF:4
        LH:3
        end_of_record
        ");
    }
}
