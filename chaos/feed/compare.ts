import type { Queryable } from '@tributary/server/testing/database';
import { type FeedTenant, type Ledger, numberIn } from '@tributary/rig';
import type { Reader } from './reader.ts';

const rowsAtOnce = 50_000;

/** How what was stored and read differs from what was written. */
export interface Verdict {
  missed: number;
  repeated: number;
  /** Places other than the next one. */
  gaps: number;
  /** Never committed, or of another tenant. */
  phantoms: number;
  /** Behind an event that the same writer wrote later, in the same transaction or a later one. */
  outOfOrder: number;
  /** Events of readers that stand elsewhere than in the feed, which all readers of a tenant share. */
  otherOrder: number;
  /** Pages read again after a death that did not begin with the same events. */
  changedPages: number;
}

/** Compares the feeds with what was written, and every reader with its feed. */
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
      compareStretch(reader.taken, at, committed[at]!, ledger, verdict);
      const length = Math.max(reader.taken.length, feed.length);
      for (let place = 0; place < length; place += 1)
        if (reader.taken[place] !== feed[place]) verdict.otherOrder += 1;
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

/** Numbers of the events of a tenant by their places; counts places that are not the next. */
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

/** What was read of one tenant, against what was written for it. */
function compareStretch(
  numbers: readonly number[],
  tenant: number,
  committed: number,
  ledger: Ledger,
  verdict: Verdict,
): void {
  const known = new Uint8Array(ledger.count);
  const lastOfWriter = new Map<number, number>();
  let found = 0;
  for (const number of numbers) {
    if (ledger.committedAt(number) === 0 || ledger.tenantOf(number) !== tenant) {
      verdict.phantoms += 1;
      continue;
    }
    if (known[number] === 1) verdict.repeated += 1;
    else found += 1;
    known[number] = 1;
    const writer = ledger.writerOf(number)!;
    // A writer ends a transaction before it begins the next, and its numbers rise.
    if ((lastOfWriter.get(writer) ?? -1) > number) verdict.outOfOrder += 1;
    lastOfWriter.set(writer, number);
  }
  verdict.missed += committed - found;
}
