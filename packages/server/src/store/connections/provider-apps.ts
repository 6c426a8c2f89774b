import type { Queryable } from '../database/database.ts';
import type { Environment } from '../database/tenant.ts';

/** A provider app that the operator registered; its secrets are sealed. */
export interface ProviderApp {
  provider: string;
  clientId: string;
  sealed: Buffer;
  updatedAt: string;
}

const columns = `provider, client_id AS "clientId", sealed, updated_at AS "updatedAt"`;

export async function findProviderApp(db: Queryable, provider: string): Promise<ProviderApp | null> {
  const result = await db.query<ProviderApp>({
    name: 'provider-apps/find',
    text: `SELECT ${columns} FROM provider_apps WHERE provider = $1`,
    values: [provider],
  });
  return result.rows[0] ?? null;
}

/** Inserts or replaces a provider app. */
export async function writeProviderApp(
  tx: Queryable,
  app: { provider: string; clientId: string; sealed: Buffer },
): Promise<void> {
  await tx.query({
    text: `INSERT INTO provider_apps (provider, client_id, sealed, updated_at) VALUES ($1, $2, $3, tributary_now())
           ON CONFLICT (provider) DO UPDATE SET client_id = $2, sealed = $3, updated_at = tributary_now()`,
    values: [app.provider, app.clientId, app.sealed],
  });
}

/** Returns false if there is none. */
export async function deleteProviderApp(tx: Queryable, provider: string): Promise<boolean> {
  const result = await tx.query({
    text: 'DELETE FROM provider_apps WHERE provider = $1',
    values: [provider],
  });
  return result.rowCount === 1;
}

/** The stored push setup, sealed; null if there is none. */
export async function findPushSetUp(
  db: Queryable,
  environment: Environment,
  provider: string,
): Promise<{ sealed: Buffer | null; checkedAt: string } | null> {
  const result = await db.query<{ sealed: Buffer | null; checkedAt: string }>({
    name: 'push-set-ups/find',
    text: `SELECT sealed, checked_at AS "checkedAt" FROM push_set_ups WHERE environment = $1 AND provider = $2`,
    values: [environment, provider],
  });
  return result.rows[0] ?? null;
}

export async function writePushSetUp(
  tx: Queryable,
  environment: Environment,
  provider: string,
  sealed: Buffer | null,
): Promise<void> {
  await tx.query({
    text: `INSERT INTO push_set_ups (environment, provider, sealed, checked_at) VALUES ($1, $2, $3, tributary_now())
           ON CONFLICT (environment, provider) DO UPDATE SET sealed = $3, checked_at = tributary_now()`,
    values: [environment, provider, sealed],
  });
}
