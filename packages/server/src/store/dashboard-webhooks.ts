import type { Queryable } from './database.ts';
import { readAsTenant, tenantRead, type Tenant } from './tenant.ts';

/** How an endpoint is doing at this moment. */
export interface WebhookState {
  id: string;
  url: string;
  status: 'active' | 'inactive' | 'disabled';
  disabledReason: string | null;
  failingSince: string | null;
  updatedAt: string;
  /** Deliveries that wait, one more than is counted at most, and since when the oldest of those does. */
  waiting: number;
  oldestWaitingAt: string | null;
  /** The newest attempt among the deliveries of late and those that are tried again. */
  lastAttempt: { at: string; status: number | null; error: string | null } | null;
}

/** Where counting of deliveries that wait stops: each is looked up in a table that changes all the time. */
export const mostWaiting = 1_000;

const attemptsLookedAt = 20;

const ofWebhook = `in_tenant(d.account_id, d.environment, $1::uuid, $2) AND d.webhook_id = w.id`;

// What waits is counted along an index, by its order: without one, the planner would rather go through the table until it has enough.
const selectStates = tenantRead(
  'dashboard-webhooks/states',
  `SELECT w.id, w.url, w.status, w.disabled_reason AS "disabledReason", w.failing_since AS "failingSince", w.updated_at AS "updatedAt",
     waiting.count AS waiting, waiting.oldest AS "oldestWaitingAt", attempt.last AS "lastAttempt"
   FROM webhooks w,
   LATERAL (SELECT count(*) AS count, min(created_at) AS oldest FROM
     (SELECT d.created_at FROM deliveries d WHERE ${ofWebhook} AND d.state = 'pending' ORDER BY d.due_at LIMIT ${mostWaiting + 1}) AS d) AS waiting,
   LATERAL (SELECT max(d.last ->> 'at') AS at, (array_agg(d.last ORDER BY d.last ->> 'at' DESC))[1] AS last FROM (
     (SELECT d.attempts -> -1 AS last FROM deliveries d WHERE ${ofWebhook} ORDER BY d.event_id DESC LIMIT ${attemptsLookedAt})
     UNION ALL
     (SELECT d.attempts -> -1 FROM deliveries d WHERE ${ofWebhook} AND d.state = 'pending' AND d.tries > 0
      ORDER BY d.due_at DESC LIMIT ${attemptsLookedAt})
     UNION ALL
     (SELECT d.attempts -> -1 FROM deliveries d WHERE ${ofWebhook} AND d.state = 'failed' ORDER BY d.event_id DESC LIMIT ${attemptsLookedAt})
   ) AS d WHERE d.last IS NOT NULL) AS attempt
   WHERE in_tenant(w.account_id, w.environment, $1::uuid, $2) AND w.status <> 'deleted' ORDER BY w.created_at, w.id`,
);

/** All webhooks of a tenant, oldest first. */
export function listWebhookStates(db: Queryable, tenant: Tenant): Promise<WebhookState[]> {
  return readAsTenant<WebhookState>(db, tenant, selectStates, []);
}
