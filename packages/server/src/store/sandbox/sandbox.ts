import type { Archetype } from '@tributary/contract';
import type { DayNumber, Platform, Timezones } from '@tributary/domain';
import type { Queryable } from '../database/database.ts';
import { tenantRead, readAsTenant, type Tenant } from '../database/tenant.ts';
import { activeInTenant, inUserScope, userRead, readUser, type ReadUser } from '../users/read.ts';
import { timezonesOf } from '../users/timezones.ts';

/** The simulated person of a sandbox user, and how far their data was generated. */
export interface SandboxPerson {
  archetype: Archetype | 'none';
  seed: string;
  firstDay: DayNumber;
  /** Missing for users of earlier versions, which simulated no other. */
  platform?: Platform;
  /** Everything that ended by then was reported. */
  untilMs: number;
}

/** A batch of a simulated device, ready to be committed. */
export interface SandboxUpload {
  batchId: string;
  receivedMs: number;
  scopes: number;
  digest: Buffer;
  /** Compressed, then encrypted. */
  payload: Buffer;
}

/** Inserts batches of one user as if they had been uploaded, in the transaction that creates the user or advances it. */
export async function insertSandboxBatches(
  tx: Queryable,
  userId: string,
  uploads: readonly SandboxUpload[],
): Promise<void> {
  // Pipelined, without waiting in between.
  await Promise.all([
    setUserScope(tx, userId),
    ...uploads.map(({ batchId, receivedMs, scopes, digest, payload }) =>
      tx.query({
        name: 'sandbox/insert-batch',
        text: `WITH raw AS (
                 INSERT INTO raw_batches (user_id, batch_id, received_at, created_at, scopes, digest, kind, payload)
                 VALUES ($1, $2, to_timestamp($3::float8 / 1000), to_timestamp($3::float8 / 1000), $4, $5, 'upload', $6)
               )
               INSERT INTO pending_batches (partition, user_id, batch_id, bytes, account_id)
               SELECT partition_of(u.id), u.id, $2, octet_length($6), u.account_id FROM users u WHERE u.id = $1`,
        values: [userId, batchId, receivedMs, scopes, digest, payload],
      }),
    ),
  ]);
}

const selectLocked = tenantRead(
  'sandbox/lock',
  `SELECT ${timezonesOf('u')} AS timezones, u.days_ahead AS "daysAhead", u.sandbox AS person FROM users u
   WHERE ${activeInTenant} AND u.id = $3 FOR NO KEY UPDATE`,
);

/** Locks a sandbox user until the transaction ends; null if this tenant has no such user. */
export async function lockSandboxUser(
  tx: Queryable,
  tenant: Tenant,
  userId: string,
): Promise<{ timezones: Timezones; daysAhead: number; person: SandboxPerson | null } | null> {
  const [row] = await readAsTenant<{ timezones: Timezones; daysAhead: number; person: SandboxPerson | null }>(
    tx,
    tenant,
    selectLocked,
    [userId],
  );
  return row ?? null;
}

/** Providers whose devices the sandbox simulates: not removed, and not connected by the user in the meantime. */
export async function listProviders(tx: Queryable, userId: string): Promise<string[]> {
  await setUserScope(tx, userId);
  const result = await tx.query<{ provider: string }>({
    name: 'sandbox/providers',
    text: `SELECT DISTINCT d.provider FROM devices d WHERE d.user_id = $1 AND d.removed_at IS NULL
             AND NOT EXISTS (SELECT FROM connections c WHERE c.device_id = d.id AND c.authorized_at IS NOT NULL)`,
    values: [userId],
  });
  return result.rows.map(({ provider }) => provider);
}

/** Scopes the transaction to this user, who is known to belong to the tenant. */
async function setUserScope(tx: Queryable, userId: string): Promise<void> {
  await tx.query({ text: `SELECT set_config('tributary.user_id', $1, true)`, values: [userId] });
}

/** Advances the day of a locked user. */
export async function updateSandboxUser(
  tx: Queryable,
  tenant: Tenant,
  userId: string,
  { daysAhead, person }: { daysAhead: number; person: SandboxPerson },
): Promise<void> {
  await tx.query({
    name: 'sandbox/update',
    text: `UPDATE users u SET days_ahead = $4, sandbox = $5 WHERE ${activeInTenant} AND u.id = $3`,
    values: [tenant.accountId, tenant.environment, userId, daysAhead, person],
  });
}

const selectProgress = userRead(
  'sandbox/progress',
  `u.score_status AS "scoreStatus",
   EXISTS (SELECT FROM pending_batches b WHERE b.partition = partition_of(u.id) AND b.user_id = u.id AND ${inUserScope}) AS waiting,
   EXISTS (SELECT FROM stale_scores s WHERE s.user_id = u.id AND s.due_at < tributary_now() + interval '5 seconds' AND ${inUserScope}) AS scoring`,
);

/** Whether everything reported for a user is in the canonical layer and scored. */
export async function isSandboxReady(db: Queryable, tenant: Tenant, userId: string): Promise<boolean> {
  const user = await readUser<ReadUser & { scoreStatus: string; waiting: boolean; scoring: boolean }>(
    db,
    tenant,
    selectProgress,
    userId,
    [],
  );
  return user !== null && user.scoreStatus === 'ready' && !user.waiting && !user.scoring;
}
