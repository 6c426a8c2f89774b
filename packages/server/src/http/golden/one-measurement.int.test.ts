import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';
import { android, band, iphone, ring, sentences, Story, watch } from './story.ts';

/*
 * Values that belong together come from one device and from the same readings.
 */

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const date = '2026-03-10';
const at = (time: string, day = date) => `${day}T${time}:00+01:00`;
const scale = { provider: 'apple_health', id: 'scale', kind: 'scale' };
const cuff = { provider: 'apple_health', id: 'cuff', kind: 'meter' };
const reading = (metric: string, time: string, value: number) => ({ metric, start: at(time), value });
const weighIn = (time: string, weight: number, fat?: number) => [
  reading('weight', time, weight),
  ...(fat === undefined ? [] : [reading('body_fat_percentage', time, fat)]),
];
const pressure = (time: string, systolic: number, diastolic: number) => [
  reading('blood_pressure_systolic', time, systolic),
  reading('blood_pressure_diastolic', time, diastolic),
];

describe('two weigh-ins within an hour', () => {
  test('give the complete one, whichever upload brings its parts', async () => {
    const story = await Story.begin(app);
    await story.upload([scale, { records: [reading('weight', '06:45', 80.4)] }]);
    expect(await story.value('weight', date)).toBe(80.4);
    await story.upload([scale, { records: [reading('weight', '07:20', 79.9)] }]);
    expect(await story.value('weight', date)).toBe(79.9);
    await story.upload([scale, { records: [reading('body_fat_percentage', '06:45', 21.5)] }]);
    expect(await story.value('weight', date)).toBe(80.4);
    expect(await story.value('body_fat_percentage', date)).toBe(21.5);
    await story.upload([scale, { records: [reading('body_fat_percentage', '07:20', 21.3)] }]);
    expect(await story.value('weight', date)).toBe(79.9);
    expect(await story.value('body_fat_percentage', date)).toBe(21.3);
    await story.expectSameAfterRebuild();
  });
});

describe('a cuff that lost one of three diastolic values', () => {
  test('gives the mean of the complete readings', async () => {
    const story = await Story.begin(app);
    await story.upload([
      cuff,
      {
        records: [
          ...pressure('08:00', 165, 105),
          reading('blood_pressure_systolic', '08:20', 111),
          ...pressure('20:00', 155, 95),
        ],
      },
    ]);
    expect(await story.value('blood_pressure_systolic', date)).toBe(160);
    expect(await story.value('blood_pressure_diastolic', date)).toBe(100);
    expect(await story.value('pulse_pressure', date)).toBe(60);
  });

  test('never pairs a systolic value with the diastolic value of another hour', async () => {
    const story = await Story.begin(app);
    await story.upload([
      cuff,
      {
        records: [
          reading('blood_pressure_systolic', '08:00', 118),
          reading('blood_pressure_diastolic', '20:00', 105),
        ],
      },
    ]);
    expect(await story.value('blood_pressure_systolic', date)).toBe(118);
    expect(await story.value('blood_pressure_diastolic', date)).toBeNull();
    expect(await story.value('pulse_pressure', date)).toBeNull();
  });
});

describe('an average of a cuff without a diastolic value, and a watch', () => {
  test('is of the complete reading', async () => {
    const story = await Story.begin(app);
    await story.upload(
      [
        { ...cuff, provider: 'health_connect' },
        { records: [reading('blood_pressure_systolic', '08:00', 180)] },
      ],
      [watch, { records: pressure('08:10', 120, 80) }],
    );
    await story.changeSettings({ metrics: { blood_pressure: { method: 'avg' } } });
    expect(await story.value('blood_pressure_systolic', date)).toBe(120);
    expect(await story.value('pulse_pressure', date)).toBe(40);
    expect(sentences(await story.explain('blood_pressure_systolic', date))).toMatchObject({
      meter: 'Not used: it has only a part of this measurement, and other devices have a complete one.',
    });
  });
});

describe('a body mass index', () => {
  test('never belongs to another weight', async () => {
    const story = await Story.begin(app);
    await story.changeProfile({ height_cm: 180 });
    await story.upload([
      scale,
      {
        records: [
          ...weighIn('07:00', 80),
          reading('body_mass_index', '07:00', 24.7),
          ...weighIn('20:00', 90, 20),
        ],
      },
    ]);
    expect(await story.value('weight', date)).toBe(90);
    expect(await story.value('body_mass_index', date)).toBe(27.8);
  });
});

