import { scopes as allScopes, type BatchWire } from '@tributary/contract';
import { readBatch, type ReadBatch } from '@tributary/domain';
import { isDocumentPayload, readDocuments } from '../sync/document-payload.ts';
import { unpack } from './packing.ts';

/** A batch as it lies in raw. */
export interface RawBatch {
  batchId: string;
  createdMs: number;
  receivedMs: number;
  scopes: number;
  payload: Buffer;
}

export interface OpenedBatch extends RawBatch {
  read: ReadBatch;
}

/** Unpacks and reads a batch; throws when its bytes are damaged. */
export function openBatch<Batch extends RawBatch>(batch: Batch): Batch & OpenedBatch {
  const body = JSON.parse(Buffer.from(unpack(batch.payload)).toString()) as BatchWire;
  const scopes = allScopes.filter((_, at) => batch.scopes & (1 << at));
  const told = isDocumentPayload(body) ? readDocuments(body) : body;
  return { ...batch, read: readBatch(told, { ...batch, scopes }) };
}
