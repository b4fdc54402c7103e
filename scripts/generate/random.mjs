// Random numbers that depend only on a seed and on the number of earlier draws.
import { createHash } from "node:crypto";

export class Random {
  #seed;
  #draws = 0;

  constructor(seed) {
    this.#seed = seed;
  }

  /** Returns a random number of `count` bits. */
  bits(count) {
    const digest = createHash("sha256").update(`${this.#seed}/${this.#draws++}`).digest("hex");
    return BigInt(`0x${digest}`) & ((1n << BigInt(count)) - 1n);
  }

  /** Returns a random integer from `low` to `high`, both included. */
  between(low, high) {
    return low + Number(this.bits(48) % BigInt(high - low + 1));
  }

  chance(percent) {
    return this.between(1, 100) <= percent;
  }

  pick(list) {
    return list[this.between(0, list.length - 1)];
  }

  /** Returns `count` different entries of a list, in the order of the list. */
  some(list, count) {
    const left = [...list.keys()];
    while (left.length > count) left.splice(this.between(0, left.length - 1), 1);
    return left.map((index) => list[index]);
  }
}
