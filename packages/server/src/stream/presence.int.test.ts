import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEngines } from '@tributary/stack';
import { expect, test } from 'vitest';
import { Broker } from './broker.ts';
import { plainNats } from './nats-settings.ts';
import { Presence } from './presence.ts';

test('counts live nodes, keeps the count while the broker is unavailable, and detects a stopped node', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'tributary-presence-'));
  await using resources = new AsyncDisposableStack();
  resources.defer(() => rm(dir, { recursive: true, force: true }));
  const { natsUrl, nats } = resources.use(await startEngines({ dir }));
  const nodes: { broker: Broker; presence: Presence }[] = [];
  for (const name of ['a', 'b', 'c']) {
    const broker = resources.use(new Broker(plainNats(natsUrl), name));
    nodes.push({ broker, presence: resources.use(new Presence(broker, name)) });
    await sleep(300); // each publishes at a different moment, as nodes on several machines do
  }
  const counts = () => nodes.map(({ presence }) => presence.liveNodes);
  await expect.poll(counts, { timeout: 5_000 }).toEqual([3, 3, 3]);

  // Longer than the timeout of a silent node. Right after reconnecting, each node has heard only itself.
  nats.signal('SIGKILL');
  await sleep(6_000);
  await nats.start();
  const isBack = () => nodes.every(({ broker }) => broker.connected);
  for (let checksAfter = 0; checksAfter < 60; checksAfter += isBack() ? 1 : 0) {
    expect(counts()).toEqual([3, 3, 3]);
    await sleep(50);
  }

  const removedNode = nodes.pop()!;
  removedNode.presence[Symbol.dispose]();
  await expect.poll(counts, { timeout: 8_000 }).toEqual([2, 2]);
});
