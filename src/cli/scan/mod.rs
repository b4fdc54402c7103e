//! `forge-harvey scan`: calls contracts whose code is compiled already, on a chain or in files.
//!
//! | file | content |
//! |---|---|
//! | `contracts` | the contracts that the flags name, and their suites |
//! | `interfaces` | files with code and ABIs, and Sourcify's directories |

mod contracts;
mod interfaces;

use super::{
    ExitStatus,
    args::{GlobalArgs, ScanArgs},
    project::{self, LazyFork},
    test::{self, Round, TestRun},
};
use crate::config::Config;
use anyhow::{Context as _, Result};
use contracts::NamedContracts;
use std::sync::Arc;

/// Runs the command.
///
/// # Errors
/// When the flags name a contract without code or without interface, when the node does not answer, and as `test`.
pub(super) fn run(args: &ScanArgs, global: &GlobalArgs) -> Result<ExitStatus> {
    let test = args.as_test();
    let console = &mut test::console_of(&test, global);
    let (mut loaded, is_in_project) = project::load_anywhere(&test, global, console)?;
    if args.campaign.search.corpus.is_none() {
        let Config { paths, rpc, .. } = &mut loaded.config;
        paths.corpus = paths.root.join("cache/harvey/deployed").join(args.corpus_name(rpc.url.as_deref()));
    }
    let run = TestRun { args: &test, global, config: &loaded.config };
    let results = run.open_results(&loaded, false)?;
    let fork = LazyFork::new(&loaded, run.budget());
    let mut project = match is_in_project {
        true => project::compile_to_run(&fork, console)?,
        false => Arc::default(),
    };
    let mut contracts = NamedContracts::new(&args.code, &project)?;
    if !args.code.address.is_empty() {
        contracts.ask_chain(&args.code, fork.configured()?)?;
    }
    contracts.read_files(&args.code)?;
    contracts.check_abis()?;
    if args.list {
        console.print(&contracts.listing(global.json))?;
        return Ok(ExitStatus::Success);
    }
    let (suites, added) = contracts.into_suites();
    Arc::get_mut(&mut project).context("the project is in use")?.add(added);
    let (plan, context) = project::plan(project, &fork, suites, run.options(None))?;
    run.run_plan(&plan, &context, &Round::default(), results, console)
}
