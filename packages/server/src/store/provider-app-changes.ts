import type { Queryable } from './database.ts';

/** Whoever changes the application of a provider does so alone, until the transaction ends. */
export async function lockProviderApp(tx: Queryable, provider: string): Promise<void> {
  await tx.query({
    text: `SELECT pg_advisory_xact_lock(hashtextextended('provider-app:' || $1, 0))`,
    values: [provider],
  });
}

/** Forgets how pushes of the operator's application were set up, so that they are set up anew for the next one. */
export async function deleteLivePushSetUp(tx: Queryable, provider: string): Promise<void> {
  await tx.query({
    text: `DELETE FROM push_set_ups WHERE environment = 'live' AND provider = $1`,
    values: [provider],
  });
}
