//! Functions, statements and decisions of the sources.

use crate::{
    model::Extent,
    project::{
        decisions::{self, SourceDecision},
        sources::{Sources, relative_span},
    },
};
use solar::{
    ast::{self, ItemContract, ItemFunction, ItemKind, Stmt, StmtKind, visit::Visit, yul},
    interface::Span,
    sema::Source,
};
use std::{
    collections::HashMap,
    convert::Infallible,
    ops::{ControlFlow, Range},
    path::{Path, PathBuf},
    sync::Arc,
};

/// Functions and statements of all sources.
#[derive(Debug, Default)]
pub struct Statements {
    files: Vec<SourceStatements>,
    by_path: HashMap<PathBuf, u32>,
}

/// Functions and statements of one source.
#[derive(Debug)]
pub struct SourceStatements {
    /// Path relative to the root, with `/` as the separator.
    pub path: Arc<str>,
    /// Whole text of the source.
    pub text: Arc<str>,
    /// Functions and modifiers that have a body, in order.
    pub functions: Vec<FunctionRange>,
    /// Statements in order. They do not overlap: a compound statement is represented by its head, the part
    /// before its blocks.
    pub statements: Vec<Statement>,
    /// Decisions, ordered by their ranges.
    pub decisions: Vec<SourceDecision>,
    /// Byte offset at which each line begins.
    lines: Vec<usize>,
}

/// A function or modifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionRange {
    /// `Contract.name`, or only the name for a free function.
    pub name: String,
    /// Range of the function in the source, in bytes.
    pub range: Range<usize>,
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// Range of the statement in the source, in bytes; for a compound statement, the range of its head.
    pub range: Range<usize>,
    /// True for the head of an `if`, a loop, a `try` or a `switch`.
    pub is_head: bool,
    /// Index of the surrounding function.
    pub function: Option<usize>,
}

/// Identifier of a statement: the index of its source, and its index in the source.
pub type StatementId = (u32, u32);

/// Identifier of a decision: the index of its source, and its index in the source.
pub type DecisionId = (u32, u32);

impl Statements {
    /// Collects the functions and statements of all sources.
    pub(crate) fn of(sources: &Sources) -> Self {
        let mut all = Self::default();
        sources.each(|path, source| {
            let Some(unit) = &source.ast else { return };
            let mut reader = Reader { source, contract: None, functions: Vec::new(), statements: Vec::new() };
            let ControlFlow::Continue(()) = reader.visit_source_unit(unit);
            let Reader { functions, mut statements, .. } = reader;
            statements.sort_unstable_by_key(|statement| statement.range.start);
            let text: Arc<str> = sources.text(path, source).into();
            let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
            all.by_path.insert(path.to_owned(), all.files.len() as u32);
            let path = sources.relative(path).into();
            let decisions = decisions::of(source, unit);
            all.files.push(SourceStatements { path, text, functions, statements, decisions, lines });
        });
        all
    }

    /// Returns the sources, ordered by path; those with old syntax come last.
    #[must_use]
    pub fn files(&self) -> &[SourceStatements] {
        &self.files
    }

    /// Returns the source of a statement or a decision.
    #[must_use]
    pub fn file(&self, statement: StatementId) -> &SourceStatements {
        &self.files[statement.0 as usize]
    }

    /// Returns a statement by its identifier.
    #[must_use]
    pub fn statement(&self, id: StatementId) -> &Statement {
        &self.file(id).statements[id.1 as usize]
    }

    /// Returns a decision by its identifier.
    #[must_use]
    pub fn decision(&self, id: DecisionId) -> &SourceDecision {
        &self.file(id).decisions[id.1 as usize]
    }

    /// Returns the identifier of the decision with exactly this range in a source.
    #[must_use]
    pub fn find_decision(&self, file: u32, range: &Range<usize>) -> Option<DecisionId> {
        let index = decisions::find(&self.files[file as usize].decisions, range)?;
        Some((file, index as u32))
    }

