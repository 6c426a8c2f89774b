import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOutbound } from './outbound.ts';
import { createResolve, type Resolve } from './resolve-name.ts';

const A = 1;
const aaaa = 28;
const addresses: Record<string, Partial<Record<number, string[]>>> = {
  'four.example.com': { [A]: ['8.8.8.8', '8.8.4.4'] },
  'both.example.com': { [A]: ['8.8.8.8'], [aaaa]: ['20014860486000000000000000008888'] },
  'mixed.example.com': { [A]: ['8.8.8.8'], [aaaa]: ['00000000000000000000000000000001'] },
};

let server: Socket;
let resolve: Resolve;
beforeAll(async () => {
  server = createSocket('udp4').on('message', (query, from) => {
    const response = respondTo(query);
    if (response) server.send(response, from.port, from.address);
  });
  await once(server.bind(0, '127.0.0.1'), 'listening');
  resolve = createResolve([`127.0.0.1:${server.address().port}`]);
});
afterAll(() => void server.close());

test('returns every address of both families', async () => {
  expect(await resolve('four.example.com', false)).toEqual(['8.8.8.8', '8.8.4.4']);
  expect(await resolve('both.example.com', false)).toEqual(['8.8.8.8', '2001:4860:4860::8888']);
});

test('distinguishes a missing name from a failing server', async () => {
  await expect(resolve('missing.example.com', false)).rejects.toMatchObject({ code: 'ENOTFOUND' });
  await expect(resolve('failing.example.com', false)).rejects.toMatchObject({ code: 'ESERVFAIL' });
});

test('resolves only allowed names on the machine itself', async () => {
  expect(await resolve('localhost', true)).toContain('127.0.0.1');
  await expect(resolve('localhost', false)).rejects.toThrow();
});

const bounds = { method: 'POST', timeoutMs: 2_000, maxResponseBytes: 100 } as const;

test.each([
  ['mixed.example.com', 'address_not_allowed'],
  ['missing.example.com', 'name_not_found'],
  ['failing.example.com', 'name_not_found'],
  ['silent.example.com', 'timeout'],
])('fails a request to %s with %s', async (name, reason) => {
  await using outbound = createOutbound({ allow: [], resolve });
  await expect(outbound.send({ ...bounds, url: `https://${name}/` })).rejects.toMatchObject({ reason });
});

test('does not delay other lookups while names get no response', async () => {
  let waiting = 0;
  for (let at = 0; at < 50; at += 1) {
    waiting += 1;
    resolve(`silent-${at}.example.com`, false).catch(() => (waiting -= 1));
  }
  const begin = performance.now();
  await resolve('four.example.com', false);
  expect(performance.now() - begin).toBeLessThan(3_000);
  expect(waiting).toBe(50);
});

/** The response of a name server that knows the names above, in the wire format of RFC 1035. */
function respondTo(query: Buffer): Buffer | null {
  const labels: string[] = [];
  let at = 12;
  for (; query[at]! > 0; at += query[at]! + 1)
    labels.push(query.toString('latin1', at + 1, at + 1 + query[at]!));
  const name = labels.join('.').toLowerCase();
  if (name.startsWith('silent')) return null;
  const type = query.readUInt16BE(at + 1);
  const records = (addresses[name]?.[type] ?? []).map((address) => {
    const data = type === A ? Buffer.from(address.split('.').map(Number)) : Buffer.from(address, 'hex');
    // A pointer to the name in the question, type, class, a TTL of one minute, and the address.
    return Buffer.concat([Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length]), data]);
  });
  const code = name.startsWith('failing') ? 2 : addresses[name] ? 0 : 3;
  const head = Buffer.from([query[0]!, query[1]!, 0x81, 0x80 | code, 0, 1, 0, records.length, 0, 0, 0, 0]);
  return Buffer.concat([head, query.subarray(12, at + 5), ...records]);
}
