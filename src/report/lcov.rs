//! `--report lcov`: source coverage in the format that lcov, genhtml and editors read (geninfo(1)).

use crate::{
    model::{FileCoverage, RunReport},
    report::LinkBase,
};
use std::{collections::BTreeMap, fmt::Write as _};

/// Number from which branches are counted that Forge does not count.
const OTHERS: usize = 10_000;

/// Formats the whole report. A count is 1 if the code ran, since the number of executions is not known.
#[must_use]
pub fn report(report: &RunReport, base: &LinkBase) -> String {
    let mut out = "TN:\n".to_owned();
    for (path, file) in report.covered.files.iter().filter(|(_, file)| file.is_contract) {
        _ = writeln!(out, "SF:{}", base.path(path));
        out += &record(file);
        out += "end_of_record\n";
    }
    out
}

fn record(file: &FileCoverage) -> String {
    let mut out = String::new();
    let names = names(file);
    for ((line, _), name) in file.functions.keys().zip(&names) {
        _ = writeln!(out, "FN:{line},{name}");
    }
    for ((_, covered), name) in file.functions.values().zip(&names) {
        _ = writeln!(out, "FNDA:{},{name}", u8::from(*covered));
    }
    let counts = file.counts();
    let (hit, found) = counts.functions;
    _ = writeln!(out, "FNF:{found}\nFNH:{hit}");
    // As in Forge, the line on which a function begins counts as a line, too.
    let mut lines = file.lines();
    for ((line, _), (_, covered)) in &file.functions {
        *lines.entry(*line).or_default() |= covered;
    }
    for (line, covered) in &lines {
        _ = writeln!(out, "DA:{line},{}", u8::from(*covered));
    }
    // Those that Forge counts come first.
    let mut branches: Vec<_> = file.branches.iter().collect();
    branches.sort_by_key(|(_, branch)| !branch.kind.is_counted_by_forge());
    for (index, (extent, branch)) in branches.into_iter().enumerate() {
        let block = if branch.kind.is_counted_by_forge() { index } else { OTHERS + index };
        let ran = branch.was != [false; 2];
        // The true outcome comes first.
        for (way, was) in branch.was.iter().rev().enumerate() {
            let taken = if ran { u8::from(*was).to_string() } else { "-".to_owned() };
            _ = writeln!(out, "BRDA:{},{block},{way},{taken}", extent.line);
        }
    }
    let (hit, found) = (counts.branches.0 + counts.others.0, counts.branches.1 + counts.others.1);
    _ = writeln!(out, "BRF:{found}\nBRH:{hit}");
    _ = writeln!(out, "LF:{}\nLH:{}", lines.len(), lines.values().filter(|covered| **covered).count());
    out
}

/// Returns the names of the functions; overloads are numbered, as in Forge.
fn names(file: &FileCoverage) -> Vec<String> {
    let mut overloads: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (name, _) in file.functions.values() {
        overloads.entry(name).or_default().1 += 1;
    }
    let numbered = file.functions.values().map(|(name, _)| match overloads.get_mut(&**name) {
        Some((next, 2..)) => {
            *next += 1;
            format!("{name}.{}", *next - 1)
        }
        _ => name.clone(),
    });
    numbered.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples;

    #[test]
    fn functions_lines_and_branches_are_counted() {
        let campaign = RunReport { covered: samples::covered(), ..RunReport::default() };
        insta::assert_snapshot!(report(&campaign, &LinkBase::default()), @r"
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
