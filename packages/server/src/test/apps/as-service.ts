import type pg from 'pg';
import type { TestApp } from './test-app.ts';

/** Runs a statement as the service does, with these settings, in a transaction that is rolled back afterwards. */
export async function asService(
  app: TestApp,
  settings: Record<string, string>,
  text: string,
  values: unknown[] = [],
): Promise<pg.QueryResult> {
  const client = await app.ctx.db.connect();
  try {
    await client.query('BEGIN');
    for (const [name, value] of Object.entries(settings))
      await client.query(`SELECT set_config($1, $2, true)`, [`tributary.${name}`, value]);
    return await client.query(text, values);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}
