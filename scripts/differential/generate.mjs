// Generates random unit tests. A test has random statements from the list below, on one set of contracts. Each test has
// its own seed.
import { Random } from "../generate/random.mjs";

/** Contracts that the tests call. */
const CONTRACTS = `
contract Ledger {
    mapping(address => uint256) public balances;
    uint256 public total;
    uint256[] public items;
    string public note;
    error TooMuch(address who, uint256 amount);
    event Moved(address indexed from, address indexed to, uint256 amount);

    receive() external payable { total += msg.value; }
    function deposit(uint256 amount) external payable returns (uint256) {
        unchecked { balances[msg.sender] += amount % 1e24; total += amount % 1e24; }
        emit Moved(address(0), msg.sender, amount);
        return total;
    }
    function withdraw(uint256 amount) external {
        if (balances[msg.sender] < amount) revert TooMuch(msg.sender, amount);
        balances[msg.sender] -= amount;
        total -= amount;
        emit Moved(msg.sender, address(0), amount);
    }
    function push(uint256 value) external { items.push(value); }
    function pop() external { items.pop(); }
    function write(string calldata text) external { note = text; }
    function divide(uint256 a, uint256 b) external pure returns (uint256) { return a / b; }
    function guarded(uint256 a) external view returns (uint256) { require(a > block.timestamp, "too early"); return a; }
    function plain(uint256 a) external pure { require(a % 3 != 0); }
    function asserted(uint256 a) external pure { assert(a % 4 != 0); }
    function spin(uint256 rounds) external view returns (uint256 sum) { for (uint256 i; i < rounds % 64; i++) sum += balances[address(uint160(i))] + i; }
    function who() external view returns (address, address) { return (msg.sender, tx.origin); }
    function times() external view returns (uint256, uint256, uint256) { return (block.timestamp, block.number, block.chainid); }
    function pay(address payable to, uint256 amount) external returns (bool done) { (done,) = to.call{value: amount}(""); }
    function hash(uint256 length) external pure returns (bytes32) { return keccak256(new bytes(length % 4096)); }
    function again(uint256 depth) external returns (uint256) { total += depth; return depth % 6 == 0 ? total : this.again(depth % 6 - 1); }
    function die() external { selfdestruct(payable(msg.sender)); }
}
contract Child {
    uint256 public immutable born = block.number;
    uint256 public value;
    constructor(uint256 v) payable { require(v % 7 != 0, "no child"); value = v; }
    function twice() external returns (uint256) { value *= 2; return value; }
}
contract Factory {
    Child public last;
    function make(uint256 v) external payable returns (Child) { last = new Child{value: msg.value}(v); return last; }
    function make2(uint256 v) external returns (Child) { last = new Child{salt: bytes32(v)}(v); return last; }
}`;

