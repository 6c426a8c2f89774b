import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';
import { android, Story, watch } from './story.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const day = '2026-03-10';
const walk = (id: string, time: string, value: number) => ({
  metric: 'steps',
  start: `${day}T${time}:00Z`,
  end: `${day}T${time.slice(0, 2)}:30:00Z`,
  value,
  id,
});
const created = (minute: number) => ({ created_at: `2026-03-11T06:0${minute}:00Z` });
const first = { ...created(1), records: [walk('a', '09:00', 888)] };
const moved = { ...created(2), records: [walk('a', '10:00', 1388)] };
const deleted = { ...created(3), deletions: [{ kind: 'record', id: 'a' }] };
const restored = { ...created(4), records: [walk('a', '11:00', 500)] };

// @contract all/sources: A record that is sent again with the same ID replaces the earlier one, even if its start moved
test('replaces a record that is sent again with another start', async () => {
  const story = await Story.begin(app, 'UTC');
  await story.upload([watch, first]);
  expect(await story.value('steps', day)).toBe(888);
  const receipt = await story.receipt(watch, moved);
  expect(await story.value('steps', day)).toBe(1388);
  expect(receipt.counts).toMatchObject({ new: 1, deleted: 1 });
  expect(await story.samples('steps', day)).toEqual([['10:00', 1388, 'apple_health']]);
});

test('moves a record to another day', async () => {
  const story = await Story.begin(app, 'UTC');
  const next = { ...walk('a', '09:00', 888), start: '2026-03-11T02:00:00Z', end: '2026-03-11T02:30:00Z' };
  await story.upload([watch, first]);
  await story.upload([watch, { ...created(2), records: [next] }]);
  expect(await story.values('steps', day, '2026-03-11')).toEqual([null, 888]);
});

describe('versions that arrive in any order', () => {
  const orders: [string, object[], number | null][] = [
    ['the move before the first version', [moved, first], 1388],
    ['the deletion before the move', [first, deleted, moved], null],
    ['everything in reverse', [restored, deleted, moved, first], 500],
    ['the restored version before the deletion', [moved, restored, first, deleted], 500],
  ];
  test.each(orders)('give the same value: %s', async (_, uploads, steps) => {
    const [oneByOne, atOnce] = [await Story.begin(app, 'UTC'), await Story.begin(app, 'UTC')];
    for (const upload of uploads) await oneByOne.upload([watch, upload]);
    await atOnce.upload(...uploads.map((upload) => [watch, upload] as const));
    expect(await oneByOne.value('steps', day)).toBe(steps);
    expect(await atOnce.value('steps', day)).toBe(steps);
  });
});

test('keeps other data at the time that a record leaves', async () => {
  const story = await Story.begin(app, 'UTC');
  await story.upload([
    watch,
    { ...created(1), records: [walk('a', '09:00', 100), walk('b', '10:00', 200), walk('c', '11:00', 300)] },
  ]);
  // Every record moves by an hour, to the time that the next one leaves.
  await story.upload([
    watch,
    { ...created(2), records: [walk('a', '10:00', 100), walk('b', '11:00', 200), walk('c', '12:00', 300)] },
  ]);
  expect(await story.samples('steps', day)).toEqual([
    ['10:00', 100, 'apple_health'],
    ['11:00', 200, 'apple_health'],
    ['12:00', 300, 'apple_health'],
  ]);
  await story.upload([watch, { ...created(3), deletions: [{ kind: 'record', id: 'b' }] }]);
  expect(await story.value('steps', day)).toBe(400);
});

test('identifies a record by device and metric as well as by ID', async () => {
  const story = await Story.begin(app, 'UTC');
  const energy = { ...walk('a', '09:00', 80), metric: 'active_calories' };
  await story.upload(
    [watch, { ...created(1), records: [walk('a', '09:00', 888), energy] }],
    [android, { ...created(1), records: [walk('a', '09:00', 700)] }],
  );
  await story.upload([watch, { ...created(2), records: [walk('a', '10:00', 1388)] }]);
  expect(await story.value('steps', day)).toBe(1388);
  expect(await story.value('active_calories', day)).toBe(80);
  await story.disconnectFirst('apple_health');
  expect(await story.value('steps', day)).toBe(700);
});

test('uses the last version of a record that one upload lists twice', async () => {
  const story = await Story.begin(app, 'UTC');
  const receipt = await story.receipt(watch, {
    ...created(1),
    records: [walk('b', '09:00', 50), walk('a', '09:00', 888), walk('a', '10:00', 1388)],
  });
  expect(await story.value('steps', day)).toBe(1438);
  expect(receipt.counts).toMatchObject({ new: 2, duplicate: 1 });
});
