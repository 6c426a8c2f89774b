import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';
import { band, steps, Story, watch } from './story.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  await app.moveClock(Date.parse('2026-03-12T12:00:00Z') - Date.now());
});
afterAll(() => app[Symbol.asyncDispose]());

const day = '2026-03-10';
const at = (time: string, date = day) => `${date}T${time}:00Z`;
const daily = (values: Record<string, number>, date = day) => ({
  daily: Object.entries(values).map(([metric, value]) => ({ metric, date, value })),
});

describe('the body mass index', () => {
  // @contract all/sources: The body mass index is computed from the weight and the height of the profile if no device reports it
  test('is computed from the weight and the height of the profile', async () => {
    const story = await Story.begin(app, 'UTC');
    await story.upload([watch, daily({ weight: 81 })]);
    expect(await story.value('body_mass_index', day)).toBeNull();
    await story.changeProfile({ height_cm: 180 });
    expect(await story.value('body_mass_index', day)).toBe(25);
    await story.expectSameAfterRebuild();
    expect(await story.explain('body_mass_index', day)).toMatchObject({
      value: 25,
      winner: null,
      pending_rebuild: false,
      summary: `Body mass index on ${day}: 25 kg/m2, computed as weight ÷ height².`,
      derived_from: [
        { metric: 'weight', value: 81, unit: 'kg' },
        { metric: 'height', value: 180, unit: 'cm' },
      ],
    });
  });

  test('follows a new weight and a measured height, whichever comes first', async () => {
    const [one, other] = [await Story.begin(app, 'UTC'), await Story.begin(app, 'UTC')];
    for (const story of [one, other]) await story.changeProfile({ height_cm: 200 });
    const parts = [daily({ weight: 81 }), daily({ height: 180 })] as const;
    for (const part of parts) await one.upload([watch, part]);
    for (const part of parts.toReversed()) await other.upload([watch, part]);
    for (const story of [one, other]) expect(await story.value('body_mass_index', day)).toBe(25);
  });

  test('is the reported one if the device of the weight has it', async () => {
    const story = await Story.begin(app, 'UTC');
    await story.changeProfile({ height_cm: 180 });
    await story.upload([band, daily({ weight: 81, body_mass_index: 24 })]);
    expect(await story.value('body_mass_index', day)).toBe(24);
    expect(await story.providersOf('body_mass_index', day)).toEqual(['samsung_health']);
    expect((await story.explain('body_mass_index', day)).derived_from).toBeNull();
    const without = { metrics: { body_mass_index: { providers: { samsung_health: false } } } };
    expect(await story.previewOf(without, 'body_mass_index', day)).toEqual([[24, 25]]);
    await story.changeSettings(without);
    expect(await story.value('body_mass_index', day)).toBe(25);
    await story.expectSameAfterRebuild();
  });

  test('is computed if only another device reports it', async () => {
    const story = await Story.begin(app, 'UTC');
    await story.changeProfile({ height_cm: 180 });
    await story.upload([watch, daily({ weight: 81 })], [band, daily({ body_mass_index: 30 })]);
    expect(await story.value('body_mass_index', day)).toBe(25);
  });

  test('has a reason if an input is missing', async () => {
    const story = await Story.begin(app, 'UTC');
    await story.upload([watch, daily({ weight: 81 })]);
    expect(await story.reason('body_mass_index', day)).toBe('not_reported');
    expect((await story.explain('body_mass_index', day)).summary).toContain(
      'no device reported it, and not all inputs of weight ÷ height² are available',
    );
  });
});

test('intensity minutes count vigorous minutes twice if no device reports them', async () => {
  const story = await Story.begin(app, 'UTC');
  const minutes = { moderate_intensity_activity: 20, vigorous_intensity_activity: 15 };
  await story.upload([watch, daily(minutes)]);
  expect(await story.value('intensity_minutes', day)).toBe(50);
  await story.upload([band, daily({ intensity_minutes: 45 })]);
  expect(await story.value('intensity_minutes', day)).toBe(45);
  await story.expectSameAfterRebuild();
});

