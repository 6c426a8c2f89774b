import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StageSpan } from './sleep-stages.ts';
import { summarizeSleep, type ReportedMinutes, type SleepSummary } from './summarize-sleep.ts';

const minuteMs = 60_000;
const nothing: SleepSummary = {
  asleepMinutes: null,
  deepMinutes: null,
  lightMinutes: null,
  remMinutes: null,
  awakeMinutes: null,
  inBedMinutes: null,
  efficiencyPercent: null,
  latencyMinutes: null,
  wakeAfterOnsetMinutes: null,
  latencyToArisingMinutes: null,
  awakenings: null,
};

/** A session of `lengthMinutes` with stages such as `light 10-40`, in minutes from its start. */
function summarize(lengthMinutes: number, stages: string, minutes: ReportedMinutes = {}): SleepSummary {
  const spans = stages.split(', ').flatMap((text): StageSpan[] => {
    const [stage, times] = text.split(' ');
    if (times === undefined) return [];
    const [start, end] = times.split('-').map(Number);
    return [{ stage: stage as StageSpan['stage'], startMs: start! * minuteMs, endMs: end! * minuteMs }];
  });
  return summarizeSleep({ startMs: 0, endMs: lengthMinutes * minuteMs, stages: spans, minutes });
}

const night =
  'awake 0-10, light 10-60, deep 60-100, awake 100-104, light 104-150, rem 150-180, awake 180-190, light 190-230, awake 230-240';

test('summarizes a night that is fully staged', () => {
  expect(summarize(240, night)).toEqual({
    asleepMinutes: 206,
    deepMinutes: 40,
    lightMinutes: 136,
    remMinutes: 30,
    awakeMinutes: 34,
    inBedMinutes: 240,
    efficiencyPercent: (100 * 206) / 240,
    latencyMinutes: 10,
    wakeAfterOnsetMinutes: 14,
    latencyToArisingMinutes: 10,
    awakenings: 1,
  });
});

test('prefers reported minutes to stages', () => {
  const minutes = { asleep: 200, deep: 41, light: 130, rem: 29, awake: 35, in_bed: 250 };
  expect(summarize(240, night, minutes)).toMatchObject({
    asleepMinutes: 200,
    deepMinutes: 41,
    lightMinutes: 130,
    remMinutes: 29,
    awakeMinutes: 35,
    inBedMinutes: 250,
    efficiencyPercent: 80,
    latencyMinutes: 10,
  });
});

test('returns no values without stages and minutes, not even time in bed', () => {
  expect(summarize(480, '')).toEqual(nothing);
});

test('summarizes minutes without stages', () => {
  expect(summarize(480, '', { asleep: 420 })).toEqual({ ...nothing, asleepMinutes: 420 });
  expect(summarize(480, '', { asleep: 420, in_bed: 480 }).efficiencyPercent).toBe(87.5);
});

test('distinguishes zero from a missing value', () => {
  expect(summarize(60, '', { asleep: 0, rem: 0, in_bed: 60 })).toMatchObject({
    asleepMinutes: 0,
    remMinutes: 0,
    efficiencyPercent: 0,
  });
});

describe('time asleep', () => {
  test('is the sum of all three stages, but not of two', () => {
    expect(summarize(480, '', { deep: 60, light: 240, rem: 90 }).asleepMinutes).toBe(390);
    expect(summarize(480, '', { deep: 60, light: 240 }).asleepMinutes).toBeNull();
  });

  test('is unknown if only time in bed or awake is reported', () => {
    expect(summarize(480, 'in_bed 0-480')).toEqual({ ...nothing, inBedMinutes: 480 });
    expect(summarize(480, 'awake 0-480')).toMatchObject({ asleepMinutes: null, awakeMinutes: 480 });
  });
});

describe('sleep stages', () => {
  test('are unknown if some sleep was not staged', () => {
    expect(summarize(100, 'asleep 0-20, light 20-60, deep 60-80, rem 80-100')).toMatchObject({
      asleepMinutes: 100,
      deepMinutes: null,
      lightMinutes: null,
      remMinutes: null,
    });
  });

  test('are unknown if they never occur, because the device may not detect them', () => {
    expect(summarize(100, 'light 0-60, deep 60-100')).toMatchObject({
      lightMinutes: 60,
      deepMinutes: 40,
      remMinutes: null,
    });
  });

  test('count once if they overlap, for the one listed later', () => {
    expect(summarize(100, 'light 0-100, deep 20-40, rem 30-50')).toMatchObject({
      asleepMinutes: 100,
      lightMinutes: 70,
      deepMinutes: 10,
      remMinutes: 20,
    });
    expect(summarize(100, 'deep 20-40, light 0-100').deepMinutes).toBeNull();
  });

  test('are accepted in any order', () => {
    const shuffled = night.split(', ').toReversed().join(', ');
    expect(summarize(240, shuffled)).toEqual(summarize(240, night));
  });
});

