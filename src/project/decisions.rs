//! Decisions in the sources: what may go on in two ways.

use crate::{model::DecisionKind, project::sources::relative_span};
use solar::{
    ast::{self, BinOpKind, Expr, ExprKind, Stmt, StmtKind, visit::Visit, yul},
    interface::Span,
    sema::Source,
};
use std::{
    cmp::Reverse,
    convert::Infallible,
    ops::{ControlFlow, Range},
};

/// A decision. All ranges are in bytes of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceDecision {
    /// Kind of the decision.
    pub kind: DecisionKind,
    /// Statement or expression. Compilers give this range to the conditional jump.
    pub range: Range<usize>,
    /// Text that stands for the decision: the head of a statement, a whole call, the first operand of `&&` and `||`, or
    /// the condition of `?:`.
    pub shown: Range<usize>,
    /// Code that runs next only if the condition is true.
    pub when_true: Option<Range<usize>>,
    /// Code that runs next only if the condition is false.
    pub when_false: Option<Range<usize>>,
}

/// Returns all decisions of a source, ordered by the ranges of the statements and expressions.
pub(super) fn of<'a>(source: &'a Source<'a>, unit: &'a ast::SourceUnit<'a>) -> Vec<SourceDecision> {
    let mut reader = DecisionReader { source, decisions: Vec::new() };
    let ControlFlow::Continue(()) = reader.visit_source_unit(unit);
    let mut decisions = reader.decisions;
    decisions.sort_unstable_by_key(|decision| key(&decision.range));
    decisions
}

/// Key by which decisions are ordered: those around others come first.
fn key(range: &Range<usize>) -> (usize, Reverse<usize>) {
    (range.start, Reverse(range.end))
}

/// Returns the index of the decision with exactly this range.
pub(super) fn find(decisions: &[SourceDecision], range: &Range<usize>) -> Option<usize> {
    decisions.binary_search_by_key(&key(range), |decision| key(&decision.range)).ok()
}

struct DecisionReader<'a> {
    source: &'a Source<'a>,
    decisions: Vec<SourceDecision>,
}

impl DecisionReader<'_> {
    /// Returns the range of a node as the compiler knows it: without a semicolon at its end.
    fn range(&self, span: Span) -> Range<usize> {
        let range = relative_span(self.source, span);
        let text = self.source.file.src.get(range.clone()).unwrap_or_default();
        let length = text.trim_end_matches(|end: char| end == ';' || end.is_whitespace()).len();
        range.start..range.start + length
    }

    /// Adds a statement whose head ends where `then` begins.
    fn statement(&mut self, kind: DecisionKind, whole: Span, then: Span, otherwise: Option<Span>) {
        let shown = self.range(whole).start..relative_span(self.source, then).start;
        self.push(kind, whole, shown, [Some(then), otherwise]);
    }

    /// Adds an expression, or a statement whose condition comes last. `shown` stands for it.
    fn expression(&mut self, kind: DecisionKind, whole: Span, shown: Span, ways: [Option<Span>; 2]) {
        let shown = self.range(shown);
        self.push(kind, whole, shown, ways);
    }

    fn push(&mut self, kind: DecisionKind, whole: Span, shown: Range<usize>, ways: [Option<Span>; 2]) {
        let [when_true, when_false] = ways.map(|way| way.map(|way| relative_span(self.source, way)));
        let range = self.range(whole);
        self.decisions.push(SourceDecision { kind, range, shown, when_true, when_false });
    }
}

