import { describe, expect, test } from 'vitest';
import { dayEndMs, dayStartMs, parseDay } from '../../days.ts';
import { toMicros } from '../../samples/micros.ts';
import type { ValueSpan } from '../../samples/value-spans.ts';
import { gatherFacts, type FactsInput, type ScoredWorkout } from './day-facts.ts';

const minuteMs = 60_000;
const midnightMs = Date.parse('2026-03-02T00:00:00Z');

/** A time of day as `8:30`. `-1:00` is 23:00 on the evening before, and `25:00` is an hour after midnight. */
function at(clock: string): number {
  const [hours, minutes] = clock.replace('-', '').split(':').map(Number) as [number, number];
  const ms = (hours * 60 + minutes) * minuteMs;
  return midnightMs + (clock.startsWith('-') ? -ms : ms);
}

const span = (from: string, to: string) => ({ startMs: at(from), endMs: at(to) });
const valueSpan = (from: string, to: string, value: number): ValueSpan => ({
  ...span(from, to),
  micros: toMicros(value),
});
const workout = (from: string, to: string, overrides: Partial<ScoredWorkout> = {}): ScoredWorkout => ({
  id: 'w',
  ...span(from, to),
  values: {},
  histogram: [],
  meanBpm: null,
  ...overrides,
});

function gather(input: Partial<FactsInput>) {
  return gatherFacts({
    startMs: midnightMs,
    endMs: midnightMs + 1440 * minuteMs,
    heartRate: [],
    hrvKind: null,
    hrv: [],
    steps: [],
    sleep: [],
    workouts: [],
    earlierWorkouts: [],
    ...input,
  });
}

/** A heart rate of 70 from morning to evening, with an hour at 150 in between. */
const heartRate = [
  valueSpan('7:00', '10:00', 70),
  valueSpan('10:00', '11:00', 150),
  valueSpan('11:00', '22:00', 70),
];

describe('minutes with a heart rate', () => {
  test('cover time asleep and awake, but count only awake', () => {
    const facts = gather({
      heartRate: [valueSpan('0:00', '7:00', 50), ...heartRate],
      sleep: [span('-1:00', '6:30'), span('14:00', '14:40')],
    });
    expect(facts.coveredMinutes).toBe(22 * 60);
    expect(facts.awake).toEqual([
      [30, 50],
      [14 * 60 - 40, 70],
      [60, 150],
    ]);
  });

  test('are rounded to whole beats', () => {
    const { awake } = gather({
      heartRate: [valueSpan('8:00', '8:01', 70.4), valueSpan('8:01', '8:02', 69.6)],
    });
    expect(awake).toEqual([[2, 70]]);
  });

  test('count once if readings overlap', () => {
    const facts = gather({
      heartRate: [
        valueSpan('8:05', '8:10', 80),
        valueSpan('8:00', '8:06', 70),
        valueSpan('8:07', '8:08', 150),
        valueSpan('8:09', '8:12', 90),
      ],
    });
    expect(facts.coveredMinutes).toBe(12);
    expect(facts.awake).toEqual([
      [6, 70],
      [4, 80],
      [2, 90],
    ]);
  });
});

