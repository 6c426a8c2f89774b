import type pg from 'pg';

/** A pool that lets this many statements through, then closes the connection as if the process was killed. All later statements fail. */
export function createFailingPool(pool: pg.Pool, statements: number): pg.Pool {
  let left = statements;
  const connectionError = new Error('cut');
  const connect = async () => {
    if (left <= 0) throw connectionError;
    const client = await pool.connect();
    const query = (...args: Parameters<pg.PoolClient['query']>) => {
      left -= 1;
      if (left >= 0) return client.query(...args);
      (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
      return Promise.reject(connectionError);
    };
    return { query, release: (broken?: Error) => client.release(broken ?? left < 0) };
  };
  const query = (...args: Parameters<pg.Pool['query']>) => {
    left -= 1;
    return left >= 0 ? pool.query(...args) : Promise.reject(connectionError);
  };
  return { connect, query } as unknown as pg.Pool;
}
