import type { Queryable } from '../database/database.ts';

/** The remaining devices of a user, each as provider and its own id. */
export async function findDeviceKeys(db: Queryable, userId: string): Promise<string[]> {
  const result = await db.query<{ key: string }>({
    name: 'devices/keys',
    text: `SELECT own.key FROM (SELECT set_config('tributary.user_id', $1, true) AS user_id OFFSET 0) AS scope,
           LATERAL (
             SELECT provider || '/' || coalesce(stable_id, id::text) AS key FROM devices
             WHERE user_id = $1::uuid AND removed_at IS NULL AND scope.user_id IS NOT NULL OFFSET 0
           ) AS own`,
    values: [userId],
  });
  return result.rows.map(({ key }) => key);
}
