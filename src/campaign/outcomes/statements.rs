//! Statements that stored inputs execute.

use super::{Build, InputStatements, StoredInputs, each_input};
use crate::{
    campaign::CancellationToken,
    evm::trace::coverage::Coverage,
    project::{Project, StatementId, StatementMap},
};
use rustc_hash::FxHashMap;
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::ControlFlow,
};

/// Runs the stored inputs of all suites until `stop` requests the end.
pub(super) fn statements_of_inputs(
    build: Build<'_>,
    inputs: &StoredInputs,
    stop: &CancellationToken,
) -> InputStatements {
    let mut all = BTreeMap::new();
    let project = build.context.project();
    let mut maps = StatementMaps { project, by_code: FxHashMap::default() };
    each_input(build, inputs, &BTreeSet::new(), stop, &mut |replayer, key, entry| {
        if let Some(coverage) = replayer.coverage(entry) {
            all.insert(key, maps.statements(&coverage));
        }
        ControlFlow::Continue(())
    });
    all
}

/// Statements of the instructions in code of the project, by the key of the code.
struct StatementMaps<'a> {
    project: &'a Project,
    by_code: FxHashMap<u64, Option<&'a StatementMap>>,
}

impl StatementMaps<'_> {
    /// Returns the statements that were executed, in order.
    fn statements(&mut self, coverage: &Coverage) -> Box<[StatementId]> {
        let mut statements = BTreeSet::new();
        for (key, code) in coverage.codes() {
            let map = self
                .by_code
                .entry(*key)
                .or_insert_with(|| self.project.statement_map(self.project.exact_runtime(&code.code)?));
            let executed = map.iter().flat_map(|map| map.statements()).filter(|(pc, _)| code.ran(*pc));
            statements.extend(executed.map(|(_, statement)| statement));
        }
        statements.into_iter().collect()
    }
}
