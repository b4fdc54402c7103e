import assert from "node:assert/strict";
import { test } from "node:test";
import {
  a12,
  a12Interval,
  geometricMean,
  holm,
  mannWhitney,
  median,
  restrictedMean,
  survival,
} from "./statistics.mjs";

const near = (actual, expected, tolerance) =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not near ${expected}`);
const range = (from, to) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

test("the median of an even number of values is between the middle two", () => {
  assert.equal(median([3, 1, 2]), 2);
  assert.equal(median([10, 1, 2, 3]), 2.5);
});

test("A12 is one when all of the first are smaller, and a half when nothing differs", () => {
  assert.equal(a12([1, 2], [3, 4]), 1);
  assert.equal(a12([3, 4], [1, 2]), 0);
  assert.equal(a12([5, 5], [5, 5]), 0.5);
  assert.equal(a12([1, 3], [2, 3]), 0.625);
});

test("p-values are those of scipy.stats.mannwhitneyu with method='exact'", () => {
  near(mannWhitney(range(1, 10), range(11, 20)), 2 / 184756, 1e-12);
  near(mannWhitney([19, 22, 16, 29, 24], [20, 11, 17, 12]), 1 / 9, 1e-12);
});

test("equal samples are not told apart", () => {
  assert.equal(mannWhitney([7, 7, 7], [7, 7, 7]), 1);
  assert.equal(mannWhitney([1, 2, 3, 4], [1, 2, 3, 4]), 1);
});

test("all divisions count, also where there are ties", () => {
  // There are 20 ways to choose 3 of 6. One has the lowest sum and one the highest.
  assert.equal(mannWhitney([1, 2, 3], [4, 5, 6]), 0.1);
  // There are 3 ways to choose one of 2, 2 and 9. Only the choice of 9 is as far from the mean.
  near(mannWhitney([9], [2, 2]), 1 / 3, 1e-12);
});

test("p-values are adjusted as Holm does", () => {
  assert.deepEqual(holm([0.01, 0.04, 0.03, 0.005]), [0.03, 0.06, 0.06, 0.02]);
  assert.deepEqual(holm([0.9, 0.8]), [1, 1]);
});

test("times beyond the cap count as the cap", () => {
  assert.equal(restrictedMean([1, 3, Infinity], 5), 3);
  assert.deepEqual(survival([1, 3, Infinity, 3], [0, 1, 3, 5]), [1, 0.75, 0.25, 0.25]);
  assert.ok(Math.abs(geometricMean([2, 8]) - 4) < 1e-12);
});

test("an interval holds the value that it is about, and is a point where all agree", () => {
  const [low, high] = a12Interval([1, 2, 3, 9], [2, 4, 6, 8]);
  const value = a12([1, 2, 3, 9], [2, 4, 6, 8]);
  assert.ok(low < value && value < high && low >= 0 && high <= 1);
  assert.deepEqual(a12Interval([1, 1], [2, 2]), [1, 1]);
});