impl<'ast> Visit<'ast> for DecisionReader<'_> {
    type BreakValue = Infallible;

    fn visit_stmt(&mut self, statement: &'ast Stmt<'ast>) -> ControlFlow<Infallible> {
        match &statement.kind {
            StmtKind::If(_, then, otherwise) => {
                let otherwise = otherwise.as_ref().map(|otherwise| otherwise.span);
                self.statement(DecisionKind::If, statement.span, then.span, otherwise);
            }
            StmtKind::While(_, body) | StmtKind::For { body, .. } => {
                self.statement(DecisionKind::Loop, statement.span, body.span, None);
            }
            StmtKind::DoWhile(body, condition) => {
                let ways = [Some(body.span), None];
                self.expression(DecisionKind::Loop, statement.span, condition.span, ways);
            }
            _ => {}
        }
        self.walk_stmt(statement)
    }

    fn visit_expr(&mut self, expression: &'ast Expr<'ast>) -> ControlFlow<Infallible> {
        let span = expression.span;
        match &expression.kind {
            ExprKind::Binary(left, operator, right) => match operator.kind {
                BinOpKind::And => {
                    self.expression(DecisionKind::And, span, left.span, [Some(right.span), None])
                }
                BinOpKind::Or => self.expression(DecisionKind::Or, span, left.span, [None, Some(right.span)]),
                _ => {}
            },
            ExprKind::Ternary(condition, then, otherwise) => {
                let ways = [Some(then.span), Some(otherwise.span)];
                self.expression(DecisionKind::Conditional, span, condition.span, ways);
            }
            ExprKind::Call(callee, _) => {
                let kind = match &callee.kind {
                    ExprKind::Ident(name) if name.as_str() == "require" => Some(DecisionKind::Require),
                    ExprKind::Ident(name) if name.as_str() == "assert" => Some(DecisionKind::Assert),
                    _ => None,
                };
                if let Some(kind) = kind {
                    self.expression(kind, span, span, [None, None]);
                }
            }
            _ => {}
        }
        self.walk_expr(expression)
    }

    fn visit_yul_stmt(&mut self, statement: &'ast yul::Stmt<'ast>) -> ControlFlow<Infallible> {
        match &statement.kind {
            yul::StmtKind::If(_, body) => {
                self.statement(DecisionKind::If, statement.span, body.span, None);
            }
            yul::StmtKind::For(parts) => {
                self.statement(DecisionKind::Loop, statement.span, parts.body.span, None);
            }
            _ => {}
        }
        self.walk_yul_stmt(statement)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::{sources::tests::parsed, statements::Statements};

    #[test]
    fn decisions_are_read_with_what_follows_from_them() {
        let (_directory, sources) = parsed(
            "contract A {\n  function f(uint x) public {\n    if (x > 1 && x < 9) x = 2;\n    \
             if (x == 3) { x = 4; } else revert();\n    for (uint i; i < x; i++) x--;\n    \
             do { x--; } while (x > 0 || x == 7);\n    x = x > 5 ? x + 1 : 0;\n    require(x != 1, \"one\");\n    \
             assembly { if x { revert(0, 0) } }\n  }\n}",
        );
        let statements = Statements::of(&sources);
        let file = &statements.files()[0];
        let text = |range: &Range<usize>| file.text[range.clone()].trim().to_owned();
        let way = |range: &Option<Range<usize>>| range.as_ref().map_or("-".to_owned(), text);
        let shown = file.decisions.iter().map(|decision| {
            let SourceDecision { kind, shown, when_true, when_false, .. } = decision;
            format!("{kind:?}: {} ? {} : {}", text(shown), way(when_true), way(when_false))
        });
        insta::assert_snapshot!(shown.collect::<Vec<_>>().join("\n"), @r#"
        If: if (x > 1 && x < 9) ? x = 2; : -
        And: x > 1 ? x < 9 : -
        If: if (x == 3) ? { x = 4; } : revert();
        Loop: for (uint i; i < x; i++) ? x--; : -
        Loop: x > 0 || x == 7 ? { x--; } : -
        Or: x > 0 ? - : x == 7
        Conditional: x > 5 ? x + 1 : 0
        Require: require(x != 1, "one") ? - : -
        If: if x ? { revert(0, 0) } : -
        "#);
        let range = &file.decisions[0].range;
        assert_eq!(text(range), "if (x > 1 && x < 9) x = 2", "without its semicolon");
        assert_eq!(find(&file.decisions, range), Some(0));
        assert_eq!(find(&file.decisions, &(range.start..range.end + 1)), None);
    }
}
