import assert from "node:assert/strict";
import { test } from "node:test";
import { a12, mannWhitney, median } from "./statistics.mjs";

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

test("p-values are those of scipy.stats.mannwhitneyu with method='asymptotic'", () => {
  near(mannWhitney(range(1, 10), range(11, 20)), 0.000182672, 1e-6);
  near(mannWhitney([19, 22, 16, 29, 24], [20, 11, 17, 12]), 0.11134688653, 1e-6);
});

test("ties are corrected for", () => {
  // By hand: U = 3 of 25, ties of 2, 3 and 3, variance 25 / 12 * (11 - 54 / 90) = 21.667, z = 9 / 4.6547 = 1.9335.
  near(mannWhitney([1, 1, 2, 2, 3], [2, 3, 3, 4, 5]), 0.05317, 1e-5);
});

test("equal samples are not told apart", () => {
  assert.equal(mannWhitney([7, 7, 7], [7, 7, 7]), 1);
  near(mannWhitney([1, 2, 3, 4], [1, 2, 3, 4]), 1, 1e-6);
});
