import { createHash } from 'node:crypto';

const letters = Array.from('abcdefghijklmnopqrstuvwxyz0123456789');

/** A seed for a run without one. The run prints it, so that it can be repeated. */
export function newSeed(): string {
  return String(Math.floor(Math.random() * 1e6));
}

/** Random numbers that depend only on a seed, so that a run can be repeated. */
export class Random {
  readonly #seed: string;
  readonly #words: Uint32Array;

  constructor(seed: string) {
    this.#seed = seed;
    const digest = createHash('sha256').update(seed).digest();
    this.#words = Uint32Array.from([0, 4, 8, 12], (at) => digest.readUInt32LE(at));
  }

  /** An independent generator for this name, whatever this one has already returned. */
  fork(name: string | number): Random {
    return new Random(`${this.#seed}/${name}`);
  }

  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number {
    return this.#word() / 2 ** 32;
  }

  /** A whole number from `least` to `most`, both inclusive. */
  int(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.int(0, list.length - 1)]!;
  }

  /** One of the entries, with a probability proportional to its weight. */
  weighted<T>(entries: readonly (readonly [weight: number, value: T])[]): T {
    let left = this.next() * entries.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, value] of entries) if ((left -= weight) < 0) return value;
    return entries.at(-1)![1];
  }

  shuffle<T>(list: readonly T[]): T[] {
    return list
      .map((value) => ({ value, at: this.next() }))
      .sort((a, b) => a.at - b.at)
      .map(({ value }) => value);
  }

  /** Letters and digits. */
  word(length: number): string {
    return Array.from({ length }, () => this.pick(letters)).join('');
  }

  uuid(): string {
    const bytes = Buffer.alloc(16);
    for (let at = 0; at < 16; at += 4) bytes.writeUInt32BE(this.#word(), at);
    bytes[6] = (bytes[6]! & 0x0f) | 0x40;
    bytes[8] = (bytes[8]! & 0x3f) | 0x80;
    return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  }

  /** A xorshift over four words. */
  #word(): number {
    const words = this.#words;
    const first = words[0]! ^ (words[0]! << 11);
    words.copyWithin(0, 1);
    words[3] = words[3]! ^ (words[3]! >>> 19) ^ first ^ (first >>> 8);
    return words[3];
  }
}
