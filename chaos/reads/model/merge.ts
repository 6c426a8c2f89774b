import type { ModelDevice } from './normalized.ts';
import type { Part } from './parts.ts';

/** An interval of a merged day, or a moment. */
export interface Stretch {
  startMs: number;
  endMs: number;
  micros: number;
  device: ModelDevice;
}

/** What one device reports, and only counts or only zeros. */
interface Layer {
  device: ModelDevice;
  parts: readonly Part[];
}

interface Segment {
  startMs: number;
  endMs: number;
  part: Part;
  device: ModelDevice;
}

/**
 * The union over time of the counts that devices report for a day, best device first. Time is split wherever a reading begins or ends. Each
 * piece belongs to the best device that counted anything at that time, and to the reading of that device that began last. Zeros fill the
 * remaining time by the same rule.
 */
export function mergeDay(devices: readonly Layer[]): Stretch[] {
  const layers = [
    ...devices.map(({ device, parts }) => ({ device, parts: parts.filter(({ micros }) => micros !== 0) })),
    ...devices.map(({ device, parts }) => ({ device, parts: parts.filter(({ micros }) => micros === 0) })),
  ];
  const lasting = layers.map(({ device, parts }) => ({
    device,
    parts: parts.filter(({ startMs, endMs }) => endMs > startMs),
  }));
  const boundaries = new Set(
    lasting.flatMap(({ parts }) => parts.flatMap(({ startMs, endMs }) => [startMs, endMs])),
  );
  const times = [...boundaries].sort((a, b) => a - b);
  const segments: Segment[] = [];
  for (let at = 0; at + 1 < times.length; at += 1) {
    const [startMs, endMs] = [times[at]!, times[at + 1]!];
    const match = partAt(lasting, startMs);
    if (!match) continue;
    const last = segments.at(-1);
    if (last && last.endMs === startMs && last.part === match.part) last.endMs = endMs;
    else segments.push({ startMs, endMs, ...match });
  }
  const stretches = segments.map(({ startMs, endMs, part, device }) => {
    const [pieceMs, wholeMs] = [endMs - startMs, part.endMs - part.startMs];
    const micros = pieceMs === wholeMs ? part.micros : part.micros * (pieceMs / wholeMs);
    return { startMs, endMs, micros, device };
  });
  const moments = new Map<number, Stretch>();
  layers.forEach(({ device, parts }, rank) => {
    const occupied = new Set(moments.keys());
    for (const { startMs, endMs, micros } of parts) {
      if (endMs > startMs || occupied.has(startMs) || partAt(lasting.slice(0, rank), startMs)) continue;
      const same = moments.get(startMs);
      if (!same || micros > same.micros) moments.set(startMs, { startMs, endMs, micros, device });
    }
  });
  return [...stretches, ...moments.values()].sort((a, b) => a.startMs - b.startMs || a.endMs - b.endMs);
}

/** The part that counts at an instant: of the first layer that has any, the one that began last, then the shortest, then the largest. */
function partAt(layers: readonly Layer[], atMs: number): { device: ModelDevice; part: Part } | null {
  for (const { device, parts } of layers) {
    const [part] = parts
      .filter(({ startMs, endMs }) => startMs <= atMs && endMs > atMs)
      .sort((a, b) => b.sample.atMs - a.sample.atMs || a.endMs - b.endMs || b.micros - a.micros);
    if (part) return { device, part };
  }
  return null;
}
