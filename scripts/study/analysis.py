"""Tables and figures of scripts/study.mjs.

    python analysis.py RAW PICTURES

Reads the runs of the latest version of each experiment, writes the figures as SVG files into PICTURES, and prints the
tables as a JSON object: Markdown by the name of the part of docs/EVALUATION.md.
"""

import json
import sys
from pathlib import Path
from statistics import mean, median

import matplotlib.pyplot as plt
from figures import save
from scipy.stats import f_oneway, tukey_hsd

# The study's names, and the order of its figures.
NAMES = {"adaptive": "AF", "smt": "GF", "blackbox": "BF", "genetic": "GA", "harvey": "ours"}
KINDS = {"instructions": "opcode", "calls": "call", "events": "event", "branches": "branch"}
COLORS = {"adaptive": "#1b7837", "smt": "#2166ac", "blackbox": "#b2182b", "genetic": "#8c510a", "harvey": "#000000"}
# Pairs of the study's tables 2 and 3, and what it found: p-values for opcode, call, event and branch coverage.
PAIRS = [("genetic", "blackbox"), ("genetic", "smt"), ("genetic", "adaptive"), ("smt", "blackbox"), ("smt", "adaptive"), ("blackbox", "adaptive")]
PAPER_P = {
    "random": [(0.041, 0.028, 0.021, 0.048), (0.023, 0.011, 0.008, 0.031), (0.016, 0.001, 0.004, 0.007), (0.554, 0.511, 0.178, 0.478), (0.057, 0.079, 0.417, 0.067), (0.050, 0.050, 0.051, 0.044)],
    "vulnerable": [(0.049, 0.001, 0.065, 0.049), (0.035, 0.001, 0.073, 0.049), (0.008, 0.001, 0.014, 0.011), (0.719, 0.758, 0.571, 0.763), (0.075, 0.121, 0.056, 0.091), (0.050, 0.205, 0.061, 0.099)],
}
# Medians of coverage in percent (section 5.1).
PAPER_MEDIAN = {
    "random": {"adaptive": (52, 71, 67, 45), "smt": (49, 68, 64, 43), "blackbox": (45, 64, 59, 37), "genetic": (36, 54, 52, 35)},
    "vulnerable": {"adaptive": (60, 78, 73, 49), "smt": (55, 75, 70, 47), "blackbox": (53, 75, 70, 46), "genetic": (50, 62, 68, 44)},
}
# The contracts from Etherscan are like the study's random contracts.
for of in (PAPER_P, PAPER_MEDIAN):
    of["etherscan"] = of["random"]
# Average opcode coverage in percent by time (table 1), and average fault finding in percent (section 5.2).
PAPER_TIME = {15: {"blackbox": 45.1, "smt": 47.5, "adaptive": 52.4, "genetic": 35.5}, 30: {"blackbox": 52.3, "smt": 55.8, "adaptive": 58.8, "genetic": 47.9}, 45: {"blackbox": 57.7, "smt": 59.4, "adaptive": 65.1, "genetic": 56.5}}
PAPER_FOUND = {"adaptive": 83, "smt": 78, "blackbox": 74, "genetic": 56}
# Average mutation scores in percent, and p-values by operator of the pairs of `PAIRS` (table 4).
PAPER_SCORE = {"adaptive": 72, "smt": 70, "blackbox": 67, "genetic": 56}
PAPER_SCORE_P = {
    "arithmetic": (0.051, 0.041, 0.037, 0.144, 0.333, 0.071),
    "division-by-zero": (0.057, 0.044, 0.041, 0.471, 0.098, 0.115),
    "logical": (0.173, 0.049, 0.036, 0.365, 0.111, 0.332),
    "integer-overflow": (0.005, 0.001, 0.001, 0.515, 0.634, 0.071),
    "relational": (0.097, 0.074, 0.071, 0.736, 0.971, 0.741),
    "repeated-call": (0.213, 0.179, 0.103, 0.716, 0.918, 0.883),
    "timestamp": (0.004, 0.004, 0.001, 0.469, 0.338, 0.377),
    "tx-origin": (0.017, 0.009, 0.001, 0.148, 0.113, 0.092),
    "unchecked-send": (0.044, 0.037, 0.033, 0.214, 0.377, 0.125),
    "integer-underflow": (0.039, 0.011, 0.002, 0.046, 0.051, 0.034),
}
# Operators whose faults the study finds in the trace, since results need not differ: it is enough to run them.
TRACED = ["timestamp", "tx-origin", "unchecked-send", "repeated-call"]

