"""Tables and figures of scripts/study.mjs.

    python analysis.py RAW PICTURES

Reads the runs of the latest version of each experiment, writes the figures as SVG files into PICTURES, and prints the
tables as a JSON object: Markdown by the name of the part of docs/EVALUATION.md.
"""

import json
import sys
from pathlib import Path
from statistics import mean, median

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt
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
# Average opcode coverage in percent by time (table 1), and average fault finding in percent (section 5.2).
PAPER_TIME = {15: {"blackbox": 45.1, "smt": 47.5, "adaptive": 52.4, "genetic": 35.5}, 30: {"blackbox": 52.3, "smt": 55.8, "adaptive": 58.8, "genetic": 47.9}, 45: {"blackbox": 57.7, "smt": 59.4, "adaptive": 65.1, "genetic": 56.5}}
PAPER_FOUND = {"adaptive": 83, "smt": 78, "blackbox": 74, "genetic": 56}
# Average input set sizes on Vulnerable-C (table 5).
PAPER_SIZE = {"blackbox": 1321, "smt": 587, "adaptive": 24, "genetic": 100}


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
    """Returns one run for each contract, strategy and time: the average over the seeds."""
    groups = {}
    for run in runs:
        groups.setdefault((run["name"], run["strategy"], run["seconds"]), []).append(run)
    average = lambda group, kind: (mean(run["coverage"][kind][0] for run in group), group[0]["coverage"][kind][1])
    found = lambda group: mean(run.get("verdict") == "place" for run in group)
    return [{**group[0], "found": found(group), "coverage": {kind: average(group, kind) for kind in KINDS}} for group in groups.values()]


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
    """Draws the share of faults found, by class and strategy (figure 6)."""
    figure, axis = plt.subplots(figsize=(9, 4), layout="constrained")
    used = list(next(iter(groups.values())))
    width = 0.8 / len(used)
    for index, strategy in enumerate(used):
        places = [place + (index - (len(used) - 1) / 2) * width for place in range(len(groups))]
        axis.bar(places, [found[strategy] for found in groups.values()], width, color=COLORS[strategy], label=NAMES[strategy])
    axis.set_xticks(range(len(groups)), [name.replace("_", " ") for name in groups])
    axis.set(ylabel="% of contracts", ylim=(0, 100))
    axis.legend(ncols=len(used), loc="lower center", bbox_to_anchor=(0.5, 1))
    save(figure, file)


def save(figure, file):
    figure.savefig(file, metadata={"Date": None, "Creator": None})
    plt.close(figure)
    text = file.read_text()
    file.write_text("\n".join(line.rstrip() for line in text.splitlines()) + "\n")


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
    rows.append(["the paper, all", 90, *(f"{PAPER_FOUND[strategy]} %" if strategy in PAPER_FOUND else "-" for strategy in used)])
    scores = {strategy: [run["found"] for run in runs if run["strategy"] == strategy] for strategy in used}
    anova, pairs = p_values(scores)
    compared = [f"{NAMES[a]} vs {NAMES[b]} {p(pairs[a, b])}" for a in used for b in used if used.index(a) < used.index(b)]
    return f"{table(rows)}\n\nANOVA of the scores: p = {p(anova)}. Tukey: {', '.join(compared)}."


def time_table(runs):
    """Returns the average opcode coverage by time (table 1), of contracts that every strategy ran for every time."""
    used = strategies_of(runs)
    times = {run["seconds"] for run in runs}
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


def latest(runs, name):
    """Returns the runs of the version that ran last, without contracts that a strategy could not run."""
    mine = [run for run in runs if run["set"] == name]
    mine = [run for run in mine if run["version"] == mine[-1]["version"]]
    key = lambda run: (run["name"], run["strategy"], run["seconds"], run["seed"])
    ran = {key(run) for run in mine if "error" not in run}
    failed = {run["name"] for run in mine if "error" in run and key(run) not in ran}
    ran = [run for run in mine if "error" not in run and run["name"] not in failed]
    return with_common_totals(ran), sorted(failed)


def complete(runs, seconds):
    """Returns the runs of this time, of contracts that every strategy ran."""
    runs = [run for run in runs if run["seconds"] == seconds]
    used = strategies_of(runs)
    ran = lambda name: {run["strategy"] for run in runs if run["name"] == name}
    names = {run["name"] for run in runs}
    whole = {name for name in names if ran(name) == set(used)}
    return averaged([run for run in runs if run["name"] in whole])


def about(runs, failed, seeds):
    names = {run["name"] for run in runs}
    left_out = f" Left out, since they do not run: {', '.join(f'`{name}`' for name in failed)}." if failed else ""
    return f"{len(names)} contracts, {seeds} seed{'s' if seeds > 1 else ''}, one thread.{left_out}"


def main(raw, pictures):
    matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "study", "font.size": 9})
    runs = [json.loads(line) for line in Path(raw).read_text().splitlines() if line]
    parts = {}
    for name in ["vulnerable", "random"]:
        if not any(run["set"] == name for run in runs):
            continue
        mine, failed = latest(runs, name)
        # The paper's time; tables of other times need it as well.
        first = complete(mine, 15)
        if not first:
            raise SystemExit(f"{name}: no contract was run for 15 seconds by every strategy")
        introduction = about(first, failed, len({run["seed"] for run in mine}))
        histograms(name, first, pictures / f"study-{name}-coverage.svg")
        parts[f"study-{name}"] = f"{introduction}\n\n{coverage_tables(name, first)}"
        if name == "vulnerable":
            bars(faults(first), pictures / "study-vulnerable-faults.svg")
            parts["study-faults"] = f"{introduction}\n\n{fault_table(first)}"
            parts["study-time"] = time_table(averaged(mine))
            parts["study-sizes"] = size_table(first)
    print(json.dumps(parts))


main(sys.argv[1], Path(sys.argv[2]))
