//! References of a test to the code of sources, and the edits that replace them.

use super::{ArgumentLibrary, Program};
use solar::{
    interface::Span,
    sema::hir::{
        CallArgs, ContractId, Expr, ExprKind, Function, FunctionKind, Hir, NamedArg, SourceId,
        StateMutability, Stmt, StmtKind, StmtTry, Type, TypeKind, Variable, Visit,
    },
};
use std::{
    collections::BTreeMap,
    convert::Infallible,
    ops::{ControlFlow, Range},
};

/// Address of the cheatcodes.
const VM: &str = "DynamicLinkingVm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D)";

/// Edits of one test that replace all its references to the code of sources.
#[derive(Debug, Default)]
pub(super) struct CodeEdits {
    /// Replaced ranges of bytes with their new texts, in order; they do not overlap.
    pub(super) edits: Vec<(Range<usize>, String)>,
    /// Libraries for the arguments of constructors.
    pub(super) arguments: BTreeMap<ContractId, ArgumentLibrary>,
}

impl CodeEdits {
    /// Returns the edits for a source. Returns `None` if some reference cannot be replaced: the file inherits a
    /// contract of the sources, uses code where cheatcodes cannot be called, or is a script, whose transactions
    /// cheatcodes would change.
    pub(super) fn of(program: Program<'_, '_>, source: SourceId) -> Option<Self> {
        let hir = &program.gcx.hir;
        let items = hir.source(source).items;
        let inherits = |id: &ContractId| hir.contract(*id).linearized_bases.iter().skip(1);
        let mut contracts = items.iter().filter_map(|item| item.as_contract());
        let is_script = |base: &ContractId| hir.contract(*base).name.as_str() == "Script";
        if program.paths.is_script(program.source_name(source)?)
            || contracts.any(|id| inherits(&id).any(|base| program.is_of_sources(*base) || is_script(base)))
        {
            return None;
        }
        let mut finder =
            ReferenceFinder { program, found: Self::default(), is_complete: true, is_pure: false };
        for item in items {
            let ControlFlow::Continue(()) = finder.visit_nested_item(*item);
        }
        let ReferenceFinder { mut found, is_complete, .. } = finder;
        found.edits.sort_by_key(|(range, _)| range.start);
        is_complete.then_some(found)
    }
}

struct ReferenceFinder<'gcx, 'a> {
    program: Program<'gcx, 'a>,
    found: CodeEdits,
    /// False after a reference that cannot be replaced.
    is_complete: bool,
    /// True where calls of cheatcodes are not allowed, or may not be.
    is_pure: bool,
}

/// Returns the contract that a type names.
fn contract(kind: &Type<'_>) -> Option<ContractId> {
    match kind.kind {
        TypeKind::Custom(item) => item.as_contract(),
        _ => None,
    }
}

impl<'gcx> ReferenceFinder<'gcx, '_> {
    /// Returns the contract of the sources that a type names.
    fn of_sources(&self, kind: &Type<'_>) -> Option<ContractId> {
        contract(kind).filter(|contract| self.program.is_of_sources(*contract))
    }

    fn range(&self, span: Span) -> Option<Range<usize>> {
        self.program.gcx.sess.source_map().span_to_range(span).ok()
    }

    fn text(&self, span: Span) -> Option<String> {
        self.program.gcx.sess.source_map().span_to_snippet(span).ok()
    }

    /// Returns the creation of a contract of the sources, if the expression is one.
    fn creation(&self, expr: &'gcx Expr<'gcx>) -> Option<NewExpression<'gcx>> {
        let ExprKind::Call(callee, args, options) = &expr.kind else { return None };
        let ExprKind::New(kind) = &callee.kind else { return None };
        let contract = self.of_sources(kind)?;
        Some(NewExpression { contract, kind, args, options: options.unwrap_or_default(), whole: expr.span })
    }

    /// Replaces a creation, whose result has the type of the contract.
    fn replace_creation(&mut self, creation: NewExpression<'gcx>) -> Option<()> {
        let name = self.text(creation.kind.span)?;
        self.replace_by_call(creation, &format!("{name}(payable("), "))")
    }

    /// Replaces a creation by a call of the cheatcode, between `before` and `after`.
    fn replace_by_call(&mut self, creation: NewExpression<'gcx>, before: &str, after: &str) -> Option<()> {
        let NewExpression { contract, args, options, whole, .. } = creation;
        let mut call = format!("{VM}.deployCode({{artifact: \"{}\"", self.program.artifact(contract)?);
        for option in options {
            call.push_str(&format!(", {}: {}", option.name, self.text(option.value.span)?));
        }
        let range = self.range(whole)?;
        let hir = &self.program.gcx.hir;
        let constructor = hir.contract(contract).ctor.map(|id| hir.function(id));
        if constructor.is_none_or(|constructor| constructor.parameters.is_empty()) {
            self.found.edits.push((range, format!("{before}{call}}}){after}")));
            return Some(());
        }
        let library = ArgumentLibrary::of(self.program, contract)?;
        let parentheses = self.range(args.span)?;
        let name = &library.name;
        let head = format!("{before}{call}, arguments: {name}.encode({name}.Values(");
        self.found.edits.push((range.start..parentheses.start + 1, head));
        self.found.edits.push((range.end..range.end, format!(")}}){after}")));
        self.found.arguments.insert(contract, library);
        Some(())
    }

    /// Replaces the creation in `try new C(...) returns (C c) {`. The variable gets the type of the address, because
    /// the cheatcode returns one, and the block begins with a variable of the contract's type.
    fn replace_try(&mut self, attempt: &StmtTry<'gcx>, creation: NewExpression<'gcx>) -> Option<()> {
        self.replace_by_call(creation, "", "")?;
        let success = attempt.clauses.first()?;
        let Some(id) = success.args.first() else { return Some(()) };
        let variable = self.program.gcx.hir.variable(*id);
        let declared = self.range(variable.span)?;
        let Some(name) = variable.name else {
            self.found.edits.push((declared, "address".to_owned()));
            return Some(());
        };
        let kind = self.text(variable.ty.span)?;
        self.found.edits.push((declared, format!("address ${name}")));
        let inside = self.range(success.block.span)?.start + 1;
        self.found.edits.push((inside..inside, format!(" {kind} {name} = {kind}(payable(${name}));")));
        Some(())
    }

    /// Visits the arguments and options of a creation that has been replaced.
    fn visit_inside(&mut self, creation: NewExpression<'gcx>) {
        let ControlFlow::Continue(()) = self.visit_call_args(creation.args);
        let known = self.found.edits.len();
        for option in creation.options {
            let ControlFlow::Continue(()) = self.visit_expr(&option.value);
        }
        // The text of options has been moved.
        self.is_complete &= self.found.edits.len() == known;
    }

    /// Replaces `type(C).creationCode`.
    fn replace_code(&mut self, whole: Span, contract: ContractId) -> Option<()> {
        let artifact = self.program.artifact(contract)?;
        self.found.edits.push((self.range(whole)?, format!("{VM}.getCode(\"{artifact}\")")));
        Some(())
    }
}

