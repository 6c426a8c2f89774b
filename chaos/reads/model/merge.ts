import type { ModelDevice, Sample } from './normalized.ts';

/** An interval of a merged day, or a moment. */
export interface Stretch {
  startMs: number;
  endMs: number;
  micros: number;
  device: ModelDevice;
}

interface Segment {
  startMs: number;
  endMs: number;
  sample: Sample;
  device: ModelDevice;
}

/**
 * The union over time of the counts that devices report for a day, best device first. Time is split wherever a reading begins or ends. Each
 * piece belongs to the best device with a reading at that time, and to the reading of that device that began last.
 */
export function mergeDay(devices: readonly { device: ModelDevice; samples: readonly Sample[] }[]): Stretch[] {
  const lasting = devices.map(({ device, samples }) => ({
    device,
    samples: samples.filter(({ durationMs }) => durationMs > 0),
  }));
  const boundaries = new Set<number>();
  for (const { samples } of lasting)
    for (const { atMs, durationMs } of samples) {
      boundaries.add(atMs);
      boundaries.add(atMs + durationMs);
    }
  const times = [...boundaries].sort((a, b) => a - b);
  const segments: Segment[] = [];
  for (let at = 0; at + 1 < times.length; at += 1) {
    const [startMs, endMs] = [times[at]!, times[at + 1]!];
    const match = speaking(lasting, startMs);
    if (!match) continue;
    const last = segments.at(-1);
    if (last && last.endMs === startMs && last.sample === match.sample) last.endMs = endMs;
    else segments.push({ startMs, endMs, ...match });
  }
  const stretches = segments.map(({ startMs, endMs, sample, device }) => ({
    startMs,
    endMs,
    micros:
      endMs - startMs === sample.durationMs
        ? sample.micros
        : sample.micros * ((endMs - startMs) / sample.durationMs),
    device,
  }));
  const moments: Stretch[] = [];
  devices.forEach(({ device, samples }, rank) => {
    for (const { atMs, durationMs, micros } of samples) {
      if (durationMs > 0) continue;
      const isOccupied = moments.some((other) => other.startMs === atMs && other.device !== device);
      if (isOccupied || speaking(lasting.slice(0, rank), atMs)) continue;
      moments.push({ startMs: atMs, endMs: atMs, micros, device });
    }
  });
  return [...stretches, ...moments].sort((a, b) => a.startMs - b.startMs || a.endMs - b.endMs);
}

/** The reading that counts at an instant: the latest of the best device. */
function speaking(
  devices: readonly { device: ModelDevice; samples: readonly Sample[] }[],
  atMs: number,
): { device: ModelDevice; sample: Sample } | null {
  for (const { device, samples } of devices) {
    let latest: Sample | null = null;
    for (const sample of samples)
      if (sample.atMs <= atMs && sample.atMs + sample.durationMs > atMs)
        if (latest === null || sample.atMs > latest.atMs) latest = sample;
    if (latest) return { device, sample: latest };
  }
  return null;
}
