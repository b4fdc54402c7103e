"""Figure 4 of the Harvey paper: growth of coverage over time by configuration.

    python growth.py RAW FILE

Reads the runs of scripts/evaluate.mjs that count what they cover over time (those of the plan harvey), and draws FILE:
the mean over the seeds, summed up over the systems, with its 95 % confidence interval.
"""

import json
import sys
from bisect import bisect_right
from pathlib import Path
from statistics import mean, stdev

import matplotlib.pyplot as plt
from figures import save
from scipy.stats import t as student

COLORS = {"A": "#2166ac", "B": "#000000", "C": "#1b7837", "D": "#b2182b"}
LABELS = {"A": "A: without prediction", "B": "B: the paper's technique", "C": "C: one step of prediction", "D": "D: A without demand-driven sequences"}
# A point of a curve is executions, seconds, paths and branches.
SECONDS, PATHS, BRANCHES = 1, 2, 3
POINTS = 200


def value_at(curve, seconds, kind):
    """Returns the value of a curve, which is a step function, at a time."""
    index = bisect_right([point[SECONDS] for point in curve], seconds)
    return curve[index - 1][kind] if index else 0


def totals(runs, times, kind):
    """Returns for each seed the sums over the systems at the times."""
    seeds = sorted({run["seed"] for run in runs})
    of_seed = lambda seed: [run["stats"]["coverage"] for run in runs if run["seed"] == seed]
    return [[sum(value_at(curve, time, kind) for curve in of_seed(seed)) for time in times] for seed in seeds]


def interval(values):
    """Returns half of the width of the 95 % confidence interval of the mean."""
    if len(values) < 2:
        return 0
    return student.ppf(0.975, len(values) - 1) * stdev(values) / len(values) ** 0.5


def draw(axis, runs, times, kind):
    for configuration, color in COLORS.items():
        columns = list(zip(*totals([run for run in runs if run["configuration"] == configuration], times, kind)))
        if not columns:
            continue
        means, widths = [mean(column) for column in columns], [interval(column) for column in columns]
        axis.plot(times, means, color=color, label=LABELS[configuration])
        low, high = ([m + sign * w for m, w in zip(means, widths)] for sign in (-1, 1))
        axis.fill_between(times, low, high, color=color, alpha=0.15, linewidth=0)


def latest(raw):
    """Returns the runs of the version and the limit that were measured last, with the seeds that all systems have."""
    runs = [json.loads(line) for line in Path(raw).read_text().splitlines() if line]
    runs = [run for run in runs if run["measure"] == "campaign"]
    runs = [run for run in runs if (run["version"], run["limit"]) == (runs[-1]["version"], runs[-1]["limit"])]
    count = lambda seed: sum(run["seed"] == seed for run in runs)
    most = max(count(run["seed"]) for run in runs)
    return [run for run in runs if count(run["seed"]) == most]


def main(raw, file):
    runs = latest(raw)
    limit = runs[0]["limit"]
    times = [limit * (index + 1) / POINTS for index in range(POINTS)]
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    for axis, kind, label in [(left, BRANCHES, "edges of branches"), (right, PATHS, "paths")]:
        draw(axis, runs, times, kind)
        axis.set(xlabel="seconds", ylabel=label, xlim=(0, limit))
    right.set_yscale("log")
    left.legend(loc="lower right")
    save(figure, file)


main(sys.argv[1], Path(sys.argv[2]))
