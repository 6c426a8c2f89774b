import { expect, test, vi } from 'vitest';
import { Loops } from './loops.ts';
import { createMetrics } from './ops/metrics.ts';

test('a loop is silent eight seconds after its last beat, and not once it has ended', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const loops = new Loops();
  const loop = loops.start('scores');
  vi.advanceTimersByTime(7_999);
  expect(loops.silent()).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(loops.silent()).toEqual(['scores']);
  loop.beat();
  expect(loops.silent()).toEqual([]);
  vi.advanceTimersByTime(60_000);
  loop[Symbol.dispose]();
  expect([loops.silent(), loops.ages().size]).toEqual([[], 0]);
  vi.useRealTimers();
});

test('several loops with one name are as old as the slowest of them', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const loops = new Loops();
  using _slow = loops.start('ingest');
  vi.advanceTimersByTime(5_000);
  using _fast = loops.start('ingest');
  vi.advanceTimersByTime(4_000);
  expect(loops.ages().get('ingest')).toBe(9_000);
  expect(loops.silent()).toEqual(['ingest']);
  vi.useRealTimers();
});

test('a gauge reports NaN once its loop has stopped setting it', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { feedLagSeconds, jobLagSeconds, registry } = createMetrics();
  vi.advanceTimersByTime(60_000);
  expect((await feedLagSeconds.get()).values).toEqual([{ value: 0, labels: {} }]); // never set on this node
  feedLagSeconds.set(7);
  jobLagSeconds.set({ queue: 'send-mail' }, 3);
  vi.advanceTimersByTime(29_000);
  expect(await registry.metrics()).toContain('tributary_feed_lag_seconds 7');
  vi.advanceTimersByTime(1_000);
  const text = await registry.metrics();
  expect(text).toMatch(/^tributary_feed_lag_seconds NaN$/im);
  expect(text).toMatch(/^tributary_job_lag_seconds\{queue="send-mail"\} NaN$/im);
  feedLagSeconds.set(2);
  expect(await registry.metrics()).toContain('tributary_feed_lag_seconds 2');
  vi.useRealTimers();
});
