import { createHash } from 'node:crypto';
import { scopes } from '@tributary/contract';
import type { Documents } from '@tributary/providers';
import { v8FromHash } from './hashed-id.ts';
import { inTransaction, type Queryable } from '../../store/database.ts';
import { findSeen, holdRun, insertDocumentBatches, writeSeen } from '../../store/kept-documents.ts';
import { packDocuments, type PackedDocuments } from './document-payload.ts';
import { RunOver, type Run, type SyncContext } from './run.ts';

/** A connection may send whatever its consent lets it read. */
export const allScopes = (1 << scopes.length) - 1;

export interface Kept {
  documents?: Documents;
  /** Ids of documents that are gone. */
  deleted?: readonly string[];
  /** When the provider was asked: decides between two tellings of one thing, since one run at a time asks for a person. */
  askedMs: number;
  /** Of years ago: it waits behind what is new, and what is read again after a cut is kept once. */
  isHistory?: boolean;
}

/** Commits what a stream told as raw, and points the workers at it. Throws `RunOver` when the connection is not ours any more. */
export async function keepDocuments(
  ctx: SyncContext,
  run: Run,
  stream: string,
  kept: Kept,
  also: (tx: Queryable) => Promise<void> = async () => {},
): Promise<void> {
  const { connection, provider } = run;
  const { documents = [], deleted = [] } = kept;
  const packed = documents.length + deleted.length > 0 ? packDocuments(provider, stream, kept) : [];
  await inTransaction(ctx.operator, async (tx) => {
    if (!(await holdRun(tx, connection))) throw new RunOver();
    await insertDocumentBatches(
      tx,
      connection.userId,
      allScopes,
      packed.map((one) => toBatch(ctx, run, kept, one)),
      kept.isHistory ? 'history' : 'live',
    );
    await also(tx);
  });
  run.news += documents.length + deleted.length;
  // History is found by looking: nobody need be woken for it.
  if (packed.length > 0 && !kept.isHistory) ctx.announce([connection]);
}

function toBatch(
  ctx: SyncContext,
  { connection }: Run,
  { askedMs, isHistory }: Kept,
  packed: PackedDocuments,
) {
  const batchId = isHistory ? v8FromHash(connection.deviceId, packed.digest) : ctx.newId();
  return { batchId, createdMs: askedMs, ...packed };
}

const hashBytes = 8;

/** What a stream told at the last look, to tell news from what is known. Only the last look counts: what came back to what it was is news again. */
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

  /** Those that the last look did not see like this. */
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

  /** To be kept for the next look. */
  bytes(): Buffer {
    return Buffer.from([...this.#now].join(''), 'latin1');
  }
}

/** Adds something by name to what was seen of a stream. */
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

/** Forgets what a stream told, after something else than a look has changed it. */
export function forgetSeen(tx: Queryable, { connection }: Run, stream: string): Promise<void> {
  return writeSeen(tx, connection, stream, Buffer.alloc(0));
}
