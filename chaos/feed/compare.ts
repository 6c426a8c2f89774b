import type { Queryable } from '@tributary/server/testing/database';
import { type FeedTenant, type Ledger, numberIn } from '@tributary/rig';
import type { Reader } from './reader.ts';

const rowsAtOnce = 50_000;

/** Differences between the written events, the stored feed and what readers received. */
export interface Verdict {
  missed: number;
  repeated: number;
  /** Positions that do not follow the previous one by 1. */
  gaps: number;
  /** Events that were never committed, or belong to another tenant. */
  phantoms: number;
  /** Events behind one that the same writer wrote later, in the same transaction or a later one. */
  outOfOrder: number;
  /** Events at which a reader's order differs from the feed, which all readers of a tenant share. */
  otherOrder: number;
  /** Pages that were read again after a death and did not start with the same events. */
  changedPages: number;
}

/** Compares the stored feeds with the written events, and every reader with its feed. */
export async function compare(
  db: Queryable,
  ledger: Ledger,
  tenants: readonly FeedTenant[],
  readers: readonly Reader[],
): Promise<Verdict> {
  const verdict: Verdict = {
    missed: 0,
    repeated: 0,
    gaps: 0,
    phantoms: 0,
    outOfOrder: 0,
    otherOrder: 0,
    changedPages: 0,
  };
  const committed = countCommitted(ledger, tenants.length);
  for (const [at, tenant] of tenants.entries()) {
    const feed = await readStoredFeed(db, tenant, verdict);
    compareStretch(feed, at, committed[at]!, ledger, verdict);
    for (const reader of readers.filter((reader) => reader.tenant === at)) {
      compareStretch(reader.eventNumbers, at, committed[at]!, ledger, verdict);
      const length = Math.max(reader.eventNumbers.length, feed.length);
      for (let place = 0; place < length; place += 1)
        if (reader.eventNumbers[place] !== feed[place]) verdict.otherOrder += 1;
      for (const { after, numbers } of reader.lostPages)
        if (numbers.some((number, place) => feed[after + place] !== number)) verdict.changedPages += 1;
    }
  }
  return verdict;
}

function countCommitted(ledger: Ledger, tenants: number): number[] {
  const counts = Array.from({ length: tenants }, () => 0);
  for (let number = 0; number < ledger.count; number += 1)
    if (ledger.committedAt(number) > 0) counts[ledger.tenantOf(number)!]! += 1;
  return counts;
}

/** Reads the event numbers of a tenant in feed order, and counts gaps in the positions. */
async function readStoredFeed(db: Queryable, tenant: FeedTenant, verdict: Verdict): Promise<number[]> {
  const feed: number[] = [];
  let last = 0;
  for (;;) {
    const { rows } = await db.query<{ position: number; id: string }>({
      text: `SELECT position, id FROM feed WHERE account_id = $1 AND environment = $2 AND position > $3
             ORDER BY position LIMIT ${rowsAtOnce}`,
      values: [tenant.accountId, tenant.environment, last],
    });
    for (const { position, id } of rows) {
      if (position !== last + 1) verdict.gaps += 1;
      last = position;
      feed.push(numberIn(id));
    }
    if (rows.length < rowsAtOnce) return feed;
  }
}

/** Compares the events read for one tenant with those written for it. */
function compareStretch(
  numbers: readonly number[],
  tenant: number,
  committed: number,
  ledger: Ledger,
  verdict: Verdict,
): void {
  const known = new Uint8Array(ledger.count);
  const lastOfWriter = new Map<number, number>();
  let distinctCount = 0;
  for (const number of numbers) {
    if (ledger.committedAt(number) === 0 || ledger.tenantOf(number) !== tenant) {
      verdict.phantoms += 1;
      continue;
    }
    if (known[number] === 1) verdict.repeated += 1;
    else distinctCount += 1;
    known[number] = 1;
    const writer = ledger.writerOf(number)!;
    // A writer ends a transaction before it begins the next, so its numbers only rise.
    if ((lastOfWriter.get(writer) ?? -1) > number) verdict.outOfOrder += 1;
    lastOfWriter.set(writer, number);
  }
  verdict.missed += committed - distinctCount;
}