describe('workout facts', () => {
  const others = { zone_2: 20, zone_4: 40, heart_rate_avg: 133 };

  test('use the trace of the workout first', () => {
    const { workouts, awake } = gather({
      heartRate,
      workouts: [
        workout('10:00', '11:00', {
          values: others,
          histogram: [
            [140.4, 20 * minuteMs],
            [140.6, 10 * minuteMs],
            [141, 30 * minuteMs],
          ],
          meanBpm: 141,
        }),
      ],
    });
    expect(workouts).toEqual([
      {
        id: 'w',
        minutes: 60,
        heartRate: [
          [20, 140],
          [40, 141],
        ],
        zoneMinutes: [],
        rpe: null,
      },
    ]);
    expect(awake).toEqual([[14 * 60, 70]]);
  });

  test('use measured samples per minute if there is no trace', () => {
    const { workouts, awake } = gather({
      heartRate,
      workouts: [workout('9:50', '11:00', { values: others })],
    });
    expect(workouts).toEqual([
      {
        id: 'w',
        minutes: 70,
        heartRate: [
          [10, 70],
          [60, 150],
        ],
        zoneMinutes: [],
        rpe: null,
      },
    ]);
    expect(awake).toEqual([[14 * 60 - 10, 70]]);
  });

  test('use zones if there is no heart rate', () => {
    const { workouts } = gather({ workouts: [workout('10:00', '11:00', { values: others })] });
    expect(workouts).toEqual([
      { id: 'w', minutes: 60, heartRate: [], zoneMinutes: [0, 20, 0, 40, 0], rpe: null },
    ]);
  });

  test.each([
    [{ values: { heart_rate_avg: 133.44 }, meanBpm: 120 }, 133.4],
    [{ meanBpm: 120.25 }, 120.3],
  ])('use the average over the duration of the workout last: %j', (overrides, bpm) => {
    const { workouts } = gather({ workouts: [workout('10:00', '11:00', overrides)] });
    expect(workouts).toEqual([{ id: 'w', minutes: 60, heartRate: [[60, bpm]], zoneMinutes: [], rpe: null }]);
  });

  test('use the best available data for each part of a workout', () => {
    const quarter = [valueSpan('10:00', '10:15', 150)];
    const byZones = gather({ heartRate: quarter, workouts: [workout('10:00', '11:00', { values: others })] });
    expect(byZones.workouts[0]).toMatchObject({
      heartRate: [[15, 150]],
      zoneMinutes: [0, 15, 0, 30, 0],
    });
    const byAverage = gather({
      heartRate: quarter,
      workouts: [workout('10:00', '11:00', { values: { heart_rate_avg: 133 } })],
    });
    expect(byAverage.workouts[0]).toMatchObject({
      heartRate: [
        [15, 150],
        [45, 133],
      ],
      zoneMinutes: [],
    });
    const sparse = gather({
      workouts: [workout('10:00', '11:00', { histogram: [[150, 12 * minuteMs]], meanBpm: 150 })],
    });
    expect(sparse.workouts[0]!.heartRate).toEqual([
      [12, 150],
      [48, 150],
    ]);
  });

  test('use the duration without pauses if it is known', () => {
    const { workouts } = gather({
      workouts: [
        workout('10:00', '11:00', { values: { heart_rate_avg: 133, duration: 45, session_rpe: 7 } }),
      ],
    });
    expect(workouts).toEqual([{ id: 'w', minutes: 45, heartRate: [[45, 133]], zoneMinutes: [], rpe: 7 }]);
  });

  test('are empty if nothing is known', () => {
    const { workouts } = gather({ workouts: [workout('10:00', '11:00', { values: { zone_1: 0 } })] });
    expect(workouts).toEqual([{ id: 'w', minutes: 60, heartRate: [], zoneMinutes: [], rpe: null }]);
  });
});

describe('minutes that appear twice', () => {
  const minutesOf = (facts: ReturnType<typeof gather>) =>
    [
      ...facts.awake,
      ...facts.workouts.flatMap(({ heartRate: list, share = 1 }) =>
        list.map(([minutes, bpm]) => [minutes * share, bpm] as const),
      ),
    ].reduce((sum, [minutes]) => sum + minutes, 0);

  test('count once inside and outside a workout', () => {
    const facts = gather({ heartRate, workouts: [workout('10:00', '10:30')] });
    expect(facts.awake).toContainEqual([30, 150]);
    expect(facts.workouts[0]!.heartRate).toEqual([[30, 150]]);
    expect(minutesOf(facts)).toBe(15 * 60);
  });

  test('count once in overlapping workouts', () => {
    const facts = gather({
      heartRate,
      workouts: [workout('10:00', '10:40'), workout('10:20', '11:00'), workout('10:30', '10:50')],
    });
    expect(facts.workouts.map(({ share }) => share)).toEqual([undefined, 0.5, 0]);
    expect(minutesOf(facts)).toBe(15 * 60);
  });

  test('count in full if the overlapping workout has no data', () => {
    const { workouts } = gather({
      workouts: [workout('10:00', '11:00'), workout('10:30', '11:00', { meanBpm: 140 })],
    });
    expect(workouts[1]).toEqual({ id: 'w', minutes: 30, heartRate: [[30, 140]], zoneMinutes: [], rpe: null });
  });
});

describe('workout across midnight', () => {
  const over = (overrides: Partial<ScoredWorkout>) => workout('23:30', '24:30', overrides);
  const overBefore = (overrides: Partial<ScoredWorkout>) => workout('-0:30', '0:30', overrides);
  const late = [valueSpan('22:00', '24:00', 150)];
  const early = [valueSpan('0:00', '2:00', 140)];

  test.each([
    ['a trace', { histogram: [[155, 60 * minuteMs]], meanBpm: 155 } satisfies Partial<ScoredWorkout>, 60],
    ['an average', { meanBpm: 155 }, 60],
    ['no heart rate of its own', {}, 30],
  ])('counts on the day it starts with %s', (_, overrides, minutes) => {
    const [facts] = gather({ heartRate: late, workouts: [over(overrides)] }).workouts;
    expect(facts!.heartRate.reduce((sum, [each]) => sum + each, 0)).toBe(minutes);
  });

  test.each([
    ['a trace', { histogram: [[155, 60 * minuteMs]], meanBpm: 155 } satisfies Partial<ScoredWorkout>, 90],
    ['zones', { values: { zone_4: 60 } }, 90],
    ['an average', { meanBpm: 155 }, 90],
    ['a rating', { values: { session_rpe: 8 } }, 90],
    ['nothing of its own', {}, 120],
  ])('leaves the next day the rest with %s', (_, overrides, minutes) => {
    expect(gather({ heartRate: early, earlierWorkouts: [overBefore(overrides)] }).awake).toEqual([
      [minutes, 140],
    ]);
  });
});

