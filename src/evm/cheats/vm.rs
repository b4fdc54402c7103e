//! List of the cheatcodes. Exactly the cheatcodes listed here are implemented, and the assertions.
//!
//! The overloads of `assert*` come from the table in [`super::asserts`]. Signatures and
//! selectors are those of Forge 1.8's `Vm` interface, which has all of 1.7.1's.

alloy_sol_types::sol! {
    #[derive(Debug)]
    interface Vm {
        error CheatcodeError(string message);

        struct Log { bytes32[] topics; bytes data; address emitter; }
        struct Wallet { address addr; uint256 publicKeyX; uint256 publicKeyY; uint256 privateKey; }
        struct Gas {
            uint64 gasLimit; uint64 gasTotalUsed; uint64 gasMemoryUsed; int64 gasRefunded;
            uint64 gasRemaining;
        }
        struct PotentialRevert { address reverter; bool partialMatch; bytes revertData; }
        struct DirEntry { string errorMessage; string path; uint64 depth; bool isDir; bool isSymlink; }
        struct FsMetadata {
            bool isDir; bool isSymlink; uint256 length; bool readOnly; uint256 modified; uint256 accessed;
            uint256 created;
        }
        struct Rpc { string key; string url; }
        struct Chain { string name; uint256 chainId; string chainAlias; string rpcUrl; }
        struct BroadcastTxSummary {
            bytes32 txHash; uint8 txType; address contractAddress; uint64 blockNumber; bool success;
        }
        struct ChainInfo { uint256 forkId; uint256 chainId; }
        struct StorageAccess {
            address account; bytes32 slot; bool isWrite; bytes32 previousValue; bytes32 newValue;
            bool reverted;
        }
        struct AccountAccess {
            ChainInfo chainInfo; uint8 kind; address account; address accessor; bool initialized;
            uint256 oldBalance; uint256 newBalance; bytes deployedCode; uint256 value; bytes data;
            bool reverted; StorageAccess[] storageAccesses; uint64 depth; uint64 oldNonce; uint64 newNonce;
        }
        struct AccessListItem { address target; bytes32[] storageKeys; }
        struct DebugStep {
            uint256[] stack; bytes memoryInput; uint8 opcode; uint64 depth; bool isOutOfGas;
            address contractAddr;
        }
        struct EthGetLogs {
            address emitter; bytes32[] topics; bytes data; bytes32 blockHash; uint64 blockNumber;
            bytes32 transactionHash; uint64 transactionIndex; uint256 logIndex; bool removed;
        }
        struct SignedDelegation { uint8 v; bytes32 r; bytes32 s; uint64 nonce; address implementation; }
        struct FfiResult { int32 exitCode; bytes stdout; bytes stderr; }

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
        function setEvmVersion(string version);
        function isIsolateMode() returns (bool);

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
        function cloneAccount(address source, address target);
        function dumpState(string path);
        function loadAllocs(string path);
        function accessList(AccessListItem[] access);
        function noAccessList();
        function executeTransaction(bytes raw) returns (bytes);
        function setArbitraryStorage(address target);
        function setArbitraryStorage(address target, bool overwrite);

        // Storage hooks (Forge 1.8).
        function registerSloadHook(address target, bytes4 callback);
        function registerSstoreHook(address target, bytes4 callback);
        function registerMappingSstoreHook(address target, bytes32 rootSlot, bytes4 callback);

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

        // Pranks.
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
        function mockCall(address callee, bytes data, bytes result, bool injectCode);
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
        function _expectCheatcodeRevert();
        function _expectCheatcodeRevert(bytes4 reason);
        function _expectCheatcodeRevert(bytes reason);
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
        function expectEmitAnonymous(
            bool topic0, bool topic1, bool topic2, bool topic3, bool data, address emitter
        );
        function expectCall(address callee, bytes data);
        function expectCall(address callee, bytes data, uint64 count);
        function expectCall(address callee, uint256 value, bytes data);
        function expectCall(address callee, uint256 value, bytes data, uint64 count);
        function expectCall(address callee, uint256 value, uint64 gas, bytes data);
        function expectCall(address callee, uint256 value, uint64 gas, bytes data, uint64 count);
        function expectCallMinGas(address callee, uint256 value, uint64 gas, bytes data);
        function expectCallMinGas(address callee, uint256 value, uint64 gas, bytes data, uint64 count);
        function expectDelegateCall(address callee, bytes data);
        function expectCreate(bytes code, address deployer);
        function expectCreate2(bytes code, address deployer);

        // Assumptions and skipped tests.
        function assume(bool condition);
        function assumeNoRevert();
        function assumeNoRevert(PotentialRevert potential);
        function assumeNoRevert(PotentialRevert[] potential);
        function skip(bool skipTest);
        function skip(bool skipTest, string reason);

        function expectSafeMemory(uint64 min, uint64 max);
        function expectSafeMemoryCall(uint64 min, uint64 max);
        function stopExpectSafeMemory();

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
        function getMappingKeyAndParentOf(address target, bytes32 slot)
            returns (bool found, bytes32 key, bytes32 parent);

        function startStateDiffRecording();
        function stopAndReturnStateDiff() returns (AccountAccess[]);
        function getStorageAccesses() returns (StorageAccess[]);
        function getStateDiff() returns (string);
        function getStateDiffJson() returns (string);
        function getStorageSlots(address target, string variableName) returns (uint256[]);
        function getRecordedLogsJson() returns (string);
        function interceptInitcode();
        function startDebugTraceRecording();
        function stopAndReturnDebugTraceRecording() returns (DebugStep[]);

        // Gas.
        function pauseGasMetering();
        function resumeGasMetering();
        function resetGasMetering();
        function lastCallGas() returns (Gas);
        function lastFrameGas() returns (Gas);

        // Keys.
        function addr(uint256 privateKey) returns (address);
        function createWallet(string label) returns (Wallet);
        function createWallet(uint256 privateKey) returns (Wallet);
        function createWallet(uint256 privateKey, string label) returns (Wallet);
        function rememberKey(uint256 privateKey) returns (address);
        function rememberKeys(string mnemonic, string path, uint32 count) returns (address[]);
        function rememberKeys(string mnemonic, string path, string language, uint32 count)
            returns (address[]);
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

        function signWithNonceUnsafe(uint256 privateKey, bytes32 digest, uint256 nonce)
            returns (uint8 v, bytes32 r, bytes32 s);
        function signP256(uint256 privateKey, bytes32 digest) returns (bytes32 r, bytes32 s);
        function publicKeyP256(uint256 privateKey) returns (uint256 x, uint256 y);
        function createEd25519Key(bytes32 salt) returns (bytes32 publicKey, bytes32 privateKey);
        function publicKeyEd25519(bytes32 privateKey) returns (bytes32);
        function signEd25519(bytes namespace, bytes message, bytes32 privateKey) returns (bytes);
        function verifyEd25519(bytes signature, bytes namespace, bytes message, bytes32 publicKey)
            returns (bool);

        // Points of secp256k1.
        function ecAddAffine(uint256 x1, uint256 y1, uint256 x2, uint256 y2)
            returns (uint256 x, uint256 y);
        function ecAddProjective(
            uint256 x1, uint256 y1, uint256 z1, uint256 x2, uint256 y2, uint256 z2
        ) returns (uint256 x, uint256 y, uint256 z);
        function ecMulAffine(uint256 pointX, uint256 pointY, uint256 scalar)
            returns (uint256 x, uint256 y);
        function ecMulProjective(uint256 pointX, uint256 pointY, uint256 pointZ, uint256 scalar)
            returns (uint256 x, uint256 y, uint256 z);

        // Hashes and encodings.
        function toRlp(bytes[] data) returns (bytes);
        function fromRlp(bytes rlp) returns (bytes[]);
        function ensNamehash(string name) returns (bytes32);
        function eip712HashType(string typeNameOrDefinition) returns (bytes32);
        function eip712HashType(string bindingsPath, string typeName) returns (bytes32);
        function eip712HashStruct(string typeNameOrDefinition, bytes data) returns (bytes32);
        function eip712HashStruct(string bindingsPath, string typeName, bytes data) returns (bytes32);
        function eip712HashTypedData(string json) returns (bytes32);

        // Prompts.
        function prompt(string text) returns (string);
        function promptSecret(string text) returns (string);
        function promptAddress(string text) returns (address);
        function promptUint(string text) returns (uint256);
        function promptSecretUint(string text) returns (uint256);

        // Gas snapshots.
        function snapshotValue(string name, uint256 value);
        function snapshotValue(string group, string name, uint256 value);
        function snapshotGasLastCall(string name) returns (uint64);
        function snapshotGasLastCall(string group, string name) returns (uint64);
        function snapshotGasLastFrame(string name) returns (uint64);
        function snapshotGasLastFrame(string group, string name) returns (uint64);
        function startSnapshotGas(string name);
        function startSnapshotGas(string group, string name);
        function stopSnapshotGas() returns (uint64);
        function stopSnapshotGas(string name) returns (uint64);
        function stopSnapshotGas(string group, string name) returns (uint64);

        // Chains and RPC endpoints.
        function rpcUrl(string name) returns (string);
        function rpcUrls() returns (string[2][]);
        function rpcUrlStructs() returns (Rpc[]);
        function getChain(string chainAlias) returns (Chain);
        function getChain(uint256 chainId) returns (Chain);

        // Forks.
        function createFork(string urlOrAlias) returns (uint256);
        function createFork(string urlOrAlias, uint256 number) returns (uint256);
        function createFork(string urlOrAlias, bytes32 hash) returns (uint256);
        function createSelectFork(string urlOrAlias) returns (uint256);
        function createSelectFork(string urlOrAlias, uint256 number) returns (uint256);
        function createSelectFork(string urlOrAlias, bytes32 hash) returns (uint256);
        function selectFork(uint256 id);
        function activeFork() returns (uint256);
        function rollFork(uint256 number);
        function rollFork(uint256 id, uint256 number);
        function rollFork(bytes32 hash);
        function rollFork(uint256 id, bytes32 hash);
        function transact(bytes32 hash);
        function transact(uint256 id, bytes32 hash);
        function getRawBlockHeader(uint256 number) returns (bytes);
        function makePersistent(address account);
        function makePersistent(address first, address second);
        function makePersistent(address first, address second, address third);
        function makePersistent(address[] accounts);
        function revokePersistent(address account);
        function revokePersistent(address[] accounts);
        function isPersistent(address account) returns (bool);
        function rpc(string method, string params) returns (bytes);
        function rpc(string urlOrAlias, string method, string params) returns (bytes);
        function rpcJson(string method, string params) returns (string);
        function rpcJson(string urlOrAlias, string method, string params) returns (string);
        function eth_getLogs(uint256 fromBlock, uint256 toBlock, address target, bytes32[] topics)
            returns (EthGetLogs[]);

        // Scripts.
        function broadcast();
        function broadcast(address signer);
        function broadcast(uint256 privateKey);
        function startBroadcast();
        function startBroadcast(address signer);
        function startBroadcast(uint256 privateKey);
        function stopBroadcast();
        function attachBlob(bytes blob);
        function broadcastRawTransaction(bytes raw);
        function attachDelegation(SignedDelegation signed);
        function attachDelegation(SignedDelegation signed, bool crossChain);
        function signDelegation(address implementation, uint256 privateKey) returns (SignedDelegation);
        function signDelegation(address implementation, uint256 privateKey, uint64 nonce)
            returns (SignedDelegation);
        function signDelegation(address implementation, uint256 privateKey, bool crossChain)
            returns (SignedDelegation);
        function signAndAttachDelegation(address implementation, uint256 privateKey)
            returns (SignedDelegation);
        function signAndAttachDelegation(address implementation, uint256 privateKey, uint64 nonce)
            returns (SignedDelegation);
        function signAndAttachDelegation(address implementation, uint256 privateKey, bool crossChain)
            returns (SignedDelegation);
        function getBroadcast(string contractName, uint64 chain, uint8 kind) returns (BroadcastTxSummary);
        function getBroadcasts(string contractName, uint64 chain) returns (BroadcastTxSummary[]);
        function getBroadcasts(string contractName, uint64 chain, uint8 kind) returns (BroadcastTxSummary[]);
        function getDeployment(string contractName) returns (address);
        function getDeployment(string contractName, uint64 chain) returns (address);
        function getDeployments(string contractName, uint64 chain) returns (address[]);

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
        function ffiUint(string[] command) returns (uint256);
        function ffiString(string[] command) returns (string);
        function ffiBytes(string[] command) returns (bytes);
        function tryFfi(string[] command) returns (FfiResult);
        function resolveEnv(string text) returns (string);
        function getFoundryVersion() returns (string);
        function foundryVersionCmp(string version) returns (int256);
        function foundryVersionAtLeast(string version) returns (bool);
        function breakpoint(string name);
        function breakpoint(string name, bool value);
        function pauseTracing();
        function resumeTracing();

        // Files.
        function readFile(string path) returns (string);
        function readFileBinary(string path) returns (bytes);
        function readLine(string path) returns (string);
        function closeFile(string path);
        function writeFile(string path, string data);
        function writeFileBinary(string path, bytes data);
        function writeLine(string path, string data);
        function copyFile(string from, string to) returns (uint64);
        function removeFile(string path);
        function exists(string path) returns (bool);
        function isFile(string path) returns (bool);
        function isDir(string path) returns (bool);
        function fsMetadata(string path) returns (FsMetadata);
        function createDir(string path, bool recursive);
        function removeDir(string path, bool recursive);
        function readLink(string linkPath) returns (string);
        function readDir(string path) returns (DirEntry[]);
        function readDir(string path, uint64 maxDepth) returns (DirEntry[]);
        function readDir(string path, uint64 maxDepth, bool followLinks) returns (DirEntry[]);
        function currentFilePath() returns (string);

        // JSON.
        function keyExists(string json, string key) returns (bool);
        function keyExistsJson(string json, string key) returns (bool);
        function parseJsonKeys(string json, string key) returns (string[]);
        function parseJsonArrayLength(string json, string key) returns (uint256);
        function parseJson(string json) returns (bytes);
        function parseJson(string json, string key) returns (bytes);
        function parseJsonType(string json, string typeDescription) returns (bytes);
        function parseJsonType(string json, string key, string typeDescription) returns (bytes);
        function parseJsonTypeArray(string json, string key, string typeDescription) returns (bytes);
        function parseJsonBool(string json, string key) returns (bool);
        function parseJsonBool(string json, string key, bool defaultValue) returns (bool);
        function parseJsonBoolArray(string json, string key) returns (bool[]);
        function parseJsonBoolArray(string json, string key, bool[] defaultValue) returns (bool[]);
        function parseJsonUint(string json, string key) returns (uint256);
        function parseJsonUint(string json, string key, uint256 defaultValue) returns (uint256);
        function parseJsonUintArray(string json, string key) returns (uint256[]);
        function parseJsonUintArray(string json, string key, uint256[] defaultValue) returns (uint256[]);
        function parseJsonInt(string json, string key) returns (int256);
        function parseJsonInt(string json, string key, int256 defaultValue) returns (int256);
        function parseJsonIntArray(string json, string key) returns (int256[]);
        function parseJsonIntArray(string json, string key, int256[] defaultValue) returns (int256[]);
        function parseJsonAddress(string json, string key) returns (address);
        function parseJsonAddress(string json, string key, address defaultValue) returns (address);
        function parseJsonAddressArray(string json, string key) returns (address[]);
        function parseJsonAddressArray(string json, string key, address[] defaultValue) returns (address[]);
        function parseJsonBytes32(string json, string key) returns (bytes32);
        function parseJsonBytes32(string json, string key, bytes32 defaultValue) returns (bytes32);
        function parseJsonBytes32Array(string json, string key) returns (bytes32[]);
        function parseJsonBytes32Array(string json, string key, bytes32[] defaultValue) returns (bytes32[]);
        function parseJsonString(string json, string key) returns (string);
        function parseJsonString(string json, string key, string defaultValue) returns (string);
        function parseJsonStringArray(string json, string key) returns (string[]);
        function parseJsonStringArray(string json, string key, string[] defaultValue) returns (string[]);
        function parseJsonBytes(string json, string key) returns (bytes);
        function parseJsonBytes(string json, string key, bytes defaultValue) returns (bytes);
        function parseJsonBytesArray(string json, string key) returns (bytes[]);
        function parseJsonBytesArray(string json, string key, bytes[] defaultValue) returns (bytes[]);
        function serializeBool(string objectKey, string valueKey, bool value) returns (string);
        function serializeBool(string objectKey, string valueKey, bool[] values) returns (string);
        function serializeUint(string objectKey, string valueKey, uint256 value) returns (string);
        function serializeUint(string objectKey, string valueKey, uint256[] values) returns (string);
        function serializeInt(string objectKey, string valueKey, int256 value) returns (string);
        function serializeInt(string objectKey, string valueKey, int256[] values) returns (string);
        function serializeAddress(string objectKey, string valueKey, address value) returns (string);
        function serializeAddress(string objectKey, string valueKey, address[] values) returns (string);
        function serializeBytes32(string objectKey, string valueKey, bytes32 value) returns (string);
        function serializeBytes32(string objectKey, string valueKey, bytes32[] values) returns (string);
        function serializeString(string objectKey, string valueKey, string value) returns (string);
        function serializeString(string objectKey, string valueKey, string[] values) returns (string);
        function serializeBytes(string objectKey, string valueKey, bytes value) returns (string);
        function serializeBytes(string objectKey, string valueKey, bytes[] values) returns (string);
        function serializeUintToHex(string objectKey, string valueKey, uint256 value) returns (string);
        function serializeJson(string objectKey, string value) returns (string);
        function serializeJsonType(string typeDescription, bytes value) returns (string);
        function serializeJsonType(string objectKey, string valueKey, string typeDescription, bytes value)
            returns (string);
        function writeJson(string json, string path);
        function writeJson(string json, string path, string valueKey);

        // TOML.
        function keyExistsToml(string toml, string key) returns (bool);
        function parseTomlKeys(string toml, string key) returns (string[]);
        function parseToml(string toml) returns (bytes);
        function parseToml(string toml, string key) returns (bytes);
        function parseTomlType(string toml, string typeDescription) returns (bytes);
        function parseTomlType(string toml, string key, string typeDescription) returns (bytes);
        function parseTomlTypeArray(string toml, string key, string typeDescription) returns (bytes);
        function parseTomlBool(string toml, string key) returns (bool);
        function parseTomlBool(string toml, string key, bool defaultValue) returns (bool);
        function parseTomlBoolArray(string toml, string key) returns (bool[]);
        function parseTomlBoolArray(string toml, string key, bool[] defaultValue) returns (bool[]);
        function parseTomlUint(string toml, string key) returns (uint256);
        function parseTomlUint(string toml, string key, uint256 defaultValue) returns (uint256);
        function parseTomlUintArray(string toml, string key) returns (uint256[]);
        function parseTomlUintArray(string toml, string key, uint256[] defaultValue) returns (uint256[]);
        function parseTomlInt(string toml, string key) returns (int256);
        function parseTomlInt(string toml, string key, int256 defaultValue) returns (int256);
        function parseTomlIntArray(string toml, string key) returns (int256[]);
        function parseTomlIntArray(string toml, string key, int256[] defaultValue) returns (int256[]);
        function parseTomlAddress(string toml, string key) returns (address);
        function parseTomlAddress(string toml, string key, address defaultValue) returns (address);
        function parseTomlAddressArray(string toml, string key) returns (address[]);
        function parseTomlAddressArray(string toml, string key, address[] defaultValue) returns (address[]);
        function parseTomlBytes32(string toml, string key) returns (bytes32);
        function parseTomlBytes32(string toml, string key, bytes32 defaultValue) returns (bytes32);
        function parseTomlBytes32Array(string toml, string key) returns (bytes32[]);
        function parseTomlBytes32Array(string toml, string key, bytes32[] defaultValue) returns (bytes32[]);
        function parseTomlString(string toml, string key) returns (string);
        function parseTomlString(string toml, string key, string defaultValue) returns (string);
        function parseTomlStringArray(string toml, string key) returns (string[]);
        function parseTomlStringArray(string toml, string key, string[] defaultValue) returns (string[]);
        function parseTomlBytes(string toml, string key) returns (bytes);
        function parseTomlBytes(string toml, string key, bytes defaultValue) returns (bytes);
        function parseTomlBytesArray(string toml, string key) returns (bytes[]);
        function parseTomlBytesArray(string toml, string key, bytes[] defaultValue) returns (bytes[]);
        function writeToml(string json, string path);
        function writeToml(string json, string path, string valueKey);

        // Code.
        function getCode(string artifact) returns (bytes);
        function getDeployedCode(string artifact) returns (bytes);
        function getSelectors(string artifact) returns (bytes4[]);
        function getArtifactPathByCode(bytes code) returns (string);
        function getArtifactPathByDeployedCode(bytes code) returns (string);
        function deployCode(string artifact) returns (address);
        function deployCode(string artifact, bytes arguments) returns (address);
        function deployCode(string artifact, uint256 value) returns (address);
        function deployCode(string artifact, bytes arguments, uint256 value) returns (address);
        function deployCode(string artifact, bytes32 salt) returns (address);
        function deployCode(string artifact, bytes arguments, bytes32 salt) returns (address);
        function deployCode(string artifact, uint256 value, bytes32 salt) returns (address);
        function deployCode(string artifact, bytes arguments, uint256 value, bytes32 salt) returns (address);

        // Utilities.
        function label(address account, string name);
        function getLabel(address account) returns (string);
        function computeCreateAddress(address deployer, uint256 nonce) returns (address);
        function computeCreate2Address(bytes32 salt, bytes32 initCodeHash) returns (address);
        function computeCreate2Address(bytes32 salt, bytes32 initCodeHash, address deployer)
            returns (address);
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
