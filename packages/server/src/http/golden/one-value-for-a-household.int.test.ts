import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';
import { iphone, outcomes, ring, sentences, steps, Story, watch } from './story.ts';

/*
 * Households of devices that an expert would resolve without hesitation. Every value and sentence here is what the API returns.
 */

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const date = '2026-03-10';
/** Berlin is an hour ahead of UTC on that day; times here are local. */
const at = (time: string, day = date) => `${day}T${time}:00+01:00`;
const total = (values: Record<string, number>) => ({
  daily: Object.entries(values).map(([metric, value]) => ({ metric, date, value })),
});
const by = (metric: string, method: 'priority' | 'merge' | 'max' | 'avg' | 'sum') => ({
  metrics: { [metric]: { method } },
});
/** A reading every `minutes` from a time, for some hours. */
const everyFewMinutes = (metric: string, from: string, minutes: number, count: number, value: number) => ({
  series: [
    {
      metric,
      start: from,
      offsets_seconds: Array.from({ length: count }, (_, index) => index * minutes * 60),
      values: Array.from({ length: count }, () => value),
    },
  ],
});

describe('an iPhone in the pocket and a watch that charges until the evening', () => {
  let story: Story;
  beforeAll(async () => {
    story = await Story.begin(app);
    await story.upload(
      [iphone, { records: [steps(at('08:00'), at('12:00'), 7000), steps(at('18:00'), at('19:00'), 2000)] }],
      [watch, { records: [steps(at('18:00'), at('19:00'), 2000), steps(at('20:00'), at('20:30'), 100)] }],
    );
  });

  test('count once what both counted, and all of the rest', async () => {
    expect(await story.value('steps', date)).toBe(9100);
    const explained = await story.explain('steps', date);
    expect(explained.summary).toBe(
      'Steps on 2026-03-10: 9,100, merged over time from the Apple Health watch and the Apple Health phone.',
    );
    expect(sentences(explained)).toEqual({
      watch: 'Used: it contributes 2,100 from 2 intervals that no higher-ranked device covers.',
      phone: 'Used: it contributes 7,000 from 1 interval that no higher-ranked device covers.',
    });
    expect(await story.samples('steps', date)).toEqual([
      ['07:00', 7000, 'apple_health'],
      ['17:00', 2000, 'apple_health'],
      ['19:00', 100, 'apple_health'],
    ]);
  });

  test.each(['priority', 'merge', 'max', 'sum', 'avg'] as const)('give the same with %s', async (method) => {
    await story.changeSettings(by('steps', method));
    expect(await story.value('steps', date)).toBe(9100);
  });
});

describe('a watch that was not worn, and a phone', () => {
  test('use the phone', async () => {
    const story = await Story.begin(app);
    const zero = { steps: 0, active_calories: 0, distance: 0, exercise: 0 };
    const walked = { steps: 8000, active_calories: 350, distance: 6.1, exercise: 42 };
    await story.upload([watch, total(zero)], [iphone, total(walked)]);
    for (const [metric, value] of Object.entries(walked))
      expect([metric, await story.value(metric, date)]).toEqual([metric, value]);
    const explained = await story.explain('steps', date);
    expect(sentences(explained)).toEqual({
      phone: 'Used: it ranks highest of the devices that observed enough of the day.',
      watch: 'Not used: it counted nothing, and there is no sign that it was worn on this day.',
    });
    expect(
      explained.candidates.map((one: { device: { kind: string }; coverage: number }) => [
        one.device.kind,
        one.coverage,
      ]),
    ).toEqual([
      ['watch', 0],
      ['phone', 1],
    ]);
  });
});

