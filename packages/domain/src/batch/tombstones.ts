import { chunkMs, chunkOf } from '../samples/chunk.ts';
import { uuidBytes } from '../samples/owner.ts';
import type { Stamp } from '../samples/record.ts';
import type { ChunkReadings } from './readings.ts';

interface Group {
  metricNo: number;
  chunk: number;
  stamp: Stamp;
  times: Set<number>;
}

/** Collects readings without a value, which delete the readings of the same time and stamp. */
export class Tombstones {
  readonly #groups = new Map<string, Group>();

  add(metricNo: number, startMs: number, stamp: Stamp): void {
    const chunk = chunkOf(startMs);
    const key = `${metricNo}/${chunk}/${stamp.createdMs}/${stamp.batchId}`;
    let group = this.#groups.get(key);
    if (!group) this.#groups.set(key, (group = { metricNo, chunk, stamp, times: new Set() }));
    group.times.add(startMs - chunk * chunkMs);
  }

  /** One chunk for each metric, span and stamp, so that many deletions are merged at once. */
  chunks(): ChunkReadings[] {
    return [...this.#groups.values()].map(({ metricNo, chunk, stamp: { createdMs, batchId }, times }) => ({
      metricNo,
      chunk,
      readings: {
        times: Int32Array.from(times).sort(),
        values: new Float64Array(times.size).fill(Number.NaN),
        durations: null,
        ownerOf: new Uint16Array(times.size),
        owners: [{ createdMs, batchId: uuidBytes(batchId), utcOffsetMinutes: null, unitCode: 0 }],
      },
    }));
  }
}
