//! Permissions and behaviour of cheatcodes.

use alloy_primitives::Address;
use std::{collections::BTreeMap, path::PathBuf};

/// Permissions and behaviour of cheatcodes.
#[derive(Clone, Debug, PartialEq)]
pub struct CheatsConfig {
    /// `ffi`: true if `vm.ffi` may run programs.
    pub ffi: bool,
    /// `fs_permissions`: pairs of access and path. Access is `read`, `write`, `read-write` or `none`.
    pub fs_permissions: Vec<(String, PathBuf)>,
    /// `assertions_revert`: true if a failing `vm.assert*` reverts, false if it only marks the test as
    /// failed.
    pub assertions_revert: bool,
    /// `legacy_assertions`: true if `failed()` of the test contract is checked after each unit test.
    pub legacy_assertions: bool,
    /// `allow_internal_expect_revert`: true if `vm.expectRevert` works for internal calls.
    pub allow_internal_expect_revert: bool,
    /// `always_use_create_2_factory`: true if all salted creations of a test go through the CREATE2 deployer.
    pub always_use_create_2_factory: bool,
    /// `isolate`: true if each call of a test is a separate transaction.
    pub isolate: bool,
    /// `disable_block_gas_limit`: true if isolated calls may use more gas than the block gas limit.
    pub no_block_gas_limit: bool,
    /// `create2_deployer`: address of the CREATE2 deployer, the factory for salted creations.
    pub create2_deployer: Address,
    /// `unchecked_cheatcode_artifacts`: true if `vm.getCode` reads any artifact, not only those of this
    /// build.
    pub unchecked_artifacts: bool,
    /// `out`, absolute: artifacts.
    pub artifacts: PathBuf,
    /// `bind_json.out`, absolute: file with type definitions for typed data (EIP-712).
    pub bindings: PathBuf,
    /// `broadcast`, absolute: records of the deployments of scripts.
    pub broadcast: PathBuf,
    /// `snapshots`, absolute: directory of gas snapshots.
    pub snapshots: PathBuf,
    /// Files with settings and variables, absolute. Cheatcodes cannot write to them.
    pub settings: Vec<PathBuf>,
    /// `gas_snapshot_check`: true if gas snapshots are compared with those written before.
    pub snapshot_check: bool,
    /// `gas_snapshot_emit`: true if gas snapshots are written.
    pub snapshot_emit: bool,
    /// `labels`: names of addresses.
    pub labels: BTreeMap<Address, String>,
    /// True if no cheatcode may write files, whatever the permissions are.
    pub read_only: bool,
}

impl CheatsConfig {
    /// Takes the permission to write files away. Comments in the sources cannot give it back.
    pub fn forbid_writing(&mut self) {
        self.read_only = true;
        for (access, _) in &mut self.fs_permissions {
            *access = if access.starts_with("read") { "read" } else { "none" }.to_owned();
        }
    }
}
