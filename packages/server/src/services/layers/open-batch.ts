import { scopes as allScopes, type BatchWire } from '@tributary/contract';
import { readBatch, type ReadBatch } from '@tributary/domain';
import type { BatchKind } from '../../store/raw-batches.ts';
import { readDocuments, type DocumentPayload } from '../sync/document-payload.ts';
import { inferBatchKind } from '../batches/infer-batch-kind.ts';
import { unpack } from './packing.ts';

/** A batch as it lies in raw. */
export interface RawBatch {
  batchId: string;
  createdMs: number;
  receivedMs: number;
  scopes: number;
  /** Null when a node of an earlier version wrote the batch. */
  kind: BatchKind | null;
  payload: Buffer;
}

export interface OpenedBatch extends RawBatch {
  read: ReadBatch;
}

/** Unpacks and reads a batch; throws when its bytes are damaged. */
export function openBatch<Batch extends RawBatch>(batch: Batch): Batch & OpenedBatch {
  const body = JSON.parse(Buffer.from(unpack(batch.payload)).toString()) as BatchWire | DocumentPayload;
  const scopes = allScopes.filter((_, at) => batch.scopes & (1 << at));
  const kind = batch.kind ?? inferBatchKind(body);
  const told = kind === 'documents' ? readDocuments(body as DocumentPayload) : (body as BatchWire);
  return { ...batch, read: readBatch(told, { ...batch, scopes }) };
}
