//! Programs of solvers, with the arguments that they need.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

/// Kind of a solver, which decides its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SolverKind {
    Bitwuzla,
    Z3,
    Cvc5,
    /// Another program that reads a script from its standard input.
    Other,
}

/// Names of the programs, in the order in which they are preferred.
const PROGRAMS: [(&str, SolverKind); 3] =
    [("bitwuzla", SolverKind::Bitwuzla), ("z3", SolverKind::Z3), ("cvc5", SolverKind::Cvc5)];

/// Program of a solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolverProgram {
    path: PathBuf,
    kind: SolverKind,
}

impl SolverProgram {
    /// Names of the programs that are known, in the order in which they are preferred.
    pub const NAMES: [&str; PROGRAMS.len()] = [PROGRAMS[0].0, PROGRAMS[1].0, PROGRAMS[2].0];

    /// Creates it from the path of the program, whose name tells which solver it is.
    #[must_use]
    pub fn new(path: PathBuf) -> Self {
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        let kind = PROGRAMS.iter().find(|(known, _)| name.starts_with(known));
        Self { kind: kind.map_or(SolverKind::Other, |(_, kind)| *kind), path }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Tells whether it solves conditions on integers, as far as is known.
    pub(super) fn knows_integers(&self) -> bool {
        self.kind != SolverKind::Bitwuzla
    }

    /// Returns the arguments with which it reads a script from its standard input and gives up after the limit.
    pub(super) fn arguments(&self, limit: Duration) -> Vec<String> {
        let limit = limit.as_millis();
        match self.kind {
            SolverKind::Z3 => vec!["-smt2".into(), "-in".into(), format!("-t:{limit}")],
            SolverKind::Bitwuzla => vec!["--lang".into(), "smt2".into(), "-t".into(), limit.to_string()],
            SolverKind::Cvc5 => vec!["--lang=smt2".into(), format!("--tlimit-per={limit}"), "-".into()],
            SolverKind::Other => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_program_decides_its_arguments() {
        let arguments = |path: &str| SolverProgram::new(path.into()).arguments(Duration::from_millis(70));
        assert_eq!(arguments("/opt/z3-4.8/z3"), ["-smt2", "-in", "-t:70"]);
        assert_eq!(arguments("bitwuzla.exe"), ["--lang", "smt2", "-t", "70"]);
        assert_eq!(arguments("cvc5"), ["--lang=smt2", "--tlimit-per=70", "-"]);
        assert!(arguments("/usr/bin/yices").is_empty());
    }
}
