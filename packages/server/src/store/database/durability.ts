import type { Queryable } from './database.ts';

const needed = ['fsync', 'full_page_writes', 'synchronous_commit'] as const;

/** Database settings with which a commit would not survive a power failure. Empty if all are safe. */
export async function findUnsafeSettings(db: Queryable): Promise<string[]> {
  const result = await db.query<{ name: string; setting: string }>({
    text: `SELECT name, setting FROM pg_settings WHERE name = ANY($1) AND setting = 'off'`,
    values: [needed],
  });
  return result.rows.map((row) => row.name);
}

/** How far tests have moved the clock of this database, in milliseconds. Always zero in production. */
export async function findClockOffsetMs(db: Queryable): Promise<number> {
  const result = await db.query<{ offset_ms: number }>({ text: 'SELECT offset_ms FROM clock_offset' });
  return result.rows[0]?.offset_ms ?? 0;
}