describe('epochs', () => {
  const slotOf = (clock: string) => (at(clock) - midnightMs) / (5 * minuteMs);
  const slotsOf = (input: Partial<FactsInput>) =>
    gather({ heartRate: [valueSpan('8:00', '10:00', 70)], ...input }).epochs.map(({ slot }) => slot);
  const slots = (from: string, to: string) =>
    Array.from({ length: slotOf(to) - slotOf(from) }, (_, index) => slotOf(from) + index);

  test('contain the time-weighted mean heart rate, and the variability if it was measured', () => {
    const { epochs, hrvKind } = gather({
      heartRate: [
        valueSpan('8:00', '8:01', 60),
        valueSpan('8:01', '8:05', 70),
        valueSpan('8:05', '8:10', 71.26),
      ],
      hrvKind: 'rmssd',
      hrv: [valueSpan('8:00', '8:01', 40), valueSpan('8:03', '8:04', 50.5)],
    });
    expect(hrvKind).toBe('rmssd');
    expect(epochs).toEqual([
      { slot: 96, bpm: 68, hrv: 45.3 },
      { slot: 97, bpm: 71.3, hrv: null },
    ]);
  });

  test('cover every five minutes with a heart rate', () => {
    expect(slotsOf({})).toEqual(slots('8:00', '10:00'));
    expect(slotsOf({ heartRate: [valueSpan('8:04', '8:06', 70)] })).toEqual([96, 97]);
    expect(slotsOf({ heartRate: [], hrv: [valueSpan('8:00', '8:05', 40)] })).toEqual([]);
  });

  test('exclude sleep, even if it fills only part of the epoch', () => {
    expect(slotsOf({ sleep: [span('7:00', '8:07'), span('9:59', '11:00')] })).toEqual(slots('8:10', '9:55'));
  });

  test('exclude workouts and the 15 minutes after them', () => {
    expect(slotsOf({ workouts: [workout('8:30', '9:00')] })).toEqual([
      ...slots('8:00', '8:30'),
      ...slots('9:15', '10:00'),
    ]);
    expect(slotsOf({ workouts: [workout('8:30', '9:01')] })).toEqual([
      ...slots('8:00', '8:30'),
      ...slots('9:20', '10:00'),
    ]);
  });

  test('exclude the time after a workout of the evening before', () => {
    const early = { heartRate: [valueSpan('0:00', '1:00', 70)] };
    expect(slotsOf({ ...early, earlierWorkouts: [workout('-1:00', '0:05')] })).toEqual(slots('0:20', '1:00'));
  });

  test('exclude 100 or more steps, which are distributed by time', () => {
    expect(slotsOf({ steps: [valueSpan('8:05', '8:10', 100), valueSpan('8:10', '8:15', 99)] })).not.toContain(
      97,
    );
    expect(slotsOf({ steps: [valueSpan('8:10', '8:15', 99)] })).toEqual(slots('8:00', '10:00'));
    expect(slotsOf({ steps: [valueSpan('8:00', '8:10', 200)] })).toEqual(slots('8:10', '10:00'));
    expect(slotsOf({ steps: [valueSpan('8:00', '8:10', 199)] })).toEqual(slots('8:00', '10:00'));
  });

  test.each([
    ['2026-03-29', 276],
    ['2026-10-25', 300],
    ['2026-03-30', 288],
  ])('cover %s in Berlin with %d epochs', (date, count) => {
    const day = parseDay(date)!;
    const [startMs, endMs] = [dayStartMs(day, 'Europe/Berlin'), dayEndMs(day, 'Europe/Berlin')];
    const facts = gather({ startMs, endMs, heartRate: [{ startMs, endMs, micros: toMicros(70) }] });
    expect(facts.coveredMinutes).toBe(count * 5);
    expect(facts.epochs.map(({ slot }) => slot)).toEqual(Array.from({ length: count }, (_, slot) => slot));
  });
});
