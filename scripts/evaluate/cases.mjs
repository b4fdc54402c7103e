// What is measured: suites with known bugs, each bug as the goals that show it.
//
// A case is { id, set, project, profile, contract, bugs, enough }. A bug is { id, goals, count }: it is found when
// `count` goals are; its figure is that of the last of them. A goal is a broken test, or a finding in a function.
// `enough` bounds the executions where far fewer are required; a miss still counts as the cap.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { ROOT } from "../page.mjs";

const test = (id) => ({ id, goals: [{ test: id }], count: 1 });
const finding = (fn, count = 1) => ({ id: fn, goals: [{ finding: fn, oracle: "^assertion$" }], count });

/** The first table that the examples of the papers must meet: the required number of executions, in the median. */
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

/** Suites of a directory that say `@custom:bug`, with what they say fails. */
function declared(set, directory) {
  const files = readdirSync(directory, { recursive: true }).filter((file) => file.endsWith(".t.sol"));
  return files.sort().flatMap((file) => {
    const text = readFileSync(join(directory, file), "utf8");
    const suites = text.matchAll(/((?:^\/\/\/.*\n)+)contract (\w+)/gm);
    return [...suites].filter(([, doc]) => doc.includes("@custom:bug")).map(([, doc, contract]) => {
      const failing = [...doc.matchAll(/@custom:expect (\w+) FAIL/g)].map(([, name]) => name);
      // A canary shows that the search goes on behind it; it is no bug.
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
 * The protocols that were written without a look at the engine: half of them to tune on, half to report on. The halves are
 * drawn by a hash of the names.
 */
function protocols(set) {
  const all = declared("protocols", join(ROOT, "testdata", "protocols", "test"));
  const rank = ({ contract }) => createHash("sha256").update(contract.replace(/BugTest$/, "")).digest("hex");
  const drawn = all.map((entry) => [rank(entry), entry]).sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
  const half = drawn.length / 2;
  return (set === "tuning" ? drawn.slice(0, half) : drawn.slice(half)).map((entry) => ({ ...entry, set }));
}

/** The suites of a project that scripts/generate.mjs has written. */
function generated(directory) {
  const { seed, count, cases } = JSON.parse(readFileSync(join(directory, "cases.json"), "utf8"));
  const project = `generated-${seed}-${count}`;
  return cases.map(({ suite, properties }) => ({
    id: `${project}/${suite}`,
    ...{ set: "generated", project, source: resolve(directory), profile: "default", contract: suite },
    bugs: properties.filter(({ calls }) => calls).map(({ name }) => test(`${name}()`)),
  }));
}

/** All cases of the sets named: papers, suites, evaluation, tuning, reporting, harness, or the directory of a generated project. */
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
