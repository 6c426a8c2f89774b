import type { BatchWire } from '@tributary/contract';
import { zstdDecompressSync } from 'node:zlib';
import type { BatchKind } from '../../store/uploads/raw-batches.ts';
import type { DocumentPayload } from '../sync/document-payload.ts';
import { inferBatchKind } from './infer-batch-kind.ts';

const lists = {
  upload: ['series', 'records', 'daily', 'sleep', 'workouts', 'deletions'],
  documents: ['documents', 'deleted'],
} as const satisfies Record<BatchKind, readonly string[]>;

/** Describes a batch without any measured values. */
export interface BatchDescription {
  batchKind: BatchKind;
  provider: string;
  deviceId: string;
  kind: string;
  /** The number of items in each list. */
  counts: Record<string, number>;
}

/** Reads the description from a stored batch. Returns null if the payload is corrupt. */
export function readDescription(batch: { kind: BatchKind | null; payload: Buffer }): BatchDescription | null {
  try {
    const body = JSON.parse(zstdDecompressSync(batch.payload).toString()) as BatchWire | DocumentPayload;
    const { provider, id: deviceId, kind } = body.device;
    const batchKind = batch.kind ?? inferBatchKind(body);
    const stored = body as { [list: string]: unknown };
    const counts = Object.fromEntries(lists[batchKind].map((list) => [list, lengthOf(stored[list])]));
    return { batchKind, provider, deviceId, kind, counts };
  } catch {
    return null;
  }
}

function lengthOf(list: unknown): number {
  return Array.isArray(list) ? list.length : 0;
}
