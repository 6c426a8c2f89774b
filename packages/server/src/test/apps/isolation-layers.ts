import { expect } from 'vitest';
import type { TestApp } from './test-app.ts';

/** Which layers of tenant isolation are in place. */
export type IsolationLayers = 'both layers' | 'query filter only' | 'row-level security only' | 'no layer';

/** The layers that must isolate tenants, each by itself. */
export const sufficientLayers: Exclude<IsolationLayers, 'no layer'>[] = [
  'both layers',
  'query filter only',
  'row-level security only',
];

/** Removes one isolation layer in the database, so that the code under test stays unchanged. */
export async function arrangeLayers(app: TestApp, layers: IsolationLayers): Promise<void> {
  if (layers === 'query filter only' || layers === 'no layer') {
    const { rows } = await app.admin.query(
      `SELECT relname FROM pg_class WHERE relrowsecurity AND NOT relispartition AND relnamespace = 'public'::regnamespace`,
    );
    expect(rows.length).toBe(48);
    for (const { relname } of rows)
      await app.admin.query(`ALTER TABLE ${relname} DISABLE ROW LEVEL SECURITY`);
  }
  if (layers === 'row-level security only' || layers === 'no layer') {
    await app.admin.query(
      `CREATE OR REPLACE FUNCTION in_tenant(row_account uuid, row_environment text, account uuid, environment text)
       RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT true'`,
    );
    await app.admin.query(
      `CREATE OR REPLACE FUNCTION in_account(row_account uuid, account uuid)
       RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT true'`,
    );
  }
}
