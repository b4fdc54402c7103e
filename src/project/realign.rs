//! Places in the sources for tests whose text was rewritten before compilation, by Forge or by us.
//!
//! Source maps of such tests refer to the rewritten text, which nobody keeps. But the text differs only where code of
//! other contracts is used (`new C(...)`, `type(C).creationCode`) and at the ends of contracts. Between two of these
//! places everything has moved by the same number of bytes. This number is found by comparison: expressions,
//! statements and functions of the source, moved by it, are elements of the source map.

use crate::project::{
    contract::Code,
    sourcemap::FileIndex,
    sources::{Sources, relative_span},
};
use solar::{
    ast::{Expr, ExprKind, Item, ItemKind, Stmt, visit::Visit},
    interface::Span,
    sema::Source,
};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    convert::Infallible,
    ops::{ControlFlow, Range},
    path::{Path, PathBuf},
};

/// Limit of the bytes that are added at one place.
const MAX_GROWTH: usize = 4096;

/// Least number of bytes that are added at one place, if any are: the address of the cheatcodes alone has 42.
const MIN_GROWTH: usize = 42;

/// Votes for a number of bytes: of a range with an equal length in the source map, and of one that has grown.
const EQUAL: usize = 4;
const GROWN: usize = 2;

/// Ranges of a source by which places are recognised in a rewritten text.
#[derive(Debug, Default)]
pub(crate) struct Landmarks {
    /// Offsets from which text may have moved further, in order; the first is 0.
    boundaries: BTreeSet<usize>,
    /// Expressions, statements and functions.
    ranges: BTreeSet<(usize, usize)>,
}

impl Landmarks {
    /// Collects the landmarks of the sources whose paths are accepted by `wanted`.
    pub(crate) fn of(sources: &Sources, wanted: impl Fn(&Path) -> bool) -> HashMap<PathBuf, Self> {
        let mut all = HashMap::new();
        sources.each(|path, source| {
            if let Some(unit) = source.ast.as_ref().filter(|_| wanted(path)) {
                let landmarks = Self { boundaries: BTreeSet::from([0]), ranges: BTreeSet::new() };
                let mut reader = LandmarkReader { source, landmarks };
                let ControlFlow::Continue(()) = reader.visit_source_unit(unit);
                all.insert(path.to_owned(), reader.landmarks);
            }
        });
        all
    }
}

struct LandmarkReader<'a> {
    source: &'a Source<'a>,
    landmarks: Landmarks,
}

impl LandmarkReader<'_> {
    fn add(&mut self, span: Span) {
        let range = relative_span(self.source, span);
        self.landmarks.ranges.insert((range.start, range.end));
    }
}

impl<'ast> Visit<'ast> for LandmarkReader<'_> {
    type BreakValue = Infallible;

    fn visit_item(&mut self, item: &'ast Item<'ast>) -> ControlFlow<Infallible> {
        match &item.kind {
            ItemKind::Contract(_) => {
                self.landmarks.boundaries.insert(relative_span(self.source, item.span).start);
            }
            ItemKind::Function(_) => self.add(item.span),
            _ => {}
        }
        self.walk_item(item)
    }

    fn visit_stmt(&mut self, statement: &'ast Stmt<'ast>) -> ControlFlow<Infallible> {
        self.add(statement.span);
        self.walk_stmt(statement)
    }

    fn visit_expr(&mut self, expr: &'ast Expr<'ast>) -> ControlFlow<Infallible> {
        self.add(expr.span);
        let is_boundary = match &expr.kind {
            ExprKind::New(_) => true,
            ExprKind::Member(_, member) => member.as_str() == "creationCode",
            _ => false,
        };
        if is_boundary {
            self.landmarks.boundaries.insert(relative_span(self.source, expr.span).start);
        }
        self.walk_expr(expr)
    }
}

/// Movements of the text of one source.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Shifts(Vec<Shift>);

/// A part of a source whose text has moved.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Shift {
    /// First byte of the part in the source.
    start: usize,
    /// Number of bytes by which it has moved.
    by: usize,
}

impl Shifts {
    /// Finds the movements. `elements` are the start and the length of the elements of a source map for this source.
    fn find(landmarks: &Landmarks, elements: &BTreeSet<(usize, usize)>) -> Self {
        let mut by_length = BTreeMap::<usize, Vec<usize>>::new();
        for (start, length) in elements {
            by_length.entry(*length).or_default().push(*start);
        }
        let mut shifts = vec![Shift { start: 0, by: 0 }];
        let mut boundaries = landmarks.boundaries.iter().skip(1).peekable();
        let mut by = 0;
        while let Some(start) = boundaries.next() {
            let end = boundaries.peek().map_or(usize::MAX, |end| **end);
            by = most_votes(landmarks, *start + 1..end, by, &by_length);
            shifts.push(Shift { start: *start, by });
        }
        Self(shifts)
    }

