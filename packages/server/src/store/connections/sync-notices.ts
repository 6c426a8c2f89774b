import type { Notice } from '@tributary/providers';
import type { Queryable } from '../database/database.ts';

/** A notice without the user id, stored once its connection is known. */
export type StoredNotice =
  Exclude<Notice, { kind: 'data' | 'revoked' }> extends infer One
    ? One extends unknown
      ? Omit<One, 'userId'>
      : never
    : never;

/** Stores a notice from a push and makes its connection due. */
export async function insertNotice(
  tx: Queryable,
  { deviceId, userId }: { deviceId: string; userId: string },
  notice: StoredNotice,
): Promise<void> {
  await tx.query({
    name: 'sync-notices/insert',
    text: `INSERT INTO sync_notices (device_id, user_id, notice, received_at) VALUES ($1, $2, $3, tributary_now())`,
    values: [deviceId, userId, JSON.stringify(notice)],
  });
  await tx.query({
    name: 'sync-notices/wake',
    text: `UPDATE connections SET last_push_at = tributary_now(), due_at = least(due_at, tributary_now())
           WHERE device_id = $1 AND tokens IS NOT NULL`,
    values: [deviceId],
  });
}

/** Records that the provider pushed. */
export async function notePush(
  tx: Queryable,
  deviceId: string,
  { isNews }: { isNews: boolean },
): Promise<void> {
  await tx.query({
    name: 'connections/note-push',
    text: `UPDATE connections SET last_push_at = tributary_now(), last_news_at = CASE WHEN $2 THEN tributary_now() ELSE last_news_at END
           WHERE device_id = $1`,
    values: [deviceId, isNews],
  });
}

/** The oldest unread notices of a connection. */
export async function listNotices(
  db: Queryable,
  deviceId: string,
  limit: number,
): Promise<{ id: number; notice: StoredNotice }[]> {
  const result = await db.query<{ id: number; notice: StoredNotice }>({
    name: 'sync-notices/list',
    text: `SELECT id, notice FROM sync_notices WHERE device_id = $1 ORDER BY id LIMIT $2`,
    values: [deviceId, limit],
  });
  return result.rows;
}

export async function deleteNotices(tx: Queryable, ids: readonly number[]): Promise<void> {
  await tx.query({
    name: 'sync-notices/delete',
    text: 'DELETE FROM sync_notices WHERE id = ANY ($1::int8[])',
    values: [ids],
  });
}
