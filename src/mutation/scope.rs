//! Surroundings of a node.

use super::state_variables::{StateVariables, named};
use crate::project::relative_span;
use semver::Version;
use solar::{
    ast::{
        Expr, ExprKind, IndexKind, ItemFunction, ItemKind, PragmaTokens, Stmt, StmtKind, VariableDefinition,
    },
    interface::Span,
    sema::Source,
};
use std::{collections::BTreeMap, ops::Range};

/// Change of a source that an operator proposes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Edit {
    /// Range of bytes that is replaced.
    pub(super) range: Range<usize>,
    /// Text in place of the range.
    pub(super) replacement: String,
}

/// Statement with those of its block.
#[derive(Clone, Copy, Debug)]
pub(super) struct StatementPlace<'a> {
    pub(super) block: &'a [Stmt<'a>],
    pub(super) index: usize,
}

impl<'a> StatementPlace<'a> {
    pub(super) fn statement(&self) -> &'a Stmt<'a> {
        &self.block[self.index]
    }

    /// Returns the statement after this one in the block.
    pub(super) fn next(&self) -> Option<&'a Stmt<'a>> {
        self.block.get(self.index + 1)
    }
}

/// Surroundings of a node: its contract, its function and the names there.
pub(super) struct NodeScope<'a, 'd> {
    source: &'a Source<'a>,
    text: &'d str,
    state_variables: &'d StateVariables,
    /// Bare name of the contract.
    pub(super) contract: Option<&'a str>,
    pub(super) function: Option<&'a ItemFunction<'a>>,
    /// Types of parameters and local variables, by name.
    locals: BTreeMap<String, String>,
    /// True in a block whose arithmetic is unchecked.
    pub(super) is_unchecked: bool,
    /// True if the compiler of the source checks arithmetic, unless a block says otherwise: since Solidity 0.8.
    pub(super) has_checks: bool,
}

impl<'a, 'd> NodeScope<'a, 'd> {
    pub(super) fn new(source: &'a Source<'a>, text: &'d str, state_variables: &'d StateVariables) -> Self {
        let (contract, function, locals) = (None, None, BTreeMap::new());
        let has_checks = checks_arithmetic(source);
        Self { source, text, state_variables, contract, function, locals, is_unchecked: false, has_checks }
    }

    /// Forgets the local variables.
    pub(super) fn leave_function(&mut self) {
        self.function = None;
        self.locals.clear();
    }

    /// Adds a parameter or a local variable. Variables of all blocks of a function are taken together.
    pub(super) fn declare(&mut self, variable: &VariableDefinition<'_>) {
        if self.function.is_some() {
            self.locals.extend(named(variable, self.source, self.text));
        }
    }

    /// Returns the parameters and local variables that have been declared so far, with their types.
    pub(super) fn locals(&self) -> impl Iterator<Item = (&str, &str)> {
        self.locals.iter().map(|(name, kind)| (name.as_str(), kind.as_str()))
    }

    /// Returns the range of bytes of a span.
    pub(super) fn range(&self, span: Span) -> Range<usize> {
        relative_span(self.source, span)
    }

    /// Returns the range of bytes of a statement, with the semicolon at its end.
    pub(super) fn statement_range(&self, statement: &Stmt<'_>) -> Range<usize> {
        let range = self.range(statement.span);
        let has_end = self.text[range.clone()].trim_end().ends_with([';', '}']);
        let missing = || self.text[range.end..].find(';').map_or(0, |semicolon| semicolon + 1);
        range.start..range.end + if has_end { 0 } else { missing() }
    }

