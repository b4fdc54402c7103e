//! What the instructions that ran say of the sources, and which branches block most of them.

use crate::{
    engine::Miss,
    evm::coverage::{CodeCoverage, Coverage, Decision},
    model::{BranchCoverage, Extent, FileCoverage, Input, Nearest, Need, Place, SourceCoverage, Stuck, Way},
    project::{CodeOutline, Outline, Project, SourceOutline, StatementId},
};
use alloy_dyn_abi::DynSolValue;
use alloy_primitives::{Address, U256};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

/// Characters of a condition that are shown.
const LONGEST: usize = 100;

/// Statements and branches by what they are called while several pieces of code are gone through.
struct Survey<'a> {
    outline: &'a Outline,
    files: BTreeMap<u32, Seen>,
}

#[derive(Default)]
struct Seen {
    statements: BTreeMap<u32, bool>,
    branches: BTreeMap<(usize, usize), BranchCoverage>,
}

/// What was covered of the sources that are no library's.
pub(super) fn of_sources(project: &Project, coverage: &Coverage, misses: &[Miss<'_>]) -> SourceCoverage {
    let mut survey = Survey { outline: project.outline(), files: BTreeMap::new() };
    for (code, outline) in coverage.codes().filter_map(|code| Some((code, known(project, code)?))) {
        survey.add_statements(project, outline, |pc| code.ran(pc));
        survey.add_branches(project, code, outline);
    }
    for miss in misses {
        let Some((decision, code)) = coverage.missed(miss.edge) else { continue };
        let Some((id, range)) = known(project, code).and_then(|outline| outline.at(decision.pc)) else {
            continue;
        };
        survey.note_miss(id, &range, nearest(miss));
    }
    survey.finish()
}

/// The same with all contracts of the project that nothing ran.
pub(super) fn of_all<'a>(
    project: &Project,
    covered: impl Iterator<Item = &'a SourceCoverage>,
) -> SourceCoverage {
    let mut survey = Survey { outline: project.outline(), files: BTreeMap::new() };
    for contract in project.contracts().iter().filter(|contract| project.is_contract(&contract.id.path)) {
        if let Some(outline) = project.code_outline(contract) {
            survey.add_statements(project, outline, |_| false);
        }
    }
    let mut all = survey.finish();
    covered.for_each(|covered| all.add(covered));
    all
}

/// What several campaigns covered.
pub(super) fn sum<'a>(covered: impl Iterator<Item = &'a SourceCoverage>) -> SourceCoverage {
    let mut sum = SourceCoverage::default();
    covered.for_each(|covered| sum.add(covered));
    sum
}

/// What the instructions of a piece of code were made from.
fn known<'a>(project: &'a Project, code: &CodeCoverage) -> Option<&'a CodeOutline> {
    project.code_outline(project.exact_runtime(&code.code)?)
}

