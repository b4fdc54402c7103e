//! Utilities: labels, addresses, versions, and cheatcodes that have no effect here.

use super::{
    CheatEnv,
    dispatch::{CheatResult, Cheatcode, Cx, done, ensure},
    json::write::Objects,
    random::CheatRng,
    vm::Vm,
};
use crate::evm::base::constants::CREATE2_DEPLOYER;
use alloy_primitives::{Address, B256, I256, U256};
use semver::Version;
use std::{
    collections::BTreeMap,
    sync::Arc,
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

/// Interval at which `vm.sleep` checks whether the run must end.
const NAP: Duration = Duration::from_millis(20);

/// Forge version whose cheatcodes are implemented.
const FORGE: Version = Version::new(1, 7, 1);

/// Build metadata in Forge's version: commit, time and profile.
const BUILD: &str = "4072e48705.1778226655.dist";

/// Values that tests store for later cheatcodes; no contract sees them.
#[derive(Clone, Debug)]
pub(super) struct UtilityState {
    /// Names of accounts: those of the configuration, and those given with `vm.label`.
    pub(super) labels: Arc<BTreeMap<Address, String>>,
    /// Remembered private keys, by account.
    pub(super) wallets: Arc<BTreeMap<Address, U256>>,
    /// Environment variables.
    pub(super) environment: Arc<BTreeMap<String, String>>,
    /// Objects that are being written as JSON.
    pub(super) objects: Objects,
    pub(super) rng: CheatRng,
}

impl UtilityState {
    pub(super) fn new(env: &CheatEnv) -> Self {
        Self {
            labels: Arc::new(env.config.labels.clone()),
            wallets: Arc::default(),
            environment: Arc::new(env.environment.clone()),
            objects: BTreeMap::new(),
            rng: CheatRng::new(env.seed),
        }
    }

    /// Starts the stream of random numbers again with another seed, unless a number was drawn from it.
    pub(super) fn reseed(&mut self, seed: U256, new_seed: U256) {
        if self.rng == CheatRng::new(seed) {
            self.rng = CheatRng::new(new_seed);
        }
    }

    /// Gives an account a name.
    pub(super) fn label(&mut self, account: Address, name: String) {
        Arc::make_mut(&mut self.labels).insert(account, name);
    }

    /// Remembers the private key of an account.
    pub(super) fn remember(&mut self, account: Address, key: U256) {
        Arc::make_mut(&mut self.wallets).insert(account, key);
    }
}

impl Cheatcode for Vm::labelCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        cx.cheats.utilities.label(self.account, self.name);
        done()
    }
}

impl Cheatcode for Vm::getLabelCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let label = cx.cheats.utilities.labels.get(&self.account).cloned();
        Ok(label.unwrap_or_else(|| format!("unlabeled:{}", self.account)))
    }
}

impl Cheatcode for Vm::computeCreateAddressCall {
    fn apply(self, _: &mut Cx<'_>) -> CheatResult<Self> {
        let nonce = u64::try_from(self.nonce).map_err(|_| "nonce must be less than 2^64")?;
        Ok(self.deployer.create(nonce))
    }
}

fn create2(deployer: Address, salt: B256, init_code_hash: B256) -> Address {
    deployer.create2(salt, init_code_hash)
}

impl Cheatcode for Vm::computeCreate2Address_0Call {
    /// Computes the address for the default deployer. As in Forge, the configured deployer is ignored.
    fn apply(self, _: &mut Cx<'_>) -> CheatResult<Self> {
        Ok(create2(CREATE2_DEPLOYER, self.salt, self.initCodeHash))
    }
}

impl Cheatcode for Vm::computeCreate2Address_1Call {
    fn apply(self, _: &mut Cx<'_>) -> CheatResult<Self> {
        Ok(create2(self.deployer, self.salt, self.initCodeHash))
    }
}

