//! `--fuzz-input-file`: the one test that an input is for.

use crate::{
    campaign::store::NamedFile,
    project::{FunctionKind, Suite, TestFunction},
};
use anyhow::{Result, anyhow, bail};
use std::path::Path;

/// Reads an input, and keeps only the suite that has the fuzz test it is for. Returns the input.
///
/// # Errors
/// When the file is no input, or it is not for exactly one of the fuzz tests of the suites, as in Forge 1.8.
pub(super) fn select(path: &Path, suites: &mut Vec<Suite>) -> Result<NamedFile> {
    let shown = path.display();
    let (file, selector) = NamedFile::input(path).map_err(|error| anyhow!("--fuzz-input-file: {error}"))?;
    let is_for =
        |test: &&TestFunction| test.kind == FunctionKind::Fuzz && test.function.selector() == selector;
    let tests: Vec<_> = suites
        .iter()
        .flat_map(|suite| suite.tests.iter().filter(is_for).map(|test| (suite.id(), test)))
        .collect();
    let (suite, file) = match &tests[..] {
        [(suite, test)] => ((*suite).clone(), file.of_test(suite, &test.function.name)),
        [] => bail!("--fuzz-input-file: {shown} calls {selector}, which is no fuzz test that is selected"),
        several => {
            let names: Vec<_> =
                several.iter().map(|(suite, test)| format!("{suite}.{}", test.function.name)).collect();
            bail!("--fuzz-input-file: {shown} is for several tests; select one of {}", names.join(", "))
        }
    };
    suites.retain(|one| *one.id() == suite);
    Ok(file)
}
