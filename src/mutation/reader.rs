//! Walk over a source that shows its nodes to the operators.

use super::{
    operators::{MutationOperator, Node},
    scope::{Edit, NodeScope, StatementPlace},
    state_variables::StateVariables,
};
use crate::model::Mutant;
use solar::{
    ast::{
        ContractKind, Expr, ItemContract, ItemFunction, Stmt, StmtKind, VariableDefinition, visit::Visit, yul,
    },
    sema::Source,
};
use std::{collections::HashSet, convert::Infallible, ops::ControlFlow, slice};

/// Returns the mutants of a source, in the order of their places.
pub(super) fn read<'a>(
    source: &'a Source<'a>,
    path: &str,
    text: &str,
    state_variables: &StateVariables,
    operators: &[&'static MutationOperator],
) -> Vec<Mutant> {
    let Some(unit) = &source.ast else { return Vec::new() };
    let scope = NodeScope::new(source, text, state_variables);
    let mut reader = MutantReader { scope, path, operators, mutants: Vec::new() };
    let ControlFlow::Continue(()) = reader.visit_source_unit(unit);
    let mut mutants = reader.mutants;
    // The order of the operators stays for mutants with the same range.
    mutants.sort_by_key(|mutant| (mutant.range.start, mutant.range.end));
    let mut seen = HashSet::new();
    mutants.retain(|mutant| {
        let is_change = mutant.original != mutant.replacement;
        is_change && seen.insert((mutant.range.clone(), mutant.replacement.clone()))
    });
    mutants
}

struct MutantReader<'a, 'r> {
    scope: NodeScope<'a, 'r>,
    path: &'r str,
    operators: &'r [&'static MutationOperator],
    mutants: Vec<Mutant>,
}

impl<'a> MutantReader<'a, '_> {
    fn show(&mut self, node: Node<'a>) {
        for operator in self.operators {
            for edit in (operator.apply)(node, &self.scope) {
                self.mutants.push(self.mutant(operator, edit));
            }
        }
    }

    fn mutant(&self, operator: &MutationOperator, edit: Edit) -> Mutant {
        let name = |function: &ItemFunction<'_>| match function.header.name {
            Some(name) => name.as_str().to_owned(),
            None => function.kind.to_str().to_owned(),
        };
        Mutant {
            operator: operator.id.to_owned(),
            path: self.path.to_owned(),
            original: self.scope.slice(edit.range.clone()).to_owned(),
            range: edit.range,
            replacement: edit.replacement,
            contract: self.scope.contract.map(str::to_owned),
            function: self.scope.function.map(name),
        }
    }

    /// Shows the statement that is the body of another one, if it is no block.
    fn show_body(&mut self, body: &'a Stmt<'a>) {
        if !matches!(body.kind, StmtKind::Block(_) | StmtKind::UncheckedBlock(_)) {
            self.show(Node::Statement(StatementPlace { block: slice::from_ref(body), index: 0 }));
        }
    }
}

impl<'a> Visit<'a> for MutantReader<'a, '_> {
    type BreakValue = Infallible;

    fn visit_item_contract(&mut self, contract: &'a ItemContract<'a>) -> ControlFlow<Infallible> {
        if contract.kind != ContractKind::Interface {
            self.scope.contract = Some(contract.name.as_str());
            let ControlFlow::Continue(()) = self.walk_item_contract(contract);
            self.scope.contract = None;
        }
        ControlFlow::Continue(())
    }

    fn visit_item_function(&mut self, function: &'a ItemFunction<'a>) -> ControlFlow<Infallible> {
        self.scope.function = Some(function);
        self.show(Node::Function(function));
        let ControlFlow::Continue(()) = self.walk_item_function(function);
        self.scope.leave_function();
        ControlFlow::Continue(())
    }

    fn visit_variable_definition(&mut self, variable: &'a VariableDefinition<'a>) -> ControlFlow<Infallible> {
        self.scope.declare(variable);
        self.walk_variable_definition(variable)
    }

    fn visit_block(&mut self, block: &'a solar::ast::Block<'a>) -> ControlFlow<Infallible> {
        for (index, statement) in block.iter().enumerate() {
            self.show(Node::Statement(StatementPlace { block, index }));
            let ControlFlow::Continue(()) = self.visit_stmt(statement);
        }
        ControlFlow::Continue(())
    }

    fn visit_stmt(&mut self, statement: &'a Stmt<'a>) -> ControlFlow<Infallible> {
        match &statement.kind {
            StmtKind::If(_, then, otherwise) => {
                self.show_body(then);
                otherwise.iter().for_each(|otherwise| self.show_body(otherwise));
            }
            StmtKind::While(_, body) | StmtKind::DoWhile(body, _) | StmtKind::For { body, .. } => {
                self.show_body(body);
            }
            _ => {}
        }
        let was = self.scope.is_unchecked;
        self.scope.is_unchecked |= matches!(statement.kind, StmtKind::UncheckedBlock(_));
        let ControlFlow::Continue(()) = self.walk_stmt(statement);
        self.scope.is_unchecked = was;
        ControlFlow::Continue(())
    }

    fn visit_expr(&mut self, expression: &'a Expr<'a>) -> ControlFlow<Infallible> {
        self.show(Node::Expression(expression));
        self.walk_expr(expression)
    }

    fn visit_yul_expr(&mut self, expression: &'a yul::Expr<'a>) -> ControlFlow<Infallible> {
        self.show(Node::Assembly(expression));
        self.walk_yul_expr(expression)
    }
}
