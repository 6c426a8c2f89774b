import type { Queryable } from '../database/database.ts';
import type { Environment, Tenant } from '../database/tenant.ts';
import { webhookColumns, type Webhook } from './webhooks.ts';

/** A webhook as operators see it, with its tenant and the size of its queue. */
export interface OperatedWebhook extends Webhook, Tenant {
  pending: number;
  failed: number;
}

/** Counting of deliveries per state stops here, so that the list is fast however long the queues are. */
export const mostCounted = 10_000;

const count = (state: string) =>
  `(SELECT count(*) FROM (SELECT FROM deliveries d WHERE d.webhook_id = w.id AND d.state = '${state}' LIMIT ${mostCounted}) AS counted)`;

/** Webhooks of one or all accounts, by account. */
export async function listOperatedWebhooks(
  operator: Queryable,
  { accountId, environment }: { accountId: string | null; environment: Environment | null },
): Promise<OperatedWebhook[]> {
  const result = await operator.query<OperatedWebhook>({
    text: `SELECT ${webhookColumns}, w.account_id AS "accountId", w.environment, ${count('pending')} AS pending, ${count('failed')} AS failed
           FROM webhooks w WHERE w.status <> 'deleted' AND ($1::uuid IS NULL OR w.account_id = $1) AND ($2::text IS NULL OR w.environment = $2)
           ORDER BY w.account_id, w.environment, w.created_at, w.id`,
    values: [accountId, environment],
  });
  return result.rows;
}