describe('time in bed', () => {
  const bed = { provider: 'apple_health', id: 'bed', kind: 'bed_sensor' };
  const session = (id: string, start: string, end: string, minutes: object) => ({
    sleep: [{ id, start, end, minutes }],
  });

  test('does not hide the night of a watch', async () => {
    const story = await Story.begin(app);
    await story.upload(
      [iphone, session('bed', at('21:30', '2026-03-09'), at('06:30'), { in_bed: 540 })],
      [
        watch,
        session('night', at('23:10', '2026-03-09'), at('04:00'), {
          asleep: 270,
          deep: 60,
          light: 140,
          rem: 70,
        }),
      ],
    );
    expect(await story.value('asleep', date)).toBe(270);
    expect(await story.value('deep_sleep', date)).toBe(60);
    const [shown, ...others] = await story.sessions('sleep', date);
    expect(others).toEqual([]);
    const explained = await story.explainSession('sleep', shown!.id);
    expect(explained.merged.map(({ because }: { because: string }) => because)).toEqual([
      'Not used: the Apple Health watch ranks higher. Watches outrank phones for sleep.',
    ]);
  });

  test('is not the main sleep of a day with a night', async () => {
    const story = await Story.begin(app);
    await story.upload(
      [bed, session('bed', at('12:00'), at('21:00'), { in_bed: 540 })],
      [watch, session('night', at('23:00', '2026-03-09'), at('07:00'), { asleep: 430, in_bed: 480 })],
    );
    expect(await story.value('asleep', date)).toBe(430);
    const shown = await story.sessions('sleep', date);
    expect(shown.map((one) => [one.source, one.is_main_sleep, one.asleep_minutes])).toContainEqual([
      'apple_health',
      true,
      430,
    ]);
    const other = shown.find((one) => !one.is_main_sleep)!;
    expect((await story.explainSession('sleep', other.id)).main_because).toBe(
      'Not the main sleep: its time asleep is not known. The session that started at 2026-03-09T22:00:00.000Z has 430 minutes asleep.',
    );
  });
});

describe('a provider that is excluded for weight, but not for body composition', () => {
  const without = (provider: string) => ({ metrics: { weight: { providers: { [provider]: false } } } });
  const samsungScale = { provider: 'samsung_health', id: 'scale', kind: 'scale' };

  test('does not separate what another scale measured together', async () => {
    const story = await Story.begin(app);
    await story.upload(
      [{ ...samsungScale, kind: 'manual' }, { records: weighIn('07:00', 80, 22) }],
      [scale, { records: weighIn('07:10', 81, 25) }],
    );
    expect(await story.value('body_fat_percentage', date)).toBe(25);
    await story.changeSettings(without('apple_health'));
    expect(await story.value('weight', date)).toBe(80);
    expect(await story.value('body_fat_percentage', date)).toBe(22);
    await story.expectSameAfterRebuild();
  });

  test('provides what no other scale measured', async () => {
    const story = await Story.begin(app);
    await story.upload(
      [samsungScale, { records: weighIn('07:00', 80) }],
      [scale, { records: weighIn('07:10', 81, 25) }],
    );
    await story.changeSettings(without('apple_health'));
    expect(await story.value('weight', date)).toBe(80);
    expect(await story.value('body_fat_percentage', date)).toBe(25);
  });
});

describe('the average of a ring whose battery died after an hour, and a watch', () => {
  test('is the night of the watch', async () => {
    const story = await Story.begin(app);
    const night = (id: string, end: string, asleep: number) => ({
      sleep: [{ id, start: at('23:00', '2026-03-09'), end, minutes: { asleep, in_bed: asleep + 10 } }],
    });
    await story.upload([ring, night('ring', at('00:00'), 50)], [watch, night('watch', at('07:00'), 440)]);
    await story.changeSettings({ metrics: { sleep_stages: { method: 'avg' } } });
    expect(await story.value('asleep', date)).toBe(440);
    expect(sentences(await story.explain('asleep', date))).toEqual({
      ring: 'Not used: it covers 50 minutes of the night, and the Apple Health watch covers 7.3 hours.',
      watch: 'Used: it ranks highest of the devices that observed enough of the night.',
    });
    await story.upload([band, night('band', at('06:00'), 400)]);
    expect(await story.value('asleep', date)).toBe(420);
  });
});

describe('copies of a workout that are not shown', () => {
  const workout = (id: string, sport: string, km?: number, start = '07:00', end = '08:00') => ({
    workouts: [
      {
        id,
        sport_type: sport,
        start: at(start),
        end: at(end),
        ...(km === undefined ? {} : { values: { distance: km } }),
        heart_rate: { start: at(start), interval_seconds: 60, values: Array.from({ length: 60 }, () => 140) },
      },
    ],
  });

  test('do not add their distance to another sport', async () => {
    const story = await Story.begin(app);
    await story.upload([watch, workout('run', 'running', 10)], [android, workout('ride', 'cycling', 10.1)]);
    expect(await story.value('workout_count', date)).toBe(1);
    expect(await story.value('running', date)).toBe(10);
    expect(await story.value('cycling', date)).toBeNull();
  });

  test('are those without a distance', async () => {
    const story = await Story.begin(app);
    const strap = { provider: 'health_connect', id: 'strap', kind: 'chest_strap' };
    await story.upload([strap, workout('strap', 'running')], [watch, workout('run', 'running', 9.8)]);
    expect(await story.value('workout_count', date)).toBe(1);
    expect(await story.value('running', date)).toBe(9.8);
    const [shown] = await story.sessions('workouts', date);
    expect((await story.explainSession('workouts', shown!.id)).merged).toMatchObject([
      {
        reason: 'less_complete',
        because: 'Not used: it has no distance, and the Apple Health watch recorded one.',
      },
    ]);
  });

  test('count if the shown one is of an excluded provider', async () => {
    const story = await Story.begin(app);
    await story.upload([watch, workout('run', 'running', 10)], [android, workout('copy', 'running', 9.8)]);
    await story.changeSettings({ metrics: { running: { providers: { apple_health: false } } } });
    expect(await story.value('running', date)).toBe(9.8);
    await story.upload([android, workout('morning', 'running', 3, '05:00', '06:00')]);
    expect(await story.value('running', date)).toBe(12.8);
    await story.expectSameAfterRebuild();
  });
});
