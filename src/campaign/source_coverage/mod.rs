//! Coverage of the sources and the contracts, computed from the recorded instructions, and the branches that block
//! most of them.

mod branches;
mod contracts;

use crate::{
    engine::StuckBranch,
    evm::trace::coverage::{CodeCoverage, Coverage, JumpDecision},
    model::{
        Branch, BranchCoverage, ContractCoverage, Dependencies, Extent, FileCoverage, Input, Nearest, Need,
        Place, Relation, Slot, SourceCoverage, Stuck, Transaction, merge_outcomes,
    },
    project::{Contract, Project, StatementId, StatementMap, Statements},
};
use alloy_primitives::{Address, U256};
use branches::{DecisionJump, DecisionJumps, Matcher, one_line};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    sync::Arc,
};

/// Statements and branches, collected from several pieces of code.
struct SourceCoverageBuilder<'a> {
    project: &'a Project,
    statements: &'a Statements,
    files: BTreeMap<u32, FileCoverageBuilder>,
    contracts: BTreeMap<Arc<str>, ContractCoverage>,
}

#[derive(Default)]
struct FileCoverageBuilder {
    statements: BTreeMap<u32, bool>,
    branches: BTreeMap<u32, BranchCoverage>,
}

/// Piece of code of a contract.
struct KnownCode<'a> {
    contract: &'a Contract,
    code: &'a CodeCoverage,
    map: &'a StatementMap,
    jumps: DecisionJumps,
}

impl<'a> KnownCode<'a> {
    fn new(project: &'a Project, contract: &'a Contract, code: &'a CodeCoverage) -> Option<Self> {
        let map = project.statement_map(contract)?;
        let jumps = Matcher { all: project.statements(), code, map }.jumps();
        Some(Self { contract, code, map, jumps })
    }
}

/// Recorded coverage, with the contract of each piece of code.
pub(super) struct RecordedCoverage<'a> {
    project: &'a Project,
    coverage: &'a Coverage,
    codes: BTreeMap<u64, KnownCode<'a>>,
}

/// Facts about the calls that missed a branch.
pub(super) trait MissingCalls {
    /// Returns the function of a call, as in `Vault.deposit`.
    fn name(&self, call: &Transaction) -> Option<String>;

    /// Returns what the decision of a branch depends on, if that is known.
    fn dependencies(&mut self, miss: &StuckBranch<'_>) -> Option<Dependencies>;

    /// Returns the functions whose calls changed some of these bits of a word in storage.
    fn writers(&self, slot: Slot, bits: U256) -> BTreeSet<String>;
}

/// Place of a just-missed edge.
struct MissedBranch<'a> {
    decision: &'a JumpDecision,
    code: &'a CodeCoverage,
    map: &'a StatementMap,
    /// Decision of the source that it was compiled from, if any.
    jump: Option<DecisionJump>,
    statement: StatementId,
    /// Range of the source, in bytes, from which the branch was compiled.
    range: Range<usize>,
}

impl<'a> RecordedCoverage<'a> {
    pub(super) fn of(project: &'a Project, coverage: &'a Coverage) -> Self {
        let known = |(key, code): (&u64, &'a CodeCoverage)| {
            Some((*key, KnownCode::new(project, project.exact_runtime(&code.code)?, code)?))
        };
        Self { project, coverage, codes: coverage.codes().iter().filter_map(known).collect() }
    }

