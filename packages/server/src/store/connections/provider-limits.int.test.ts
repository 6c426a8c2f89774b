import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';
import { findProviderCalls, takeProviderCall } from './provider-limits.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const strava = { environment: 'sandbox', provider: 'strava' } as const;
/** A burst of ten, and then one per minute. */
const steps = [{ subject: '', rule: 0, spacingSeconds: 60, burstSeconds: 600 }];

/** Minutes until this many calls are available at once. */
async function minutesUntil(calls: number): Promise<number> {
  const atMs = await findProviderCalls(app.ctx.operator, strava, steps, calls);
  return Math.round((atMs - app.ctx.clock.now()) / 60_000);
}

test('returns when there are enough calls for a sync run, not for one call', async () => {
  expect(await minutesUntil(4)).toBeLessThanOrEqual(0);
  for (let call = 0; call < 10; call += 1)
    expect(await takeProviderCall(app.ctx.operator, strava, steps)).toBeNull();
  const backMs = await takeProviderCall(app.ctx.operator, strava, steps);
  expect(Math.round((backMs! - app.ctx.clock.now()) / 60_000)).toBe(1);
  expect(await minutesUntil(1)).toBe(1);
  expect(await minutesUntil(4)).toBe(4);
  // There are never more than ten.
  expect(await minutesUntil(30)).toBe(10);
});