describe('a watch that was not worn, or hardly, in the store of a phone', () => {
  const store = { provider: 'samsung_health' };
  const [phone, unworn] = [
    { ...store, id: 'phone', kind: 'phone' },
    { ...store, id: 'watch', kind: 'watch' },
  ];
  const burned = (end: string, value: number) => ({
    metric: 'active_calories',
    start: at('08:00'),
    end: at(end),
    value,
  });

  test('does not give its rank to the phone', async () => {
    const story = await Story.begin(app);
    await story.upload(
      [ring, { records: [burned('12:00', 590)] }],
      [phone, { records: [burned('11:00', 291)] }],
    );
    expect(await story.value('active_calories', date)).toBe(590);
    await story.upload([unworn, total({ active_calories: 0 })]);
    expect(await story.value('active_calories', date)).toBe(590);
    expect(sentences(await story.explain('active_calories', date))).toMatchObject({
      watch: 'Not used: it counted nothing, and there is no sign that it was worn on this day.',
      phone: 'Not used: the Health Connect ring ranks higher. Rings outrank phones for active energy.',
    });
    await story.upload([unworn, { records: [burned('08:10', 20)] }]);
    expect(await story.value('active_calories', date)).toBe(590);
  });

  test('does not replace a total by the sum of its parts', async () => {
    const story = await Story.begin(app);
    await story.upload([
      phone,
      { records: [steps(at('08:00'), at('12:00'), 9000)], ...total({ steps: 6000 }) },
    ]);
    expect(await story.value('steps', date)).toBe(6000);
    await story.upload([unworn, { records: [steps(at('08:00'), at('20:00'), 0)] }]);
    expect(await story.value('steps', date)).toBe(6000);
  });
});

describe('a watch that turns out to be worn', () => {
  test('counts with its zero from then on', async () => {
    const story = await Story.begin(app);
    const band = { provider: 'samsung_health', id: 'band', kind: 'watch' };
    await story.upload([band, total({ sedentary_time: 0 })], [iphone, total({ sedentary_time: 308 })]);
    expect(await story.value('sedentary_time', date)).toBe(308);
    await story.upload([band, total({ resting_heart_rate: 60 })]);
    expect(await story.value('sedentary_time', date)).toBe(0);
  });
});

describe('a ring whose battery died after an hour, and a watch', () => {
  test('use the watch for the night', async () => {
    const story = await Story.begin(app);
    const night = (id: string, end: string, asleep: number) => ({
      sleep: [{ id, start: at('23:00', '2026-03-09'), end, minutes: { asleep, in_bed: asleep + 10 } }],
    });
    await story.upload([ring, night('ring', at('00:00'), 50)], [watch, night('watch', at('07:00'), 440)]);
    expect(await story.value('asleep', date)).toBe(440);
    const [shown, ...others] = await story.sessions('sleep', date);
    expect(others).toEqual([]);
    expect(shown).toMatchObject({ source: 'apple_health', is_main_sleep: true, asleep_minutes: 440 });
    const explained = await story.explainSession('sleep', shown!.id);
    expect(explained.merged.map(({ reason, because }: Record<string, string>) => [reason, because])).toEqual([
      [
        'low_coverage',
        'Not used: it covers 60 minutes of the sleep, and the Apple Health watch covers 8 hours.',
      ],
    ]);
  });
});

describe('a ring all day and a watch for ten minutes', () => {
  test('use the ring, also for the samples', async () => {
    const story = await Story.begin(app);
    await story.upload(
      [ring, everyFewMinutes('heart_rate', at('00:00'), 5, 288, 58)],
      [watch, everyFewMinutes('heart_rate', at('18:00'), 1, 10, 150)],
    );
    expect(await story.value('heart_rate', date)).toBe(58);
    expect(await story.value('heart_rate_min', date)).toBe(58);
    expect(await story.value('heart_rate_max', date)).toBe(58);
    const samples = await story.samples('heart_rate', date);
    expect(samples).toHaveLength(288);
    expect(new Set(samples.map(([, value, provider]) => `${value} ${provider}`))).toEqual(
      new Set(['58 health_connect']),
    );
    const explained = await story.explain('heart_rate', date);
    expect(sentences(explained)).toEqual({
      watch: 'Not used: it covers 15 minutes of the day, and the Health Connect ring covers 24 hours.',
      ring: 'Used: it ranks highest of the devices that observed enough of the day.',
    });
    expect(outcomes(explained)).toEqual({ watch: 'lost: low_coverage', ring: 'won: best_rank' });
    expect(await story.coverage('heart_rate', date)).toBe(1);
  });
});

