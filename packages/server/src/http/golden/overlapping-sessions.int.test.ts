import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';
import { band, ring, Story, watch } from './story.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const date = '2026-03-10';
const at = (day: string, time: string) => `2026-03-${day}T${time}:00+01:00`;

describe('a night reported by a ring and a watch, and a nap that only the watch detected', () => {
  let story: Story;
  beforeAll(async () => {
    story = await Story.begin(app);
    await story.upload(
      [
        ring,
        {
          sleep: [
            {
              id: 'night',
              start: at('09', '23:10'),
              end: at('10', '06:40'),
              minutes: { asleep: 400, in_bed: 450, deep: 80, light: 230, rem: 90 },
              vitals: { sleep_heart_rate: 52 },
            },
          ],
        },
      ],
      [
        watch,
        {
          sleep: [
            {
              id: 'night',
              start: at('09', '23:00'),
              end: at('10', '06:50'),
              minutes: { asleep: 420, in_bed: 470 },
            },
            { id: 'nap', start: at('10', '14:00'), end: at('10', '14:40'), minutes: { asleep: 35 } },
          ],
        },
      ],
    );
  });

  const shown = async () =>
    (await story.sessions('sleep', date)).map((one) => [
      one.start_time.slice(11, 16),
      one.source,
      one.asleep_minutes,
      one.is_main_sleep,
    ]);

  test('returns the ring’s night and the watch’s nap', async () => {
    expect(await shown()).toEqual([
      ['14:00', 'apple_health', 35, false],
      ['23:10', 'health_connect', 400, true],
    ]);
    const [, night] = await story.sessions('sleep', date);
    expect(await story.explainSession('sleep', night.id)).toMatchObject({
      kept: { device: { kind: 'ring' } },
      merged: [{ device: { kind: 'watch' }, reason: 'lower_rank', overlap_minutes: 450 }],
      is_main_sleep: true,
    });
  });

  test('derives the daily values from the same session: stages of one device and its clock times', async () => {
    expect(await story.value('asleep', date)).toBe(435); // the night and the nap
    expect(await story.value('restorative_sleep', date)).toBe(170);
    expect(await story.value('sleep_efficiency', date)).toBe(88.9);
    expect(await story.value('sleep_heart_rate', date)).toBe(52);
    expect(await story.value('nap_count', date)).toBe(1);
    expect(await story.value('nap_time', date)).toBe(35);
    expect(await story.value('bedtime', date)).toBe(-50);
    expect(await story.value('wake_time', date)).toBe(400);
  });

  test('avg averages the daily values and still returns the same night', async () => {
    await story.changeSettings({ metrics: { sleep_stages: { method: 'avg' } } });
    expect(await story.value('asleep', date)).toBe(428); // (400 + 455) ÷ 2
    expect(await story.providersOf('asleep', date)).toEqual(['health_connect', 'apple_health']);
    expect((await shown())[1]).toEqual(['23:10', 'health_connect', 400, true]);
  });

  test('uses the watch’s night when the ring is disabled', async () => {
    await story.changeSettings({
      metrics: { sleep_stages: { method: null, providers: { health_connect: false } } },
    });
    expect(await shown()).toEqual([
      ['14:00', 'apple_health', 35, false],
      ['23:00', 'apple_health', 420, true],
    ]);
    expect(await story.value('asleep', date)).toBe(455);
    expect(await story.value('REM', date)).toBeNull();
    expect(await story.value('bedtime', date)).toBe(-60);
    // Another metric group, in which the ring is still enabled.
    expect(await story.value('sleep_heart_rate', date)).toBe(52);
  });
});

describe('one run reported through two routes', () => {
  const strap = { provider: 'health_connect', id: 'strap', kind: 'chest_strap' };
  const run = (id: string, from: string, to: string, distance: number, active_calories: number) => ({
    workouts: [
      {
        id,
        sport_type: id === 'strap-run' ? 'trail_running' : 'running',
        start: at('10', from),
        end: at('10', to),
        values: { distance, active_calories },
      },
    ],
  });
  let story: Story;
  beforeAll(async () => {
    story = await Story.begin(app);
    await story.upload(
      [watch, run('watch-run', '17:00', '17:50', 8.2, 610)],
      [strap, run('strap-run', '17:01', '17:52', 8.05, 580)],
      // Another run in the evening, and a ride at the time of the first: none of them is the same workout.
      [band, run('evening', '20:00', '20:30', 5, 300)],
      [
        { ...band, id: 'bike', kind: 'bike_computer' },
        {
          workouts: [{ id: 'ride', sport_type: 'cycling', start: at('10', '17:00'), end: at('10', '17:45') }],
        },
      ],
    );
  });

  test('is returned once, as reported by the chest strap', async () => {
    const list = await story.sessions('workouts', date);
    expect(list.map((one) => [one.start_time.slice(11, 16), one.type, one.distance_km])).toEqual([
      ['20:00', 'running', 5],
      ['17:01', 'trail_running', 8.05],
      ['17:00', 'cycling', null],
    ]);
    expect(await story.explainSession('workouts', list[1].id)).toMatchObject({
      kept: { device: { kind: 'chest_strap' } },
      merged: [{ device: { kind: 'watch' } }],
    });
    expect(await story.value('workout_count', date)).toBe(3);
    expect(await story.value('exercise_energy', date)).toBe(880);
  });

  test('settings change the daily distance but never the list', async () => {
    expect(await story.value('running', date)).toBe(13.05); // both runs, each once
    await story.changeSettings({
      providers: { apple_health: false },
      metrics: { running: { method: 'sum' } },
    });
    expect(await story.value('running', date)).toBe(13.05);
    await story.changeSettings({ providers: { health_connect: false } });
    expect(await story.value('running', date)).toBe(5);
    const list = await story.sessions('workouts', date);
    expect(list.map((one) => one.source)).toEqual(['samsung_health', 'health_connect', 'samsung_health']);
    expect(await story.value('exercise_energy', date)).toBe(880);
  });
});