/// `new C{...}(...)` for a contract of the sources.
#[derive(Clone, Copy)]
struct NewExpression<'gcx> {
    contract: ContractId,
    /// The type as written after `new`.
    kind: &'gcx Type<'gcx>,
    args: &'gcx CallArgs<'gcx>,
    /// `value` and `salt`.
    options: &'gcx [NamedArg<'gcx>],
    whole: Span,
}

impl<'gcx> Visit<'gcx> for ReferenceFinder<'gcx, '_> {
    type BreakValue = Infallible;

    fn hir(&self) -> &'gcx Hir<'gcx> {
        &self.program.gcx.hir
    }

    fn visit_function(&mut self, function: &'gcx Function<'gcx>) -> ControlFlow<Infallible> {
        let is_pure = function.state_mutability == StateMutability::Pure
            // A pure function may use the modifier.
            || function.kind == FunctionKind::Modifier;
        let outside = std::mem::replace(&mut self.is_pure, is_pure);
        self.walk_function(function)?;
        self.is_pure = outside;
        ControlFlow::Continue(())
    }

    fn visit_var(&mut self, variable: &'gcx Variable<'gcx>) -> ControlFlow<Infallible> {
        let outside = self.is_pure;
        self.is_pure |= variable.is_constant();
        self.walk_var(variable)?;
        self.is_pure = outside;
        ControlFlow::Continue(())
    }

    fn visit_stmt(&mut self, statement: &'gcx Stmt<'gcx>) -> ControlFlow<Infallible> {
        if let StmtKind::Try(attempt) = statement.kind
            && let Some(creation) = self.creation(&attempt.expr)
        {
            self.is_complete &= self.replace_try(attempt, creation).is_some();
            self.visit_inside(creation);
            let mut statements = attempt.clauses.iter().flat_map(|clause| clause.block.stmts);
            return statements.try_for_each(|statement| self.visit_stmt(statement));
        }
        self.walk_stmt(statement)
    }

    fn visit_expr(&mut self, expr: &'gcx Expr<'gcx>) -> ControlFlow<Infallible> {
        if let Some(creation) = self.creation(expr) {
            self.is_complete &= self.replace_creation(creation).is_some();
            self.visit_inside(creation);
            return ControlFlow::Continue(());
        }
        match &expr.kind {
            // Only a call of it creates a contract; as a value it keeps the code.
            ExprKind::New(kind) => self.is_complete &= self.of_sources(kind).is_none(),
            ExprKind::Member(of, member) => {
                if let ExprKind::TypeCall(kind) = &of.kind
                    && let Some(contract) = self.of_sources(kind)
                {
                    self.is_complete &= match member.as_str() {
                        "creationCode" if !self.is_pure => self.replace_code(expr.span, contract).is_some(),
                        "creationCode" | "runtimeCode" => false,
                        _ => true,
                    };
                }
            }
            _ => {}
        }
        self.walk_expr(expr)
    }
}
