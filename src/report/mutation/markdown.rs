//! A summary for the page of a workflow run or for a comment.

use super::{MutationScene, command, contract, counts_by, difference, effect, notes, score};
use crate::{
    model::{MutantVerdict, MutationReport, TestedMutant},
    report::{
        count,
        markdown::{block, code},
    },
};

/// Most survivors that are shown: a comment has at most 65,536 characters.
const MOST_SURVIVORS: usize = 50;

/// Formats the report.
pub(super) fn report(report: &MutationReport, scene: &MutationScene) -> String {
    let counts = report.counts();
    let mut out = format!(
        "## forge-harvey mutate: {}\n\n{} of {} killed.\n\n",
        score(&counts),
        counts.killed,
        count(counts.counted(), "mutant")
    );
    out += "| contract | killed | survived | not reached | score |\n| --- | ---: | ---: | ---: | ---: |\n";
    for (name, counts) in counts_by(report, contract) {
        let name = code(&name).replace('|', "\\|");
        out += &format!(
            "| {name} | {} | {} | {} | {} |\n",
            counts.killed,
            counts.survived,
            counts.not_reached,
            score(&counts)
        );
    }
    let notes: String = notes(report).iter().map(|note| format!("* {}\n", code(note))).collect();
    if !notes.is_empty() {
        out += &format!("\n{notes}");
    }
    let survivors = report.survivors();
    for survivor in survivors.iter().take(MOST_SURVIVORS) {
        out += &section(survivor, scene);
    }
    if survivors.len() > MOST_SURVIVORS {
        out += &format!("\n{} more survived.\n", survivors.len() - MOST_SURVIVORS);
    }
    out
}

fn section(tested: &TestedMutant, scene: &MutationScene) -> String {
    let title = format!("{} in {}", tested.mutant.operator, tested.mutant.surroundings());
    let mut out = format!("\n### {}, {}\n\n", code(&title), code(&tested.place.to_string()));
    let diff = difference(tested).concat();
    out += &format!("{}\n{}.\n", block("diff", diff.trim_end()), code(&effect(tested)));
    if let MutantVerdict::Survived { difference: Some(difference) } = &tested.verdict {
        out += &format!("\nCalls of {}:\n\n", code(&difference.suite));
        out += &difference.calls.iter().map(|call| format!("1. {}\n", code(call))).collect::<String>();
    }
    out + &format!("\n{}\n", code(&command(tested, scene)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::mutation::samples;

    #[test]
    fn survivors_are_differences_of_the_source() {
        insta::assert_snapshot!(report(&samples::report(), &samples::scene()), @r"
        ## forge-harvey mutate: 40.0 %

        2 of 5 mutants killed.

        | contract | killed | survived | not reached | score |
        | --- | ---: | ---: | ---: | ---: |
        | `Bank` | 2 | 2 | 1 | 40.0 % |

        * `Not counted: 1 compile to the same code, 1 compile to the code of another mutant, 1 do not compile`
        * `These tests fail without a change, and are left out: test_broken() of BankTest`
        * `a9 cannot be tested: disk full`
        * `2 mutants without a verdict; the next run goes on with them`

        ### `dropped-write in Bank.deposit`, `src/Bank.sol:6:9`

        ```diff
        -        total += amount;
        +        total = amount;
        ```

        `no test notices that storage differs: slot 0x0 of Bank becomes 0x2 with the change, slot 0x0 of Bank becomes 0x3 without it`.

        Calls of `test/Bank.t.sol:BankTest`:

        1. `Bank.deposit(1) from 0xbeef`
        1. `Bank.deposit(2) from 0xbeef`

        `forge-harvey test --unit --mutant cache/harvey/mutants/a4`

        ### `rounding in Bank.deposit`, `src/Bank.sol:5:9`

        ```diff
        -        total += amount;
        +        total = amount;
        ```

        `no test fails, and no stored input shows a difference`.

        `forge-harvey test --unit --mutant cache/harvey/mutants/a3`

        ### `relational in Bank.deposit`, `src/Bank.sol:7:9`

        ```diff
        -        total += amount;
        +        total = amount;
        ```

        `no test runs this code`.

        `forge-harvey test --unit --mutant cache/harvey/mutants/a5`
        ");
    }
}