const VM = `
interface Vm {
    function warp(uint256) external;
    function roll(uint256) external;
    function fee(uint256) external;
    function chainId(uint256) external;
    function coinbase(address) external;
    function prevrandao(bytes32) external;
    function txGasPrice(uint256) external;
    function deal(address, uint256) external;
    function etch(address, bytes calldata) external;
    function store(address, bytes32, bytes32) external;
    function load(address, bytes32) external view returns (bytes32);
    function setNonce(address, uint64) external;
    function getNonce(address) external view returns (uint64);
    function prank(address) external;
    function prank(address, address) external;
    function startPrank(address) external;
    function stopPrank() external;
    function expectRevert() external;
    function expectRevert(bytes4) external;
    function expectRevert(bytes calldata) external;
    function expectRevert(uint64) external;
    function expectEmit() external;
    function expectEmit(bool, bool, bool, bool) external;
    function expectCall(address, bytes calldata) external;
    function expectCall(address, bytes calldata, uint64) external;
    function mockCall(address, bytes calldata, bytes calldata) external;
    function mockCallRevert(address, bytes calldata, bytes calldata) external;
    function mockFunction(address, address, bytes calldata) external;
    function clearMockedCalls() external;
    function snapshotState() external returns (uint256);
    function revertToState(uint256) external returns (bool);
    function revertToStateAndDelete(uint256) external returns (bool);
    function deleteStateSnapshot(uint256) external returns (bool);
    function record() external;
    function accesses(address) external returns (bytes32[] memory, bytes32[] memory);
    struct Log { bytes32[] topics; bytes data; address emitter; }
    function recordLogs() external;
    function getRecordedLogs() external returns (Log[] memory);
    function startStateDiffRecording() external;
    function getStateDiff() external view returns (string memory);
    function pauseGasMetering() external;
    function resumeGasMetering() external;
    function resetGasMetering() external;
    function cool(address) external;
    function coolSlot(address, bytes32) external;
    function warmSlot(address, bytes32) external;
    function setEvmVersion(string calldata) external;
    function assume(bool) external;
    function skip(bool) external;
    function label(address, string calldata) external;
    function toString(uint256) external pure returns (string memory);
    function parseUint(string calldata) external pure returns (uint256);
    function assertEq(uint256, uint256) external pure;
    function assertEq(uint256, uint256, string calldata) external pure;
    function assertLt(uint256, uint256) external pure;
    function assertApproxEqAbs(uint256, uint256, uint256) external pure;
    function assertTrue(bool) external pure;
    function addr(uint256) external pure returns (address);
    function sign(uint256, bytes32) external pure returns (uint8, bytes32, bytes32);
    function computeCreateAddress(address, uint256) external pure returns (address);
    function allowCheatcodes(address) external;
    function isPersistent(address) external view returns (bool);
    function lastCallGas() external view returns (uint64, uint64, uint64, int64, uint64);
}
Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
`;

