import type pg from 'pg';

/** A pool that lets that many statements through; then the connection is cut, as when the process was killed, and nothing works any more. */
export function cutPool(pool: pg.Pool, statements: number): pg.Pool {
  let left = statements;
  const cut = new Error('cut');
  const connect = async () => {
    if (left <= 0) throw cut;
    const client = await pool.connect();
    const query = (...args: Parameters<pg.PoolClient['query']>) => {
      left -= 1;
      if (left >= 0) return client.query(...args);
      (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
      return Promise.reject(cut);
    };
    return { query, release: (broken?: Error) => client.release(broken ?? left < 0) };
  };
  const query = (...args: Parameters<pg.Pool['query']>) => {
    left -= 1;
    return left >= 0 ? pool.query(...args) : Promise.reject(cut);
  };
  return { connect, query } as unknown as pg.Pool;
}