    /// Returns the place in the source of an offset in the rewritten text.
    fn original(&self, offset: usize) -> usize {
        let mut before = 0;
        let mut found = offset;
        for Shift { start, by } in &self.0 {
            if start + before > offset {
                break;
            }
            found = offset.saturating_sub(*by).max(*start);
            before = *by;
        }
        found
    }
}

/// Movements of the texts of sources, by their index in the source maps of one build.
#[derive(Debug, Default)]
pub(crate) struct Movements(BTreeMap<u32, Shifts>);

impl Movements {
    /// Finds the movements in the sources of a piece of code, as far as there are landmarks of them.
    pub(crate) fn of(code: &Code, files: &FileIndex, landmarks: &HashMap<PathBuf, Landmarks>) -> Self {
        if landmarks.is_empty() {
            return Self::default();
        }
        let mut elements = BTreeMap::<u32, BTreeSet<(usize, usize)>>::new();
        for (_, file, range) in code.elements() {
            if let Some(file) = file {
                elements.entry(file).or_default().insert((range.start, range.len()));
            }
        }
        let shifts = |(file, elements): (u32, BTreeSet<_>)| {
            let landmarks = landmarks.get(files.get(&file)?)?;
            Some((file, Shifts::find(landmarks, &elements)))
        };
        Self(elements.into_iter().filter_map(shifts).collect())
    }

    /// Returns the range in a source for a range in the text that was compiled.
    pub(crate) fn original(&self, file: u32, range: Range<usize>) -> Range<usize> {
        self.0
            .get(&file)
            .map_or(range.clone(), |shifts| shifts.original(range.start)..shifts.original(range.end))
    }
}

/// Returns the number of bytes by which the text in `part` has moved, at least `least`.
fn most_votes(
    landmarks: &Landmarks,
    part: Range<usize>,
    least: usize,
    elements: &BTreeMap<usize, Vec<usize>>,
) -> usize {
    let mut votes = BTreeMap::<usize, usize>::new();
    let mut vote = |start: usize, place: usize, weight| {
        if let Some(by) = place.checked_sub(start)
            && (by == least || (least + MIN_GROWTH..least + MAX_GROWTH).contains(&by))
        {
            *votes.entry(by).or_default() += weight;
        }
    };
    for (start, end) in landmarks.ranges.range((part.start, 0)..(part.end, 0)) {
        let length = end - start;
        if *end <= part.end {
            elements.get(&length).into_iter().flatten().for_each(|place| vote(*start, *place, EQUAL));
        } else {
            let grown = elements.range(length + MIN_GROWTH..length + MAX_GROWTH);
            grown.flat_map(|(_, places)| places).for_each(|place| vote(*start, *place, GROWN));
        }
    }
    // Of equal votes, the smallest movement.
    let best = votes.into_iter().max_by_key(|(by, votes)| (*votes, std::cmp::Reverse(*by)));
    best.map_or(least, |(by, _)| by)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::sources::tests::parsed;

    const SOURCE: &str = "\
contract A { constructor(uint) {} }
contract T {
    A a; A b; uint x;
    function setUp() public { a = new A(1); b = new A(2); x = 3; }
    function test_it() public { assert(x > 3); }
}";

    #[test]
    fn parts_that_moved_by_different_numbers_of_bytes_are_found_again() {
        let (directory, sources) = parsed(SOURCE);
        let path = directory.path().canonicalize().unwrap().join("src/A.sol");
        let landmarks = &Landmarks::of(&sources, |_| true)[&path];
        let growth = "A(payable(Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D).deployCode(\"A\", 1)))";
        let rewritten = SOURCE.replacen("new A(1)", growth, 1).replacen("new A(2)", &format!("{growth} "), 1);
        let element = |text: &str| (rewritten.find(text).unwrap(), text.len());
        let elements = [
            format!("function setUp() public {{ a = {growth}; b = {growth} ; x = 3; }}"),
            "x = 3".to_owned(),
            "assert(x > 3)".to_owned(),
            "function test_it() public { assert(x > 3); }".to_owned(),
            format!("b = {growth} "),
            format!("a = {growth}"),
        ];
        let elements = elements.iter().map(|text| element(text)).collect();
        let shifts = Shifts::find(landmarks, &elements);
        for text in ["b = ", "x = 3", "assert(x", "function test_it", "x > 3"] {
            let offset = rewritten.find(text).unwrap();
            assert_eq!(shifts.original(offset), SOURCE.find(text).unwrap(), "{text}");
        }
        let inside = rewritten.find("deployCode").unwrap();
        assert!(SOURCE[shifts.original(inside)..].starts_with("new A(1)"));
    }

    #[test]
    fn text_that_was_not_rewritten_has_not_moved() {
        let (directory, sources) = parsed(SOURCE);
        let path = directory.path().canonicalize().unwrap().join("src/A.sol");
        let landmarks = &Landmarks::of(&sources, |_| true)[&path];
        let element = |text: &str| (SOURCE.find(text).unwrap(), text.len());
        let shifts = Shifts::find(landmarks, &["a = new A(1)", "x = 3", "x > 3"].map(element).into());
        assert!((0..SOURCE.len()).all(|offset| shifts.original(offset) == offset));
    }
}
