import type { DisabledReason, Subscription, WebhookStatus } from '@tributary/contract';
import type { Queryable } from '../database/database.ts';
import { readAsTenant, tenantRead, type Tenant } from '../database/tenant.ts';

export interface Webhook {
  id: string;
  url: string;
  events: Subscription[];
  status: WebhookStatus;
  disabledReason: DisabledReason | null;
  coalesceSeconds: number;
  rateLimit: number | null;
  createdAt: string;
  lastDeliveryAt: string | null;
}

/** Columns of the table `webhooks` as `w`. */
export const webhookColumns = `w.id, w.url, w.events, w.status, w.disabled_reason AS "disabledReason", w.coalesce_seconds AS "coalesceSeconds",
  w.rate_limit AS "rateLimit", w.created_at AS "createdAt", w.last_delivery_at AS "lastDeliveryAt"`;

/** `$1` and `$2` are the tenant. */
const ofTenant = `in_tenant(w.account_id, w.environment, $1::uuid, $2) AND w.status <> 'deleted'`;

const selectAll = tenantRead(
  'webhooks/list',
  `SELECT ${webhookColumns} FROM webhooks w WHERE ${ofTenant} ORDER BY w.created_at, w.id`,
);

const selectOne = tenantRead(
  'webhooks/find',
  `SELECT ${webhookColumns} FROM webhooks w WHERE ${ofTenant} AND w.id = $3`,
);

/** All webhooks, oldest first. */
export function listWebhooks(db: Queryable, tenant: Tenant): Promise<Webhook[]> {
  return readAsTenant<Webhook>(db, tenant, selectAll, []);
}

export async function findWebhook(db: Queryable, tenant: Tenant, id: string): Promise<Webhook | null> {
  const [row] = await readAsTenant<Webhook>(db, tenant, selectOne, [id]);
  return row ?? null;
}

/** The tenant of a webhook, for operators. */
export async function findTenantOfWebhook(operator: Queryable, id: string): Promise<Tenant | null> {
  const result = await operator.query<Tenant>({
    text: `SELECT account_id AS "accountId", environment FROM webhooks WHERE id = $1 AND status <> 'deleted'`,
    values: [id],
  });
  return result.rows[0] ?? null;
}

/** Serializes creates of this tenant, then counts its webhooks. */
export async function countWebhooksExclusively(tx: Queryable, tenant: Tenant): Promise<number> {
  const values = [tenant.accountId, tenant.environment];
  await tx.query({
    text: `SELECT pg_advisory_xact_lock(hashtextextended('webhook-limit:' || $1 || ':' || $2, 0))`,
    values,
  });
  const result = await tx.query<{ total: number }>({
    text: `SELECT count(*) AS total FROM webhooks w WHERE ${ofTenant}`,
    values,
  });
  return result.rows[0]!.total;
}

export interface NewWebhook {
  id: string;
  url: string;
  events: readonly Subscription[];
  status: 'active' | 'inactive';
  coalesceSeconds: number;
  rateLimit: number | null;
  /** Encrypted. */
  secret: Buffer;
}

export async function insertWebhook(tx: Queryable, tenant: Tenant, webhook: NewWebhook): Promise<Webhook> {
  const result = await tx.query<Webhook>({
    name: 'webhooks/insert',
    text: `INSERT INTO webhooks AS w (account_id, environment, id, url, events, status, coalesce_seconds, rate_limit, secret, created_at, updated_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, tributary_now(), tributary_now()) RETURNING ${webhookColumns}`,
    values: [
      tenant.accountId,
      tenant.environment,
      webhook.id,
      webhook.url,
      webhook.events,
      webhook.status,
      webhook.coalesceSeconds,
      webhook.rateLimit,
      webhook.secret,
    ],
  });
  return result.rows[0]!;
}

export interface WebhookChanges {
  url?: string;
  events?: readonly Subscription[];
  status?: 'active' | 'inactive';
  coalesceSeconds?: number;
  rateLimit?: number | null;
}

/** Reads and locks a webhook until the transaction ends; null if this tenant has no such webhook. */
export async function lockWebhook(tx: Queryable, tenant: Tenant, id: string): Promise<Webhook | null> {
  const result = await tx.query<Webhook>({
    name: 'webhooks/lock',
    text: `SELECT ${webhookColumns} FROM webhooks w WHERE ${ofTenant} AND w.id = $3 FOR NO KEY UPDATE`,
    values: [tenant.accountId, tenant.environment, id],
  });
  return result.rows[0] ?? null;
}

/** Applies the given changes; null if this tenant has no such webhook. Reactivating or moving it clears its failure history. */
export async function updateWebhook(
  tx: Queryable,
  tenant: Tenant,
  id: string,
  changes: WebhookChanges,
): Promise<Webhook | null> {
  const result = await tx.query<Webhook>({
    name: 'webhooks/update',
    text: `UPDATE webhooks w SET url = coalesce($4, w.url), events = coalesce($5, w.events), status = coalesce($6, w.status),
             coalesce_seconds = coalesce($7, w.coalesce_seconds), rate_limit = CASE WHEN $8 THEN $9 ELSE w.rate_limit END,
             disabled_reason = CASE WHEN $6 IS NULL THEN w.disabled_reason END,
             failing_since = CASE WHEN ($6 = 'active' AND w.status <> 'active') OR $4 <> w.url THEN NULL ELSE w.failing_since END,
             updated_at = tributary_now()
           WHERE ${ofTenant} AND w.id = $3 RETURNING ${webhookColumns}`,
    values: [
      tenant.accountId,
      tenant.environment,
      id,
      changes.url ?? null,
      changes.events ?? null,
      changes.status ?? null,
      changes.coalesceSeconds ?? null,
      changes.rateLimit !== undefined,
      changes.rateLimit ?? null,
    ],
  });
  return result.rows[0] ?? null;
}

/** Replaces the secret; the previous one stays valid for `overlapMs`. Returns its end, or null if this tenant has no such webhook. */
export async function rotateSecret(
  tx: Queryable,
  tenant: Tenant,
  id: string,
  { secret, overlapMs }: { secret: Buffer; overlapMs: number },
): Promise<string | null> {
  const result = await tx.query<{ until: string }>({
    name: 'webhooks/rotate',
    text: `UPDATE webhooks w SET secret = $4, previous_secret = w.secret,
             previous_secret_until = tributary_now() + $5 * interval '1 millisecond', updated_at = tributary_now()
           WHERE ${ofTenant} AND w.id = $3 RETURNING w.previous_secret_until AS until`,
    values: [tenant.accountId, tenant.environment, id, secret, overlapMs],
  });
  return result.rows[0]?.until ?? null;
}

/** Hides a webhook permanently and wipes its secrets, including the URL; false if there is none. */
export async function markWebhookDeleted(tx: Queryable, tenant: Tenant, id: string): Promise<boolean> {
  const result = await tx.query({
    name: 'webhooks/delete',
    text: `UPDATE webhooks w SET status = 'deleted', url = '', secret = '', previous_secret = NULL, previous_secret_until = NULL,
             updated_at = tributary_now() WHERE ${ofTenant} AND w.id = $3`,
    values: [tenant.accountId, tenant.environment, id],
  });
  return result.rowCount === 1;
}