impl Survey<'_> {
    fn add_statements(&mut self, project: &Project, outline: &CodeOutline, ran: impl Fn(usize) -> bool) {
        for (pc, id) in outline.statements() {
            if !project.is_library(&self.outline.file(id).path) {
                *self.files.entry(id.0).or_default().statements.entry(id.1).or_default() |= ran(pc);
            }
        }
    }

    fn add_branches(&mut self, project: &Project, code: &CodeCoverage, outline: &CodeOutline) {
        for (pc, gone) in &code.jumps {
            let Some((id, range)) = outline.at(*pc) else { continue };
            let file = self.outline.file(id);
            let statement = self.outline.statement(id);
            let text = file.text.get(range.clone()).unwrap_or_default();
            if project.is_library(&file.path) || !(statement.decides || is_decision(text)) {
                continue;
            }
            let leads = leads(code, *pc, id, outline, self.outline);
            let key = if statement.decides { &statement.range } else { &range };
            let branch = BranchCoverage {
                condition: condition(self.outline, id, &range),
                ways: leads.into_iter().zip(*gone).collect(),
                nearest: None,
            };
            let branches = &mut self.files.entry(id.0).or_default().branches;
            match branches.get_mut(&(key.start, key.end)) {
                Some(known) => known.add(&branch),
                None => drop(branches.insert((key.start, key.end), branch)),
            }
        }
    }

    fn note_miss(&mut self, id: StatementId, range: &Range<usize>, nearest: Nearest) {
        let statement = self.outline.statement(id);
        let key = if statement.decides { &statement.range } else { range };
        let Some(seen) = self.files.get_mut(&id.0) else { return };
        if let Some(branch) = seen.branches.get_mut(&(key.start, key.end))
            && branch.ways.values().any(|gone| !gone)
            && branch.nearest.is_none_or(|known| nearest.distance < known.distance)
        {
            branch.nearest = Some(nearest);
        }
    }

    fn finish(self) -> SourceCoverage {
        let files = self.files.into_iter().map(|(index, seen)| {
            let file = &self.outline.files()[index as usize];
            let mut functions = BTreeMap::new();
            for (statement, covered) in &seen.statements {
                let Some(function) = file.statements[*statement as usize].function else { continue };
                let function = &file.functions[function];
                let line = file.position(function.range.start).0;
                functions.entry(line).or_insert_with(|| (function.name.clone(), false)).1 |= covered;
            }
            let statements = seen.statements.iter();
            let statements = statements
                .map(|(index, covered)| (extent(file, &file.statements[*index as usize].range), *covered));
            let branches = seen.branches.into_iter();
            let branches = branches.map(|((start, end), branch)| (extent(file, &(start..end)), branch));
            let covered = FileCoverage {
                text: file.text.clone(),
                statements: statements.collect(),
                functions,
                branches: branches.collect(),
            };
            (file.path.clone(), covered)
        });
        SourceCoverage { files: files.collect() }
    }
}

/// Whether this is an expression that decides, and not one that the compiler checks.
fn is_decision(text: &str) -> bool {
    let call = text.split('(').next().unwrap_or_default().trim();
    matches!(call, "require" | "assert") || ["&&", "||", "?"].iter().any(|operator| text.contains(operator))
}

/// Where the two ways of a conditional jump lead: on, and elsewhere.
fn leads(code: &CodeCoverage, pc: usize, id: StatementId, outline: &CodeOutline, all: &Outline) -> [Way; 2] {
    let is_another = |pc: usize| outline.at(pc).is_some_and(|(other, _)| other != id);
    let first = code.first_on(pc, &is_another);
    let fails = code.fails(pc);
    let way = |index: usize| {
        if fails[index] {
            return Way::Revert;
        }
        let other = first[index].and_then(|pc| outline.at(pc)).filter(|(other, _)| other.0 == id.0);
        other.map_or(Way::Other(index == 1), |(other, _)| {
            Way::Line(all.file(other).position(all.statement(other).range.start).0)
        })
    };
    let ways = [way(0), way(1)];
    if ways[0] == ways[1] { [Way::Other(false), Way::Other(true)] } else { ways }
}

fn extent(file: &SourceOutline, range: &Range<usize>) -> Extent {
    let (line, column) = file.position(range.start);
    // What stands between the head of a statement and its block is white.
    let text = file.text.get(range.clone()).unwrap_or_default().trim_end();
    let last = text.char_indices().last().map_or(0, |(offset, _)| offset);
    let (last_line, last_column) = file.position(range.start + last);
    Extent { line, column, last_line, last_column }
}