# Average input set sizes on Vulnerable-C (table 5).
PAPER_SIZE = {"blackbox": 1321, "smt": 587, "adaptive": 24, "genetic": 100}

# Verdicts of a fault that is found in its place: within two lines of the label, or in the labelled function.
PLACES = ["place", "function"]


def limit(run):
    """Returns what ended the run: the time, or the number of sequences."""
    return run.get("seconds"), run.get("executions")


def table(rows):
    """Formats rows of cells as a Markdown table; the first row is the header."""
    lines = ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join([lines[0], "| " + " | ".join("---" for _ in rows[0]) + " |", *lines[1:]])


def share(run, kind):
    """Returns the covered share of a kind in percent; None if the contract has nothing of it."""
    covered, total = run["coverage"][kind]
    return 100 * covered / total if total else None


def with_common_totals(runs):
    """Gives all runs of a contract the same totals: those of the run that reached most contracts."""
    totals = {}
    for run in runs:
        for kind in KINDS:
            key = run["name"], kind
            totals[key] = max(totals.get(key, 0), run["coverage"][kind][1])
    for run in runs:
        run["coverage"] = {kind: (run["coverage"][kind][0], totals[run["name"], kind]) for kind in KINDS}
    return runs


def averaged(runs):
    """Returns one run for each contract, strategy and limit: the average over the seeds."""
    groups = {}
    for run in runs:
        groups.setdefault((run["name"], run["strategy"], limit(run)), []).append(run)
    average = lambda group, kind: (mean(run["coverage"][kind][0] for run in group), group[0]["coverage"][kind][1])
    count = lambda group, verdicts: mean(run.get("verdict") in verdicts for run in group)
    counts = lambda group: {"found": count(group, PLACES), "near": count(group, PLACES[:1])}
    sizes = lambda group: {key: mean(run["size"][key] for run in group) for key in group[0]["size"]}
    return [{**group[0], **counts(group), "size": sizes(group), "coverage": {kind: average(group, kind) for kind in KINDS}} for group in groups.values()]


def shares(runs, strategy, kind):
    values = [share(run, kind) for run in runs if run["strategy"] == strategy]
    return [value for value in values if value is not None]


def number(value):
    return f"{value:.1f}"


def p_values(groups):
    """Returns the p-value of one-way ANOVA, and those of Tukey's test by pair of strategies."""
    strategies = list(groups)
    anova = f_oneway(*groups.values()).pvalue
    tukey = tukey_hsd(*groups.values()).pvalue
    pairs = {(a, b): tukey[i][j] for i, a in enumerate(strategies) for j, b in enumerate(strategies)}
    return anova, pairs


def p(value):
    text = "<0.001" if value < 0.001 else f"{value:.3f}"
    return f"**{text}**" if value < 0.05 else text


def strategies_of(runs):
    return [strategy for strategy in NAMES if any(run["strategy"] == strategy for run in runs)]


def coverage_tables(name, runs):
    """Returns the medians of coverage, and the p-values of the differences (tables 2 and 3)."""
    used = strategies_of(runs)
    header = ["strategy", *(f"{kind} coverage, median (paper)" for kind in KINDS.values())]
    rows = [header]
    for strategy in used:
        paper = PAPER_MEDIAN[name].get(strategy)
        cells = [f"{number(median(shares(runs, strategy, kind)))} %" + (f" ({paper[i]} %)" if paper else "") for i, kind in enumerate(KINDS)]
        rows.append([NAMES[strategy], *cells])
    tests = {kind: p_values({strategy: shares(runs, strategy, kind) for strategy in used}) for kind in KINDS}
    compared = [["pair", *(f"{kind} (paper)" for kind in KINDS.values())]]
    compared.append(["all, ANOVA", *(p(tests[kind][0]) for kind in KINDS)])
    pairs = [*zip(PAIRS, PAPER_P[name]), *(((strategy, "harvey"), None) for strategy in NAMES if strategy != "harvey")]
    for (a, b), paper in pairs:
        if a in used and b in used:
            cells = [p(tests[kind][1][a, b]) + (f" ({paper[i]:.3f})" if paper else "") for i, kind in enumerate(KINDS)]
            compared.append([f"{NAMES[a]} vs {NAMES[b]}", *cells])
    return f"{table(rows)}\n\n{table(compared)}"


