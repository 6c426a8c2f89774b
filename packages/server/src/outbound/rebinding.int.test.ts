import { createServer, type Server } from 'node:https';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { beforeAll, expect, test } from 'vitest';
import { startCanary, type Canary } from '../test/canary.ts';
import { createCertificate } from '../test/certificate.ts';
import type { OutboundError } from './outbound-error.ts';
import { createOutbound } from './outbound.ts';

const calls = 1_000;
const home = '127.0.0.1';

let server: Server;
beforeAll(() => {
  const certificate = createCertificate(['*.example.com']);
  setDefaultCACertificates([...getCACertificates('default'), certificate.cert]);
  // Every request opens a new connection, and so makes its own DNS lookup.
  server = createServer(certificate, (_, response) => response.writeHead(204, { connection: 'close' }).end());
});

/** Resolvers that return different addresses for the nth lookup of a name. The test server represents a public host. */
const resolvers: Record<string, (lookupCount: number, canary: Canary) => string[]> = {
  'different at every lookup': (lookupCount, { addresses }) =>
    lookupCount % 2 === 0 ? [home] : [addresses[lookupCount % addresses.length]!],
  'private from the second lookup on': (lookupCount, { addresses }) =>
    lookupCount === 0 ? [home] : addresses,
  'private at the third lookup': (lookupCount, { addresses }) => (lookupCount === 2 ? addresses : [home]),
  'mixed, public first': (_, { addresses }) => [home, ...addresses],
  'mixed, private first': (_, { addresses }) => [...addresses, home],
  'mixed, one private in many': (_, { addresses }) => [...Array<string>(20).fill(home), addresses[0]!],
  'embedded in IPv6': () => ['::ffff:127.0.0.1'],
  'the unspecified address': (lookupCount) => [lookupCount % 2 === 0 ? '0.0.0.0' : '::'],
  'not an address': (lookupCount) => [lookupCount % 2 === 0 ? 'localhost' : '127.0.0.1.'],
};

test(`reaches nothing private with ${calls} DNS responses that change between check and use`, async () => {
  await using canary = await startCanary((socket) => server.emit('connection', socket));
  const lookupCounts = new Map<string, number>();
  const resolvedAddresses: string[][] = [];
  const kinds = Object.values(resolvers);
  const resolve = (name: string) => {
    const times = lookupCounts.get(name) ?? 0;
    lookupCounts.set(name, times + 1);
    const addresses = kinds[Number(/^\d+/.exec(name)?.[0])]!(times, canary);
    resolvedAddresses.push(addresses);
    return Promise.resolve(addresses);
  };
  await using outbound = createOutbound({ allow: [canary.home], resolve });

  const outcomes = { reached: 0, refused: 0 };
  while (resolvedAddresses.length < calls) {
    const before = resolvedAddresses.length;
    const url = `https://${before % kinds.length}-${Math.floor(before / 50)}.example.com:${canary.homePort}/`;
    const request = { method: 'POST', url, body: '{}', timeoutMs: 5_000, maxResponseBytes: 100 } as const;
    const outcome = await outbound.send(request).then(
      ({ status }) => status,
      (error: OutboundError) => error.reason,
    );
    // One lookup per connection, and its result is used or rejected as a whole.
    expect(resolvedAddresses.length).toBe(before + 1);
    const isHome = resolvedAddresses[before]!.every((address) => address === home);
    expect(outcome).toBe(isHome ? 204 : 'address_not_allowed');
    outcomes[isHome ? 'reached' : 'refused'] += 1;
  }
  expect(canary.hits).toEqual([]);
  expect(canary.begun()).toBe(outcomes.reached);
  expect(Math.min(outcomes.reached, outcomes.refused)).toBeGreaterThan(100);
});
