import type { EventWire } from '@tributary/contract';
import type { Queryable } from '../database/database.ts';
import type { FeedEvent } from '../events/feed.ts';

/** The endpoint of a webhook and its settings. Secrets are still encrypted. */
export interface Endpoint {
  id: string;
  url: string;
  status: 'active' | 'inactive' | 'disabled' | 'deleted';
  coalesceSeconds: number;
  rateLimit: number | null;
  secret: Buffer;
  /** Null unless it is still valid. */
  previousSecret: Buffer | null;
}

/** An event on its way to a webhook. Times are in milliseconds. */
export interface Delivery {
  webhookId: string;
  eventId: string;
  /** Null for a test event. */
  position: number | null;
  userId: string | null;
  type: string;
  backfill: boolean;
  createdAt: number;
  dueAt: number;
  tries: number;
  /** The payload, if it is not the event itself. */
  sent: EventWire | null;
  /** The event; null if there is only `sent`, or if it is no longer retained. */
  event: FeedEvent | null;
}

/** The result of an attempt. */
export interface Outcome {
  webhookId: string;
  eventId: string;
  state: 'pending' | 'succeeded' | 'failed';
  /** When it is retried, if it is and was not resent. */
  dueAt: number;
  /** When the attempt was due. */
  wasDueAt: number;
  attempt: {
    at: string;
    status: number | null;
    error: string | null;
    milliseconds: number;
    answer: string | null;
  };
  /** The endpoint reported that it is gone permanently. */
  isEndpointGone: boolean;
  /** The payload, if it was not the event itself. */
  sent: EventWire | null;
  /** Events merged into it. */
  merged: readonly string[];
}

/** The current settings of webhooks, without those deleted from the table. */
export async function readEndpoints(db: Queryable, ids: readonly string[]): Promise<Endpoint[]> {
  const result = await db.query<Endpoint>({
    name: 'deliveries/endpoints',
    text: `SELECT id, url, status, coalesce_seconds AS "coalesceSeconds", rate_limit AS "rateLimit", secret,
             CASE WHEN previous_secret_until > tributary_now() THEN previous_secret END AS "previousSecret"
           FROM webhooks WHERE id = ANY ($1::uuid[])`,
    values: [ids],
  });
  return result.rows;
}

/** Active webhooks of these partitions with pending deliveries, each with the earliest due time. */
export async function listAwaited(
  db: Queryable,
  partitions: readonly number[],
): Promise<{ id: string; dueAt: number }[]> {
  const result = await db.query<{ id: string; dueAt: number }>({
    name: 'deliveries/awaited',
    text: `SELECT w.id, (extract(epoch FROM d.due_at) * 1000)::float8 AS "dueAt" FROM webhooks w, LATERAL (
             SELECT due_at FROM deliveries WHERE webhook_id = w.id AND state = 'pending' ORDER BY due_at LIMIT 1
           ) AS d WHERE w.status = 'active' AND partition_of(w.id) = ANY ($1::int2[])`,
    values: [partitions],
  });
  return result.rows;
}

/** Number of deliveries a webhook can accept now. */
export interface Room {
  webhookId: string;
  room: number;
}

/** Maximum changes of users with due deliveries that are read along, so that they can be merged. */
const mostChanges = 1_000;

/**
 * Reads due deliveries of webhooks, oldest first, except those already queued in memory, together with changes of the same users that still wait for
 * the end of their window. Only the owner of a webhook's partition may call it.
 */
export async function readDueDeliveries(
  db: Queryable,
  rooms: readonly Room[],
  excludedIds: readonly string[],
): Promise<Delivery[]> {
  const result = await db.query<DeliveryRow>({
    name: 'deliveries/due',
    text: `SELECT d.webhook_id AS "webhookId", d.event_id AS "eventId", d.position, d.user_id AS "userId", d.type, d.backfill, d.tries, d.sent,
             (extract(epoch FROM d.created_at) * 1000)::float8 AS "createdAt", (extract(epoch FROM d.due_at) * 1000)::float8 AS "dueAt",
             f.id, f.device_id AS "deviceId", f.metrics, f.data, f.created_at AS "happenedAt"
           FROM unnest($1::uuid[], $2::int4[]) AS asked (webhook_id, room), LATERAL (
             WITH due AS MATERIALIZED (
               SELECT * FROM deliveries WHERE webhook_id = asked.webhook_id AND state = 'pending' AND due_at <= (SELECT tributary_now())
                 AND event_id <> ALL ($3::uuid[])
               ORDER BY due_at, position LIMIT asked.room
             )
             SELECT * FROM due UNION ALL (
               SELECT c.* FROM deliveries c WHERE c.webhook_id = asked.webhook_id AND c.state = 'pending' AND c.tries = 0
                 AND c.type = 'data.updated' AND c.user_id IN (SELECT user_id FROM due) AND c.event_id <> ALL ($3::uuid[])
                 AND NOT EXISTS (SELECT FROM due WHERE due.event_id = c.event_id)
               ORDER BY c.position LIMIT ${mostChanges}
             )
           ) AS d LEFT JOIN feed f ON f.account_id = d.account_id AND f.environment = d.environment AND f.position = d.position
             AND f.sequenced_at = d.sequenced_at`,
    values: [rooms.map(({ webhookId }) => webhookId), rooms.map(({ room }) => room), excludedIds],
  });
  return result.rows.map(toDelivery);
}

interface DeliveryRow extends Omit<Delivery, 'event'> {
  id: string | null;
  deviceId: string | null;
  metrics: number[];
  data: Record<string, unknown>;
  happenedAt: string;
}

