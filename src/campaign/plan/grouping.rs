//! Grouping of the properties of a suite into campaigns, by the configuration in their comments.

use super::{CampaignPlan, Objective, Shown, SuitePlan};
use crate::{
    config::{Config, Feature, InlineError, InlineItem, InvariantConfig, Loaded, inline},
    model::{ContractId, MOST_WORDS, PropertyKind, is_bounded},
    project::{DocComment, Suite},
};
use alloy_json_abi::Param;
use alloy_primitives::U256;
use std::{collections::BTreeMap, path::Path, sync::Arc};

/// Inline configuration by contract and function.
pub(super) struct Comments(BTreeMap<(ContractId, Option<String>), Vec<InlineItem>>);

impl Comments {
    pub(super) fn read(comments: &[DocComment], loaded: &Loaded) -> Result<Self, InlineError> {
        let mut items: BTreeMap<_, Vec<InlineItem>> = BTreeMap::new();
        for comment in joined(comments) {
            let item = inline::parse(&comment.text, Path::new(&comment.path), comment.line, comment.column)?;
            let Some(item) = item else { continue };
            loaded.check_inline(&item)?;
            let id = ContractId { path: comment.path.clone(), name: comment.contract.clone() };
            items.entry((id, comment.function.clone())).or_default().push(item);
        }
        Ok(Self(items))
    }

    fn of(&self, suite: &Suite, function: Option<&str>) -> impl Iterator<Item = &InlineItem> {
        let name = suite.contract.bare_name().to_owned();
        let id = ContractId { path: suite.id().path.clone(), name };
        self.0.get(&(id, function.map(str::to_owned))).into_iter().flatten()
    }
}

/// Joins successive `///` lines to one comment.
fn joined(comments: &[DocComment]) -> Vec<DocComment> {
    let mut joined: Vec<DocComment> = Vec::new();
    for comment in comments {
        match joined.last_mut() {
            Some(last)
                if (&last.path, &last.contract, &last.function)
                    == (&comment.path, &comment.contract, &comment.function)
                    && last.line + last.text.lines().count().max(1) == comment.line =>
            {
                last.text = format!("{}\n{}", last.text, comment.text);
            }
            _ => joined.push(comment.clone()),
        }
    }
    joined
}

/// Returns the plan of a suite.
pub(super) fn suite_plan(mut suite: Suite, comments: &Comments, loaded: &Loaded) -> SuitePlan {
    let of_contract: Vec<&InlineItem> = comments.of(&suite, None).collect();
    let mut invalid = Vec::new();
    let mut groups: Vec<CampaignPlan> = Vec::new();
    let (mut kept, mut shown) = (Vec::new(), Vec::new());
    let (mut properties, mut tests) =
        (std::mem::take(&mut suite.properties), std::mem::take(&mut suite.tests));
    let config = loaded.with_inline(&of_contract).unwrap_or_else(|error| {
        invalid.push(("setUp()".to_owned(), error.to_string()));
        properties.clear();
        tests.clear();
        loaded.config.clone()
    });
    let mut configured = |name: &str, signature: &str, inputs: &[Param]| {
        let of_function: Vec<&InlineItem> = comments.of(&suite, Some(name)).collect();
        let config = loaded.with_inline(&[&of_contract[..], &of_function].concat());
        let config = config.map_err(|error| error.to_string());
        let config = config.and_then(|config| match is_bounded(inputs) {
            true => Ok(config),
            false => Err(format!("its arguments have more than {MOST_WORDS} words")),
        });
        let config = config.map_err(|reason| invalid.push((signature.to_owned(), reason))).ok()?;
        Some((config, written(&of_function)))
    };
    for property in properties {
        let function = &property.function;
        let configured = configured(&function.name, function.signature(), &function.inputs);
        let Some((config, comments)) = configured else { continue };
        let config = if property.kind == PropertyKind::Scan { of_scan(config) } else { config };
        let InvariantConfig { show_solidity, show_metrics, .. } = config.invariant;
        shown.push(Shown { solidity: show_solidity, metrics: show_metrics });
        let index = kept.len();
        kept.push(property);
        let same = groups.iter_mut().find(|group| same_campaign(&group.config, &config));
        match same.map(|group| &mut group.objective) {
            Some(Objective::Invariants(indices)) => indices.push(index),
            _ => {
                let objective = Objective::Invariants(vec![index]);
                let leads = groups.is_empty();
                groups.push(CampaignPlan { config: Arc::new(config), objective, comments, leads, copy: 0 });
            }
        }
    }
    for test in tests {
        let function = &test.function;
        let configured = configured(&function.name, &function.signature(), &function.inputs);
        let Some((config, comments)) = configured else { continue };
        let config = Arc::new(of_one_call(config));
        groups.push(CampaignPlan {
            config,
            objective: Objective::Test(test),
            comments,
            leads: false,
            copy: 0,
        });
    }
    let comments = written(&of_contract);
    suite.properties = kept;
    let config = if suite.is_scan() { of_scan(config) } else { config };
    SuitePlan { suite, invalid, groups, shown, config: Arc::new(config), comments }
}

