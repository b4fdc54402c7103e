// Lists the cases: suites with known bugs.
//
// A case is { id, set, project, profile, contract, bugs, enough }. A bug is { id, goals, count }. A goal is a failed
// test or a finding in a function. A bug is found when `count` of its goals are met, and its figure is that of the
// last of these. `enough` bounds the executions of cases that require far fewer than the cap. A missed bug still
// counts as the cap.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { ROOT } from "../page.mjs";

const test = (id) => ({ id, goals: [{ test: id }], count: 1 });
const finding = (fn, count = 1) => ({ id: fn, goals: [{ finding: fn, oracle: "^assertion$" }], count });

/** Examples of the papers, each with the maximum median of executions that is required, and the result in the paper. */
const PAPERS = [
  ["Harvey Fig. 1 `baz`, five paths", "BazTest", "default", finding("baz", 5), 120, "15,545 inputs"],
  ["the same, optimizer off", "BazTest", "unoptimized", finding("baz", 5), 150, "15,545 inputs"],
  ["the same, via-IR", "BazTest", "via-ir", finding("baz", 5), 120, "15,545 inputs"],
  ["Harvey Fig. 2 `Foo`", "FooTest", "default", finding("Bar"), 1_500, "48,117 inputs"],
  ["the same, `5 * x - 17 == K`", "LinearAssertionTest", "default", finding("Bar"), 3_000, "not found"],
  ["the same, as an invariant", "LinearInvariantTest", "default", test("invariant_targetIsNotHit()"), 3_000, "not found"],
  ["`(n + 1234) % 2**80 != 0`", "ModulusTest", "default", test("test_modulus(uint256)"), 100, "not found"],
  [
    "Harvey Fig. 3 `Wallet`, arbitrary write",
    "WalletTest",
    "default",
    { id: "SetCodeAt", goals: [{ finding: "SetCodeAt", oracle: "^(?!assertion$)" }], count: 1 },
    3_000,
    "43,950 inputs",
  ],
  ["`a**4 + a**2 == 228901770`", "QuarticTest", "default", finding("probe"), 500, "solved by iterating"],
  ["sFuzz Fig. 1, quiz game", "QuizTest", "default", finding("Try"), 2_000, "140 generations"],
  ["sFuzz Fig. 2, both branches", "ObjectivesTest", "default", finding("foo", 2), 500, "not given"],
];

function papers() {
  return PAPERS.map(([title, contract, profile, bug, required, paper]) => ({
    id: `papers/${contract}${profile === "default" ? "" : `@${profile}`}`,
    ...{ set: "papers", project: "papers", profile, contract, bugs: [bug] },
    ...{ title, required, paper, enough: required * 10 },
  }));
}

/** Returns the suites of a directory that have `@custom:bug`, each with the tests that are expected to fail. */
function declared(set, directory) {
  const files = readdirSync(directory, { recursive: true }).filter((file) => file.endsWith(".t.sol"));
  return files.sort().flatMap((file) => {
    const text = readFileSync(join(directory, file), "utf8");
    const suites = text.matchAll(/((?:^\/\/\/.*\n)+)contract (\w+)/gm);
    return [...suites].filter(([, doc]) => doc.includes("@custom:bug")).map(([, doc, contract]) => {
      const failing = [...doc.matchAll(/@custom:expect (\w+) FAIL/g)].map(([, name]) => name);
      // A canary is not a bug. It shows that the search continues after a failure.
      const bugs = failing.filter((name) => !name.startsWith("canary"));
      return {
        id: `${set}/${contract}`,
        ...{ set, project: set, profile: "default", contract },
        bugs: bugs.map((name) => (name.startsWith("invariant") ? test(`${name}()`) : finding(name))),
      };
    });
  });
}

/**
 * Returns one half of the protocols, whose authors had not read the engine. One half is for tuning, the other for
 * reporting. A hash of the names divides them.
 */
function protocols(set) {
  const all = declared("protocols", join(ROOT, "testdata", "protocols", "test"));
  const rank = ({ contract }) => createHash("sha256").update(contract.replace(/BugTest$/, "")).digest("hex");
  const drawn = all.map((entry) => [rank(entry), entry]).sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
  const half = drawn.length / 2;
  return (set === "tuning" ? drawn.slice(0, half) : drawn.slice(half)).map((entry) => ({ ...entry, set }));
}

/** Returns the suites of a project written by scripts/generate.mjs. */
function generated(directory) {
  const { seed, count, cases } = JSON.parse(readFileSync(join(directory, "cases.json"), "utf8"));
  const project = `generated-${seed}-${count}`;
  return cases.map(({ suite, properties }) => ({
    id: `${project}/${suite}`,
    ...{ set: "generated", project, source: resolve(directory), profile: "default", contract: suite },
    bugs: properties.filter(({ calls }) => calls).map(({ name }) => test(`${name}()`)),
  }));
}

/**
 * Returns all cases of the named sets. A set is papers, suites, evaluation, tuning, reporting, harness, or the
 * directory of a generated project.
 */
export function cases(sets) {
  return sets.flatMap((set) => {
    if (set === "papers") return papers();
    if (set === "suites") return declared(set, join(ROOT, "testdata", "suites"));
    if (set === "evaluation") return declared(set, join(ROOT, "testdata", "evaluation", "test"));
    if (set === "tuning" || set === "reporting") return protocols(set);
    if (set === "harness") return declared(set, join(ROOT, "testdata", "harness", "test"));
    if (existsSync(join(set, "cases.json"))) return generated(set);
    throw new Error(`no such set of cases: ${basename(set)} has no cases.json`);
  });
}
