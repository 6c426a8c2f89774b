import { fastify } from 'fastify';
import { chunkMs, decodeChunk, findMetric, pointsOfChunk } from '@tributary/domain';
import {
  type ChunkKey,
  printColumns,
  readDaily,
  readTimeseriesChunks,
  streamTimeseries,
  unpack,
} from '@tributary/server/testing/reads';
import { openPool } from '@tributary/server/testing/database';
import { lastDay, tenMetrics } from './fill.ts';

/**
 * The bare engine of `reads.ts`: Fastify routes on a pool like the service's that run the same SQL and write the same bytes, without
 * authentication, limits, validation or consolidation of samples.
 */
const [url = '', max = ''] = process.argv.slice(2);
const db = openPool({
  url,
  role: 'service',
  max: Number(max),
  statementTimeoutMs: 10_000,
  applicationName: 'bare',
});
const app = fastify();
type Route = { Params: { account: string; user: string; days: string } };

app.get<Route>('/daily/:account/:user/:days', async ({ params }, reply) => {
  const range = { from: lastDay - Number(params.days) + 1, to: lastDay };
  const tenant = { accountId: params.account, environment: 'live' } as const;
  const values = await readDaily({ db }, tenant, params.user, tenMetrics, {
    widest: range,
    resolve: () => range,
  });
  return reply.type('application/json; charset=utf-8').send(printColumns(tenMetrics, values, 'metric'));
});

const heartRate = findMetric('heart_rate')!;

app.get<Route & { Querystring: { from: string; to: string } }>(
  '/samples/:account/:user',
  async ({ params, query }, reply) => {
    const tenant = { accountId: params.account, environment: 'live' } as const;
    const [fromMs, toMs] = [Number(query.from), Number(query.to)];
    const keys: ChunkKey[] = [];
    for (let chunk = Math.floor(fromMs / chunkMs); chunk * chunkMs < toMs; chunk += 1)
      keys.push({ metricNo: heartRate.no, deviceNo: 1, chunk });
    const rows = (await readTimeseriesChunks(db, tenant, params.user, keys)).sort((a, b) => a.at - b.at);
    async function* pieces() {
      for (const { at, data } of rows) {
        const { chunk } = keys[at - 1]!;
        const points = pointsOfChunk(
          decodeChunk(unpack(data), chunk),
          chunk * chunkMs,
          fromMs,
          toMs,
          heartRate.aggregation,
        );
        yield [{ metric: heartRate, deviceNo: 1, points }];
      }
    }
    const series = { devices: new Map<number, never>(), pieces };
    return reply.type('application/json; charset=utf-8').send(streamTimeseries(series, 'metric', false));
  },
);
console.log(await app.listen({ host: '127.0.0.1', port: 0 }));