def histograms(name, runs, file):
    """Draws how many contracts have which coverage, by strategy (figures 3 and 4)."""
    figure, axes = plt.subplots(2, 2, figsize=(9, 6), layout="constrained")
    for axis, (kind, title) in zip(axes.flat, KINDS.items()):
        for strategy in strategies_of(runs):
            values = shares(runs, strategy, kind)
            axis.hist(values, bins=range(0, 101, 10), histtype="step", color=COLORS[strategy], label=NAMES[strategy])
            axis.axvline(median(values), color=COLORS[strategy], linestyle="dashed", linewidth=0.8)
        axis.set(title=f"{title} coverage", xlabel="%", ylabel="contracts")
    axes[0][0].legend(loc="upper left")
    save(figure, file)


def bars(groups, file):
    """Draws the share of faults found, by class and strategy (figures 5 and 6)."""
    figure, axis = plt.subplots(figsize=(9, 4), layout="constrained")
    used = list(next(iter(groups.values())))
    width = 0.8 / len(used)
    for index, strategy in enumerate(used):
        places = [place + (index - (len(used) - 1) / 2) * width for place in range(len(groups))]
        axis.bar(places, [found[strategy] for found in groups.values()], width, color=COLORS[strategy], label=NAMES[strategy])
    axis.set_xticks(range(len(groups)), [name.replace("_", " ").replace("-", "\n") for name in groups])
    axis.set(ylabel="% of faults", ylim=(0, 100))
    axis.legend(ncols=len(used), loc="lower center", bbox_to_anchor=(0.5, 1))
    save(figure, file)


def faults(runs):
    """Returns the shares of faults found in place, by class and strategy, with all of them last."""
    classes = [*sorted({run["category"] for run in runs}), "all"]
    part = lambda category: [run for run in runs if category in (run["category"], "all")]
    found = lambda some: 100 * mean(run["found"] for run in some)
    of = lambda some, strategy: [run for run in some if run["strategy"] == strategy]
    return {category: {strategy: found(of(part(category), strategy)) for strategy in strategies_of(runs)} for category in classes}


def fault_table(runs):
    used = strategies_of(runs)
    groups = faults(runs)
    rows = [["class", "contracts", *(NAMES[strategy] for strategy in used)]]
    for category, shares_found in groups.items():
        count = len({run["name"] for run in runs if category in (run["category"], "all")})
        rows.append([category.replace("_", " "), count, *(f"{number(shares_found[strategy])} %" for strategy in used)])
    near = lambda strategy: 100 * mean(run["near"] for run in runs if run["strategy"] == strategy)
    rows.append(["all, within two lines", len({run["name"] for run in runs}), *(f"{number(near(strategy))} %" for strategy in used)])
    rows.append(["the paper, all", 90, *(f"{PAPER_FOUND[strategy]} %" if strategy in PAPER_FOUND else "-" for strategy in used)])
    scores = {strategy: [run["found"] for run in runs if run["strategy"] == strategy] for strategy in used}
    anova, pairs = p_values(scores)
    compared = [f"{NAMES[a]} vs {NAMES[b]} {p(pairs[a, b])}" for a in used for b in used if used.index(a) < used.index(b)]
    return f"{table(rows)}\n\nANOVA of the scores: p = {p(anova)}. Tukey: {', '.join(compared)}."


