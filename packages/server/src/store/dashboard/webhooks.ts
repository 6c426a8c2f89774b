import type { Queryable } from '../database/database.ts';
import { readAsTenant, tenantRead, type Tenant } from '../database/tenant.ts';

/** The current state of an endpoint. */
export interface WebhookState {
  id: string;
  url: string;
  status: 'active' | 'inactive' | 'disabled';
  disabledReason: string | null;
  failingSince: string | null;
  updatedAt: string;
  /** Pending deliveries, counted up to one more than the limit, and the age of the oldest of those. */
  waiting: number;
  oldestWaitingAt: string | null;
  /** The newest attempt among recent deliveries and retries. */
  lastAttempt: { at: string; status: number | null; error: string | null } | null;
}

/** Counting of pending deliveries stops here: each one is read from a table that changes constantly. */
export const mostWaiting = 1_000;

const recentAttemptCount = 20;

const ofWebhook = `in_tenant(d.account_id, d.environment, $1::uuid, $2) AND d.webhook_id = w.id`;

// Pending deliveries are counted along an index, by its order. Without the order, the planner would scan the table until it has enough rows.
const selectStates = tenantRead(
  'dashboard-webhooks/states',
  `SELECT w.id, w.url, w.status, w.disabled_reason AS "disabledReason", w.failing_since AS "failingSince", w.updated_at AS "updatedAt",
     waiting.count AS waiting, waiting.oldest AS "oldestWaitingAt", attempt.last AS "lastAttempt"
   FROM webhooks w,
   LATERAL (SELECT count(*) AS count, min(created_at) AS oldest FROM
     (SELECT d.created_at FROM deliveries d WHERE ${ofWebhook} AND d.state = 'pending' ORDER BY d.due_at LIMIT ${mostWaiting + 1}) AS d) AS waiting,
   LATERAL (SELECT max(d.last ->> 'at') AS at, (array_agg(d.last ORDER BY d.last ->> 'at' DESC))[1] AS last FROM (
     (SELECT d.attempts -> -1 AS last FROM deliveries d WHERE ${ofWebhook} ORDER BY d.event_id DESC LIMIT ${recentAttemptCount})
     UNION ALL
     (SELECT d.attempts -> -1 FROM deliveries d WHERE ${ofWebhook} AND d.state = 'pending' AND d.tries > 0
      ORDER BY d.due_at DESC LIMIT ${recentAttemptCount})
     UNION ALL
     (SELECT d.attempts -> -1 FROM deliveries d WHERE ${ofWebhook} AND d.state = 'failed' ORDER BY d.event_id DESC LIMIT ${recentAttemptCount})
   ) AS d WHERE d.last IS NOT NULL) AS attempt
   WHERE in_tenant(w.account_id, w.environment, $1::uuid, $2) AND w.status <> 'deleted' ORDER BY w.created_at, w.id`,
);

/** All webhooks of a tenant, oldest first. */
export function listWebhookStates(db: Queryable, tenant: Tenant): Promise<WebhookState[]> {
  return readAsTenant<WebhookState>(db, tenant, selectStates, []);
}
