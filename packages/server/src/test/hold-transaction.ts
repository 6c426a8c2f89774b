import type pg from 'pg';

interface OpenTransaction extends AsyncDisposable {
  query: pg.PoolClient['query'];
  commit(): Promise<void>;
}

/** A transaction that a test keeps open for a while. It ends with the test at the latest, because it stops the feeds of all tests. */
export async function holdTransaction(admin: pg.Pool): Promise<OpenTransaction> {
  const client = await admin.connect();
  let isOpen = true;
  const end = async (statement: string) => {
    if (!isOpen) return;
    isOpen = false;
    await client.query(statement).finally(() => client.release(true));
  };
  await client.query('BEGIN');
  return {
    query: client.query.bind(client),
    commit: () => end('COMMIT'),
    [Symbol.asyncDispose]: () => end('ROLLBACK'),
  };
}
