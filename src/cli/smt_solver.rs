//! External SMT solver of a run: the one that is configured, or the first that is installed.

use crate::{
    campaign::smt::{SmtSolver, SolverProgram},
    config::{HarveyConfig, Strategy},
    project::program_in,
};
use std::{
    env,
    path::{Path, PathBuf},
};

/// Returns the solver that `harvey.solver` selects; `None` for `none`, or if `auto` finds none.
///
/// # Errors
/// Fails if it names a program that does not exist.
pub(super) fn configured(config: &HarveyConfig) -> Result<Option<SmtSolver>, String> {
    let path = program(&config.solver)?;
    // The strategy with a solver spends half of its time on it: as much as the threads of the campaign.
    let share = if config.strategy == Strategy::Smt { 100 } else { config.solver_share };
    Ok(path.map(|path| SmtSolver::new(SolverProgram::new(path), config.solver_timeout, share)))
}

fn program(solver: &str) -> Result<Option<PathBuf>, String> {
    let directories = search_path();
    let find = |name: &str| program_in(&directories, name);
    match solver {
        "none" => Ok(None),
        "auto" => Ok(SolverProgram::NAMES.iter().find_map(|name| find(name))),
        name if Path::new(name).components().count() > 1 => {
            let path = PathBuf::from(name);
            path.is_file().then_some(Some(path)).ok_or_else(|| format!("there is no program `{name}`"))
        }
        name => find(name).map(Some).ok_or_else(|| {
            format!("there is no program `{name}` on PATH; `auto` uses what is installed, `none` nothing")
        }),
    }
}

/// Returns the directories of `PATH`, and that of the programs of PyPI's packages, which need not be on it.
fn search_path() -> Vec<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let packages = env::home_dir().map(|home| home.join(".local/bin"));
    // A relative directory would be that of the project.
    env::split_paths(&path).chain(packages).filter(|directory| directory.is_absolute()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_named_must_exist() {
        let wrong = |solver: &str| program(solver).expect_err("no such program");
        assert_eq!(wrong("./no/z3"), "there is no program `./no/z3`");
        assert!(wrong("no-such-solver").starts_with("there is no program `no-such-solver` on PATH"));
        assert_eq!(program("none"), Ok(None));
        assert!(program("auto").is_ok());
    }
}