describe('a few samples from a phone and a whole day from a watch', () => {
  test('use the watch', async () => {
    const story = await Story.begin(app);
    const other = { provider: 'health_connect', id: 'sdk', kind: 'watch' };
    const band = { provider: 'samsung_health', id: 'band', kind: 'band' };
    await story.upload(
      [other, everyFewMinutes('heart_rate', at('18:00'), 1, 5, 120)],
      [band, everyFewMinutes('heart_rate', at('00:00'), 5, 288, 64)],
    );
    expect(await story.value('heart_rate', date)).toBe(64);
  });
});

describe('a cuff without a diastolic value, and a watch twelve hours later', () => {
  test('give one complete reading, never a mixture', async () => {
    const story = await Story.begin(app);
    const cuff = { provider: 'apple_health', id: 'cuff', kind: 'meter' };
    const reading = (metric: string, start: string, value: number) => ({ metric, start, value });
    await story.upload(
      [cuff, { records: [reading('blood_pressure_systolic', at('08:00'), 118)] }],
      [
        watch,
        {
          records: [
            reading('blood_pressure_systolic', at('20:00'), 165),
            reading('blood_pressure_diastolic', at('20:00'), 105),
          ],
        },
      ],
    );
    expect(await story.value('blood_pressure_systolic', date)).toBe(165);
    expect(await story.value('blood_pressure_diastolic', date)).toBe(105);
    expect(await story.value('pulse_pressure', date)).toBe(60);
    expect(sentences(await story.explain('blood_pressure_systolic', date))).toEqual({
      meter: 'Not used: all values of one measurement come from one device, here the Apple Health watch.',
      watch: 'Used: all values of this measurement come from this device.',
    });
  });
});

describe('a ring without sleep stages and a watch with stages', () => {
  test('come from one device', async () => {
    const story = await Story.begin(app);
    const night = (id: string, minutes: object) => ({
      sleep: [{ id, start: at('23:00', '2026-03-09'), end: at('07:00'), minutes }],
    });
    await story.upload(
      [ring, night('ring', { asleep: 380, in_bed: 470 })],
      [watch, night('watch', { asleep: 470, deep: 70, rem: 110, light: 290, in_bed: 480 })],
    );
    expect(await story.value('asleep', date)).toBe(380);
    for (const metric of ['deep_sleep', 'REM', 'light_sleep'])
      expect([metric, await story.value(metric, date)]).toEqual([metric, null]);
    expect(sentences(await story.explain('deep_sleep', date))).toEqual({
      watch:
        'Not used: deep sleep comes from the sessions shown for this day, and none of them is from this device.',
    });
  });
});

describe('a run on the watch and another one on the phone', () => {
  const run = (id: string, start: string, end: string, km: number, sport = 'running') => ({
    workouts: [{ id, sport_type: sport, start, end, values: { distance: km } }],
  });

  test('add up', async () => {
    const story = await Story.begin(app);
    await story.upload(
      [watch, run('morning', at('07:00'), at('08:00'), 10)],
      [iphone, run('evening', at('18:00'), at('18:30'), 5)],
    );
    expect(await story.value('running', date)).toBe(15);
    expect(await story.value('workout_count', date)).toBe(2);
    expect(sentences(await story.explain('running', date))).toEqual({
      watch: 'Used: running distance comes from the sessions shown for this day, which this device recorded.',
      phone: 'Used: running distance comes from the sessions shown for this day, which this device recorded.',
    });
  });

  test('count once if the sport has two names or the start is hidden', async () => {
    const story = await Story.begin(app);
    await story.upload(
      [watch, run('run', at('07:00'), at('08:00'), 10)],
      [iphone, run('hike', at('07:01'), at('08:00'), 10.1, 'hiking')],
      [
        ring,
        {
          workouts: [
            {
              id: 'hidden',
              sport_type: 'running',
              start: `${date}T00:00:01+01:00`,
              end: `${date}T01:00:01+01:00`,
              utc_offset: '+01:00',
              values: { distance: 10.02 },
            },
          ],
        },
      ],
    );
    expect(await story.value('workout_count', date)).toBe(1);
    const [shown] = await story.sessions('workouts', date);
    const explained = await story.explainSession('workouts', shown!.id);
    expect(explained.merged.map(({ because }: { because: string }) => because).sort()).toEqual([
      'Not used: its source hides when it started, and it has the same duration and distance as the workout from the Apple Health watch.',
      'Not used: the Apple Health watch ranks higher. Watches outrank phones for workouts.',
    ]);
  });

  test('leave 0 workouts on a day of rest', async () => {
    const story = await Story.begin(app);
    await story.upload([watch, total({ steps: 4000 })]);
    expect(await story.value('workout_count', date)).toBe(0);
    expect((await story.explain('workout_count', date)).summary).toBe(
      'Workouts on 2026-03-10: 0, computed as the number of workouts that start on the day.',
    );
  });
});

