// The statistics of the papers, over lists of numbers of which smaller ones are better.

/** The middle, or the mean of the two in the middle. */
export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** How many pairs (a of `first`, b of `second`) have a < b; a tie counts half. */
function wins(first, second) {
  let count = 0;
  for (const a of first) for (const b of second) count += a < b ? 1 : a === b ? 0.5 : 0;
  return count;
}

/**
 * Vargha and Delaney's A12 (2000): the probability that a number of `first` is smaller than one of `second`, ties
 * counted half. 0.5 is no difference.
 */
export function a12(first, second) {
  return wins(first, second) / (first.length * second.length);
}

/**
 * The two-sided p-value of the Mann-Whitney U test (1947), by the normal approximation with corrections for ties and
 * continuity.
 */
export function mannWhitney(first, second) {
  const [n, m] = [first.length, second.length];
  const total = n + m;
  const counts = new Map();
  for (const number of [...first, ...second]) counts.set(number, (counts.get(number) ?? 0) + 1);
  const ties = [...counts.values()].reduce((sum, count) => sum + count ** 3 - count, 0);
  const variance = ((n * m) / 12) * (total + 1 - ties / (total * (total - 1)));
  if (variance === 0) return 1;
  const distance = Math.max(0, Math.abs(wins(first, second) - (n * m) / 2) - 0.5);
  return erfc(distance / Math.sqrt(variance) / Math.SQRT2);
}

/** The complementary error function for x >= 0, after Abramowitz and Stegun 7.1.26; off by 1.5e-7 at most. */
function erfc(x) {
  const t = 1 / (1 + 0.3275911 * x);
  const factors = [1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592];
  return factors.reduce((sum, factor) => sum * t + factor, 0) * t * Math.exp(-x * x);
}
