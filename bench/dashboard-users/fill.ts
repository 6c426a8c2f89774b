import { randomUUID } from 'node:crypto';
import type pg from 'pg';

/** Users of an account, and positions near the ends of its lists. */
export interface Filled {
  active: number;
  oldest: { id: string; reference: string };
  lastByReference: { id: string; reference: string };
}

const batch = 100_000;
const idAt = (
  at: string,
) => `(lpad(to_hex((extract(epoch FROM ${at}) * 1000)::int8), 12, '0') || '7' || substr(md5(random()::text), 1, 3) ||
  '8' || substr(md5(random()::text), 1, 15))::uuid`;

/** Of every hundred users, five have no device and two have one without data. Of every thousand, two are being deleted. */
export async function fillUsers(admin: pg.Pool, accountId: string, users: number): Promise<Filled> {
  for (let from = 1; from <= users; from += batch)
    await admin.query(
      `INSERT INTO users (id, account_id, environment, reference_id, timezone, created_at, device_count, idle_devices, status)
       SELECT ${idAt('at')}, $1, 'live', 'ref-' || number, 'Europe/Vienna', at, (number % 20 <> 0)::int, (number % 50 = 1)::int,
         CASE WHEN number % 499 = 7 THEN 'deleting' ELSE 'active' END
       FROM (SELECT number, now() - interval '30 days' * (1 - number::float8 / $4) AS at
             FROM generate_series($2::int, $3::int) AS number) AS made`,
      [accountId, from, Math.min(users, from + batch - 1), users],
    );
  // A fifth of them use a cloud provider, whose connections are read as well.
  await admin.query(
    `INSERT INTO connections (device_id, user_id, account_id, environment, provider, external_id, tokens, last_news_at, failure, ended_at)
     SELECT gen_random_uuid(), id, $1, 'live', 'oura', reference_id, 'x', now(), CASE WHEN idle_devices > 0 THEN 'unavailable' END,
       CASE WHEN idle_devices > 0 THEN now() END
     FROM users WHERE account_id = $1 AND (get_byte(uuid_send(id), 14) % 5 = 0 OR idle_devices > 0)`,
    [accountId],
  );
  await admin.query(
    `INSERT INTO device_counts (account_id, environment, provider, state, slot, devices)
     SELECT $1, 'live', provider, state, slot, 1000 FROM unnest(ARRAY['oura', 'whoop', 'apple_health']) AS provider,
       unnest(ARRAY['fresh', 'late', 'silent', 'ended', 'on_device']) AS state, generate_series(0, 63) AS slot`,
    [accountId],
  );
  await admin.query('VACUUM (ANALYZE) users');
  await admin.query('VACUUM (ANALYZE) connections');
  const { rows } = await admin.query<Filled>(
    `SELECT (SELECT count(*) FROM users WHERE account_id = $1 AND status = 'active') AS active,
       (SELECT json_build_object('id', id, 'reference', reference_id) FROM users WHERE account_id = $1 AND status = 'active'
        ORDER BY id OFFSET 100 LIMIT 1) AS oldest,
       (SELECT json_build_object('id', id, 'reference', reference_id) FROM users WHERE account_id = $1 AND reference_id ~<~ 'ref-8'
        ORDER BY reference_id USING ~>~ LIMIT 1) AS "lastByReference"`,
    [accountId],
  );
  return rows[0]!;
}

/** Fills 30 hours with this number of events, every fiftieth for one user, and their deliveries to a webhook that is failing now. */
export async function fillDay(
  admin: pg.Pool,
  accountId: string,
  events: number,
  userId: string,
): Promise<{ id: string; inDay: number }> {
  const webhookId = randomUUID();
  await admin.query(
    `INSERT INTO webhooks (id, account_id, environment, url, events, coalesce_seconds, secret, created_at, updated_at, failing_since)
     VALUES ($1, $2, 'live', 'https://example.com', '{*}', 0, 'x', now(), now(), now())`,
    [webhookId, accountId],
  );
  for (let from = 1; from <= events; from += batch) {
    await admin.query(
      `INSERT INTO feed (account_id, environment, position, id, user_id, type, metrics, data, created_at, sequenced_at)
       SELECT $1, 'live', number, ${idAt('at')}, CASE WHEN number % 50 = 0 THEN $5::uuid ELSE gen_random_uuid() END, CASE WHEN number % 3 = 0 THEN 'data.updated' ELSE 'subject.synced' END,
         '{}', '{}', at, at + interval '50 milliseconds'
       FROM (SELECT number, now() - interval '30 hours' * (1 - number::float8 / $4) AS at
             FROM generate_series($2::int, $3::int) AS number) AS made`,
      [accountId, from, Math.min(events, from + batch - 1), events, userId],
    );
    await admin.query(
      `INSERT INTO deliveries (webhook_id, event_id, account_id, environment, position, sequenced_at, user_id, type, state, created_at,
         due_at, tries, attempts, ended_at)
       SELECT $2, id, account_id, environment, position, sequenced_at, user_id, type,
         CASE WHEN position > 0.9 * $5 THEN 'pending' ELSE 'succeeded' END, created_at, created_at, 1,
         '[{"at": "2026-03-02T07:14:33.004Z", "status": 503, "error": null, "milliseconds": 812}]', now()
       FROM feed WHERE account_id = $1 AND position BETWEEN $3 AND $4`,
      [accountId, webhookId, from, from + batch - 1, events],
    );
  }
  await admin.query(
    `INSERT INTO feed_heads (account_id, environment, position) VALUES ($1, 'live', $2)
     ON CONFLICT (account_id, environment) DO UPDATE SET position = $2`,
    [accountId, events],
  );
  await admin.query('VACUUM (ANALYZE) feed');
  await admin.query('VACUUM (ANALYZE) deliveries');
  const { rows } = await admin.query<{ id: string; inDay: number }>(
    `SELECT (SELECT id FROM feed WHERE account_id = $1 AND position = $2) AS id,
       (SELECT count(*) FROM feed WHERE account_id = $1 AND sequenced_at >= date_trunc('hour', now()) - interval '23 hours') AS "inDay"`,
    [accountId, Math.floor(events / 2)],
  );
  return rows[0]!;
}
