import type { Context } from '../../context.ts';
import { countRows, type RowCount } from '../../store/database/row-counts.ts';
import { listSealedOtherwise, sealedPlaces, type SealedPlace } from '../../store/database/sealed-values.ts';
import { listRawKeys } from '../../store/raw-keys/raw-keys.ts';
import { listPayloadHeads, listPayloads, type StoredPayload } from '../../store/raw-keys/stored-payloads.ts';
import { verifyChain, type VerifiedLog } from '../audit/verify-chain.ts';
import { boundaryOf } from '../encryption-keys/reseal-values.ts';
import { UnreadablePayloadError } from '../raw-payloads/raw-payloads.ts';

type BackupContext = Pick<Context, 'broker' | 'config' | 'keyring' | 'operator' | 'rawPayloads'>;

/** What was read of the values of one kind. */
interface Readable {
  readable: number;
  /** Values that this installation cannot decrypt. */
  unreadable: number;
}

export interface BackupReport {
  sealed: Record<SealedPlace, Readable>;
  /** Raw payloads. Those of erased users cannot be read, and must not be. */
  payloads: Readable & { erased: number };
  audit: VerifiedLog;
  counts: RowCount[];
  /** Tables whose number of rows differs from the expected one. */
  differences: (RowCount & { expected: number })[];
}

const pageSize = 500;
const payloadsAtOnce = 50;
/** No key has this version, so that every value was sealed with another one. */
const noVersion = 65_535;
const first = '00000000-0000-0000-0000-000000000000';

/** Reads everything in a restored database that could be damaged or locked: sealed values, raw payloads, the audit log, and the number of rows. Changes nothing. */
export async function verifyBackup(
  ctx: BackupContext,
  expected: readonly RowCount[] | null,
  onProgress: (text: string) => void = () => {},
): Promise<BackupReport> {
  onProgress('counting rows');
  const counts = await countRows(ctx.operator);
  onProgress('opening sealed values');
  const sealed = {} as Record<SealedPlace, Readable>;
  for (const place of sealedPlaces) sealed[place] = await openSealed(ctx, place);
  onProgress('decrypting raw payloads');
  const payloads = await openPayloads(ctx);
  onProgress('verifying the audit log');
  // The anchors in NATS are newer than a backup.
  const audit = await verifyChain(ctx, { accountId: null, withoutAnchors: true });
  return { sealed, payloads, audit, counts, differences: expected ? compare(counts, expected) : [] };
}

/** Whether a service could run with this database. */
export function isSound({ sealed, payloads, audit, differences }: BackupReport): boolean {
  return (
    Object.values(sealed).every(({ unreadable }) => unreadable === 0) &&
    payloads.unreadable === 0 &&
    audit.problemCount === 0 &&
    differences.length === 0
  );
}

async function openSealed(ctx: BackupContext, place: SealedPlace): Promise<Readable> {
  const result: Readable = { readable: 0, unreadable: 0 };
  const db = place === 'key_store' ? ctx.rawPayloads.keyStore : ctx.operator;
  if (!db) return result;
  let after: string[] | null = null;
  for (;;) {
    const page = await listSealedOtherwise(db, place, { version: noVersion, after, limit: pageSize });
    for (const { key, sealed } of page) {
      try {
        ctx.keyring.decrypt(sealed, boundaryOf(place, key));
        result.readable++;
      } catch {
        result.unreadable++;
      }
    }
    if (page.length < pageSize) return result;
    after = page.at(-1)!.key;
  }
}

async function openPayloads(ctx: BackupContext): Promise<BackupReport['payloads']> {
  const result = { readable: 0, unreadable: 0, erased: 0 };
  let last = { userId: first, batchId: first };
  for (;;) {
    const heads = await listPayloadHeads(ctx.operator, last, pageSize);
    for (let at = 0; at < heads.length; at += payloadsAtOnce)
      await openPage(ctx, await listPayloads(ctx.operator, heads.slice(at, at + payloadsAtOnce)), result);
    if (heads.length < pageSize) return result;
    last = heads.at(-1)!;
  }
}

async function openPage(
  ctx: BackupContext,
  batches: readonly StoredPayload[],
  result: BackupReport['payloads'],
): Promise<void> {
  const decrypt = await readKeys(ctx, batches);
  const erased = await findErased(ctx, batches);
  for (const batch of batches) {
    try {
      decrypt(batch);
      result.readable++;
    } catch (error) {
      if (error instanceof UnreadablePayloadError && erased.has(batch.userId)) result.erased++;
      else result.unreadable++;
    }
  }
}

/** If a key of the page cannot be opened, the keys of each batch are read on their own. */
async function readKeys(
  { rawPayloads }: BackupContext,
  batches: readonly StoredPayload[],
): Promise<(batch: StoredPayload) => Buffer> {
  try {
    return await rawPayloads.readKeys(batches);
  } catch {
    const single = new Map<StoredPayload, (batch: StoredPayload) => Buffer>();
    for (const batch of batches) {
      const decrypt = await rawPayloads.readKeys([batch]).catch(() => null);
      if (decrypt) single.set(batch, decrypt);
    }
    return (batch) => {
      const decrypt = single.get(batch);
      if (!decrypt) throw new Error('the key of this payload cannot be opened');
      return decrypt(batch);
    };
  }
}

/** Users whose key was destroyed, in the database or in a newer key store. */
async function findErased(
  { operator, rawPayloads }: BackupContext,
  batches: readonly StoredPayload[],
): Promise<Set<string>> {
  const users = [...new Set(batches.map(({ userId }) => userId))];
  const stores = rawPayloads.keyStore ? [operator, rawPayloads.keyStore] : [operator];
  const keys = await Promise.all(stores.map((db) => listRawKeys(db, users)));
  return new Set(
    keys
      .flat()
      .filter(({ sealed }) => sealed === null)
      .map(({ id }) => id),
  );
}

function compare(counts: readonly RowCount[], expected: readonly RowCount[]): BackupReport['differences'] {
  const rowsOf = new Map(counts.map(({ table, rows }) => [table, rows]));
  return expected
    .map(({ table, rows }) => ({ table, rows: rowsOf.get(table) ?? 0, expected: rows }))
    .filter((difference) => difference.rows !== difference.expected);
}
