import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Tenant } from '../../store/database/tenant.ts';

/** The content of a planted user's text columns, to search for afterwards. */
export const plantedMark = 'planted-mark';

/** A row for every table with user data: how to insert it, with the user as `$1` and the tenant as `$2` and `$3`. */
const rows: Record<string, string> = {
  pending_batches: `(partition, user_id, batch_id, bytes) VALUES (partition_of($1), $1, gen_random_uuid(), 1)`,
  dead_letters: `(user_id, batch_id, attempts, reason) VALUES ($1, gen_random_uuid(), 8, '${plantedMark}')`,
  receipts: `(user_id, batch_id, processed_at, counts) VALUES ($1, gen_random_uuid(), now(), '{1,0,0,0,0}')`,
  raw_batches: `(user_id, batch_id, received_at, created_at, scopes, digest, payload)
    VALUES ($1, gen_random_uuid(), now(), now(), 0, 'x', '${plantedMark}')`,
  stale_scores: `(user_id, due_at, days) VALUES ($1, now() + interval '1 day', '{[20000,20001)}')`,
  score_days: `(user_id, day, facts) VALUES ($1, current_date, 'x')`,
  canonical_months: `(user_id, metric_no, month, printed, detail) VALUES ($1, 1, 600, '${plantedMark}', 'x')`,
  canonical_sleep: `(user_id, id, day, is_main, device_no, source_id, start_at, end_at, content)
    VALUES ($1, gen_random_uuid(), current_date, true, 1, '${plantedMark}', now(), now(), '{}')`,
  canonical_workouts: `(user_id, id, day, device_no, source_id, start_at, end_at, content)
    VALUES ($1, gen_random_uuid(), current_date, 1, '${plantedMark}', now(), now(), '{}')`,
  device_days: `(user_id, day, device_no, data) VALUES ($1, current_date, 1, 'x')`,
  device_sleep: `(user_id, device_no, source_id, created_at, batch_id) VALUES ($1, 1, '${plantedMark}', now(), gen_random_uuid())`,
  device_workouts: `(user_id, device_no, source_id, created_at, batch_id) VALUES ($1, 1, '${plantedMark}', now(), gen_random_uuid())`,
  device_records: `(user_id, device_no, source_id, slots) VALUES ($1, 1, '${plantedMark}', '[]')`,
  sample_chunks: `(user_id, metric_no, device_no, chunk, data) VALUES ($1, 1, 1, 1, 'x')`,
  devices: `(user_id, device_no, id, provider, status, name) VALUES ($1, 1, gen_random_uuid(), 'oura', 'active', '${plantedMark}')`,
  sdk_session_requests: `(user_id, idempotency_key, account_id, environment, body_hash, session_id, client_generation, key_version,
      client_token_expires_at, api_url, sync_interval_seconds, scopes)
    VALUES ($1, gen_random_uuid(), $2, $3, sha256('x'), gen_random_uuid(), 1, 1, now(), '${plantedMark}', 900, '{}')`,
  sdk_sessions: `(id, account_id, environment, user_id, status, scopes, device_model)
    VALUES (gen_random_uuid(), $2, $3, $1, 'pending', '{}', '${plantedMark}')`,
  mobile_tokens: `(hash, account_id, environment, user_id, scopes, expires_at)
    VALUES (sha256(gen_random_uuid()::text::bytea), $2, $3, $1, '{}', now())`,
  deliveries: `(webhook_id, event_id, account_id, environment, user_id, type, created_at, due_at, sent)
    VALUES (gen_random_uuid(), gen_random_uuid(), $2, $3, $1, 'data.updated', now(), now(), '{"data": {"change": "${plantedMark}"}}')`,
  audit_texts: `(entry_id, account_id, environment, person, salt, text)
    VALUES (gen_random_uuid(), $2, $3, $1, 'x', '{"reference_id": "${plantedMark}"}')`,
  roster_members: `(id, account_id, environment, user_id, born, email, name, status, joined_at, link_hash, link_key_version)
    VALUES (gen_random_uuid(), $2, $3, $1, true, gen_random_uuid() || '@example.com', '${plantedMark}', 'active', now(),
      sha256(gen_random_uuid()::text::bytea), 1)`,
  roster_invitations: `(id, account_id, environment, email, name, user_id, kind, created_at, expires_at, link_hash, link_key_version)
    VALUES (gen_random_uuid(), $2, $3, gen_random_uuid() || '@example.com', '${plantedMark}', $1, 'new', now(), now(),
      sha256(gen_random_uuid()::text::bytea), 1)`,
  mails: `(id, account_id, environment, kind, invitation_id, user_id, created_at)
    SELECT gen_random_uuid(), $2, $3, 'invitation', id, $1, now() FROM roster_invitations WHERE user_id = $1`,
  connections: `(device_id, user_id, account_id, environment, provider, external_id) VALUES (gen_random_uuid(), $1, $2, $3, 'oura', '${plantedMark}-' || $1)`,
  provider_limits: `(environment, provider, subject, rule, arrival_at) VALUES ($3, 'oura', '${plantedMark}-' || $1, 0, now())`,
  connection_streams: `(device_id, user_id, stream, seen) SELECT device_id, $1, '${plantedMark}', '' FROM connections WHERE user_id = $1`,
  connect_links: `(id, account_id, environment, user_id, device_id, provider, redirect_url, link_hash, created_at, expires_at)
    SELECT gen_random_uuid(), $2, $3, $1, device_id, 'oura', '${plantedMark}', sha256(gen_random_uuid()::text::bytea), now(), now() + interval '1 day'
    FROM connections WHERE user_id = $1`,
  sync_notices: `(device_id, user_id, notice, received_at) SELECT device_id, $1, '{"id": "${plantedMark}"}', now() FROM connections WHERE user_id = $1`,
  sync_runs: `(id, device_id, user_id, cause, outcome, started_at, ended_at, calls, documents, news)
    SELECT gen_random_uuid(), device_id, $1, 'poll', '${plantedMark}', now(), now(), 1, 1, 1 FROM connections WHERE user_id = $1`,
  feed: `(account_id, environment, position, id, user_id, type, device_id, metrics, data, created_at, sequenced_at)
    VALUES ($2, $3, (random() * 1e12)::int8, gen_random_uuid(), $1, 'data.updated', gen_random_uuid(), '{1,2}', '{"change": "${plantedMark}"}', now(), now())`,
  events: `(id, account_id, environment, user_id, type, device_id, metrics, data)
    VALUES (gen_random_uuid(), $2, $3, $1, 'data.updated', gen_random_uuid(), '{1,2}', '{"change": "${plantedMark}"}')`,
};

