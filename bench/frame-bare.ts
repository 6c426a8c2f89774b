import { fastify } from 'fastify';
import { openPool } from '@tributary/server/testing/database';
import { selectDetail } from '@tributary/server/testing/accounts';

/** The bare engine of `frame.ts`: only a Fastify route that runs the same SQL on a pool like the service's. */
const [url = '', max = ''] = process.argv.slice(2);
const pool = openPool({
  url,
  role: 'service',
  max: Number(max),
  statementTimeoutMs: 10_000,
  applicationName: 'bare',
});
const app = fastify();
app.get<{ Params: { account: string; user: string } }>('/:account/:user', async ({ params }) => {
  const result = await pool.query({ ...selectDetail, values: [params.account, 'live', params.user] });
  return result.rows[0];
});
console.log(await app.listen({ host: '127.0.0.1', port: 0 }));
