import { metrics } from '../catalog/catalog.ts';
import { metricsFedBy, readingOfDay, type DeviceDay } from '../day/device-day.ts';
import { chunkMs, type Chunk } from '../samples/chunk.ts';
import { uuidText } from '../samples/owner.ts';

/** Metrics whose samples can determine the value of this one: the metric itself, then those that it accompanies. */
export function sampledMetricsOf(metricNo: number): number[] {
  const others = metrics.filter(({ no }) => no !== metricNo && metricsFedBy(no).includes(metricNo));
  return [metricNo, ...others.map(({ no }) => no)];
}

/** The metric whose samples determine a device's daily value. Null if the value does not come from samples. */
export function sampledMetricBehind(day: DeviceDay, metricNo: number): number | null {
  if (readingOfDay(day, metricNo)?.from !== 'samples') return null;
  const determinesValue = (from: number) => {
    const parts = day.sampled.get(from);
    const single = {
      reported: new Map(),
      sampled: new Map(parts && [[from, parts]]),
      fromSessions: new Map(),
    };
    return readingOfDay(single, metricNo) !== null;
  };
  return sampledMetricsOf(metricNo).find(determinesValue) ?? null;
}

/** The readings of a day and the batches they arrived with. */
export interface DaySamples {
  readonly count: number;
  readonly firstMs: number;
  readonly lastMs: number;
  readonly batches: readonly { batchId: string; createdMs: number; readings: number }[];
}

/** Readings in the chunks from `fromMs` up to `toMs`. Null if there are none. */
export function samplesBetween(
  chunks: readonly { chunk: number; content: Chunk }[],
  fromMs: number,
  toMs: number,
): DaySamples | null {
  let count = 0;
  let [firstMs, lastMs] = [Infinity, -Infinity];
  const batches = new Map<string, { batchId: string; createdMs: number; readings: number }>();
  for (const { chunk, content } of chunks) {
    const { times, values, ownerOf, owners } = content;
    const readingsOf = new Uint32Array(owners.length);
    for (let at = 0; at < times.length; at += 1) {
      const startMs = chunk * chunkMs + times[at]!;
      if (startMs < fromMs || startMs >= toMs || Number.isNaN(values[at]!)) continue;
      count += 1;
      firstMs = Math.min(firstMs, startMs);
      lastMs = Math.max(lastMs, startMs);
      readingsOf[ownerOf[at]!]! += 1;
    }
    owners.forEach(({ batchId: bytes, createdMs }, index) => {
      const readings = readingsOf[index]!;
      if (readings === 0) return;
      const batchId = uuidText(bytes);
      const known = batches.get(batchId);
      if (known) known.readings += readings;
      else batches.set(batchId, { batchId, createdMs, readings });
    });
  }
  if (count === 0) return null;
  return { count, firstMs, lastMs, batches: [...batches.values()] };
}
