import type { Queryable } from '@tributary/server/testing/database';
import { type FeedTenant, numberIn } from '@tributary/rig';
import { wants } from './kinds.ts';
import type { StreamReader } from './reader.ts';

/** How what readers got differs from the feed. */
export interface Verdict {
  missed: number;
  repeated: number;
  /** Of another tenant, or not asked for, or from before the beginning. */
  foreign: number;
  /** Readers that got the right events in another order. */
  disordered: number;
}

/** What a reader is to have: everything of its filter after its first place. */
export function expectedOf(reader: StreamReader, feed: readonly number[], place: number): number[] {
  return feed.slice(place).filter((number) => wants(reader.filter, number));
}

/** Counts what is wrong with what a reader got. */
export function judge(taken: readonly number[], expected: readonly number[], verdict: Verdict): void {
  const wanted = new Set(expected);
  const known = new Set<number>();
  let isOtherwise = taken.length !== expected.length;
  for (const [at, number] of taken.entries()) {
    if (!wanted.has(number)) verdict.foreign += 1;
    else if (known.has(number)) verdict.repeated += 1;
    else known.add(number);
    isOtherwise ||= number !== expected[at];
  }
  verdict.missed += wanted.size - known.size;
  const isSame = known.size === wanted.size && taken.length === expected.length;
  if (isSame && isOtherwise) verdict.disordered += 1;
}

/** Numbers of the events of a tenant, by their places. */
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