function toDelivery({ id, deviceId, metrics, data, happenedAt, ...delivery }: DeliveryRow): Delivery {
  const { position, userId, type } = delivery;
  const isOfFeed = id !== null && position !== null && userId !== null;
  const event = isOfFeed
    ? { position, id, userId, type, deviceId, metrics, data, createdAt: happenedAt }
    : null;
  return { ...delivery, event };
}

/** Fails deliveries whose events the feed no longer retains: there is nothing left to send. */
export async function failForgotten(
  db: Queryable,
  deliveries: readonly Pick<Delivery, 'webhookId' | 'eventId'>[],
): Promise<void> {
  await db.query({
    name: 'deliveries/forgotten',
    text: `UPDATE deliveries d SET state = 'failed', ended_at = tributary_now(), attempts = d.attempts || jsonb_build_object(
             'at', iso_timestamp(tributary_now()), 'status', NULL, 'error', 'The event is no longer kept.', 'milliseconds', 0, 'answer', NULL)
           FROM unnest($1::uuid[], $2::uuid[]) AS f (webhook_id, event_id)
           WHERE d.webhook_id = f.webhook_id AND d.event_id = f.event_id AND d.state = 'pending'`,
    values: [deliveries.map(({ webhookId }) => webhookId), deliveries.map(({ eventId }) => eventId)],
  });
}

/** Number of attempts retained per delivery. */
const mostAttempts = 20;

/** Records the results of attempts. Disables webhooks that reported to be gone or only failed for this long, and returns their ids. */
export async function recordOutcomes(
  db: Queryable,
  outcomes: readonly Outcome[],
  disableAfterMs: number,
): Promise<string[]> {
  const merges = outcomes.flatMap(({ webhookId, eventId, merged }) =>
    merged.map((id) => ({ webhookId, into: eventId, id })),
  );
  const result = await db.query<{ id: string }>({
    name: 'deliveries/settle',
    text: `WITH outcome AS (
             SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[], $5::jsonb[], $6::boolean[], $7::json[], $12::float8[])
               AS o (webhook_id, event_id, state, due_at, attempt, is_gone, sent, was_due_ms)
           ), settled AS (
             UPDATE deliveries d SET state = o.state, tries = d.tries + 1,
               -- Resent during the attempt: it is due already.
               due_at = CASE WHEN d.due_at > to_timestamp(o.was_due_ms / 1000) + interval '1 millisecond' THEN d.due_at ELSE o.due_at END,
               sent = coalesce(o.sent, d.sent),
               attempts = CASE WHEN jsonb_array_length(d.attempts) >= ${mostAttempts} THEN d.attempts - 0 ELSE d.attempts END || o.attempt,
               ended_at = CASE WHEN o.state <> 'pending' THEN tributary_now() END
             FROM outcome o WHERE d.webhook_id = o.webhook_id AND d.event_id = o.event_id AND d.state = 'pending'
           ), merged AS (
             UPDATE deliveries d SET state = 'merged', merged_into = m.merged_into, ended_at = tributary_now()
             FROM unnest($8::uuid[], $9::uuid[], $10::uuid[]) AS m (webhook_id, merged_into, event_id)
             WHERE d.webhook_id = m.webhook_id AND d.event_id = m.event_id AND d.state = 'pending'
           ), heard AS (
             SELECT webhook_id, max((attempt ->> 'at')::timestamptz) AS last_at, min((attempt ->> 'at')::timestamptz) AS first_at,
               bool_or(state = 'succeeded') AS succeeded, bool_or(is_gone) AS gone FROM outcome GROUP BY webhook_id
           ), verdict AS (
             SELECT h.*, CASE WHEN h.gone THEN 'gone'
               WHEN NOT h.succeeded AND h.last_at - w.failing_since >= $11 * interval '1 millisecond' THEN 'failing' END AS reason
             FROM heard h JOIN webhooks w ON w.id = h.webhook_id
           )
           UPDATE webhooks w SET last_delivery_at = greatest(w.last_delivery_at, v.last_at),
             failing_since = CASE WHEN NOT v.succeeded THEN coalesce(w.failing_since, v.first_at) END,
             status = CASE WHEN w.status = 'active' AND v.reason IS NOT NULL THEN 'disabled' ELSE w.status END,
             disabled_reason = CASE WHEN w.status = 'active' THEN v.reason ELSE w.disabled_reason END
           FROM verdict v WHERE w.id = v.webhook_id AND (v.reason IS NOT NULL OR v.succeeded = (w.failing_since IS NOT NULL)
             OR w.last_delivery_at IS NULL OR w.last_delivery_at < v.last_at - interval '1 second')
           RETURNING CASE WHEN v.reason IS NOT NULL AND w.status = 'disabled' THEN w.id END AS id`,
    values: [
      outcomes.map(({ webhookId }) => webhookId),
      outcomes.map(({ eventId }) => eventId),
      outcomes.map(({ state }) => state),
      outcomes.map(({ dueAt }) => new Date(dueAt).toISOString()),
      outcomes.map(({ attempt }) => JSON.stringify(attempt)),
      outcomes.map(({ isEndpointGone }) => isEndpointGone),
      outcomes.map(({ sent }) => sent && JSON.stringify(sent)),
      merges.map(({ webhookId }) => webhookId),
      merges.map(({ into }) => into),
      merges.map(({ id }) => id),
      disableAfterMs,
      outcomes.map(({ wasDueAt }) => wasDueAt),
    ],
  });
  return result.rows.map(({ id }) => id).filter((id) => id !== null);
}