def seeded(runs):
    """Returns the faults that compile to other code: one entry for each fault and strategy, with its score."""
    # Equivalence and validity do not depend on the strategy, but code that was run before counts as a duplicate.
    faults = [{**run, **mutant} for run in runs for mutant in run["mutants"] if mutant["verdict"] in ["killed", "survived", "not-reached"]]
    was_run = lambda fault: fault["verdict"] != "not-reached"
    differs = lambda fault: fault["verdict"] == "killed" or bool(fault.get("kind"))
    return [{**fault, "found": differs(fault) or (fault["operator"] in TRACED and was_run(fault)), "differs": differs(fault)} for fault in faults]


def seeded_scores(faults, key):
    """Returns the scores of the strategies in percent, by operator, with all of them last."""
    operators = [*PAPER_SCORE_P, "all"]
    part = lambda operator, strategy: [fault[key] for fault in faults if operator in (fault["operator"], "all") and fault["strategy"] == strategy]
    used = strategies_of(faults)
    return {operator: {strategy: 100 * mean(part(operator, strategy)) for strategy in used} for operator in operators if all(part(operator, strategy) for strategy in used)}


def seeded_tables(faults):
    """Returns the scores by operator, and the p-values of their differences (table 4)."""
    used = strategies_of(faults)
    rows = [["operator", "faults", *(NAMES[strategy] for strategy in used)]]
    count = lambda operator: sum(operator in (fault["operator"], "all") and fault["strategy"] == used[0] for fault in faults)
    percents = lambda scores: [f"{number(scores[strategy])} %" for strategy in used]
    scores = seeded_scores(faults, "found")
    rows += [[operator, count(operator), *percents(of)] for operator, of in scores.items()]
    rows.append(["all, other effects only", count("all"), *percents(seeded_scores(faults, "differs")["all"])])
    rows.append(["the paper, all", 16650, *(f"{PAPER_SCORE[strategy]} %" if strategy in PAPER_SCORE else "-" for strategy in used)])
    compared = [["pair", *scores]]
    tests = {}
    for operator in scores:
        groups = {strategy: [fault["found"] for fault in faults if operator in (fault["operator"], "all") and fault["strategy"] == strategy] for strategy in used}
        # Without any difference there is no test.
        varies = len({found for group in groups.values() for found in group}) > 1
        tests[operator] = p_values(groups) if varies else None
    compared.append(["all, ANOVA", *(p(test[0]) if test else "-" for test in tests.values())])
    pairs = [*enumerate(PAIRS), *((None, (strategy, "harvey")) for strategy in NAMES if strategy != "harvey")]
    for index, (a, b) in pairs:
        if a in used and b in used:
            paper = lambda operator: f" ({PAPER_SCORE_P[operator][index]:.3f})" if index is not None and operator in PAPER_SCORE_P else ""
            compared.append([f"{NAMES[a]} vs {NAMES[b]}", *((p(test[1][a, b]) if test else "-") + paper(operator) for operator, test in tests.items())])
    return f"{table(rows)}\n\n{table(compared)}"


def time_table(runs):
    """Returns the average opcode coverage by time (table 1), of contracts that every strategy ran for every time."""
    used = strategies_of(runs)
    strategies = lambda seconds: strategies_of([run for run in runs if run["seconds"] == seconds])
    times = {run["seconds"] for run in runs if strategies(run["seconds"]) == used}
    runs = [run for run in runs if run["seconds"] in times]
    ran = lambda name: sum(run["name"] == name for run in runs)
    runs = [run for run in runs if ran(run["name"]) == len(used) * len(times)]
    rows = [["time", *(f"{NAMES[strategy]} (paper)" for strategy in used)]]
    for seconds in sorted({run["seconds"] for run in runs}):
        part = [run for run in runs if run["seconds"] == seconds]
        paper = PAPER_TIME.get(seconds, {})
        average = lambda strategy: shares(part, strategy, "instructions")
        rows.append([f"{seconds} s", *(f"{number(mean(average(strategy)))} %" + (f" ({paper[strategy]} %)" if strategy in paper else "") if average(strategy) else "-" for strategy in used)])
    return table(rows)


