import { chunkMs, chunkOf, type Chunk } from '../samples/chunk.ts';
import type { Owner } from '../samples/owner.ts';

/** Readings of one metric in one chunk. */
export interface ChunkReadings {
  metricNo: number;
  chunk: number;
  readings: Chunk;
}

/** Collects the readings of one metric in a batch, in any order, and splits them into chunks. */
export class Readings {
  readonly #metricNo: number;
  readonly #times: number[] = [];
  readonly #values: number[] = [];
  readonly #durations: number[] = [];
  readonly #ownerOf: number[] = [];
  readonly #owners: Owner[] = [];
  #inOrder = true;

  constructor(metricNo: number) {
    this.#metricNo = metricNo;
  }

  /** Index of the owner for this batch with a given unit and offset. */
  ownerIndex(owner: Owner): number {
    const index = this.#owners.findIndex(
      (other) => other.utcOffsetMinutes === owner.utcOffsetMinutes && other.unitCode === owner.unitCode,
    );
    return index >= 0 ? index : this.#owners.push(owner) - 1;
  }

  add(timeMs: number, micros: number, durationMs: number, owner: number): void {
    const last = this.#times.length - 1;
    if (last >= 0 && timeMs <= this.#times[last]!) this.#inOrder = false;
    this.#times.push(timeMs);
    this.#values.push(micros);
    this.#durations.push(durationMs);
    this.#ownerOf.push(owner);
  }

  /** Uses the last reading listed for each instant. The others count as repeats. */
  splitIntoChunks(): { chunks: ChunkReadings[]; repeats: number } {
    const order = this.#inOrder ? null : this.#orderByTime();
    const length = order ? order.length : this.#times.length;
    const at = order ? (index: number) => order[index]! : (index: number) => index;
    const chunks: ChunkReadings[] = [];
    for (let from = 0; from < length;) {
      const chunk = chunkOf(this.#times[at(from)]!);
      const endMs = (chunk + 1) * chunkMs;
      let to = from + 1;
      while (to < length && this.#times[at(to)]! < endMs) to += 1;
      chunks.push({ metricNo: this.#metricNo, chunk, readings: this.#slice(chunk, from, to, at) });
      from = to;
    }
    return { chunks, repeats: this.#times.length - length };
  }

  #orderByTime(): number[] {
    const indices = this.#times
      .map((_, index) => index)
      .sort((a, b) => this.#times[a]! - this.#times[b]! || a - b);
    return indices.filter((index, at) => this.#times[index] !== this.#times[indices[at + 1] ?? -1]);
  }

  #slice(chunk: number, from: number, to: number, at: (index: number) => number): Chunk {
    const length = to - from;
    const times = new Int32Array(length);
    const values = new Float64Array(length);
    const durations = new Int32Array(length);
    const ownerOf = new Uint16Array(length);
    let lasting = false;
    for (let place = 0; place < length; place += 1) {
      const index = at(from + place);
      times[place] = this.#times[index]! - chunk * chunkMs;
      values[place] = this.#values[index]!;
      durations[place] = this.#durations[index]!;
      ownerOf[place] = this.#ownerOf[index]!;
      if (durations[place] !== 0) lasting = true;
    }
    return { times, values, durations: lasting ? durations : null, ownerOf, owners: this.#owners };
  }
}
