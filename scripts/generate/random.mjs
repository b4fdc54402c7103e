// Random numbers that depend on nothing but a seed and the order of the draws.
import { createHash } from "node:crypto";

export class Random {
  #seed;
  #draws = 0;

  constructor(seed) {
    this.#seed = seed;
  }

  /** A word of so many bits. */
  bits(count) {
    const digest = createHash("sha256").update(`${this.#seed}/${this.#draws++}`).digest("hex");
    return BigInt(`0x${digest}`) & ((1n << BigInt(count)) - 1n);
  }

  /** A whole number from `low` to `high`, both included. */
  between(low, high) {
    return low + Number(this.bits(48) % BigInt(high - low + 1));
  }

  chance(percent) {
    return this.between(1, 100) <= percent;
  }

  pick(list) {
    return list[this.between(0, list.length - 1)];
  }

  /** So many different entries of a list, in the order in which they stand there. */
  some(list, count) {
    const left = [...list.keys()];
    while (left.length > count) left.splice(this.between(0, left.length - 1), 1);
    return left.map((index) => list[index]);
  }
}