/// The source of a condition on one line.
fn condition(all: &Outline, id: StatementId, range: &Range<usize>) -> String {
    let (file, statement) = (all.file(id), all.statement(id));
    let range = if statement.decides { &statement.range } else { range };
    let words = file.text.get(range.clone()).unwrap_or_default().split_whitespace();
    let text = words.collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

fn nearest(miss: &Miss<'_>) -> Nearest {
    let branch = miss.branch;
    let (relation, left, right) = (branch.relation, branch.left, branch.right);
    Nearest { relation, left, right, distance: branch.cost() }
}

/// Branches that were reached and never passed, and behind which code is that nothing ran.
pub(super) fn stuck(
    project: &Project,
    coverage: &Coverage,
    covered: &SourceCoverage,
    misses: &[Miss<'_>],
    name: &dyn Fn(&Miss<'_>) -> Option<String>,
) -> Vec<Stuck> {
    let mut all = Vec::new();
    for miss in misses.iter().filter(|miss| miss.leads_on) {
        let Some((decision, code)) = coverage.missed(miss.edge) else { continue };
        let Some(outline) = known(project, code) else { continue };
        let Some((id, range)) = outline.at(decision.pc) else { continue };
        let behind = lines_behind(project, code, decision, outline);
        if behind.is_empty() {
            continue;
        }
        let file = project.outline().file(id);
        let (line, column) = file.position(range.start);
        let condition = condition(project.outline(), id, &range);
        all.push(Stuck {
            place: Place { path: file.path.clone(), line, column },
            needs: need(&condition, miss),
            condition,
            nearest: nearest(miss),
            tries: miss.tries.into(),
            functions: name(miss).into_iter().collect(),
            behind,
        });
    }
    // One for each place, with all that is behind it.
    crate::model::stuck(all.iter(), covered)
}

/// Lines of statements that never ran and are no library's, and to which the way leads that was not gone.
fn lines_behind(
    project: &Project,
    code: &CodeCoverage,
    decision: &Decision,
    outline: &CodeOutline,
) -> BTreeSet<(String, usize)> {
    let all = project.outline();
    let statements: BTreeSet<_> =
        code.behind(decision).into_iter().filter_map(|pc| Some(outline.at(pc)?.0)).collect();
    let own = statements.into_iter().filter(|id| !project.is_library(&all.file(*id).path));
    own.map(|id| {
        let file = all.file(id);
        (file.path.clone(), file.position(all.statement(id).range.start).0)
    })
    .collect()
}

/// What it takes to pass a branch. Names in the condition say it before what the search knows.
fn need(condition: &str, miss: &Miss<'_>) -> Need {
    let has = |names: &[&str]| names.iter().any(|name| condition.contains(name));
    if has(&["msg.sender", "_msgSender", "tx.origin", "hasRole", "owner()", "isOwner"]) {
        Need::Role
    } else if has(&["block.timestamp", "block.number"]) {
        Need::Time
    } else if has(&["keccak256(", "ecrecover(", "erify(", ".recover("]) {
        Need::Hash
    } else if has(&["msg.value", ".balance"]) {
        Need::Ether
    } else if miss.moves || is_argument(miss) {
        Need::Value
    } else if is_call(condition) {
        Need::Call
    } else {
        Need::State
    }
}

/// Whether an operand is a word of the last call's arguments.
fn is_argument(miss: &Miss<'_>) -> bool {
    let Some(Input::Typed { args, .. }) = miss.sequence.last().map(|call| &call.input) else { return false };
    // Small numbers are everywhere.
    let is_large = |word: &U256| *word > U256::from(u8::MAX);
    let words = |value: &DynSolValue| match value {
        DynSolValue::Address(address) => Some(address.into_word().into()),
        DynSolValue::Int(value, _) => Some(value.into_raw()),
        DynSolValue::Uint(value, _) => Some(*value),
        DynSolValue::FixedBytes(word, _) => Some(U256::from_be_bytes(word.0)),
        _ => None,
    };
    let given: Vec<U256> = args.iter().filter_map(words).collect();
    [miss.branch.left, miss.branch.right].iter().any(|word| is_large(word) && given.contains(word))
}

/// Whether nothing is compared, but another contract called.
fn is_call(condition: &str) -> bool {
    let callee = condition.split('(').next().unwrap_or_default();
    callee.contains('.') && !condition.starts_with("if") && condition.ends_with(')')
}

/// `Vault.deposit`: what a miss was reached by.
pub(super) fn entry(miss: &Miss<'_>, contract: &dyn Fn(Address) -> Option<String>) -> Option<String> {
    let call = miss.sequence.last()?;
    let Input::Typed { function, .. } = &call.input else { return None };
    let contract = contract(call.target);
    let bare = contract.as_deref().map(|id| id.rsplit(':').next().unwrap_or(id));
    Some(bare.map_or(function.name.clone(), |contract| format!("{contract}.{}", function.name)))
}
