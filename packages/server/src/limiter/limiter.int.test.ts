import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from 'redis';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import type { Draw, Verdict } from './buckets.ts';
import { Limiter } from './limiter.ts';
import { plainRedis } from './redis-settings.ts';
import { connectSharedStore } from './shared-store.ts';

const nodes = 4;
let limiters: Limiter[];
let draw: Draw;

beforeEach(async () => {
  draw = { key: `test:${randomUUID()}`, rate: { perSecond: 100, burst: 200 } };
  limiters = Array.from(
    { length: nodes },
    () =>
      new Limiter({
        store: connectSharedStore(plainRedis(inject('engines').redisUrl)),
        liveNodes: () => nodes,
        observer: { modeChanged: () => {} },
      }),
  );
  const other: Draw = { ...draw, key: `warm:${randomUUID()}` };
  await expect
    .poll(async () =>
      (await Promise.all(limiters.map((limiter) => take(limiter, other)))).every(
        ({ source }) => source !== 'tripped' && source !== 'local',
      ),
    )
    .toBe(true);
});
afterEach(() => {
  for (const limiter of limiters) limiter[Symbol.dispose]();
});

/** Always returns a promise, even for a verdict on credit. */
const take = async (limiter: Limiter, wanted: Draw = draw): Promise<Verdict> => limiter.take([wanted]);
const allowedOf = (verdicts: Verdict[]) => verdicts.filter((verdict) => verdict.allowed).length;

async function floodFor(ms: number): Promise<number> {
  const until = performance.now() + ms;
  let allowed = 0;
  const work = async (limiter: Limiter) => {
    while (performance.now() < until) {
      if ((await limiter.take([draw])).allowed) allowed += 1;
      await sleep(1);
    }
  };
  await Promise.all(limiters.flatMap((limiter) => [work(limiter), work(limiter)]));
  return allowed;
}

describe('four nodes with one bucket', () => {
  // @contract all/credentials: Nodes share that limit
  test('admit the burst and then the rate, together', async () => {
    const startedAt = performance.now();
    const allowed = await floodFor(3_000);
    const limit = 200 + ((performance.now() - startedAt) / 1000) * 100;
    expect(allowed).toBeGreaterThan(limit * 0.98 - 3);
    expect(allowed).toBeLessThan(limit * 1.02);
  });

  // Timing: on a busy machine the store responds too late, and then each node enforces its own share.
  test('admit at most a tenth more than the burst at once, and pay it back', { retry: 4 }, async () => {
    await Promise.all(limiters.map((limiter) => take(limiter))); // each node has now seen the bucket
    const startedAt = performance.now();
    const verdicts = await Promise.all(
      limiters.flatMap((limiter) => Array.from({ length: 300 }, () => take(limiter))),
    );
    const seconds = (performance.now() - startedAt) / 1000;
    expect(allowedOf(verdicts) + nodes).toBeLessThanOrEqual(220 + Math.ceil(seconds * 100) + 1);
    expect(allowedOf(verdicts) + nodes).toBeGreaterThanOrEqual(195);
    expect(new Set(verdicts.map((verdict) => verdict.source))).toEqual(new Set(['credit', 'shared']));
  });

  test('admit no second burst after Redis is flushed, because they remember what they last saw', async () => {
    await Promise.all(limiters.flatMap((limiter) => Array.from({ length: 100 }, () => take(limiter))));
    const startedAt = performance.now();
    await Promise.all(limiters.map((limiter) => take(limiter)));
    const redis = createClient({ url: inject('engines').redisUrl });
    await redis.connect();
    await redis.del(`tributary:limit:${draw.key}`);
    redis.destroy();
    const verdicts = await Promise.all(
      limiters.flatMap((limiter) => Array.from({ length: 100 }, () => take(limiter))),
    );
    const refilled = ((performance.now() - startedAt) / 1000) * 100;
    expect(allowedOf(verdicts)).toBeLessThan(20 + refilled);
  });
});

describe('one node', () => {
  test('decides on credit while there is ample capacity, and reports what remains', async () => {
    const [limiter] = limiters as [Limiter];
    const first = await limiter.take([draw]);
    expect(first.source).toBe('shared');
    const next = limiter.take([draw]);
    expect(next).not.toBeInstanceOf(Promise);
    expect(next).toMatchObject({ allowed: true, source: 'credit' });
    await sleep(60);
    // By now the other nodes know about it.
    const seen = await limiters[1]!.take([{ ...draw, rate: { perSecond: 0.001, burst: 200 } }]);
    expect(seen.aheadMs[0]).toBeGreaterThan(0);
  });

  test('draws from all buckets or from none', async () => {
    const [limiter] = limiters as [Limiter];
    const narrow: Draw = { key: `${draw.key}:narrow`, rate: { perSecond: 0.01, burst: 1 } };
    expect((await limiter.take([narrow, draw])).allowed).toBe(true);
    for (let at = 0; at < 5; at += 1) expect((await limiter.take([narrow, draw])).allowed).toBe(false);
    await sleep(60);
    const { aheadMs } = await limiters[1]!.take([draw]);
    expect(aheadMs[0]).toBeLessThan(25); // only allowed requests have been drawn
  });

  test('enforces the whole limit by itself without a shared store', () => {
    using isolated = new Limiter({ store: null, liveNodes: () => 7, observer: { modeChanged: () => {} } });
    const verdicts = Array.from({ length: 300 }, () => isolated.take([draw]) as Verdict);
    expect(allowedOf(verdicts)).toBeGreaterThanOrEqual(200);
    expect(allowedOf(verdicts)).toBeLessThan(205);
  });

  test('enforces its share without waiting when the store is unreachable', async () => {
    using lonely = new Limiter({
      store: connectSharedStore(plainRedis('redis://127.0.0.1:1')),
      liveNodes: () => nodes,
      observer: { modeChanged: () => {} },
    });
    expect((await lonely.take([draw])).source).toBe('tripped');
    const verdicts = Array.from({ length: 300 }, () => lonely.take([draw]) as Verdict);
    expect(allowedOf(verdicts)).toBeGreaterThanOrEqual(48);
    expect(allowedOf(verdicts)).toBeLessThanOrEqual(51);
    expect(lonely.mode).toBe('local');
  });
});
