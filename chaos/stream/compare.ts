import type { Queryable } from '@tributary/server/testing/database';
import { type FeedTenant, numberIn } from '@tributary/rig';
import { wants } from './kinds.ts';
import type { StreamReader } from './reader.ts';

/** Differences between what readers received and the feed. */
export interface Verdict {
  missed: number;
  repeated: number;
  /** Events of another tenant, outside the filter, or older than the start cursor. */
  foreign: number;
  /** Readers that received the right events in another order. */
  disordered: number;
}

/** What a reader must receive: every event that matches its filter after its first position. */
export function expectedOf(reader: StreamReader, feed: readonly number[], place: number): number[] {
  return feed.slice(place).filter((number) => wants(reader.filter, number));
}

/** Counts the errors in what a reader received. */
export function checkReader(
  eventNumbers: readonly number[],
  expected: readonly number[],
  verdict: Verdict,
): void {
  const wanted = new Set(expected);
  const known = new Set<number>();
  let isOtherwise = eventNumbers.length !== expected.length;
  for (const [at, number] of eventNumbers.entries()) {
    if (!wanted.has(number)) verdict.foreign += 1;
    else if (known.has(number)) verdict.repeated += 1;
    else known.add(number);
    isOtherwise ||= number !== expected[at];
  }
  verdict.missed += wanted.size - known.size;
  const isSame = known.size === wanted.size && eventNumbers.length === expected.length;
  if (isSame && isOtherwise) verdict.disordered += 1;
}

/** The event numbers of a tenant, in feed order. */
export async function readStoredFeed(
  db: Queryable,
  { accountId, environment }: FeedTenant,
): Promise<number[]> {
  const { rows } = await db.query<{ id: string }>({
    text: 'SELECT id FROM feed WHERE account_id = $1 AND environment = $2 ORDER BY position',
    values: [accountId, environment],
  });
  return rows.map(({ id }) => numberIn(id));
}