describe('a total of noon and samples of the afternoon', () => {
  test('use the samples', async () => {
    const story = await Story.begin(app);
    await story.uploadAt(at('12:00'), watch, total({ steps: 4000 }));
    await story.uploadAt(at('21:00'), watch, {
      records: [steps(at('09:00'), at('12:00'), 4000), steps(at('13:00'), at('20:00'), 5000)],
    });
    expect(await story.value('steps', date)).toBe(9000);
  });
});

describe('totals of a watch that stopped syncing, or that sent few samples', () => {
  const band = { provider: 'samsung_health', id: 'watch', kind: 'watch' };
  const evening = `${date}T22:30:00+01:00`;

  test('cover the day until they were reported', async () => {
    const story = await Story.begin(app);
    await story.uploadAt(at('07:30'), band, total({ steps: 800 }));
    await story.uploadAt(evening, iphone, total({ steps: 9000 }));
    expect(await story.value('steps', date)).toBe(9000);
    expect(sentences(await story.explain('steps', date))).toMatchObject({
      watch: 'Not used: it covers 7.5 hours of the day, and the Apple Health phone covers 22.5 hours.',
    });
    await story.uploadAt(evening, band, total({ steps: 8700 }));
    expect(await story.value('steps', date)).toBe(8700);
  });

  test('count although most samples are missing', async () => {
    const story = await Story.begin(app);
    await story.upload(
      [band, { ...total({ steps: 12_000 }), records: [steps(at('09:00'), at('10:00'), 1500)] }],
      [iphone, { records: [steps(at('08:00'), at('11:00'), 2000)] }],
    );
    expect(await story.value('steps', date)).toBe(12_000);
  });
});

describe('a total that the phone counted on after, and a band that counted little meanwhile', () => {
  test('are together at least the total', async () => {
    const story = await Story.begin(app);
    const store = { provider: 'health_connect' };
    await story.uploadAt(
      at('18:00'),
      { ...store, id: 'phone', kind: 'phone' },
      {
        records: [steps(at('08:00'), at('12:00'), 7000), steps(at('17:00'), at('20:00'), 5000)],
        ...total({ steps: 9000 }),
      },
    );
    expect(await story.value('steps', date)).toBe(12_000);
    await story.upload([
      { ...store, id: 'band', kind: 'band' },
      { records: [steps(at('17:00'), at('20:00'), 100)] },
    ]);
    expect(await story.value('steps', date)).toBe(9000);
    expect(sentences(await story.explain('steps', date))).toMatchObject({
      phone: 'Used: its total for the day, 9,000, is more than all intervals together.',
    });
  });
});

describe('intervals of a phone and a total of a watch', () => {
  test('are at least the total when merged', async () => {
    const story = await Story.begin(app);
    await story.upload(
      [iphone, { records: [steps(at('09:00'), at('09:10'), 300)] }],
      [watch, total({ steps: 12_000 })],
    );
    await story.changeSettings(by('steps', 'merge'));
    expect(await story.value('steps', date)).toBe(12_000);
    expect(sentences(await story.explain('steps', date))).toEqual({
      watch: 'Used: its total for the day, 12,000, is more than all intervals together.',
      phone: 'Not used: 300 is less than 12,000 from the Apple Health watch.',
    });
  });
});

describe('a walk across midnight', () => {
  test('is split between both days', async () => {
    const story = await Story.begin(app);
    await story.upload([watch, { records: [steps(at('23:30'), at('00:30', '2026-03-11'), 1000)] }]);
    expect(await story.values('steps', date, '2026-03-11')).toEqual([500, 500]);
    expect(await story.samples('steps', date, '2026-03-11')).toEqual([
      ['22:30', 500, 'apple_health'],
      ['23:00', 500, 'apple_health'],
    ]);
  });
});