describe('time in bed', () => {
  test('overlaps the stages, whether listed before or after them', () => {
    const expected = { asleepMinutes: 100, inBedMinutes: 140, efficiencyPercent: (100 * 100) / 140 };
    expect(summarize(140, 'in_bed 0-140, asleep 20-120')).toMatchObject(expected);
    expect(summarize(140, 'asleep 20-120, in_bed 0-140')).toMatchObject(expected);
    expect(summarize(140, 'in_bed 0-20, asleep 20-120, in_bed 120-140')).toMatchObject(expected);
  });

  test('is unknown if stages leave a gap and no time in bed is reported', () => {
    expect(summarize(140, 'asleep 20-120')).toMatchObject({ inBedMinutes: null, efficiencyPercent: null });
  });

  test('gives no efficiency if it is shorter than time asleep', () => {
    expect(summarize(480, '', { asleep: 420, in_bed: 400 }).efficiencyPercent).toBeNull();
    expect(summarize(480, '', { asleep: 0, in_bed: 0 }).efficiencyPercent).toBeNull();
  });
});

describe('time awake', () => {
  test('is 0 only if sleep fills the session', () => {
    expect(summarize(60, 'light 0-60').awakeMinutes).toBe(0);
    expect(summarize(60, 'light 0-50').awakeMinutes).toBeNull();
  });
});

describe('sleep continuity', () => {
  test('has no latencies if a session begins and ends with sleep', () => {
    expect(summarize(60, 'light 0-60')).toMatchObject({
      latencyMinutes: null,
      latencyToArisingMinutes: null,
      wakeAfterOnsetMinutes: 0,
      awakenings: 0,
    });
  });

  test('has latencies of 0 if time in bed begins and ends with sleep', () => {
    expect(summarize(60, 'in_bed 0-60, light 0-60')).toMatchObject({
      latencyMinutes: 0,
      latencyToArisingMinutes: 0,
    });
  });

  test('has no latencies if a moment before or after sleep is missing', () => {
    expect(summarize(100, 'awake 5-20, light 20-80, awake 80-95')).toMatchObject({
      latencyMinutes: null,
      latencyToArisingMinutes: null,
      wakeAfterOnsetMinutes: 0,
    });
  });

  test('has no time awake if a moment between the first and last sleep is missing', () => {
    expect(summarize(100, 'in_bed 0-100, light 10-40, light 50-90')).toMatchObject({
      latencyMinutes: 10,
      latencyToArisingMinutes: 10,
      wakeAfterOnsetMinutes: null,
      awakenings: null,
    });
  });

  test('counts awakenings longer than five minutes, regardless of their number of pieces', () => {
    expect(summarize(60, 'light 0-20, awake 20-25, light 25-60').awakenings).toBe(0);
    expect(summarize(60, 'light 0-20, awake 20-23, awake 23-26, light 26-60')).toMatchObject({
      awakenings: 1,
      wakeAfterOnsetMinutes: 6,
    });
  });
});

const anyStage = fc.constantFrom<StageSpan['stage']>('awake', 'light', 'deep', 'rem', 'asleep', 'in_bed');
const anyStages = fc.array(
  fc
    .tuple(anyStage, fc.nat(99), fc.integer({ min: 1, max: 40 }))
    .map(([stage, start, length]): StageSpan => ({
      stage,
      startMs: start * minuteMs,
      endMs: Math.min(100, start + length) * minuteMs,
    })),
  { maxLength: 15 },
);

/** Reference implementation per minute: the last stage listed that is not time in bed. */
function minuteByMinute(stages: readonly StageSpan[]): (StageSpan['stage'] | undefined)[] {
  return Array.from({ length: 100 }, (_, minute) => {
    const over = stages.filter((one) => one.startMs <= minute * minuteMs && one.endMs > minute * minuteMs);
    return over.findLast((one) => one.stage !== 'in_bed')?.stage ?? over[0]?.stage;
  });
}

test('gives the same values as the reference implementation for any stages', () => {
  fc.assert(
    fc.property(anyStages, (stages) => {
      const summary = summarizeSleep({ startMs: 0, endMs: 100 * minuteMs, stages });
      const minutes = minuteByMinute(stages);
      const count = (...wanted: StageSpan['stage'][]): number =>
        minutes.filter((stage) => stage !== undefined && wanted.includes(stage)).length;
      const asleep = count('light', 'deep', 'rem', 'asleep');
      expect(summary.asleepMinutes ?? 0).toBe(asleep);
      if (summary.deepMinutes !== null) expect(summary.deepMinutes).toBe(count('deep'));
      if (summary.awakeMinutes !== null) expect(summary.awakeMinutes).toBe(count('awake'));
      if (summary.inBedMinutes !== null)
        expect(summary.inBedMinutes).toBe(100 - minutes.filter((one) => !one).length);
      if (summary.wakeAfterOnsetMinutes !== null) {
        const inside = minutes.slice(minutes.findIndex(sleeps), minutes.findLastIndex(sleeps) + 1);
        expect(summary.wakeAfterOnsetMinutes).toBe(inside.filter((stage) => stage === 'awake').length);
        expect(inside.filter((stage) => stage === undefined || stage === 'in_bed')).toEqual([]);
      }
      if (summary.latencyMinutes !== null) expect(summary.latencyMinutes).toBe(minutes.findIndex(sleeps));
    }),
    { numRuns: 2000 },
  );
});

function sleeps(stage: StageSpan['stage'] | undefined): boolean {
  return stage !== undefined && stage !== 'awake' && stage !== 'in_bed';
}