    fn spot(&self, miss: &StuckBranch<'_>) -> Option<MissedBranch<'a>> {
        let decision = self.coverage.missed(miss.edge)?;
        let KnownCode { code, map, jumps, .. } = self.codes.get(&decision.code)?;
        let (statement, range) = map.at(decision.pc)?;
        let jump = jumps.get(&decision.pc).copied();
        Some(MissedBranch { decision, code, map, jump, statement, range })
    }

    /// Returns the coverage of the sources that belong to no library.
    pub(super) fn sources(&self, misses: &[StuckBranch<'_>]) -> SourceCoverage {
        let mut builder = SourceCoverageBuilder::of(self.project);
        self.codes.values().for_each(|known| builder.add(known));
        for miss in misses {
            if let Some(spot) = self.spot(miss) {
                builder.note_miss(&spot, nearest(miss));
            }
        }
        builder.finish()
    }

    /// Returns the branches that calls reached and never passed, and that have code behind them that nothing
    /// ran.
    pub(super) fn stuck(&self, misses: &[StuckBranch<'_>], calls: &mut dyn MissingCalls) -> Vec<Stuck> {
        let statements = self.project.statements();
        let mut all = Vec::new();
        for miss in misses.iter().filter(|miss| miss.leads_on && miss.in_call) {
            let Some(spot) = self.spot(miss) else { continue };
            let code = spot.code.behind(spot.decision);
            // The failing side of an assertion that holds is no aim.
            if code.always_fails {
                continue;
            }
            let behind = self.statements(&spot, code.instructions);
            if behind.is_empty() {
                continue;
            }
            let file = statements.file(spot.statement);
            let (line, column) = file.position(spot.range.start);
            let dependencies = calls.dependencies(miss);
            let slots = dependencies.iter().flat_map(|dependencies| &dependencies.slots);
            let written: Vec<_> = slots.map(|(slot, bits)| calls.writers(*slot, *bits)).collect();
            let is_unwritten = written.iter().any(BTreeSet::is_empty);
            let writers: BTreeSet<String> = written.into_iter().flatten().collect();
            let needs = dependencies.map(|dependencies| needs(&dependencies, miss.branch, &writers));
            all.push(Stuck {
                place: Place { path: file.path.to_string(), line, column },
                needs: needs.unwrap_or_default(),
                condition: condition(statements, &spot),
                nearest: nearest(miss),
                tries: miss.tries.into(),
                never: self.missing(&spot),
                functions: miss.sequence.last().and_then(|call| calls.name(call)).into_iter().collect(),
                writers,
                is_unwritten,
                behind,
            });
        }
        all
    }

    /// Returns the result that the condition of a missed branch never had, if the jump decides a whole condition of
    /// the source.
    fn missing(&self, spot: &MissedBranch<'_>) -> Option<bool> {
        let all = self.project.statements();
        let jump = spot.jump.filter(|jump| all.decision(jump.decision).kind.is_statement())?;
        // The direction that does not jump leads to the next instruction.
        Some(jump.truths()[usize::from(spot.decision.leads != spot.decision.pc + 1)])
    }

    /// Returns the statements of these instructions that belong to no library.
    fn statements(
        &self,
        spot: &MissedBranch<'_>,
        instructions: BTreeSet<usize>,
    ) -> BTreeSet<(Arc<str>, Extent)> {
        let all = self.project.statements();
        let statements: BTreeSet<_> =
            instructions.into_iter().filter_map(|pc| Some(spot.map.at(pc)?.0)).collect();
        let own = statements.into_iter().filter(|id| !self.project.is_library(&all.file(*id).path));
        own.map(|id| (all.file(id).path.clone(), all.file(id).extent(&all.statement(id).range))).collect()
    }
}

/// Returns `covered` with all contracts of the project that nothing ran.
pub(super) fn with_all(project: &Project, covered: SourceCoverage) -> SourceCoverage {
    let mut builder = SourceCoverageBuilder::of(project);
    // Tests and mocks are included, since code of abstract contracts is only in the contracts that inherit
    // it.
    for contract in project.contracts() {
        let code = CodeCoverage::never_run(contract.runtime_code().cloned().unwrap_or_default());
        if let Some(known) = KnownCode::new(project, contract, &code) {
            builder.add(&known);
        }
    }
    let statements = project.statements();
    builder.files.retain(|index, _| project.is_contract(&statements.files()[*index as usize].path));
    let mut all = builder.finish();
    all.add(covered);
    all
}

impl<'a> SourceCoverageBuilder<'a> {
    fn of(project: &'a Project) -> Self {
        let statements = project.statements();
        Self { project, statements, files: BTreeMap::new(), contracts: BTreeMap::new() }
    }

    fn add(&mut self, known: &KnownCode<'_>) {
        let KnownCode { contract, code, map, jumps } = known;
        self.add_statements(map, |pc| code.ran(pc));
        jumps.iter().for_each(|(pc, jump)| self.add_branch(*pc, *jump, code));
        // Libraries without external functions are part of the contracts that use them.
        let abi = &contract.abi;
        let has_entry = !abi.functions.is_empty() || abi.fallback.is_some() || abi.receive.is_some();
        let is_deployed = has_entry && !code.code.is_empty();
        if self.project.is_contract(&contract.id.path) && is_deployed {
            let covered = contracts::coverage(self.statements, known);
            self.contracts.entry(contract.id.to_string().into()).or_default().add(&covered);
        }
    }

    fn is_own(&self, file: u32) -> bool {
        !self.project.is_library(&self.statements.files()[file as usize].path)
    }

    fn add_statements(&mut self, map: &StatementMap, ran: impl Fn(usize) -> bool) {
        for (pc, id) in map.statements() {
            if !self.is_own(id.0) {
                continue;
            }
            *self.files.entry(id.0).or_default().statements.entry(id.1).or_default() |= ran(pc);
        }
    }

    fn add_branch(&mut self, pc: usize, jump: DecisionJump, code: &CodeCoverage) {
        let id = jump.decision;
        if !self.is_own(id.0) {
            return;
        }
        let all = self.statements;
        let new = || BranchCoverage {
            kind: all.decision(id).kind,
            condition: one_line(&all.file(id).text, &all.decision(id).shown),
            was: [false; 2],
            nearest: None,
        };
        let branches = &mut self.files.entry(id.0).or_default().branches;
        merge_outcomes(&mut branches.entry(id.1).or_insert_with(new).was, jump.outcomes(pc, code));
    }

    fn note_miss(&mut self, spot: &MissedBranch<'_>, nearest: Nearest) {
        let Some((file, index)) = spot.jump.map(|jump| jump.decision) else { return };
        let branch = self.files.get_mut(&file).and_then(|seen| seen.branches.get_mut(&index));
        if let Some(branch) = branch
            && branch.was != [true; 2]
            && branch.nearest.is_none_or(|known| nearest.distance < known.distance)
        {
            branch.nearest = Some(nearest);
        }
    }

    fn finish(self) -> SourceCoverage {
        let mut covered = SourceCoverage { contracts: self.contracts, ..SourceCoverage::default() };
        for (index, seen) in self.files {
            let file = &self.statements.files()[index as usize];
            let shown = |decision: &u32| file.extent(&file.decisions[*decision as usize].shown);
            let extent = |statement: &u32| file.extent(&file.statements[*statement as usize].range);
            let mut functions = BTreeMap::new();
            for (statement, covered) in &seen.statements {
                let Some(function) = file.statements[*statement as usize].function else { continue };
                let function = &file.functions[function];
                let place = file.position(function.range.start);
                functions.entry(place).or_insert_with(|| (function.name.clone(), false)).1 |= covered;
            }
            let statements = seen.statements.iter().map(|(statement, covered)| (extent(statement), *covered));
            let file_covered = FileCoverage {
                text: file.text.clone(),
                is_contract: self.project.is_contract(&file.path),
                statements: statements.collect(),
                functions,
                branches: seen.branches.iter().map(|(id, branch)| (shown(id), branch.clone())).collect(),
            };
            covered.files.insert(file.path.clone(), file_covered);
        }
        covered
    }
}

/// Returns the source of the condition of a missed branch on one line, without comments.
fn condition(all: &Statements, spot: &MissedBranch<'_>) -> String {
    let (file, statement) = (all.file(spot.statement), all.statement(spot.statement));
    one_line(&file.text, if statement.is_head { &statement.range } else { &spot.range })
}

fn nearest(miss: &StuckBranch<'_>) -> Nearest {
    let branch = miss.branch;
    let (relation, left, right) = (branch.relation, branch.left, branch.right);
    Nearest { relation, left, right, wanted: miss.wanted, distance: branch.cost() }
}

/// Returns the changes that may pass a branch, the most helpful first, by what the branch depends on.
fn needs(dependencies: &Dependencies, compared: &Branch, writers: &BTreeSet<String>) -> Vec<Need> {
    let Dependencies { input, caller, keyed_by_caller, block, ether, success, hash, slots } = dependencies;
    let is_equality = compared.relation == Relation::Equal;
    // The caller that chooses a flag has a role. One that chooses a quantity, such as a balance, has none.
    let is_byte = |bits: &U256| (*bits >> bits.trailing_zeros()).bit_len() <= 8;
    let is_flag = is_equality && slots.values().all(is_byte);
    let decides = [
        (Need::Hash, *hash && is_equality),
        (Need::Role, *caller || *keyed_by_caller && is_flag),
        (Need::Time, *block),
        (Need::Ether, *ether),
    ];
    let mut needs: Vec<_> = decides.into_iter().filter(|(_, holds)| *holds).map(|(need, _)| need).collect();
    // Who, when or how much decides at once. Beside these, only state that calls are known to change is worth a word.
    let is_state = !slots.is_empty() && (needs.is_empty() || !writers.is_empty());
    let is_value = *input && needs.first() != Some(&Need::Hash);
    let others = [(Need::Value, is_value), (Need::State, is_state), (Need::Call, *success)];
    needs.extend(others.into_iter().filter(|(_, holds)| *holds).map(|(need, _)| need));
    if dependencies.is_empty() {
        needs.push(Need::Deployment);
    }
    needs
}

/// Returns the function of a call, as in `Vault.deposit`.
pub(super) fn entry(call: &Transaction, contract: &dyn Fn(Address) -> Option<String>) -> Option<String> {
    let Input::Typed { function, .. } = &call.input else { return None };
    let contract = contract(call.target);
    let bare = contract.as_deref().map(|id| id.rsplit(':').next().unwrap_or(id));
    Some(bare.map_or(function.name.clone(), |contract| format!("{contract}.{}", function.name)))
}