/** The tables in which a planted user has a row. */
export const plantedTables = Object.keys(rows);

/** Creates a user with one row in every table, by SQL. */
export async function plantUser(admin: pg.Pool, tenant: Tenant): Promise<string> {
  const id = randomUUID();
  const user = `(id, account_id, environment, reference_id, profile) VALUES ($1, $2, $3, $1, '{"sex": "female"}')`;
  const statements = Object.entries({ users: user, ...rows }).map(
    ([table, row]) =>
      `INSERT INTO ${table} ${row
        .replaceAll('$1', `'${id}'`)
        .replaceAll('$2', `'${tenant.accountId}'`)
        .replaceAll('$3', `'${tenant.environment}'`)}`,
  );
  await admin.query(statements.join(';'));
  return id;
}

/** What names the user, in tables without the column `user_id`. */
const columns: Record<string, string> = {
  audit_texts: 'person',
  provider_limits: `nullif(replace(subject, '${plantedMark}-', ''), subject)::uuid`,
};

/** The number of rows of a user in each table. */
export async function countRows(admin: pg.Pool, userId: string): Promise<Record<string, number>> {
  const counts = plantedTables.map(
    (table) =>
      `SELECT '${table}' AS name, count(*)::int AS n FROM ${table} WHERE ${columns[table] ?? 'user_id'} = $1`,
  );
  const result = await admin.query<{ name: string; n: number }>(counts.join(' UNION ALL '), [userId]);
  return Object.fromEntries(result.rows.map(({ name, n }) => [name, n]));
}