    /// Returns the decisions around a range in a source, the innermost first.
    pub fn decisions_around<'a>(
        &'a self,
        file: u32,
        range: &'a Range<usize>,
    ) -> impl Iterator<Item = DecisionId> + 'a {
        let decisions = &self.files[file as usize].decisions;
        let end = decisions.partition_point(|decision| decision.range.start <= range.start);
        let around = (0..end).rev().filter(|index| decisions[*index].range.end >= range.end);
        around.map(move |index| (file, index as u32))
    }

    /// Returns the index of the source at the absolute `path`.
    pub(super) fn index(&self, path: &Path) -> Option<u32> {
        self.by_path.get(path).copied()
    }
}

impl SourceStatements {
    /// Returns the lines and columns of a range of bytes, without white space at its end.
    #[must_use]
    pub fn extent(&self, range: &Range<usize>) -> Extent {
        let (line, column) = self.position(range.start);
        let text = self.text.get(range.clone()).unwrap_or_default().trim_end();
        let last = text.char_indices().last().map_or(0, |(offset, _)| offset);
        let (last_line, last_column) = self.position(range.start + last);
        Extent { line, column, last_line, last_column }
    }

    /// Returns the line and the column of a byte offset, both from 1.
    #[must_use]
    pub fn position(&self, offset: usize) -> (usize, usize) {
        let line = self.lines.partition_point(|start| *start <= offset);
        let start = self.lines[line.saturating_sub(1)];
        (line, self.text.get(start..offset).map_or(0, |before| before.chars().count()) + 1)
    }

    /// Returns the number of lines.
    #[must_use]
    pub fn length(&self) -> usize {
        self.lines.len()
    }

    /// Returns the index of the statement at a byte offset.
    pub(super) fn around(&self, offset: usize) -> Option<usize> {
        let before = self.statements.partition_point(|statement| statement.range.start <= offset);
        let index = before.checked_sub(1)?;
        self.statements[index].range.contains(&offset).then_some(index)
    }
}

struct Reader<'a> {
    source: &'a Source<'a>,
    contract: Option<String>,
    functions: Vec<FunctionRange>,
    statements: Vec<Statement>,
}

impl Reader<'_> {
    fn range(&self, span: Span) -> Range<usize> {
        relative_span(self.source, span)
    }

    fn push(&mut self, range: Range<usize>, is_head: bool) {
        let function = self.functions.len().checked_sub(1);
        self.statements.push(Statement { range, is_head, function });
    }

    /// Adds the head of a compound statement, which ends where `inner` begins.
    fn head(&mut self, whole: Span, inner: Span) {
        self.push(self.range(whole).start..self.range(inner).start, true);
    }
}

type Flow = ControlFlow<Infallible>;