def size_table(runs):
    """Returns the average sizes of input sets (table 5)."""
    rows = [["strategy", "calls made", "sequences kept", "calls in them", "inputs (paper)"]]
    for strategy in strategies_of(runs):
        sizes = [run["size"] for run in runs if run["strategy"] == strategy]
        average = lambda key: f"{mean(size[key] for size in sizes):.0f}"
        rows.append([NAMES[strategy], average("calls"), average("kept"), average("keptCalls"), PAPER_SIZE.get(strategy, "-")])
    return table(rows)


def inputs_table(runs):
    """Returns what the strategies reach with few sequences, by their number."""
    rows = [["sequences", "strategy", "calls made", "faults found", "opcode coverage", "branch coverage"]]
    compared = []
    for executions in sorted({run["executions"] for run in runs}):
        part = [run for run in runs if run["executions"] == executions]
        scores = {}
        for strategy in strategies_of(part):
            mine = [run for run in part if run["strategy"] == strategy]
            scores[strategy] = [run["found"] for run in mine]
            covered = [f"{number(mean(shares(part, strategy, kind)))} %" for kind in ["instructions", "branches"]]
            calls = f"{mean(run['size']['calls'] for run in mine):.0f}"
            rows.append([executions, NAMES[strategy], calls, f"{number(100 * mean(scores[strategy]))} %", *covered])
        covered = {strategy: shares(part, strategy, "instructions") for strategy in scores}
        compared.append(f"{executions} sequences: faults p = {p(p_values(scores)[0])}, opcode coverage p = {p(p_values(covered)[0])}")
    return f"{table(rows)}\n\nANOVA for {'; '.join(compared)}."


def speed(run):
    """Returns the calls of a run by second of the search."""
    return run["size"]["calls"] / max(run["size"]["seconds"], 1e-9)


