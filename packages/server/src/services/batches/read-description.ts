import type { BatchWire } from '@tributary/contract';
import { zstdDecompressSync } from 'node:zlib';

const lists = ['series', 'records', 'daily', 'sleep', 'workouts', 'deletions'] as const;

/** What a batch is about, without anything that was measured. */
export interface BatchDescription {
  provider: string;
  deviceId: string;
  kind: string;
  /** How many items each list holds. */
  counts: Record<(typeof lists)[number], number>;
}

/** Reads from a stored payload what it is about; null when it is damaged. */
export function readDescription(payload: Buffer): BatchDescription | null {
  try {
    const body = JSON.parse(zstdDecompressSync(payload).toString()) as BatchWire;
    const { provider, id: deviceId, kind } = body.device;
    const counts = Object.fromEntries(lists.map((list) => [list, body[list]?.length ?? 0]));
    return { provider, deviceId, kind, counts: counts as BatchDescription['counts'] };
  } catch {
    return null;
  }
}
