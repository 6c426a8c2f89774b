import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../test/apps/test-app.ts';
import { runSync } from './run-sync.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

/** Wraps a pool to record the names of its statements. */
function noteQueries(pool: pg.Pool, names: string[]): pg.Pool {
  return new Proxy(pool, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        if (property === 'query') names.push((args[0] as { name?: string }).name ?? '');
        return Reflect.apply(value, target, args);
      };
    },
  });
}

test('polls once for all idle workers instead of once per worker', async () => {
  const names: string[] = [];
  await using _sync = runSync({ ...app.ctx, operator: noteQueries(app.ctx.operator, names) });
  const pollCount = (priority: string) =>
    names.filter((name) => name === `connections/due-${priority}`).length;
  await expect.poll(() => pollCount('live'), { timeout: 10_000 }).toBeGreaterThan(0);
  const before = pollCount('live');
  await sleep(2_000);
  // Six workers that poll four times per second would run 48 queries.
  expect(pollCount('live') - before).toBeGreaterThanOrEqual(1);
  expect(pollCount('live') - before).toBeLessThanOrEqual(18);
});