def deciles(runs):
    """Divides runs into ten groups of the same size, from the slowest contracts to the fastest."""
    ordered = sorted(runs, key=speed)
    return [ordered[len(ordered) * i // 10 : len(ordered) * (i + 1) // 10] for i in range(10)]


def nearest_share(run):
    """Returns the percentage of edges that the adaptive strategy covered from the seeds nearest to a branch."""
    covering, nearest = run["edges"]["covering"], run["edges"]["nearest"]
    return 100 * nearest / (covering + nearest) if covering + nearest else None


def mean_share(runs):
    values = [value for value in map(nearest_share, runs) if value is not None]
    return mean(values) if values else 0


def throughput_table(runs):
    """Returns the calls per second (sFuzz, figure 5)."""
    rows = [["strategy", "all contracts", "fastest 10 %", "slowest 20 %"]]
    for strategy in strategies_of(runs):
        groups = deciles([run for run in runs if run["strategy"] == strategy])
        average = lambda some: f"{mean(speed(run) for run in some):,.0f}"
        rows.append([NAMES[strategy], average(sum(groups, [])), average(groups[9]), average(groups[0] + groups[1])])
    rows.append(["sFuzz (test cases)", "208", "989", "14"])
    return table(rows)


def adaptive_figure(by_speed, by_time, file):
    """Draws the share of edges from nearest seeds by speed of the contracts and by time (sFuzz, figures 9 and 10)."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.5), layout="constrained", sharey=True)
    left.bar([f"{10 * i + 10} %" for i in range(len(by_speed))], by_speed, color=COLORS["adaptive"])
    left.set(xlabel="contracts, from the slowest to the fastest", ylabel="% of edges from nearest seeds", ylim=(0, 100))
    right.bar([f"{seconds} s" for seconds in by_time], list(by_time.values()), color=COLORS["adaptive"])
    right.set(xlabel="time")
    save(figure, file)


def adaptive_parts(runs, pictures):
    """Returns the table of the adaptive strategy's share by time, and draws it."""
    mine = averaged_edges([run for run in runs if run["strategy"] == "adaptive" and run.get("seconds")])
    at = lambda seconds: [run for run in mine if run["seconds"] == seconds]
    by_time = {seconds: mean_share(at(seconds)) for seconds in sorted({run["seconds"] for run in mine})}
    adaptive_figure([mean_share(group) for group in deciles(at(15))], by_time, pictures / "study-adaptive.svg")
    some = [run for run in at(15) if nearest_share(run)]
    rows = [["time", "edges from nearest seeds"], *([f"{seconds} s", f"{number(share)} %"] for seconds, share in by_time.items())]
    rows += [["sFuzz, 12 s", "18 %"], ["sFuzz, 2 min", "33 %"]]
    also = f"After 15 seconds, seeds nearest to a branch had covered edges in {len(some)} of {len(at(15))} contracts: {number(mean_share(some))} % on average there (sFuzz: 31 % in 80 % of the contracts)."
    return f"{table(rows)}\n\n{also}"


def averaged_edges(runs):
    """Returns one run for each contract and time: the sums over the seeds."""
    groups = {}
    for run in runs:
        groups.setdefault((run["name"], run["seconds"]), []).append(run)
    total = lambda group: {kind: sum(run["edges"][kind] for run in group) for kind in group[0]["edges"]}
    return [{**group[0], "edges": total(group)} for group in groups.values()]


def latest(runs, name):
    """Returns the runs of the version that ran last, without contracts that a strategy could not run."""
    mine = [run for run in runs if run["set"] == name]
    mine = [run for run in mine if run["version"] == mine[-1]["version"]]
    key = lambda run: (run["name"], run["strategy"], limit(run), run["seed"])
    ran = {key(run) for run in mine if "error" not in run}
    failed = {run["name"] for run in mine if "error" in run and key(run) not in ran}
    ran = [run for run in mine if "error" not in run and run["name"] not in failed]
    return ran, sorted(failed)


def complete(runs):
    """Returns the averages of the runs of contracts that every strategy ran."""
    used = strategies_of(runs)
    ran = {}
    for run in runs:
        ran.setdefault((run["name"], limit(run)), set()).add(run["strategy"])
    return averaged([run for run in runs if ran[run["name"], limit(run)] == set(used)])


def about(runs, failed, seeds):
    names = {run["name"] for run in runs}
    left_out = f" Left out, since they do not run: {', '.join(f'`{name}`' for name in failed)}." if failed else ""
    return f"{len(names)} contracts, {seeds} seed{'s' if seeds > 1 else ''}, one thread.{left_out}"


def main(raw, pictures):
    runs = [json.loads(line) for line in Path(raw).read_text().splitlines() if line]
    parts = {}
    for name in ["vulnerable", "random", "etherscan"]:
        if not any(run["set"] == name for run in runs):
            continue
        mine, failed = latest(runs, name)
        mine = with_common_totals(mine)
        # The paper's time; tables of other times need it as well.
        first = complete([run for run in mine if run.get("seconds") == 15])
        if not first:
            raise SystemExit(f"{name}: no contract was run for 15 seconds by every strategy")
        introduction = about(first, failed, len({run["seed"] for run in mine if run.get("seconds") == 15}))
        histograms(name, first, pictures / f"study-{name}-coverage.svg")
        if name == "random":
            parts["study-throughput"] = throughput_table(first)
            parts["study-adaptive"] = adaptive_parts(mine, pictures)
        parts[f"study-{name}"] = f"{introduction}\n\n{coverage_tables(name, first)}"
        if name == "vulnerable":
            bars(faults(first), pictures / "study-vulnerable-faults.svg")
            parts["study-faults"] = f"{introduction}\n\n{fault_table(first)}"
            parts["study-time"] = time_table(averaged([run for run in mine if run.get("seconds")]))
            parts["study-sizes"] = size_table(first)
            few = complete([run for run in mine if run.get("executions")])
            if few:
                parts["study-inputs"] = inputs_table(few)
    if any(run["set"] == "seeded" for run in runs):
        mine, failed = latest(runs, "seeded")
        used = strategies_of(mine)
        ran = lambda name: {run["strategy"] for run in mine if run["name"] == name}
        mine = [run for run in mine if ran(run["name"]) == set(used)]
        bars(seeded_scores(seeded(mine), "found"), pictures / "study-seeded.svg")
        introduction = about(mine, failed, len({run["seed"] for run in mine}))
        parts["study-seeded"] = f"{introduction}\n\n{seeded_tables(seeded(mine))}"
    print(json.dumps(parts))


main(sys.argv[1], Path(sys.argv[2]))
