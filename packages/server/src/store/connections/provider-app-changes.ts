import type { Queryable } from '../database/database.ts';

/** Serializes changes of a provider app until the transaction ends. */
export async function lockProviderApp(tx: Queryable, provider: string): Promise<void> {
  await tx.query({
    text: `SELECT pg_advisory_xact_lock(hashtextextended('provider-app:' || $1, 0))`,
    values: [provider],
  });
}

/** Deletes the push setup of the operator's provider app, so that it is set up again for the next app. */
export async function deleteLivePushSetUp(tx: Queryable, provider: string): Promise<void> {
  await tx.query({
    text: `DELETE FROM push_set_ups WHERE environment = 'live' AND provider = $1`,
    values: [provider],
  });
}
