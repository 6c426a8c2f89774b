import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findMetric } from '@tributary/domain';
import { expect, test } from 'vitest';
import { fieldsOf, listOf } from '../mapping/read.ts';
import { BatchBuilder } from '../mapping/batch-builder.ts';
import type { Call, Documents, UserApi } from '../provider.ts';
import { oura } from './index.ts';
import { streams } from './streams.ts';

const span = { fromMs: Date.parse('2026-11-14T12:00Z'), toMs: Date.parse('2026-11-15T12:00Z') };

/** Responds with these bodies in order and records the requests. */
function script(...bodies: unknown[]): { api: UserApi; calls: Call[] } {
  const calls: Call[] = [];
  const api: UserApi = {
    app: { clientId: 'app', clientSecret: 'secret', hosts: oura.hosts, settings: {} },
    userId: 'user-1',
    scopes: null,
    tokens: { accessToken: 'token', refreshToken: null, expiresAtMs: null, scopes: null },
    now: () => span.toMs,
    send: async (call) => {
      calls.push(call);
      return { status: 200, headers: {}, body: JSON.stringify(bodies[calls.length - 1]) };
    },
  };
  return { api, calls };
}

async function pagesOf(stream: string, api: UserApi): Promise<Documents[]> {
  const pages: Documents[] = [];
  for await (const page of streamOf(stream).read(api, span)) pages.push(page);
  return pages;
}

const streamOf = (stream: string) => streams.find(({ name }) => name === stream)!;
const sleep = (id: string, day: string) => ({ id, day });

test('reads all pages, including those after empty ones', async () => {
  const long = 'x'.repeat(400);
  const { api, calls } = script(
    { data: [{ day: '2026-11-14' }], next_token: long },
    { data: [], next_token: 'third' },
    { data: [{ day: '2026-11-15' }], next_token: null },
  );
  expect(await pagesOf('daily_sleep', api)).toEqual([[{ day: '2026-11-14' }], [{ day: '2026-11-15' }]]);
  const days = { start_date: '2026-11-13', end_date: '2026-11-16T23:59:59' };
  expect(calls.map(({ query }) => query)).toEqual([
    days,
    { ...days, next_token: long },
    { ...days, next_token: 'third' },
  ]);
});

test('rejects a response without a list', async () => {
  await expect(pagesOf('daily_sleep', script({ detail: 'odd' }).api)).rejects.toMatchObject({
    kind: 'unavailable',
  });
});

test('requests heart rate by time and the others by day', async () => {
  for (const { name } of oura.streams) {
    const { api, calls } = script({ data: [] });
    expect(await pagesOf(name, api)).toEqual([]);
    expect(Object.keys(calls[0]!.query!)).toEqual(
      name === 'heartrate' ? ['start_datetime', 'end_datetime'] : ['start_date', 'end_date'],
    );
    // Only its path has a capital O.
    expect(calls[0]!.url).toMatch(new RegExp(`/${name === 'vo2_max' ? 'vO2_max' : name}$`));
  }
});

test('keeps the sleeps of a day together when a page ends between them', async () => {
  const { api } = script(
    { data: [sleep('a', '2026-11-13'), sleep('b', '2026-11-14')], next_token: 'more' },
    { data: [sleep('c', '2026-11-14')], next_token: 'last' },
    { data: [sleep('d', '2026-11-15')], next_token: null },
  );
  expect(await pagesOf('sleep', api)).toEqual([
    [{ day: '2026-11-13', sleeps: [sleep('a', '2026-11-13')] }],
    [{ day: '2026-11-14', sleeps: [sleep('b', '2026-11-14'), sleep('c', '2026-11-14')] }],
    [{ day: '2026-11-15', sleeps: [sleep('d', '2026-11-15')] }],
  ]);
});

test('reads a pushed sleep with the others of its day', async () => {
  const named = sleep('b', '2026-11-14');
  const { api, calls } = script(named, { data: [sleep('a', '2026-11-14'), named], next_token: null });
  expect(await streamOf('sleep').readOne!(api, 'b')).toEqual([
    { day: '2026-11-14', sleeps: [named, sleep('a', '2026-11-14')] },
  ]);
  expect(calls[1]!.query).toEqual({ start_date: '2026-11-14', end_date: '2026-11-14T23:59:59' });
});

test('maps any document without throwing', () => {
  const odd = [null, 7, 'text', [], {}, { day: 7, sleeps: [null, { id: {}, heart_rate: [], hrv: 'x' }] }];
  for (const { map } of oura.streams) {
    const batch = new BatchBuilder();
    map(odd, batch);
    expect(Object.values(batch.lists).flat()).toEqual([]);
  }
});

const minuteMetrics: Record<string, string> = {
  asleep: 'asleep',
  in_bed: 'time_in_bed',
  awake: 'time_awake',
  light: 'light_sleep',
  deep: 'deep_sleep',
  rem: 'REM',
};

test('lists exactly the metrics that the goldens contain', () => {
  const folder = join(import.meta.dirname, 'golden');
  const goldenMetrics = new Set<string>();
  for (const file of readdirSync(folder)) {
    const golden = fieldsOf(JSON.parse(readFileSync(join(folder, file), 'utf8')));
    for (const list of ['series', 'records', 'daily'])
      for (const one of listOf(golden[list])) goldenMetrics.add(String(fieldsOf(one)['metric']));
    for (const one of listOf(golden['sleep']).map(fieldsOf)) {
      for (const name of Object.keys(fieldsOf(one['minutes']))) goldenMetrics.add(minuteMetrics[name]!);
      for (const metric of Object.keys(fieldsOf(one['vitals']))) goldenMetrics.add(metric);
    }
    for (const one of listOf(golden['workouts']).map(fieldsOf))
      for (const metric of Object.keys(fieldsOf(one['values']))) goldenMetrics.add(metric);
  }
  expect([...goldenMetrics].sort()).toEqual([...oura.metrics].sort());
  for (const metric of oura.metrics) expect(findMetric(metric), metric).toBeDefined();
});
