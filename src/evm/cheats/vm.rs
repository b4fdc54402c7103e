//! The list of cheatcodes: what stands here is implemented, what is implemented stands here.
//!
//! The `assert*` family is not written out: its overloads come from the table in [`super::asserts`].
//! Signatures and selectors are those of Forge 1.7.1's `Vm` interface.

alloy_sol_types::sol! {
    #[derive(Debug)]
    interface Vm {
        error CheatcodeError(string message);

        struct Log { bytes32[] topics; bytes data; address emitter; }
        struct Wallet { address addr; uint256 publicKeyX; uint256 publicKeyY; uint256 privateKey; }
        struct Gas { uint64 gasLimit; uint64 gasTotalUsed; uint64 gasMemoryUsed; int64 gasRefunded; uint64 gasRemaining; }
        struct PotentialRevert { address reverter; bool partialMatch; bytes revertData; }

        // The block and the transaction.
        function warp(uint256 timestamp);
        function roll(uint256 number);
        function fee(uint256 baseFee);
        function chainId(uint256 id);
        function coinbase(address beneficiary);
        function difficulty(uint256 value);
        function prevrandao(bytes32 value);
        function prevrandao(uint256 value);
        function txGasPrice(uint256 price);
        function blobBaseFee(uint256 fee);
        function getBlobBaseFee() returns (uint256);
        function blobhashes(bytes32[] hashes);
        function getBlobhashes() returns (bytes32[]);
        function setBlockhash(uint256 number, bytes32 hash);
        function getBlockTimestamp() returns (uint256);
        function getBlockNumber() returns (uint256);
        function getChainId() returns (uint256);
        function getEvmVersion() returns (string);

        // Accounts.
        function deal(address account, uint256 balance);
        function etch(address target, bytes code);
        function store(address target, bytes32 slot, bytes32 value);
        function load(address target, bytes32 slot) returns (bytes32);
        function getNonce(address account) returns (uint64);
        function getNonce(Wallet wallet) returns (uint64);
        function setNonce(address account, uint64 nonce);
        function setNonceUnsafe(address account, uint64 nonce);
        function resetNonce(address account);
        function cool(address target);
        function coolSlot(address target, bytes32 slot);
        function warmSlot(address target, bytes32 slot);
        function allowCheatcodes(address account);
        function copyStorage(address from, address to);
        function setArbitraryStorage(address target);
        function setArbitraryStorage(address target, bool overwrite);

        // Snapshots.
        function snapshotState() returns (uint256);
        function snapshot() returns (uint256);
        function revertToState(uint256 id) returns (bool);
        function revertTo(uint256 id) returns (bool);
        function revertToStateAndDelete(uint256 id) returns (bool);
        function revertToAndDelete(uint256 id) returns (bool);
        function deleteStateSnapshot(uint256 id) returns (bool);
        function deleteSnapshot(uint256 id) returns (bool);
        function deleteStateSnapshots();
        function deleteSnapshots();

        // Callers.
        function prank(address sender);
        function prank(address sender, address origin);
        function prank(address sender, bool delegateCall);
        function prank(address sender, address origin, bool delegateCall);
        function startPrank(address sender);
        function startPrank(address sender, address origin);
        function startPrank(address sender, bool delegateCall);
        function startPrank(address sender, address origin, bool delegateCall);
        function stopPrank();
        function readCallers() returns (uint8 mode, address sender, address origin);

        // Mocks.
        function mockCall(address callee, bytes data, bytes result);
        function mockCall(address callee, uint256 value, bytes data, bytes result);
        function mockCall(address callee, bytes4 data, bytes result);
        function mockCall(address callee, uint256 value, bytes4 data, bytes result);
        function mockCallRevert(address callee, bytes data, bytes result);
        function mockCallRevert(address callee, uint256 value, bytes data, bytes result);
        function mockCallRevert(address callee, bytes4 data, bytes result);
        function mockCallRevert(address callee, uint256 value, bytes4 data, bytes result);
        function mockCalls(address callee, bytes data, bytes[] results);
        function mockCalls(address callee, uint256 value, bytes data, bytes[] results);
        function mockFunction(address callee, address target, bytes data);
        function clearMockedCalls();

        // Expectations.
        function expectRevert();
        function expectRevert(bytes4 reason);
        function expectRevert(bytes reason);
        function expectRevert(address reverter);
        function expectRevert(bytes4 reason, address reverter);
        function expectRevert(bytes reason, address reverter);
        function expectRevert(uint64 count);
        function expectRevert(bytes4 reason, uint64 count);
        function expectRevert(bytes reason, uint64 count);
        function expectRevert(address reverter, uint64 count);
        function expectRevert(bytes4 reason, address reverter, uint64 count);
        function expectRevert(bytes reason, address reverter, uint64 count);
        function expectPartialRevert(bytes4 reason);
        function expectPartialRevert(bytes4 reason, address reverter);
        function expectEmit();
        function expectEmit(address emitter);
        function expectEmit(uint64 count);
        function expectEmit(address emitter, uint64 count);
        function expectEmit(bool topic1, bool topic2, bool topic3, bool data);
        function expectEmit(bool topic1, bool topic2, bool topic3, bool data, address emitter);
        function expectEmit(bool topic1, bool topic2, bool topic3, bool data, uint64 count);
        function expectEmit(bool topic1, bool topic2, bool topic3, bool data, address emitter, uint64 count);
        function expectEmitAnonymous();
        function expectEmitAnonymous(address emitter);
        function expectEmitAnonymous(bool topic0, bool topic1, bool topic2, bool topic3, bool data);
        function expectEmitAnonymous(bool topic0, bool topic1, bool topic2, bool topic3, bool data, address emitter);
        function expectCall(address callee, bytes data);
        function expectCall(address callee, bytes data, uint64 count);
        function expectCall(address callee, uint256 value, bytes data);
        function expectCall(address callee, uint256 value, bytes data, uint64 count);
        function expectCall(address callee, uint256 value, uint64 gas, bytes data);
        function expectCall(address callee, uint256 value, uint64 gas, bytes data, uint64 count);
        function expectCallMinGas(address callee, uint256 value, uint64 gas, bytes data);
        function expectCallMinGas(address callee, uint256 value, uint64 gas, bytes data, uint64 count);
        function expectCreate(bytes code, address deployer);
        function expectCreate2(bytes code, address deployer);

        // Verdicts.
        function assume(bool condition);
        function assumeNoRevert();
        function assumeNoRevert(PotentialRevert potential);
        function assumeNoRevert(PotentialRevert[] potential);
        function skip(bool skipTest);
        function skip(bool skipTest, string reason);

        // Recordings.
        function record();
        function stopRecord();
        function accesses(address target) returns (bytes32[] reads, bytes32[] writes);
        function recordLogs();
        function getRecordedLogs() returns (Log[]);
        function startMappingRecording();
        function stopMappingRecording();
        function getMappingLength(address target, bytes32 slot) returns (uint256);
        function getMappingSlotAt(address target, bytes32 slot, uint256 index) returns (bytes32);
        function getMappingKeyAndParentOf(address target, bytes32 slot) returns (bool found, bytes32 key, bytes32 parent);

        // Gas.
        function pauseGasMetering();
        function resumeGasMetering();
        function resetGasMetering();
        function lastCallGas() returns (Gas);

        // Keys.
        function addr(uint256 privateKey) returns (address);
        function createWallet(string label) returns (Wallet);
        function createWallet(uint256 privateKey) returns (Wallet);
        function createWallet(uint256 privateKey, string label) returns (Wallet);
        function rememberKey(uint256 privateKey) returns (address);
        function rememberKeys(string mnemonic, string path, uint32 count) returns (address[]);
        function rememberKeys(string mnemonic, string path, string language, uint32 count) returns (address[]);
        function deriveKey(string mnemonic, uint32 index) returns (uint256);
        function deriveKey(string mnemonic, string path, uint32 index) returns (uint256);
        function deriveKey(string mnemonic, uint32 index, string language) returns (uint256);
        function deriveKey(string mnemonic, string path, uint32 index, string language) returns (uint256);
        function getWallets() returns (address[]);
        function sign(uint256 privateKey, bytes32 digest) returns (uint8 v, bytes32 r, bytes32 s);
        function sign(Wallet wallet, bytes32 digest) returns (uint8 v, bytes32 r, bytes32 s);
        function sign(bytes32 digest) returns (uint8 v, bytes32 r, bytes32 s);
        function sign(address signer, bytes32 digest) returns (uint8 v, bytes32 r, bytes32 s);
        function signCompact(uint256 privateKey, bytes32 digest) returns (bytes32 r, bytes32 vs);
        function signCompact(Wallet wallet, bytes32 digest) returns (bytes32 r, bytes32 vs);
        function signCompact(bytes32 digest) returns (bytes32 r, bytes32 vs);
        function signCompact(address signer, bytes32 digest) returns (bytes32 r, bytes32 vs);

        // Strings.
        function toString(address value) returns (string);
        function toString(bytes value) returns (string);
        function toString(bytes32 value) returns (string);
        function toString(bool value) returns (string);
        function toString(uint256 value) returns (string);
        function toString(int256 value) returns (string);
        function parseAddress(string text) returns (address);
        function parseBytes(string text) returns (bytes);
        function parseBytes32(string text) returns (bytes32);
        function parseBool(string text) returns (bool);
        function parseUint(string text) returns (uint256);
        function parseInt(string text) returns (int256);
        function toLowercase(string text) returns (string);
        function toUppercase(string text) returns (string);
        function trim(string text) returns (string);
        function replace(string text, string from, string to) returns (string);
        function split(string text, string delimiter) returns (string[]);
        function indexOf(string text, string key) returns (uint256);
        function contains(string text, string key) returns (bool);
        function toBase64(bytes data) returns (string);
        function toBase64(string data) returns (string);
        function toBase64URL(bytes data) returns (string);
        function toBase64URL(string data) returns (string);

        // The environment.
        function setEnv(string name, string value);
        function envExists(string name) returns (bool);
        function envBool(string name) returns (bool);
        function envUint(string name) returns (uint256);
        function envInt(string name) returns (int256);
        function envAddress(string name) returns (address);
        function envBytes32(string name) returns (bytes32);
        function envString(string name) returns (string);
        function envBytes(string name) returns (bytes);
        function envBool(string name, string delimiter) returns (bool[]);
        function envUint(string name, string delimiter) returns (uint256[]);
        function envInt(string name, string delimiter) returns (int256[]);
        function envAddress(string name, string delimiter) returns (address[]);
        function envBytes32(string name, string delimiter) returns (bytes32[]);
        function envString(string name, string delimiter) returns (string[]);
        function envBytes(string name, string delimiter) returns (bytes[]);
        function envOr(string name, bool fallbackValue) returns (bool);
        function envOr(string name, uint256 fallbackValue) returns (uint256);
        function envOr(string name, int256 fallbackValue) returns (int256);
        function envOr(string name, address fallbackValue) returns (address);
        function envOr(string name, bytes32 fallbackValue) returns (bytes32);
        function envOr(string name, string fallbackValue) returns (string);
        function envOr(string name, bytes fallbackValue) returns (bytes);
        function envOr(string name, string delimiter, bool[] fallbackValue) returns (bool[]);
        function envOr(string name, string delimiter, uint256[] fallbackValue) returns (uint256[]);
        function envOr(string name, string delimiter, int256[] fallbackValue) returns (int256[]);
        function envOr(string name, string delimiter, address[] fallbackValue) returns (address[]);
        function envOr(string name, string delimiter, bytes32[] fallbackValue) returns (bytes32[]);
        function envOr(string name, string delimiter, string[] fallbackValue) returns (string[]);
        function envOr(string name, string delimiter, bytes[] fallbackValue) returns (bytes[]);
        function isContext(uint8 context) returns (bool);
        function projectRoot() returns (string);
        function unixTime() returns (uint256);
        function sleep(uint256 milliseconds);
        function ffi(string[] command) returns (bytes);
        function getFoundryVersion() returns (string);
        function foundryVersionCmp(string version) returns (int256);
        function foundryVersionAtLeast(string version) returns (bool);
        function breakpoint(string name);
        function breakpoint(string name, bool value);
        function pauseTracing();
        function resumeTracing();

        // Code.
        function getCode(string artifact) returns (bytes);
        function getDeployedCode(string artifact) returns (bytes);
        function deployCode(string artifact) returns (address);
        function deployCode(string artifact, bytes arguments) returns (address);
        function deployCode(string artifact, uint256 value) returns (address);
        function deployCode(string artifact, bytes arguments, uint256 value) returns (address);
        function deployCode(string artifact, bytes32 salt) returns (address);
        function deployCode(string artifact, bytes arguments, bytes32 salt) returns (address);
        function deployCode(string artifact, uint256 value, bytes32 salt) returns (address);
        function deployCode(string artifact, bytes arguments, uint256 value, bytes32 salt) returns (address);

        // Helpers.
        function label(address account, string name);
        function getLabel(address account) returns (string);
        function computeCreateAddress(address deployer, uint256 nonce) returns (address);
        function computeCreate2Address(bytes32 salt, bytes32 initCodeHash) returns (address);
        function computeCreate2Address(bytes32 salt, bytes32 initCodeHash, address deployer) returns (address);
        function setSeed(uint256 seed);
        function randomUint() returns (uint256);
        function randomUint(uint256 min, uint256 max) returns (uint256);
        function randomUint(uint256 bits) returns (uint256);
        function randomInt() returns (int256);
        function randomInt(uint256 bits) returns (int256);
        function randomAddress() returns (address);
        function randomBool() returns (bool);
        function randomBytes(uint256 length) returns (bytes);
        function randomBytes4() returns (bytes4);
        function randomBytes8() returns (bytes8);
        function bound(uint256 value, uint256 min, uint256 max) returns (uint256);
        function bound(int256 value, int256 min, int256 max) returns (int256);
        function shuffle(uint256[] values) returns (uint256[]);
        function sort(uint256[] values) returns (uint256[]);
    }
}