impl Cheatcode for Vm::isContextCall {
    /// Returns true for the `ForgeContext` 0 (the group of test commands) and 1 (`forge test` itself).
    fn apply(self, _: &mut Cx<'_>) -> CheatResult<Self> {
        Ok(self.context <= 1)
    }
}

impl Cheatcode for Vm::projectRootCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        Ok(cx.cheats.shared.root.display().to_string())
    }
}

impl Cheatcode for Vm::unixTimeCall {
    /// Returns the time in milliseconds.
    fn apply(self, _: &mut Cx<'_>) -> CheatResult<Self> {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).map_err(|error| error.to_string())?;
        Ok(U256::from(since.as_millis()))
    }
}

impl Cheatcode for Vm::sleepCall {
    /// Sleeps for real, because commands that a test runs may need the time.
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let limits = &mut cx.ctx.chain.limits;
        let time = Duration::from_millis(self.milliseconds.saturating_to());
        let seconds = time.as_secs_f64();
        ensure!(
            limits.may_sleep(time),
            "{seconds} s are more than the call may still sleep (harvey.call_timeout)"
        );
        let until = Instant::now() + time;
        while !limits.is_requested() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            thread::sleep(left.min(NAP));
        }
        done()
    }
}

impl Cheatcode for Vm::getFoundryVersionCall {
    fn apply(self, _: &mut Cx<'_>) -> CheatResult<Self> {
        Ok(format!("{FORGE}+{BUILD}"))
    }
}

fn compare(version: &str) -> Result<I256, super::dispatch::CheatError> {
    let parsed = Version::parse(version).map_err(|error| format!("invalid version `{version}`: {error}"))?;
    ensure!(parsed.pre.is_empty(), "invalid version `{version}`: pre-release versions are not supported");
    ensure!(parsed.build.is_empty(), "invalid version `{version}`: build metadata is not supported");
    Ok(I256::try_from(FORGE.cmp(&parsed) as i8).expect("an i8 fits"))
}

impl Cheatcode for Vm::foundryVersionCmpCall {
    fn apply(self, _: &mut Cx<'_>) -> CheatResult<Self> {
        compare(&self.version)
    }
}

impl Cheatcode for Vm::foundryVersionAtLeastCall {
    fn apply(self, _: &mut Cx<'_>) -> CheatResult<Self> {
        Ok(!compare(&self.version)?.is_negative())
    }
}

/// Implements cheatcodes for Forge's debugger and tracer as no-ops.
macro_rules! no_ops {
    ($($call:ident)*) => {$(
        impl Cheatcode for Vm::$call {
            fn apply(self, _: &mut Cx<'_>) -> CheatResult<Self> {
                done()
            }
        }
    )*};
}

no_ops! { pauseTracingCall resumeTracingCall }

/// Checks the name of a breakpoint, which is a letter. It has no other effect, because there is no debugger.
fn breakpoint(name: &str) -> Result<(), super::dispatch::CheatError> {
    let mut letters = name.chars();
    let (Some(letter), None) = (letters.next(), letters.next()) else {
        return Err("breakpoints must be exactly one character".into());
    };
    ensure!(letter.is_alphabetic(), "only alphabetic characters are accepted as breakpoints");
    Ok(())
}

impl Cheatcode for Vm::breakpoint_0Call {
    fn apply(self, _: &mut Cx<'_>) -> CheatResult<Self> {
        breakpoint(&self.name)?;
        done()
    }
}

impl Cheatcode for Vm::breakpoint_1Call {
    fn apply(self, _: &mut Cx<'_>) -> CheatResult<Self> {
        breakpoint(&self.name)?;
        done()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_with_forge_1_7_1() {
        assert_eq!(compare("1.7.1").unwrap(), I256::ZERO);
        assert_eq!(compare("1.8.0").unwrap(), I256::MINUS_ONE);
        assert_eq!(
            compare("1.7.1-nightly").unwrap_err(),
            "invalid version `1.7.1-nightly`: pre-release versions are not supported".into()
        );
    }
}
