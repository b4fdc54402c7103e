// Statistics used in the papers, for lists of numbers. Smaller numbers are better.

/** Median: the number in the middle, or the mean of the two in the middle. */
export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Number of pairs (a of `first`, b of `second`) with a < b. A tie counts half. */
function wins(first, second) {
  let count = 0;
  for (const a of first) for (const b of second) count += a < b ? 1 : a === b ? 0.5 : 0;
  return count;
}

/**
 * A12 of Vargha and Delaney (2000): the probability that a number of `first` is smaller than one of `second`. Ties
 * count half. 0.5 means no difference.
 */
export function a12(first, second) {
  return wins(first, second) / (first.length * second.length);
}

/**
 * Exact two-sided p-value of the Mann-Whitney U test (1947), also with ties. All divisions of the numbers into two groups of
 * these sizes are counted. The p-value is the share of divisions whose sum of ranks is at least as far from the mean.
 */
export function mannWhitney(first, second) {
  const all = [...first, ...second];
  const sorted = [...all].sort((a, b) => a - b);
  // Twice the mean rank of equal numbers, which is an integer.
  const rank = (number) => sorted.indexOf(number) + sorted.lastIndexOf(number) + 2;
  const ranks = all.map(rank);
  const observed = first.reduce((sum, number) => sum + rank(number), 0);
  const mean = (first.length * ranks.reduce((sum, value) => sum + value, 0)) / all.length;
  // Number of ways to choose a number of elements (index) with a sum of ranks (key).
  const ways = Array.from({ length: first.length + 1 }, () => new Map());
  ways[0].set(0, 1);
  for (const value of ranks) {
    for (let chosen = first.length; chosen > 0; chosen -= 1) {
      for (const [sum, count] of ways[chosen - 1]) {
        ways[chosen].set(sum + value, (ways[chosen].get(sum + value) ?? 0) + count);
      }
    }
  }
  let [far, total] = [0, 0];
  for (const [sum, count] of ways[first.length]) {
    total += count;
    if (Math.abs(sum - mean) >= Math.abs(observed - mean) - 1e-9) far += count;
  }
  return far / total;
}

/** Holm's correction (1979) of p-values for multiple comparisons. The order stays. */
export function holm(values) {
  const order = values.map((value, index) => [value, index]).sort(([a], [b]) => a - b);
  const adjusted = [];
  let largest = 0;
  order.forEach(([value, index], place) => {
    largest = Math.max(largest, Math.min(1, value * (values.length - place)));
    adjusted[index] = largest;
  });
  return adjusted;
}

/** Restricted mean of times. A time above `cap` counts as `cap`. */
export function restrictedMean(times, cap) {
  return times.reduce((sum, time) => sum + Math.min(time, cap), 0) / times.length;
}

/** Share of runs that had found nothing yet, at each of these times. */
export function survival(times, at) {
  return at.map((time) => times.filter((found) => found > time).length / times.length);
}

/** Geometric mean of positive numbers. */
export function geometricMean(numbers) {
  return Math.exp(numbers.reduce((sum, number) => sum + Math.log(number), 0) / numbers.length);
}

/** Generator of random numbers in [0, 1) from a seed (mulberry32). */
function numbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let word = Math.imul(state ^ (state >>> 15), 1 | state);
    word = (word + Math.imul(word ^ (word >>> 7), 61 | word)) ^ word;
    return ((word ^ (word >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Bootstrap interval of A12: holds 95 % of its values when both lists are resampled with replacement. */
export function a12Interval(first, second, draws = 1000) {
  const next = numbers(1);
  const again = (list) => list.map(() => list[Math.floor(next() * list.length)]);
  const values = Array.from({ length: draws }, () => a12(again(first), again(second))).sort((a, b) => a - b);
  return [values[Math.floor(0.025 * draws)], values[Math.ceil(0.975 * draws) - 1]];
}
