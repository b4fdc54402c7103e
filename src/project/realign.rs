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
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, HashMap},
    convert::Infallible,
    ops::{ControlFlow, Range, RangeInclusive},
    path::{Path, PathBuf},
};

/// Limit of the bytes that are added at one place.
const MAX_GROWTH: usize = 4096;

/// Least number of bytes that are added at one place, if any are: the address of the cheatcodes alone has 42.
const MIN_GROWTH: usize = 42;

/// Least length of a range that tells places apart, in bytes. Shorter ones only decide between equal votes.
const TELLING: usize = 7;

/// Votes of a range for a movement: with an equal length in the source map, for a telling or a short range, and with a
/// length that has grown.
const EQUAL: usize = 4;
const SHORT: usize = 1;
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
    /// Collects the landmarks of the sources whose paths and texts are accepted by `wanted`.
    pub(crate) fn of(sources: &Sources, wanted: impl Fn(&Path, &str) -> bool) -> HashMap<PathBuf, Self> {
        let mut all = HashMap::new();
        sources.each(|path, source| {
            if let Some(unit) = source.ast.as_ref().filter(|_| wanted(path, sources.text(path, source))) {
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
    ///
    /// Code contains only a part of its source. Movements are found first where many ranges agree, and then between
    /// these, so that a coincidence in a part that is not in the code moves nothing else.
    fn find(landmarks: &Landmarks, elements: &BTreeSet<(usize, usize)>) -> Self {
        let mut by_length = BTreeMap::<usize, Vec<usize>>::new();
        for (start, length) in elements {
            by_length.entry(*length).or_default().push(*start);
        }
        let starts: Vec<usize> = landmarks.boundaries.iter().copied().collect();
        let end = |index: usize| starts.get(index + 1).copied().unwrap_or(usize::MAX);
        let parts: Vec<_> = starts.iter().enumerate().map(|(index, start)| *start..end(index)).collect();
        let mut certain = certain(landmarks, &parts, by_length.clone());
        // Nothing precedes the first part.
        certain[0] = Some(0);
        let mut least = 0;
        for by in &mut certain {
            *by = by.filter(|by| *by >= least);
            least = by.unwrap_or(least);
        }
        let mut shifts = Vec::new();
        let mut least = 0;
        for (index, part) in parts.iter().enumerate() {
            let most = certain[index..].iter().flatten().next().copied();
            let most = most.unwrap_or(least + MAX_GROWTH).max(least);
            least = certain[index].unwrap_or_else(|| most_votes(landmarks, part, least..=most, &by_length));
            shifts.push(Shift { start: part.start, by: least });
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

/// Ranges of a source that begin in a part of it.
fn ranges<'a>(landmarks: &'a Landmarks, part: &Range<usize>) -> impl Iterator<Item = (usize, usize)> + 'a {
    landmarks.ranges.range((part.start, 0)..(part.end, 0)).copied()
}

/// Returns the movements of those parts whose ranges agree on one. Each element belongs to one part: of parts with
/// equal texts, that which moved least, because the later ones have moved at least as far as the earlier ones.
fn certain(
    landmarks: &Landmarks,
    parts: &[Range<usize>],
    mut elements: BTreeMap<usize, Vec<usize>>,
) -> Vec<Option<usize>> {
    let mut certain = vec![None; parts.len()];
    loop {
        let open = parts.iter().enumerate().filter(|(index, _)| certain[*index].is_none());
        let found = open.filter_map(|(index, part)| Some((agreed(landmarks, part, &elements)?, index)));
        let Some((by, index)) = found.min() else { return certain };
        certain[index] = Some(by);
        for (start, end) in ranges(landmarks, &parts[index]) {
            if let Some(places) = elements.get_mut(&(end - start)) {
                places.retain(|place| *place != start + by);
            }
        }
    }
}

/// Returns the number of bytes by which the text in `part` has moved, if many of its ranges agree on it.
fn agreed(
    landmarks: &Landmarks,
    part: &Range<usize>,
    elements: &BTreeMap<usize, Vec<usize>>,
) -> Option<usize> {
    let mut votes = BTreeMap::<usize, usize>::new();
    let mut total = 0;
    for (start, end) in ranges(landmarks, part).filter(|(start, end)| end - start >= TELLING) {
        if end > part.end {
            continue;
        }
        total += 1;
        for place in elements.get(&(end - start)).into_iter().flatten() {
            if let Some(by) = place.checked_sub(start) {
                *votes.entry(by).or_default() += 1;
            }
        }
    }
    let (by, count) = votes.iter().max_by_key(|(_, count)| **count)?;
    let is_alone = votes.values().filter(|other| *other == count).count() == 1;
    (is_alone && *count >= 3 && count * 10 >= total * 3).then_some(*by)
}

/// Returns the number of bytes by which the text in `part` has probably moved; the least one without evidence.
fn most_votes(
    landmarks: &Landmarks,
    part: &Range<usize>,
    limits: RangeInclusive<usize>,
    elements: &BTreeMap<usize, Vec<usize>>,
) -> usize {
    let least = *limits.start();
    let mut votes = BTreeMap::<usize, usize>::new();
    let mut vote = |start: usize, place: usize, weight| {
        if let Some(by) = place.checked_sub(start)
            && limits.contains(&by)
            && (by == least || by >= least + MIN_GROWTH)
        {
            *votes.entry(by).or_default() += weight;
        }
    };
    for (start, end) in ranges(landmarks, part) {
        let length = end - start;
        let weight = if length >= TELLING { EQUAL } else { SHORT };
        elements.get(&length).into_iter().flatten().for_each(|place| vote(start, *place, weight));
        if end > part.end {
            let grown = elements.range(length + MIN_GROWTH..length + MAX_GROWTH);
            grown.flat_map(|(_, places)| places).for_each(|place| vote(start, *place, GROWN));
        }
    }
    let kept = votes.get(&least).copied().unwrap_or(0);
    // Of equal votes, the smallest movement.
    let best = votes.into_iter().max_by_key(|(by, votes)| (*votes, Reverse(*by)));
    best.filter(|(_, votes)| *votes > kept + SHORT).map_or(least, |(by, _)| by)
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
        let landmarks = &Landmarks::of(&sources, |_, _| true)[&path];
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
        let landmarks = &Landmarks::of(&sources, |_, _| true)[&path];
        let element = |text: &str| (SOURCE.find(text).unwrap(), text.len());
        let shifts = Shifts::find(landmarks, &["a = new A(1)", "x = 3", "x > 3"].map(element).into());
        assert!((0..SOURCE.len()).all(|offset| shifts.original(offset) == offset));
    }

    #[test]
    fn parts_that_are_not_in_the_code_move_nothing() {
        let functions = |name: &str, first: usize| {
            let body = |index| {
                format!(
                    "function f{index}(uint x) public {{ require(x > {index}, 'e'); total = total + x * {index}; }}\n"
                )
            };
            let bodies: String = (first..first + 4).map(body).collect();
            format!("contract {name} {{ uint total; A made = new A(1);\n{bodies}}}\n")
        };
        let before = format!("contract A {{ constructor(uint) {{}} }}\n{}", functions("Mock", 10));
        let source = format!("{before}{}", functions("T", 20));
        let (directory, sources) = parsed(&source);
        let path = directory.path().canonicalize().unwrap().join("src/A.sol");
        let landmarks = &Landmarks::of(&sources, |_, _| true)[&path];
        // The code is that of the last contract, which is like the one before.
        let of_last = landmarks.ranges.iter().filter(|(start, _)| *start > before.len());
        let elements: BTreeSet<_> = of_last.clone().map(|(start, end)| (*start, end - start)).collect();
        let shifts = Shifts::find(landmarks, &elements);
        assert!((before.len() + 20..source.len()).all(|offset| shifts.original(offset) == offset));
        let moved = elements.iter().map(|(start, length)| (start + 300, *length)).collect();
        let shifts = Shifts::find(landmarks, &moved);
        let start = source.rfind("function f20").unwrap();
        assert!((start..source.len()).all(|offset| shifts.original(offset + 300) == offset));
    }
}