const HEADER = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
`;

/** Returns a generator of random numbers from 0 to 1, 1 excluded. */
function randomOf(seed) {
  const random = new Random(seed);
  return () => Number(random.bits(32)) / 2 ** 32;
}

const pick = (random, list) => list[Math.floor(random() * list.length)];
const whole = (random, below) => Math.floor(random() * below);

/** Returns a random number: small, round, large, or the maximum. */
function number(random) {
  const kind = random();
  if (kind < 0.5) return String(whole(random, 20));
  if (kind < 0.8) return `${1 + whole(random, 99)}e${whole(random, 19)}`;
  return kind < 0.9 ? "type(uint256).max" : `${whole(random, 2 ** 48)}`;
}

const account = (random) => pick(random, ["address(0xA11CE)", "address(0xB0B)", "address(this)", "address(ledger)", "address(factory)", "address(0x1234)"]);
const text = (random) => `"${"abcdefghij klmnopqrstuvwxyz".repeat(3).slice(whole(random, 9), 9 + whole(random, 70))}"`;
const slot = (random) => `bytes32(uint256(${whole(random, 5)}))`;
const version = (random) => pick(random, ["london", "paris", "shanghai", "cancun", "prague", "osaka"]);

/** Returns a random call of a contract. The call may revert. */
function call(random) {
  const n = () => number(random);
  return pick(random, [
    () => `ledger.deposit(${n()})`,
    () => `ledger.deposit{value: ${whole(random, 100)}}(${n()})`,
    () => `ledger.withdraw(${n()})`,
    () => `ledger.push(${n()})`,
    () => `ledger.pop()`,
    () => `ledger.write(${text(random)})`,
    () => `ledger.divide(${n()}, ${n()})`,
    () => `ledger.guarded(${n()})`,
    () => `ledger.plain(${n()})`,
    () => `ledger.asserted(${n()})`,
    () => `ledger.spin(${n()})`,
    () => `ledger.who()`,
    () => `ledger.times()`,
    () => `ledger.pay(payable(${account(random)}), ${whole(random, 50)})`,
    () => `ledger.hash(${n()})`,
    () => `ledger.again(${whole(random, 30)})`,
    () => `factory.make(${n()})`,
    () => `factory.make{value: ${whole(random, 9)}}(${n()})`,
    () => `factory.make2(${n()})`,
    () => `new Child(${n()})`,
  ])();
}

const data = (random) => pick(random, [
  `abi.encodeCall(Ledger.deposit, (${number(random)}))`,
  `abi.encodeWithSelector(Ledger.spin.selector)`,
  `abi.encodeCall(Ledger.who, ())`,
  `abi.encodeWithSelector(Ledger.divide.selector, ${number(random)}, ${number(random)})`,
]);

/** Statements, each with its weight. */
const STATEMENTS = [
  [12, (r) => `${call(r)};`],
  [4, (r) => `try ${call(r)} { seen += 1; } catch (bytes memory why) { seen += why.length; }`],
  [3, (r) => `{ (bool done, bytes memory out) = address(ledger).call{gas: ${20000 + whole(r, 200000)}}(${data(r)}); seen += done ? out.length : 7; }`],
  [1, (r) => `{ (bool done,) = address(ledger).staticcall(${data(r)}); if (done) seen++; }`],
  [1, () => `ledger.die();`],
  [1, (r) => `{ (bool done,) = payable(${account(r)}).call{value: ${whole(r, 20)}}(""); done; }`],
  [2, (r) => `vm.warp(${number(r)});`],
  [1, (r) => `vm.roll(${whole(r, 2 ** 40)});`],
  [1, (r) => `vm.fee(${whole(r, 1000)});`],
  [1, (r) => `vm.chainId(${1 + whole(r, 5000)});`],
  [1, (r) => `vm.coinbase(${account(r)});`],
  [1, (r) => `vm.prevrandao(bytes32(uint256(${whole(r, 99)})));`],
  [1, (r) => `vm.txGasPrice(${whole(r, 99)});`],
  [3, (r) => `vm.deal(${account(r)}, ${number(r)});`],
  [1, (r) => `vm.etch(${pick(r, ["address(0xB0B)", "address(0x1234)"])}, address(${pick(r, ["ledger", "factory"])}).code);`],
  [2, (r) => `vm.store(address(ledger), ${slot(r)}, bytes32(uint256(${number(r)})));`],
  [2, (r) => `seen ^= uint256(vm.load(address(ledger), ${slot(r)}));`],
  [1, (r) => `vm.setNonce(address(0xB0B), ${1 + whole(r, 99)});`],
  [1, (r) => `seen += vm.getNonce(${account(r)});`],
  [3, (r) => `vm.prank(${account(r)});`],
  [1, (r) => `vm.prank(${account(r)}, ${account(r)});`],
  [1, (r) => `vm.startPrank(${account(r)});`],
  [1, () => `vm.stopPrank();`],
  [3, (r) => `vm.expectRevert(); ${call(r)};`],
  [1, (r) => `vm.expectRevert(Ledger.TooMuch.selector); ledger.withdraw(${number(r)});`],
  [1, (r) => `vm.expectRevert("too early"); ledger.guarded(${number(r)});`],
  [1, (r) => `vm.expectRevert(uint64(${whole(r, 3)})); ${call(r)};`],
  [1, () => `vm.expectRevert();`],
  [2, (r) => `vm.expectEmit(); emit Moved(address(0), ${account(r)}, ${whole(r, 5)}); ledger.deposit(${whole(r, 5)});`],
  [1, (r) => `vm.expectEmit(true, ${r() < 0.5}, false, ${r() < 0.5}); emit Moved(address(0), address(this), 1); ${call(r)};`],
  [1, (r) => `vm.expectCall(address(ledger), ${data(r)});`],
  [1, (r) => `vm.expectCall(address(ledger), ${data(r)}, ${whole(r, 3)});`],
  [2, (r) => `vm.mockCall(address(ledger), ${data(r)}, abi.encode(uint256(${whole(r, 9)}), uint256(3)));`],
  [1, (r) => `vm.mockCallRevert(address(ledger), ${data(r)}, "mocked");`],
  [1, (r) => `vm.mockFunction(address(ledger), address(factory), ${data(r)});`],
  [1, () => `vm.clearMockedCalls();`],
  [2, () => `snapshot = vm.snapshotState();`],
  [2, () => `seen += vm.revertToState(snapshot) ? 1 : 0;`],
  [1, () => `vm.revertToStateAndDelete(snapshot);`],
  [1, () => `seen += vm.deleteStateSnapshot(snapshot) ? 1 : 0;`],
  [1, () => `vm.deleteStateSnapshot(before);`],
  [1, () => `vm.revertToState(before);`],
  [1, () => `vm.record();`],
  [1, () => `{ (bytes32[] memory a, bytes32[] memory b) = vm.accesses(address(ledger)); seen += a.length + b.length; }`],
  [1, () => `vm.recordLogs();`],
  [1, () => `seen += vm.getRecordedLogs().length;`],
  [1, () => `vm.startStateDiffRecording();`],
  [1, () => `seen += bytes(vm.getStateDiff()).length;`],
  [1, () => `vm.pauseGasMetering();`],
  [1, () => `vm.resumeGasMetering();`],
  [1, () => `vm.resetGasMetering();`],
  [1, (r) => `vm.cool(${account(r)});`],
  [1, (r) => `vm.coolSlot(address(ledger), ${slot(r)});`],
  [1, (r) => `vm.warmSlot(address(ledger), ${slot(r)});`],
  [1, (r) => `vm.setEvmVersion("${version(r)}");`],
  [1, (r) => `vm.assume(${r() < 0.8});`],
  [1, (r) => `vm.skip(${r() < 0.2});`],
  [1, (r) => `seen += bytes(vm.toString(uint256(${number(r)}))).length;`],
  [2, (r) => `vm.assertEq(ledger.total(), ${number(r)});`],
  [1, (r) => `vm.assertEq(ledger.total(), ${number(r)}, "total");`],
  [1, (r) => `vm.assertLt(${number(r)}, ${number(r)});`],
  [1, (r) => `vm.assertApproxEqAbs(${whole(r, 99)}, ${whole(r, 99)}, ${whole(r, 60)});`],
  [1, (r) => `vm.assertTrue(${account(r)}.balance ${pick(r, ["<", ">="])} ${number(r)});`],
  [1, (r) => `seen += uint160(vm.addr(${1 + whole(r, 99)}));`],
  [1, (r) => `require(seen ${pick(r, ["!=", ">="])} ${whole(r, 9)}, "seen");`],
  [1, (r) => `seen += gasleft() % ${1 + whole(r, 2)};`],
  [1, () => `{ (, uint64 used,,,) = vm.lastCallGas(); seen += used; }`],
];
const TOTAL = STATEMENTS.reduce((sum, [weight]) => sum + weight, 0);

function statement(random) {
  let left = random() * TOTAL;
  const [, make] = STATEMENTS.find(([weight]) => (left -= weight) < 0) ?? STATEMENTS[0];
  return make(random);
}

function test(index, random) {
  const lines = Array.from({ length: 1 + whole(random, 9) }, () => `        ${statement(random)}`);
  return `    function test_${index}() external {\n${lines.join("\n")}\n    }`;
}

/** Maximum number of tests in a suite. Larger contracts are hard on the compiler. */
const TESTS = 25;

/** Returns the sources by name, with the tests number `first` to `first + count - 1` of a seed. */
export function sources(seed, first, count) {
  const files = { "src/Vm.sol": `${HEADER}${VM}`, "src/Contracts.sol": `${HEADER}${CONTRACTS}` };
  for (let begin = first; begin < first + count; begin += TESTS) {
    const end = Math.min(begin + TESTS, first + count);
    const tests = [];
    for (let index = begin; index < end; index++) tests.push(test(index, randomOf(`differential ${seed} ${index}`)));
    files[`test/D${begin}.t.sol`] = `${HEADER}
import {vm} from "../src/Vm.sol";
import {Child, Factory, Ledger} from "../src/Contracts.sol";

contract D${begin}Test {
    Ledger ledger;
    Factory factory;
    uint256 snapshot;
    uint256 before;
    uint256 seen;
    event Moved(address indexed from, address indexed to, uint256 amount);

    receive() external payable {}

    function setUp() external {
        ledger = new Ledger();
        factory = new Factory();
        ledger.deposit(5);
        vm.deal(address(ledger), 100);
        before = vm.snapshotState();
    }

${tests.join("\n\n")}
}
`;
  }
  return files;
}
