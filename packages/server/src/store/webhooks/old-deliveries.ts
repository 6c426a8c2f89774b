import type { Queryable } from '../database/database.ts';

interface DeliveryKey {
  webhookId: string;
  eventId: string;
}

const isOld = (days: string) => `d.ended_at < tributary_now() - ${days} * interval '1 day'`;

/** Deliveries that ended longer ago than `olderThanDays`. */
export async function listOldDeliveries(
  tx: Queryable,
  olderThanDays: number,
  limit: number,
): Promise<DeliveryKey[]> {
  const result = await tx.query<DeliveryKey>({
    text: `SELECT d.webhook_id AS "webhookId", d.event_id AS "eventId" FROM deliveries d WHERE ${isOld('$1')} LIMIT $2`,
    values: [olderThanDays, limit],
  });
  return result.rows;
}

/** Deletes those that are still this old: one may have been resent in the meantime. */
export async function deleteOldDeliveries(
  tx: Queryable,
  olderThanDays: number,
  keys: readonly DeliveryKey[],
): Promise<number> {
  const result = await tx.query({
    text: `DELETE FROM deliveries d USING unnest($1::uuid[], $2::uuid[]) AS old (webhook_id, event_id)
           WHERE d.webhook_id = old.webhook_id AND d.event_id = old.event_id AND ${isOld('$3')}`,
    values: [keys.map(({ webhookId }) => webhookId), keys.map(({ eventId }) => eventId), olderThanDays],
  });
  return result.rowCount ?? 0;
}

/** Deletes up to `most` deliveries of deleted webhooks, in any state. */
export async function deleteOrphanedDeliveries(tx: Queryable, most: number): Promise<number> {
  const result = await tx.query({
    text: `DELETE FROM deliveries WHERE ctid = ANY (ARRAY(
             SELECT ctid FROM deliveries WHERE webhook_id = ANY (ARRAY(SELECT id FROM webhooks WHERE status = 'deleted')) LIMIT $1))`,
    values: [most],
  });
  return result.rowCount ?? 0;
}

/** Deletes webhooks that were deleted longer ago than `olderThanMs` and have no deliveries. By then nothing creates one for them any more. */
export async function deleteRemovedWebhooks(tx: Queryable, olderThanMs: number): Promise<number> {
  const result = await tx.query({
    text: `DELETE FROM webhooks w WHERE w.status = 'deleted' AND w.updated_at < tributary_now() - $1 * interval '1 millisecond'
             AND NOT EXISTS (SELECT FROM deliveries d WHERE d.webhook_id = w.id)`,
    values: [olderThanMs],
  });
  return result.rowCount ?? 0;
}
