import { mostCounted } from './users.ts';
import type { Queryable } from '../database/database.ts';
import { readAsTenant, tenantRead, type Tenant } from '../database/tenant.ts';

const selectUsers = tenantRead(
  'dashboard-overview/users',
  `SELECT coalesce(sum(c.active), 0)::int8 AS users FROM user_counts c WHERE in_tenant(c.account_id, c.environment, $1::uuid, $2)`,
);

/** Number of users of a tenant. */
export async function countUsers(db: Queryable, tenant: Tenant): Promise<number> {
  const [row] = await readAsTenant<{ users: number }>(db, tenant, selectUsers, []);
  return row!.users;
}

const selectHasData = tenantRead(
  'dashboard-overview/has-data',
  `SELECT EXISTS (SELECT FROM accepted_hours h WHERE in_tenant(h.account_id, h.environment, $1::uuid, $2) AND h.accepted > 0) AS "hasData"`,
);

/** Whether any data was ever accepted. */
export async function hasAcceptedData(db: Queryable, tenant: Tenant): Promise<boolean> {
  const [row] = await readAsTenant<{ hasData: boolean }>(db, tenant, selectHasData, []);
  return row!.hasData;
}

export type DeviceState = 'pending' | 'fresh' | 'late' | 'silent' | 'ended' | 'on_device';

const selectDevices = tenantRead(
  'dashboard-overview/devices',
  `SELECT c.provider, c.state, sum(c.devices)::int8 AS devices FROM device_counts c
   WHERE in_tenant(c.account_id, c.environment, $1::uuid, $2) GROUP BY c.provider, c.state`,
);

/** Number of devices in each state, by provider. */
export function countDevices(
  db: Queryable,
  tenant: Tenant,
): Promise<{ provider: string; state: DeviceState; devices: number }[]> {
  return readAsTenant<{ provider: string; state: DeviceState; devices: number }>(
    db,
    tenant,
    selectDevices,
    [],
  );
}

/** Facts about the connections of a provider besides their states. */
export interface ConnectionFacts {
  provider: string;
  /** The newest data among some of its connections. */
  newestDataAt: string | null;
  /** Consents that ended since a time, counted up to one more than the limit, and the first of those. */
  ended: number;
  firstEndedAt: string | null;
  /** Failures of the last run, by kind. */
  failures: Record<string, number>;
}

/** Number of connections checked for their newest data. Enough that one of them has recent data if any does. */
const connectionSampleSize = 200;

// Each subquery follows an index by its order. Without the order, the planner would scan the table until it has enough rows, and find none.
const ofProvider = `in_tenant(c.account_id, c.environment, $1::uuid, $2) AND c.provider = p.provider`;

const selectConnections = tenantRead(
  'dashboard-overview/connections',
  `SELECT p.provider, news.at AS "newestDataAt", ended.count AS ended, ended.first AS "firstEndedAt", failing.failures
   FROM unnest($3::text[]) AS p (provider),
   LATERAL (SELECT max(c.last_news_at) AS at FROM (SELECT c.last_news_at FROM connections c WHERE ${ofProvider} ORDER BY c.device_id LIMIT ${connectionSampleSize}) AS c) AS news,
   LATERAL (SELECT count(*) AS count, min(c.ended_at) AS first FROM
     (SELECT c.ended_at FROM connections c WHERE ${ofProvider} AND c.ended_at >= to_timestamp($4::float8 / 1000)
      ORDER BY c.ended_at DESC LIMIT ${mostCounted + 1}) AS c) AS ended,
   LATERAL (SELECT coalesce(json_object_agg(f.failure, f.count), '{}') AS failures FROM (SELECT c.failure, count(*) AS count FROM
     (SELECT c.failure FROM connections c WHERE ${ofProvider} AND c.failure IS NOT NULL ORDER BY c.failure LIMIT ${mostCounted + 1}) AS c GROUP BY c.failure) AS f) AS failing`,
);

export function listConnectionFacts(
  db: Queryable,
  tenant: Tenant,
  providers: readonly string[],
  endedSinceMs: number,
): Promise<ConnectionFacts[]> {
  return readAsTenant<ConnectionFacts>(db, tenant, selectConnections, [providers, endedSinceMs]);
}

/** How long previous calls keep a rule of a provider app busy. Rule -1 is a pause that the provider asked for. */
export async function listBusyRules(
  db: Queryable,
  { environment }: Tenant,
): Promise<{ provider: string; rule: number; seconds: number }[]> {
  const result = await db.query<{ provider: string; rule: number; seconds: number }>({
    name: 'dashboard-overview/limits',
    text: `SELECT provider, rule, extract(epoch FROM arrival_at - tributary_now())::float8 AS seconds FROM provider_limits
           WHERE environment = $1 AND subject = '' AND arrival_at > tributary_now()`,
    values: [environment],
  });
  return result.rows;
}

/** Maximum dead letters read, across all tenants. */
const mostDeadLetters = 20_000;

/** The number of dead letters of each user, and the time of the oldest. As operator: row-level security on the table is by user. */
export async function countDeadLettersByUser(
  operator: Queryable,
): Promise<{ userId: string; count: number; oldestAt: string }[]> {
  const result = await operator.query<{ userId: string; count: number; oldestAt: string }>({
    name: 'dashboard-overview/dead-letters',
    text: `SELECT d.user_id AS "userId", count(*) AS count, min(d.failed_at) AS "oldestAt"
           FROM (SELECT user_id, failed_at FROM dead_letters LIMIT ${mostDeadLetters}) AS d GROUP BY d.user_id`,
  });
  return result.rows;
}

/** Number of accounts, at most two. As operator. */
export async function countAccounts(operator: Queryable): Promise<number> {
  const result = await operator.query<{ count: number }>({
    name: 'dashboard-overview/accounts',
    text: 'SELECT count(*) AS count FROM (SELECT FROM accounts LIMIT 2) AS counted',
  });
  return result.rows[0]!.count;
}