    /// Returns the text of a range.
    pub(super) fn slice(&self, range: Range<usize>) -> &'d str {
        &self.text[range]
    }

    /// Returns the text of a span.
    pub(super) fn text(&self, span: Span) -> &'d str {
        self.slice(self.range(span))
    }

    /// Proposes another text for a span.
    pub(super) fn replace(&self, span: Span, replacement: impl Into<String>) -> Edit {
        Edit { range: self.range(span), replacement: replacement.into() }
    }

    /// Proposes another text for a statement.
    pub(super) fn replace_statement(&self, statement: &Stmt<'_>, replacement: impl Into<String>) -> Edit {
        Edit { range: self.statement_range(statement), replacement: replacement.into() }
    }

    /// Proposes that a statement is left out. An empty block is a statement everywhere.
    pub(super) fn drop_statement(&self, statement: &Stmt<'_>) -> Edit {
        self.replace_statement(statement, "{}")
    }

    /// Returns the text of the type of a variable, or of an element of one, if it is declared in the project.
    pub(super) fn type_of(&self, expression: &Expr<'_>) -> Option<&str> {
        match &expression.peel_parens().kind {
            ExprKind::Ident(name) => {
                let local = || self.locals.get(name.as_str()).map(String::as_str);
                local().or_else(|| self.state_variable(name.as_str()))
            }
            ExprKind::Index(of, IndexKind::Index(_)) => element(self.type_of(of)?),
            _ => None,
        }
    }

    fn state_variable(&self, name: &str) -> Option<&str> {
        self.state_variables.find(self.contract?, name)
    }

    /// Tells whether the expression is a state variable, or a part of one.
    pub(super) fn is_state(&self, expression: &Expr<'_>) -> bool {
        match &expression.peel_parens().kind {
            ExprKind::Ident(name) => {
                !self.locals.contains_key(name.as_str()) && self.state_variable(name.as_str()).is_some()
            }
            ExprKind::Index(of, _) | ExprKind::Member(of, _) => self.is_state(of),
            _ => false,
        }
    }

    /// Tells whether the statement writes a state variable, or a part of one.
    pub(super) fn writes_state(&self, statement: &Stmt<'_>) -> bool {
        written(statement).is_some_and(|to| self.is_state(to))
    }
}

/// Tells whether the versions of Solidity that a source names include one of 0.8. All are if it names none.
fn checks_arithmetic(source: &Source<'_>) -> bool {
    let items = source.ast.iter().flat_map(|unit| unit.items.iter());
    let mut named = items.filter_map(|item| match &item.kind {
        ItemKind::Pragma(pragma) => match &pragma.tokens {
            PragmaTokens::Version(name, versions) if name.as_str() == "solidity" => {
                Some(versions.to_semver())
            }
            _ => None,
        },
        _ => None,
    });
    named.all(|versions| (0..=LAST_PATCH).any(|patch| versions.matches(&Version::new(0, 8, patch))))
}

/// Largest third number of a version of Solidity 0.8 that a source may name.
const LAST_PATCH: u64 = 99;

/// Returns what the statement writes: a variable, or a part of one.
pub(super) fn written<'s, 'a>(statement: &'s Stmt<'a>) -> Option<&'s Expr<'a>> {
    use solar::ast::UnOpKind::{PostDec, PostInc, PreDec, PreInc};
    let StmtKind::Expr(expression) = &statement.kind else { return None };
    match &expression.kind {
        ExprKind::Assign(to, ..) | ExprKind::Delete(to) => Some(to),
        ExprKind::Unary(operator, of) => {
            matches!(operator.kind, PostDec | PostInc | PreDec | PreInc).then_some(&**of)
        }
        _ => None,
    }
}

/// Returns the name of the variable of which the expression is a part.
pub(super) fn variable<'s>(expression: &'s Expr<'_>) -> Option<&'s str> {
    match &expression.peel_parens().kind {
        ExprKind::Ident(name) => Some(name.as_str()),
        ExprKind::Index(of, _) | ExprKind::Member(of, _) => variable(of),
        _ => None,
    }
}

/// Returns the text of the type of the elements of a mapping or an array.
fn element(kind: &str) -> Option<&str> {
    let kind = kind.trim();
    if let Some(inner) = kind.strip_prefix("mapping") {
        let (_, value) = inner.trim().strip_prefix('(')?.strip_suffix(')')?.split_once("=>")?;
        // A name of the value may follow its type.
        let value = value.trim();
        return Some(if value.starts_with("mapping") { value } else { value.split_whitespace().next()? });
    }
    kind.strip_suffix(']').and_then(|rest| Some(rest[..rest.rfind('[')?].trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_have_the_type_that_the_declaration_gives_them() {
        assert_eq!(element("mapping(address => uint256)"), Some("uint256"));
        assert_eq!(element("mapping(address owner => uint256 amount)"), Some("uint256"));
        assert_eq!(element("mapping(address => mapping(uint => bool))"), Some("mapping(uint => bool)"));
        assert_eq!(element("uint8[3][]"), Some("uint8[3]"));
        assert_eq!(element("uint8"), None);
    }
}
