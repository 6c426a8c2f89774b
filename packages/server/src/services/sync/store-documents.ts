import { createHash } from 'node:crypto';
import type { Documents } from '@tributary/providers';
import { v8FromHash } from './hashed-id.ts';
import { inTransaction, type Queryable } from '../../store/database/database.ts';
import {
  findSeen,
  holdRun,
  insertDocumentBatches,
  writeSeen,
} from '../../store/connections/retained-documents.ts';
import { packDocuments, type PackedDocuments } from './document-payload.ts';
import { RunOver, type Run, type SyncContext } from './run.ts';

export interface DocumentChanges {
  documents?: Documents;
  /** IDs of deleted documents. */
  deleted?: readonly string[];
  /** When the provider was queried. Determines which of two versions wins, because only one run at a time reads a user. */
  requestedAtMs: number;
  /** Marks history, which waits behind new data. Documents read again after an interruption are stored only once. */
  isHistory?: boolean;
}

/** Commits the documents of a stream to the raw layer and notifies the workers. Throws `RunOver` if the run no longer owns the connection. */
export async function storeDocuments(
  ctx: SyncContext,
  run: Run,
  stream: string,
  changes: DocumentChanges,
  also: (tx: Queryable) => Promise<void> = async () => {},
): Promise<void> {
  const { connection, provider } = run;
  const { documents = [], deleted = [] } = changes;
  const packed = documents.length + deleted.length > 0 ? packDocuments(provider, stream, changes) : [];
  const batches = await ctx.rawPayloads.encryptAll(
    connection.userId,
    packed.map((one) => toBatch(ctx, run, changes, one)),
  );
  await inTransaction(ctx.operator, async (tx) => {
    if (!(await holdRun(tx, connection))) throw new RunOver();
    await insertDocumentBatches(
      tx,
      connection.userId,
      connection.scopes,
      batches,
      changes.isHistory ? 'history' : 'live',
    );
    await also(tx);
  });
  run.news += documents.length + deleted.length;
  // Workers find history by polling, so they are not notified.
  if (packed.length > 0 && !changes.isHistory) ctx.announce([connection]);
}

function toBatch(
  ctx: SyncContext,
  { connection }: Run,
  { requestedAtMs, isHistory }: DocumentChanges,
  packed: PackedDocuments,
) {
  const batchId = isHistory ? v8FromHash(connection.deviceId, packed.digest) : ctx.newId();
  return { batchId, createdMs: requestedAtMs, ...packed };
}

const hashBytes = 8;

/** The documents of the last poll of a stream, to detect new ones. Only the last poll counts: a document that changes back is new again. */
export class Memory {
  readonly #before: ReadonlySet<string>;
  readonly #now = new Set<string>();

  constructor(seen: Buffer | null) {
    const hashes = new Set<string>();
    const bytes = seen ?? Buffer.alloc(0);
    for (let at = 0; at < bytes.length; at += hashBytes)
      hashes.add(bytes.toString('latin1', at, at + hashBytes));
    this.#before = hashes;
  }

  /** Returns the documents that the last poll did not contain in this form. */
  newsOf(documents: Documents): Documents {
    return documents.filter((document) => {
      const hash = createHash('sha256')
        .update(JSON.stringify(document))
        .digest()
        .toString('latin1', 0, hashBytes);
      this.#now.add(hash);
      return !this.#before.has(hash);
    });
  }

  /** The state to store for the next poll. */
  bytes(): Buffer {
    return Buffer.from([...this.#now].join(''), 'latin1');
  }
}

/** Adds an ID to the documents seen in a stream. */
export async function rememberSeen(
  tx: Queryable,
  { connection }: Run,
  stream: string,
  id: string,
): Promise<void> {
  const before = (await findSeen(tx, connection.deviceId, stream)) ?? Buffer.alloc(0);
  const one = new Memory(null);
  one.newsOf([id]);
  await writeSeen(tx, connection, stream, Buffer.concat([before, one.bytes()]));
}

/** Clears the documents seen in a stream after something other than a poll changed it. */
export function forgetSeen(tx: Queryable, { connection }: Run, stream: string): Promise<void> {
  return writeSeen(tx, connection, stream, Buffer.alloc(0));
}
