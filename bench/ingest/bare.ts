import type { PreparedUpload } from './uploads.ts';
import { openPool } from '@tributary/server/testing/database';

/** Writes the same values directly into PostgreSQL: one row per value with a primary key, 500 rows per statement. Returns values per second. */
export async function measureBare(
  url: string,
  connections: number,
  uploads: readonly PreparedUpload[],
  forMs: number,
): Promise<number> {
  const pool = openPool({
    url,
    role: 'owner',
    max: connections,
    statementTimeoutMs: 60_000,
    applicationName: 'bare',
  });
  try {
    await pool.query(`DROP TABLE IF EXISTS bare_values`);
    await pool.query(`CREATE TABLE bare_values (
      user_id uuid NOT NULL, metric_no smallint NOT NULL, device_no smallint NOT NULL, at timestamptz NOT NULL, value real NOT NULL,
      PRIMARY KEY (user_id, metric_no, device_no, at))`);
    let next = 0;
    let written = 0;
    const startedAt = performance.now();
    const work = async () => {
      while (performance.now() - startedAt < forMs && next < uploads.length) {
        const { userId, startMs, values } = uploads[next++]!;
        await pool.query({
          name: 'bare',
          text: `INSERT INTO bare_values SELECT $1, 138, 1, to_timestamp(at / 1000.0), value
                 FROM unnest($2::float8[], $3::real[]) AS v (at, value)
                 ON CONFLICT (user_id, metric_no, device_no, at) DO UPDATE SET value = excluded.value`,
          values: [userId, values.map((_, at) => startMs + at * 5_000), values],
        });
        written += values.length;
      }
    };
    await Promise.all(Array.from({ length: connections }, work));
    return (written / (performance.now() - startedAt)) * 1000;
  } finally {
    await pool.query('DROP TABLE IF EXISTS bare_values').catch(() => {});
    await pool.end();
  }
}
