import type { Queryable } from '../database/database.ts';

const tables = [
  'sample_chunks',
  'device_days',
  'device_sleep',
  'device_workouts',
  'device_records',
  'canonical_months',
  'canonical_sleep',
  'canonical_workouts',
] as const;

/** A digest of each layer table for a user. */
export async function digestLayers(tx: Queryable, userId: string): Promise<Map<string, string>> {
  const digests = new Map<string, string>();
  for (const table of tables) {
    const result = await tx.query<{ digest: string }>({
      text: `SELECT coalesce(md5(string_agg(row, '' ORDER BY row)), '') AS digest
             FROM (SELECT md5(t::text) AS row FROM ${table} t WHERE user_id = $1) AS rows`,
      values: [userId],
    });
    digests.set(table, result.rows[0]!.digest);
  }
  return digests;
}
