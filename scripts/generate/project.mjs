// Writes generated suites as a Foundry project: `src`, `test`, the witnesses in a separate directory `witness`, and
// `cases.json`, which lists the broken properties and the number of calls that break each.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const HEADER = "// SPDX-License-Identifier: MIT OR Apache-2.0\npragma solidity ^0.8.20;\n";

const CONFIG = `# Generated: stateful systems with known bugs. The witnesses stand apart, so that no fuzzer reads the answers:
# \`FOUNDRY_TEST=witness forge test --match-test witness\` runs them.
[profile.default]
src = "src"
test = "test"
libs = []
solc = "0.8.30"
optimizer = true
optimizer_runs = 200
ignored_error_codes = [2018]

[profile.default.invariant]
depth = 20
`;

const BOUND = `${HEADER}
/// Folds a word into a range; what is in the range stays.
abstract contract Bound {
    function _bound(uint256 x, uint256 low, uint256 high) internal pure returns (uint256) {
        if (x >= low && x <= high) return x;
        unchecked {
            uint256 size = high - low + 1;
            return size == 0 ? x : low + x % size;
        }
    }
}
`;

const SENDERS = `${HEADER}
/// Three accounts that make all calls, where states belong to accounts.
abstract contract Senders {
    function targetSenders() external pure returns (address[] memory senders) {
        senders = new address[](3);
        for (uint160 i; i < 3; ++i) senders[i] = address(0xacc0 + i);
    }
}
`;

const WITNESS = `${HEADER}
interface Vm {
    function startPrank(address sender) external;
    function stopPrank() external;
}

/// Runs the calls that break a property: it must hold until the last of them, and fail by an assertion then.
abstract contract Witness {
    Vm internal constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    modifier byOneAccount() {
        vm.startPrank(address(0xacc0));
        _;
        vm.stopPrank();
    }

    function assertBroken(address suite, bytes4 property) internal {
        (bool ok, bytes memory output) = suite.call(abi.encodePacked(property));
        require(!ok, "the property holds");
        bytes memory panic = abi.encodeWithSignature("Panic(uint256)", 1);
        require(keccak256(output) == keccak256(panic), "the property failed, but not by an assertion");
    }
}
`;

/** Returns the source of the contracts under test. */
export function sources({ contracts, handler, note }) {
  const imports = handler ? '\nimport {Bound} from "./Bound.sol";\n' : "";
  // A line is too short for two words in full.
  const broken = contracts.replace(/^( *)(.*0x[0-9a-f]{64}) (==.*0x[0-9a-f]{64}.*)$/gm, "$1$2\n$1    $3");
  return `${HEADER}${imports}\n/// ${note}\n${broken}\n`;
}

/** Returns the source of the suite with its invariants. */
function suite({ target, handler, keyed, properties, note }, name) {
  const invariants = properties.map(({ name: fn, assertion, calls }) => {
    const fate = calls ? `Broken by ${calls.length} call${calls.length === 1 ? "" : "s"}.` : "Holds.";
    return `    /// ${fate}\n    function ${fn}() external view {\n        assert(${assertion});\n    }`;
  });
  const named = [target, ...(handler ? [handler] : [])].join(", ");
  const targeted = `

    /// The handler alone is called.
    function targetContracts() external view returns (address[] memory list) {
        list = new address[](1);
        list[0] = address(handler);
    }`;
  return `${HEADER}
// ${note}

import {${named}} from "../src/${name}.sol";
${keyed ? 'import {Senders} from "./Senders.sol";\n' : ""}
contract ${name}Test${keyed ? " is Senders" : ""} {
    ${target} internal target;
${handler ? `    ${handler} internal handler;\n` : ""}
    function setUp() public {
        target = new ${target}();
${handler ? `        handler = new ${handler}(target);\n` : ""}    }${handler ? targeted : ""}

${invariants.join("\n\n")}
}
`;
}

/** Returns the source of the witnesses: a unit test for each broken property. */
function witness({ target, handler, keyed, properties }, name) {
  const tests = properties
    .filter(({ calls }) => calls)
    .map(({ name: fn, calls }) => {
      const lines = calls.map(({ on, call }) => `suite.${on}_().${call};`);
      lines.splice(-1, 0, `suite.${fn}();`);
      return `    function test_witness_${fn.replace(/^invariant_/, "")}() public${keyed ? " byOneAccount" : ""} {
        ${name}Suite suite = new ${name}Suite();
        suite.setUp();
        ${lines.join("\n        ")}
        assertBroken(address(suite), suite.${fn}.selector);
    }`;
    });
  const named = [target, ...(handler ? [handler] : [])].join(", ");
  const opened = `
    function handler_() external view returns (${handler}) {
        return handler;
    }
`;
  return `${HEADER}
import {${named}} from "../src/${name}.sol";
import {${name}Test} from "../test/${name}.t.sol";
import {Witness} from "./Witness.sol";

contract ${name}Suite is ${name}Test {
    function target_() external view returns (${target}) {
        return target;
    }
${handler ? opened : ""}}

contract ${name}Witness is Witness {
${tests.join("\n\n")}
}
`;
}

/** Writes all suites (by name) into a directory, which is emptied first. */
export function writeProject(out, suites, origin) {
  rmSync(out, { recursive: true, force: true });
  const write = (path, text) => {
    const file = join(out, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  write("foundry.toml", CONFIG);
  write(".gitignore", "cache*/\nout*/\n");
  write("src/Bound.sol", BOUND);
  write("test/Senders.sol", SENDERS);
  write("witness/Witness.sol", WITNESS);
  for (const [name, generated] of suites) {
    write(`src/${name}.sol`, sources(generated));
    write(`test/${name}.t.sol`, suite(generated, name));
    write(`witness/${name}.t.sol`, witness(generated, name));
  }
  const cases = [...suites].map(([name, { family, guards, properties }]) => ({
    suite: `${name}Test`,
    family,
    guards,
    properties: properties.map(({ name: fn, calls }) => ({ name: fn, calls: calls?.length ?? null })),
  }));
  write("cases.json", `${JSON.stringify({ ...origin, cases }, null, 2)}\n`);
}
