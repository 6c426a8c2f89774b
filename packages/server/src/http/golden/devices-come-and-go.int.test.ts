import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';
import { outcomes, ring, Story, watch } from './story.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const total = (date: string, value: number) => ({ metric: 'resting_heart_rate', date, value });
const days = ['2026-03-10', '2026-03-13'] as const;

test('recomputes the days on which a provider is disabled and enabled again', async () => {
  const story = await Story.begin(app);
  await story.upload(
    [watch, { daily: [total('2026-03-10', 50), total('2026-03-11', 51)] }],
    [ring, { daily: [total('2026-03-10', 60), total('2026-03-11', 61)] }],
  );
  expect(await story.values('resting_heart_rate', ...days)).toEqual([50, 51, null, null]);

  await story.changeSettings({ providers: { apple_health: false } });
  expect(await story.values('resting_heart_rate', ...days)).toEqual([60, 61, null, null]);
  // It keeps uploading meanwhile, and on one of the days it is the only source.
  await story.upload(
    [watch, { daily: [total('2026-03-12', 52), total('2026-03-13', 53)] }],
    [ring, { daily: [total('2026-03-12', 62)] }],
  );
  expect(await story.values('resting_heart_rate', ...days)).toEqual([60, 61, 62, null]);
  expect(await story.reason('resting_heart_rate', '2026-03-13')).toBe('excluded');
  expect(outcomes(await story.explain('resting_heart_rate', '2026-03-12'))).toEqual({
    watch: 'lost: excluded',
    ring: 'won: only_value',
  });

  await story.changeSettings({ providers: { apple_health: true } });
  expect(await story.values('resting_heart_rate', ...days)).toEqual([50, 51, 52, 53]);
  expect(await story.providersOf('resting_heart_rate', '2026-03-12')).toEqual(['apple_health']);
});

describe('a watch that is replaced by another', () => {
  const [old, replacement] = [
    { ...watch, id: 'old' },
    { ...watch, id: 'new' },
  ];
  const night = (id: string, day: number) => ({
    id,
    start: `2026-03-${day - 1}T22:00:00Z`,
    end: `2026-03-${day}T05:00:00Z`,
  });
  let story: Story;
  beforeAll(async () => {
    story = await Story.begin(app);
    await story.upload([
      old,
      {
        created_at: '2026-03-12T06:00:00Z',
        daily: [total('2026-03-10', 50), total('2026-03-11', 51), total('2026-03-12', 52)],
        sleep: [night('a', 11), night('b', 12)],
      },
    ]);
    await story.upload([
      replacement,
      {
        created_at: '2026-03-13T06:00:00Z',
        daily: [total('2026-03-12', 72), total('2026-03-13', 73)],
        sleep: [night('c', 12), night('d', 13)],
      },
    ]);
  });

  test('uses the newer watch where both report, and keeps the history of the old one', async () => {
    expect(await story.values('resting_heart_rate', ...days)).toEqual([50, 51, 72, 73]);
    expect((await story.sessions('sleep', ...days)).map(({ date }) => date)).toEqual([
      '2026-03-13',
      '2026-03-12',
      '2026-03-11',
    ]);
    const explained = await story.explain('resting_heart_rate', '2026-03-12');
    expect(
      explained.candidates.map((one: { value: number; reason: string }) => [one.value, one.reason]),
    ).toEqual([
      [72, 'best_rank'],
      [52, 'connected_earlier'],
    ]);
  });

  test('removes the old watch’s history when it is disconnected, and nothing else', async () => {
    await story.disconnectFirst(old.provider);
    expect(await story.values('resting_heart_rate', ...days)).toEqual([null, null, 72, 73]);
    expect((await story.sessions('sleep', ...days)).map(({ date }) => date)).toEqual([
      '2026-03-13',
      '2026-03-12',
    ]);
    expect((await story.explain('resting_heart_rate', '2026-03-12')).candidates).toHaveLength(1);
  });

  test('accepts new data when the old watch is connected again', async () => {
    await story.upload([old, { daily: [total('2026-03-11', 55)] }]);
    expect(await story.values('resting_heart_rate', ...days)).toEqual([null, 55, 72, 73]);
  });
});