/// Returns the configuration of a test, which is a campaign with sequences of one call. `[fuzz]` provides the
/// settings that `[invariant]` provides for others. No earlier call can change the state, so demand-driven
/// fuzzing is off.
fn of_one_call(mut config: Config) -> Config {
    let fuzz = &config.fuzz;
    config.invariant = InvariantConfig {
        runs: fuzz.runs,
        depth: 1,
        min_depth: None,
        workers: None,
        payable_value_weight: fuzz.payable_value_weight,
        fail_on_revert: fuzz.fail_on_revert,
        dictionary_weight: fuzz.dictionary_weight,
        include_storage: fuzz.include_storage,
        include_push_bytes: fuzz.include_push_bytes,
        shrink_run_limit: config.invariant.shrink_run_limit,
        max_assume_rejects: fuzz.max_test_rejects,
        timeout: fuzz.timeout,
        call_override: false,
        failure_persist_dir: fuzz.failure_persist_dir.clone(),
        corpus: fuzz.corpus.clone(),
        show_metrics: false,
        show_solidity: false,
        max_time_delay: None,
        max_block_delay: None,
        check_interval: 0,
    };
    config.harvey.without.push(Feature::DemandDriven);
    config
}

/// Maximum length of a sequence in a scan, in calls. There is no test contract that builds up a state over
/// many calls.
const SCAN_DEPTH: u32 = 100;
/// Maximum delays of a call in a scan: a month in seconds, and as many blocks of 12 seconds.
const SCAN_DELAYS: [u32; 2] = [31 * 86_400, 31 * 7_200];
/// Timestamp and number of the block in which a scan begins, unless they are configured. If the time were
/// close to zero, contracts that subtract days from it would only show that failure.
const SCAN_BLOCK: [u64; 2] = [1_700_000_000, 18_500_000];

/// Minimum probability that a call of a payable function in a scan sends value, in percent.
const SCAN_VALUE: u32 = 50;
/// Maximum gas of a call in a scan, which is that of a block. Tests of a project may need more. In a scan the
/// calls are random, and the campaign should not wait until they have used up more gas.
const SCAN_GAS: u64 = 30_000_000;

/// Returns the configuration for a contract without a test contract. It allows as many calls as for
/// invariants, in sequences that let time pass.
fn of_scan(mut config: Config) -> Config {
    let invariant = &mut config.invariant;
    let calls = u64::from(invariant.runs) * u64::from(invariant.depth);
    invariant.depth = invariant.depth.min(SCAN_DEPTH);
    invariant.runs = calls.div_ceil(u64::from(invariant.depth.max(1))).try_into().unwrap_or(u32::MAX);
    invariant.fail_on_revert = false;
    // Most contracts need a deposit first.
    invariant.payable_value_weight = invariant.payable_value_weight.max(SCAN_VALUE);
    // Without an oracle, the effects of calling back would go unnoticed.
    invariant.call_override |= config.harvey.tracks_taint();
    invariant.max_time_delay.get_or_insert(SCAN_DELAYS[0]);
    invariant.max_block_delay.get_or_insert(SCAN_DELAYS[1]);
    let env = &mut config.env;
    env.gas_limit = env.gas_limit.min(SCAN_GAS);
    let begins = [&mut env.block_timestamp, &mut env.block_number];
    for (begin, usual) in begins.into_iter().zip(SCAN_BLOCK) {
        if *begin == U256::ONE {
            *begin = U256::from(usual);
        }
    }
    config
}

fn written(items: &[&InlineItem]) -> Vec<String> {
    items.iter().flat_map(|item| item.lines()).cloned().collect()
}

/// Tells whether two properties can share a campaign: search and execution must have the same settings.
fn same_campaign(a: &Config, b: &Config) -> bool {
    let campaign = |config: &Config| InvariantConfig {
        show_solidity: false,
        show_metrics: true,
        ..config.invariant.clone()
    };
    campaign(a) == campaign(b)
        && a.harvey == b.harvey
        && a.fuzz.seed == b.fuzz.seed
        && a.cheats == b.cheats
        && a.env.evm_version == b.env.evm_version
}
