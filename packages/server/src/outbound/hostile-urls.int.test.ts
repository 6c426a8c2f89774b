import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { startCanary } from '../test/canary.ts';
import { checkUrl } from './check-url.ts';
import { listHostileUrls, rebindingNames } from '../test/hostile-urls.ts';
import type { OutboundError } from './outbound-error.ts';
import { createOutbound } from './outbound.ts';

const bounds = { method: 'POST', body: '{}', timeoutMs: 5_000, maxResponseBytes: 100 } as const;

test('connects to no hostile URL, neither when it is stored nor when it is called', async () => {
  await using canary = await startCanary((socket) => socket.destroy());
  // Every name that reaches DNS resolves to this machine, as an attacker's would.
  const resolve = () => Promise.resolve(canary.addresses);
  await using outbound = createOutbound({ allow: [], resolve });

  const urls = [canary.port, canary.homePort].flatMap(listHostileUrls);
  expect(urls.length).toBeGreaterThan(3_000);
  const stored = urls.filter((url) => checkUrl(url, []).ok);
  const reasons = new Map<string, string>();
  for (const url of urls) {
    const response = outbound.send({ ...bounds, url });
    reasons.set(
      url,
      await response.then(
        () => 'reached',
        (error: OutboundError) => error.reason,
      ),
    );
  }

  // Only names that DNS knows are accepted, and they fail at the address check.
  expect([...new Set(stored.map((url) => new URL(url).hostname))].toSorted()).toEqual(
    [...rebindingNames].toSorted(),
  );
  for (const [url, reason] of reasons)
    expect(reason, url).toBe(stored.includes(url) ? 'address_not_allowed' : 'invalid_url');
  expect(canary.hits).toEqual([]);
  expect(canary.begun()).toBe(0);
});

test('returns a redirect without following it', async () => {
  const targets: string[] = [];
  const server = createServer((request, response) => {
    const target = targets[Number(request.url?.slice(1))]!;
    response.writeHead(302, { location: target }).end();
  });
  await using canary = await startCanary((socket) => server.emit('connection', socket));
  targets.push(
    `http://127.0.0.1:${canary.port}/`,
    ...canary.addresses.map(
      (address) => `http://${address.includes(':') ? `[${address}]` : address}:${canary.port}/`,
    ),
  );
  await using outbound = createOutbound({ allow: [canary.home] });
  for (const [at, location] of targets.entries()) {
    const response = await outbound.send({ ...bounds, url: `http://${canary.home}/${at}` });
    expect(response).toMatchObject({ status: 302, headers: { location } });
  }
  expect(canary.hits).toEqual([]);
  expect(canary.begun()).toBe(1);
});

test('detects connections with the canary', async () => {
  await using canary = await startCanary((socket) => socket.destroy());
  for (const address of ['127.0.0.1', ...canary.addresses])
    await fetch(`http://${address.includes(':') ? `[${address}]` : address}:${canary.port}/`).catch(() => {});
  expect(new Set(canary.hits)).toEqual(new Set(['127.0.0.1', ...canary.addresses]));
  expect(canary.begun()).toBeGreaterThanOrEqual(canary.hits.length);
});
