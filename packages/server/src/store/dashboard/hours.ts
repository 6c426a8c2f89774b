import type pg from 'pg';
import type { Queryable } from '../database/database.ts';
import { readAsTenant, readPlannedAsTenant, tenantRead, type Tenant } from '../database/tenant.ts';

const selectAccepted = tenantRead(
  'dashboard-hours/accepted',
  `SELECT h.hour AS at, sum(h.batches)::int8 AS batches, sum(h.accepted)::int8 AS accepted FROM accepted_hours h
   WHERE in_tenant(h.account_id, h.environment, $1::uuid, $2) AND h.hour >= to_timestamp($3::float8 / 1000) GROUP BY h.hour`,
);

/** Accepted batches and values per hour since a time, without empty hours. */
export function listAcceptedHours(
  db: Queryable,
  tenant: Tenant,
  sinceMs: number,
): Promise<{ at: string; batches: number; accepted: number }[]> {
  return readAsTenant<{ at: string; batches: number; accepted: number }>(db, tenant, selectAccepted, [
    sinceMs,
  ]);
}

/** An event of the feed and the hour in which it was sequenced, counted from the first. */
export interface SampledEvent {
  id: string;
  type: string;
  hour: number;
}

// One index lookup per position, in the months that can have it.
const selectAtPlaces = tenantRead(
  'dashboard-hours/events',
  `SELECT f.id, f.type, floor(extract(epoch FROM f.sequenced_at - to_timestamp($4::float8 / 1000)) / 3600)::int4 AS hour
   FROM unnest($3::int8[]) AS k (place),
   LATERAL (SELECT f.id, f.type, f.sequenced_at FROM feed f WHERE in_tenant(f.account_id, f.environment, $1::uuid, $2) AND f.position = k.place
     AND f.sequenced_at >= to_timestamp($4::float8 / 1000) AND f.sequenced_at < to_timestamp($5::float8 / 1000) OFFSET 0) AS f`,
);

/** The events at these positions that were sequenced in this period. */
export function listEventsAt(
  pool: pg.Pool,
  tenant: Tenant,
  places: readonly number[],
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Promise<SampledEvent[]> {
  return readPlannedAsTenant<SampledEvent>(pool, tenant, selectAtPlaces, [places, fromMs, toMs]);
}

/** Delivery results of the events of one hour at one webhook. */
export interface DeliveredHour {
  webhookId: string;
  hour: number;
  first: number;
  later: number;
  failed: number;
}

// One primary key lookup per event and webhook. A delivery that will be retried counts as failed so far.
const selectDelivered = tenantRead(
  'dashboard-hours/delivered',
  `SELECT w.id AS "webhookId", e.hour, count(*) FILTER (WHERE d.state = 'succeeded' AND d.attempted <= 1) AS first,
     count(*) FILTER (WHERE d.state = 'succeeded' AND d.attempted > 1) AS later,
     count(*) FILTER (WHERE d.state = 'failed' OR (d.state = 'pending' AND d.tries > 0)) AS failed
   FROM unnest($3::uuid[]) AS w (id), unnest($4::uuid[], $5::int4[]) AS e (id, hour),
   LATERAL (SELECT d.state, d.tries, jsonb_array_length(d.attempts) AS attempted FROM deliveries d
            WHERE in_tenant(d.account_id, d.environment, $1::uuid, $2) AND d.webhook_id = w.id AND d.event_id = e.id OFFSET 0) AS d
   GROUP BY w.id, e.hour`,
);

export function listDeliveredHours(
  db: Queryable,
  tenant: Tenant,
  webhookIds: readonly string[],
  events: readonly SampledEvent[],
): Promise<DeliveredHour[]> {
  return readAsTenant<DeliveredHour>(db, tenant, selectDelivered, [
    webhookIds,
    events.map(({ id }) => id),
    events.map(({ hour }) => hour),
  ]);
}
