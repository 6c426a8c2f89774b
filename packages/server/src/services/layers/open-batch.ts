import type { BatchWire } from '@tributary/contract';
import { readBatch, type ReadBatch } from '@tributary/domain';
import { scopesOf } from '../../scope-bits.ts';
import type { BatchKind } from '../../store/uploads/raw-batches.ts';
import { readDocuments, type DocumentPayload } from '../sync/document-payload.ts';
import { inferBatchKind } from '../batches/infer-batch-kind.ts';
import { unpack } from './packing.ts';

/** A batch as stored in the raw layer. */
export interface RawBatch {
  batchId: string;
  createdMs: number;
  receivedMs: number;
  scopes: number;
  /** Null if a node of an earlier version wrote the batch. */
  kind: BatchKind | null;
  /** Compressed, not encrypted. */
  payload: Buffer;
}

export interface OpenedBatch extends RawBatch {
  read: ReadBatch;
}

/** Decompresses and reads a batch. Throws if its bytes are corrupt. */
export function openBatch<Batch extends RawBatch>(batch: Batch): Batch & OpenedBatch {
  const body = JSON.parse(Buffer.from(unpack(batch.payload)).toString()) as BatchWire | DocumentPayload;
  const scopes = scopesOf(batch.scopes);
  const kind = batch.kind ?? inferBatchKind(body);
  const batchBody = kind === 'documents' ? readDocuments(body as DocumentPayload) : (body as BatchWire);
  return { ...batch, read: readBatch(batchBody, { ...batch, scopes }) };
}