describe('values that are computed with scores', () => {
  const night = (date: string, id: string) => ({
    id,
    start: new Date(Date.parse(at('23:00', date)) - 86_400_000).toISOString(),
    end: at('07:00', date),
    minutes: { asleep: 480 },
  });
  const pulse = (from: string, to: string, value: number) => ({
    metric: 'heart_rate',
    start: at(from),
    end: at(to),
    value,
  });

  test('come from the samples of the day', async () => {
    const story = await Story.begin(app, 'UTC');
    await story.upload([
      watch,
      {
        sleep: [night(day, 'one')],
        records: [
          pulse('00:00', '07:00', 60),
          pulse('07:00', '23:00', 80),
          steps(at('09:00'), at('09:30'), 300),
          steps(at('12:00'), at('12:15'), 240),
          steps(at('18:00'), at('19:00'), 4000),
        ],
      },
    ]);
    await story.score();
    expect(await story.value('active_hours', day)).toBe(2);
    expect(await story.value('longest_inactivity', day)).toBe(345);
    expect(await story.value('heart_rate_dip', day)).toBe(25);
    expect(await story.value('sleep_need', day)).toBe(480);
    expect((await story.explain('heart_rate_dip', day)).summary).toBe(
      `Nocturnal heart-rate dip on ${day}: 25 %, computed as 100 × (awake − asleep mean heart rate) ÷ awake mean heart rate.`,
    );
  });

  test('follow a record that moves, although the total of the day stays', async () => {
    const story = await Story.begin(app, 'UTC');
    const walk = (id: string, from: string, to: string) => ({ ...steps(at(from), at(to), 300), id });
    await story.upload([watch, { records: [walk('a', '09:00', '09:30'), walk('b', '09:30', '10:00')] }]);
    await story.score();
    expect(await story.value('active_hours', day)).toBe(1);
    await story.upload([watch, { records: [walk('b', '11:00', '11:30')] }]);
    await story.score();
    expect(await story.values('steps', day)).toEqual([600]);
    expect(await story.value('active_hours', day)).toBe(2);
  });

  test('are unknown if only a total of the day is known', async () => {
    const story = await Story.begin(app, 'UTC');
    await story.upload([watch, daily({ steps: 9000 })]);
    await story.score();
    expect(await story.value('active_hours', day)).toBeNull();
    expect(await story.reason('active_hours', day)).toBe('not_reported');
    expect((await story.explain('active_hours', day)).summary).toContain(
      'it is computed as the number of hours with at least 250 steps, and not all inputs are available',
    );
  });

  test('cover several days, in any order of arrival', async () => {
    const createdAt = (time: string) => ({ created_at: at(time, '2026-03-12') });
    const dates = Array.from({ length: 15 }, (_, back) => dateBefore(day, back));
    const story = await Story.begin(app, 'UTC');
    for (const date of dates) {
      const glucose = Array.from({ length: 96 }, (_, quarter) => ({
        metric: 'blood_glucose',
        start: new Date(Date.parse(at('00:00', date)) + quarter * 900_000).toISOString(),
        value: 8,
        unit: 'mmol/L',
      }));
      await story.upload([watch, { ...createdAt('06:00'), sleep: [night(date, date)], records: glucose }]);
      await story.score();
    }
    // 3.31 + 0.02392 × 8 × 18.0182
    expect(await story.value('glucose_management_indicator', day)).toBe(6.8);
    expect(await story.value('glucose_management_indicator', dates[9]!)).toBeNull();
    expect(await story.value('sleep_debt', day)).toBe(0);
    expect(await story.value('social_jetlag', day)).toBe(0);
    expect(await story.value('sleep_debt', dates[8]!)).toBeNull();
    // One short night two weeks ago counts against the need until it leaves the window.
    const short = {
      ...night(dates[13]!, dates[13]!),
      start: at('03:00', dates[13]),
      minutes: { asleep: 240 },
    };
    await story.upload([watch, { ...createdAt('07:00'), sleep: [short] }]);
    await story.score();
    expect(await story.value('sleep_debt', day)).toBe(240);
  });
});

function dateBefore(date: string, back: number): string {
  return new Date(Date.parse(at('00:00', date)) - back * 86_400_000).toISOString().slice(0, 10);
}