impl<'ast> Visit<'ast> for Reader<'_> {
    type BreakValue = Infallible;

    fn visit_item_contract(&mut self, contract: &'ast ItemContract<'ast>) -> Flow {
        self.contract = Some(contract.name.as_str().to_owned());
        self.walk_item_contract(contract)?;
        self.contract = None;
        Flow::Continue(())
    }

    fn visit_item(&mut self, item: &'ast ast::Item<'ast>) -> Flow {
        if let ItemKind::Function(function) = &item.kind
            && function.body.is_some()
        {
            let named = function.header.name.map(|name| name.as_str().to_owned());
            let own = named.unwrap_or_else(|| function.kind.to_str().to_owned());
            let name = self.contract.as_ref().map_or(own.clone(), |contract| format!("{contract}.{own}"));
            self.functions.push(FunctionRange { name, range: self.range(item.span) });
        }
        self.walk_item(item)
    }

    fn visit_item_function(&mut self, function: &'ast ItemFunction<'ast>) -> Flow {
        match &function.body {
            Some(body) => self.visit_block(body),
            None => Flow::Continue(()),
        }
    }

    fn visit_stmt(&mut self, statement: &'ast Stmt<'ast>) -> Flow {
        match &statement.kind {
            StmtKind::If(_, then, otherwise) => {
                self.head(statement.span, then.span);
                self.visit_stmt(then)?;
                otherwise.iter().try_for_each(|otherwise| self.visit_stmt(otherwise))
            }
            StmtKind::While(_, body) | StmtKind::For { body, .. } => {
                self.head(statement.span, body.span);
                self.visit_stmt(body)
            }
            StmtKind::DoWhile(body, condition) => {
                self.push(self.range(condition.span), true);
                self.visit_stmt(body)
            }
            StmtKind::Try(attempt) => {
                if let Some(clause) = attempt.clauses.first() {
                    self.head(statement.span, clause.block.span);
                }
                attempt.clauses.iter().try_for_each(|clause| self.visit_block(&clause.block))
            }
            StmtKind::Block(_) | StmtKind::UncheckedBlock(_) | StmtKind::Assembly(_) => {
                self.walk_stmt(statement)
            }
            StmtKind::Placeholder => Flow::Continue(()),
            _ => {
                self.push(self.range(statement.span), false);
                Flow::Continue(())
            }
        }
    }

    fn visit_yul_stmt(&mut self, statement: &'ast yul::Stmt<'ast>) -> Flow {
        match &statement.kind {
            yul::StmtKind::If(_, body) => {
                self.head(statement.span, body.span);
                self.visit_yul_block(body)
            }
            yul::StmtKind::For(four) => {
                self.head(statement.span, four.body.span);
                self.visit_yul_block(&four.body)
            }
            yul::StmtKind::Switch(switch) => {
                if let Some(first) = switch.cases.first() {
                    self.head(statement.span, first.span);
                }
                switch.cases.iter().try_for_each(|case| self.visit_yul_block(&case.body))
            }
            yul::StmtKind::Block(_) | yul::StmtKind::FunctionDef(_) => self.walk_yul_stmt(statement),
            _ => {
                self.push(self.range(statement.span), false);
                Flow::Continue(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::sources::tests::parsed;

    #[test]
    fn statements_are_told_apart_and_compound_ones_are_their_heads() {
        let (_directory, sources) = parsed(
            "contract A {\n  function f(uint x) public {\n    if (x > 1) { x = 2; } else return;\n    \
             for (uint i; i < x; i++) { assembly { if x { revert(0, 0) } } }\n    \
             do { x--; } while (x > 0);\n  }\n  \
             modifier m() { _; }\n}\nfunction free() {\n  try this.f() {} catch {}\n}",
        );
        let statements = Statements::of(&sources);
        let file = &statements.files()[0];
        let shown = file.statements.iter().map(|statement| {
            let function = statement.function.map_or("", |function| &file.functions[function].name);
            let mark = if statement.is_head { "?" } else { "" };
            format!("{function}: {}{mark}", file.text[statement.range.clone()].trim())
        });
        insta::assert_snapshot!(shown.collect::<Vec<_>>().join("\n"), @r"
        A.f: if (x > 1)?
        A.f: x = 2;
        A.f: return;
        A.f: for (uint i; i < x; i++)?
        A.f: if x?
        A.f: revert(0, 0)
        A.f: x--;
        A.f: x > 0?
        free: try this.f()?
        ");
        assert_eq!(file.position(file.text.find("for (").unwrap()), (4, 5));
    }

    #[test]
    fn a_source_in_old_syntax_is_read_with_its_own_text() {
        let text = "contract A {\n  function() payable { if (msg.value < 1 finney) throw; var x = 1; }\n}";
        let (_directory, sources) = parsed(text);
        let statements = Statements::of(&sources);
        let file = &statements.files()[0];
        let shown: Vec<_> = file.statements.iter().map(|one| file.text[one.range.clone()].trim()).collect();
        assert_eq!(shown, ["if (msg.value < 1 finney)", "throw;", "var x = 1;"]);
        assert_eq!(file.functions[0].name, "A.fallback");
        assert_eq!(file.decisions.len(), 1);
    }
}
