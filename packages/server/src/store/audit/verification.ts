import { hourMs } from '@tributary/domain';
import type pg from 'pg';
import { entryColumns, type AuditEntry, type SignedHead } from './chain.ts';
import { inLimitedTransaction, type Queryable } from '../database/database.ts';

/** An entry as stored in the log, with its personal text if there is any. */
export interface StoredEntry extends AuditEntry {
  position: number;
  hash: Buffer;
  text: {
    accountId: string;
    environment: string | null;
    person: string;
    salt: Buffer;
    content: string;
  } | null;
}

/** Something at a position of a chain, or outside any chain. */
export interface AuditPlace {
  accountId: string;
  position: number | null;
  id: string;
}

const pageSize = 5_000;
/** Maximum listed anomalies of each kind. */
const mostListed = 1_000;

/** Runs `work` on one snapshot of everything, however long it takes. */
export function inAuditSnapshot<T>(pool: pg.Pool, work: (tx: Queryable) => Promise<T>): Promise<T> {
  return inLimitedTransaction(pool, hourMs, work, [
    { text: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY', values: [] },
  ]);
}

/** `$1` is an account, or null for all of them. */
const ofAccount = (column: string) => `($1::uuid IS NULL OR ${column} = $1)`;

type Row = Omit<StoredEntry, 'text'> & {
  textAccount: string | null;
  textEnvironment: string | null;
  textPerson: string;
  salt: Buffer;
  content: string;
};

/** Every entry, by account in chain order. Fetches the next page while the caller processes this one. */
export async function* readChains(tx: Queryable, accountId: string | null): AsyncGenerator<StoredEntry[]> {
  // A cursor instead of keyset pages, which could skip rows with equal keys if the key is not enforced.
  await tx.query({
    text: `DECLARE chains NO SCROLL CURSOR FOR
           SELECT e.position, e.hash, ${entryColumns}, t.account_id AS "textAccount", t.environment AS "textEnvironment",
             t.person AS "textPerson", t.salt, t.text::text AS content
           FROM audit_log e LEFT JOIN audit_texts t ON t.entry_id = e.id
           ${accountId === null ? '' : `WHERE e.account_id = '${accountId}'`} ORDER BY e.account_id, e.position`,
  });
  const fetchPage = () => tx.query<Row>({ text: `FETCH ${pageSize} FROM chains` });
  let next = fetchPage();
  for (;;) {
    const { rows } = await next;
    if (rows.length === 0) break;
    next = fetchPage();
    next.catch(() => {}); // thrown where it is awaited
    yield rows.map(toStoredEntry);
  }
  await tx.query({ text: 'CLOSE chains' });
}

function toStoredEntry(row: Row): StoredEntry {
  const { textAccount, textEnvironment, textPerson, salt, content } = row;
  const text =
    textAccount === null
      ? null
      : { accountId: textAccount, environment: textEnvironment, person: textPerson, salt, content };
  return Object.assign(row, { text });
}

export async function listHeadsOf(tx: Queryable, accountId: string | null): Promise<SignedHead[]> {
  const result = await tx.query<SignedHead>({
    text: `SELECT account_id AS "accountId", position, hash, signature FROM audit_heads WHERE ${ofAccount('account_id')}
           ORDER BY account_id`,
    values: [accountId],
  });
  return result.rows;
}

/** Entries of these actions that are not chained yet. */
export async function listWaitingTargets(
  tx: Queryable,
  accountId: string | null,
  actions: readonly string[],
): Promise<{ accountId: string; targetId: string }[]> {
  const result = await tx.query<{ accountId: string; targetId: string }>({
    text: `SELECT account_id AS "accountId", target_id AS "targetId" FROM audit_intake
           WHERE ${ofAccount('account_id')} AND action = ANY ($2)`,
    values: [accountId, actions],
  });
  return result.rows;
}

/** An entry of a chain. */
interface ChainPlace extends AuditPlace {
  position: number;
}

/** Texts that no entry refers to, chained or waiting. */
export function listStrayTexts(tx: Queryable, accountId: string | null): Promise<AuditPlace[]> {
  return listPlaces<AuditPlace & { position: null }>(
    tx,
    accountId,
    `SELECT t.account_id AS "accountId", NULL::int8 AS position, t.entry_id AS id FROM audit_texts t
     WHERE ${ofAccount('t.account_id')} AND NOT EXISTS (SELECT FROM audit_log l WHERE l.id = t.entry_id)
       AND NOT EXISTS (SELECT FROM audit_intake i WHERE i.id = t.entry_id)`,
  );
}

/** Entries that share their id with another. */
export function listRepeatedIds(tx: Queryable, accountId: string | null): Promise<AuditPlace[]> {
  return listPlaces<ChainPlace>(
    tx,
    accountId,
    `SELECT l.account_id AS "accountId", l.position, l.id FROM audit_log l
     JOIN (SELECT id FROM audit_log GROUP BY id HAVING count(*) > 1) AS repeated USING (id)
     WHERE ${ofAccount('l.account_id')} ORDER BY l.account_id, l.position`,
  );
}

/** Entries that wait to be chained although they already are. */
export function listChainedAndWaiting(tx: Queryable, accountId: string | null): Promise<AuditPlace[]> {
  return listPlaces<ChainPlace>(
    tx,
    accountId,
    `SELECT l.account_id AS "accountId", l.position, l.id FROM audit_intake i JOIN audit_log l USING (id)
     WHERE ${ofAccount('l.account_id')}`,
  );
}

async function listPlaces<Place extends AuditPlace>(
  tx: Queryable,
  accountId: string | null,
  text: string,
): Promise<Place[]> {
  const result = await tx.query<Place>({ text: `${text} LIMIT ${mostListed}`, values: [accountId] });
  return result.rows;
}
