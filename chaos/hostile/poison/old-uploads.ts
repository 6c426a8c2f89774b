import { createHash, randomUUID } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import type { RunStack } from '@tributary/rig';
import { oneValueADay, type Attacker } from './attackers.ts';

/** Inserts uploads that a version without a limit of days accepted and did not process. */
export async function insertOldUploads(
  { admin }: RunStack,
  { uuid }: Attacker,
  count: number,
): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    const batchId = randomUUID();
    const bytes = Buffer.from(JSON.stringify({ batch_id: batchId, ...oneValueADay(at) }));
    await admin.query({
      text: `WITH raw AS (
               INSERT INTO raw_batches (user_id, batch_id, received_at, created_at, scopes, digest, kind, payload)
               VALUES ($1, $2, now(), now(), 127, $3, 'upload', $4) RETURNING octet_length(payload) AS bytes
             )
             INSERT INTO pending_batches (partition, user_id, batch_id, bytes)
             SELECT partition_of($1), $1, $2, bytes FROM raw`,
      values: [uuid, batchId, createHash('sha256').update(bytes).digest(), zstdCompressSync(bytes)],
    });
  }
}

/** Makes PostgreSQL end every session that stores a day of this user, until disposed. */
export async function breakSessionsOf({ admin }: RunStack, { uuid }: Attacker): Promise<AsyncDisposable> {
  const query = (text: string) => admin.query({ text });
  await query(`CREATE FUNCTION break_session() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    AS $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(1); RETURN NEW; END $$`);
  await query(`CREATE TRIGGER break_session BEFORE INSERT ON device_days FOR EACH ROW
    WHEN (NEW.user_id = '${uuid}') EXECUTE FUNCTION break_session()`);
  return {
    async [Symbol.asyncDispose]() {
      await query('DROP TRIGGER break_session ON device_days');
      await query('DROP FUNCTION break_session()');
    },
  };
}
