import { expect, test } from 'vitest';
import { parseDay } from '../../days.ts';
import { compareEpochs, epochNormsOn } from './epoch-norms.ts';
import type { HrvKind } from './day-facts.ts';
import { PersonDays } from './person-days.ts';

const person = { birthDay: null, sex: null, weightKg: null, maxHeartRate: null, timezone: 'UTC' };
const day = parseDay('2026-03-31')!;

/** [days ago, kind of variability, epochs as [beats, variability]] */
type DayEpochs = [ago: number, kind: HrvKind | null, epochs: [number, number | null][]];

function daysOf(...dayEpochs: DayEpochs[]): PersonDays {
  const days = new PersonDays(person, { from: day, to: day });
  for (const [ago, hrvKind, epochs] of dayEpochs)
    days.facts.set(day - ago, {
      coveredMinutes: 0,
      awake: [],
      workouts: [],
      hrvKind,
      epochs: epochs.map(([bpm, hrv], slot) => ({ slot, bpm, hrv })),
    });
  return days;
}

const rmssd = (ago: number): DayEpochs => [
  ago,
  'rmssd',
  [
    [60, 40],
    [70, 40],
    [80, 40],
  ],
];
const sdnn = (ago: number): DayEpochs => [ago, 'sdnn', [[60, 50]]];
const beats = (ago: number): DayEpochs => [ago, null, [[60, null]]];

test('uses all epochs of the previous days and counts the days', () => {
  const { heartRate, hrvKind, lnHrv } = epochNormsOn(daysOf(rmssd(1), rmssd(2), rmssd(14)), day);
  expect(heartRate).toMatchObject({ centre: 70, readings: 3 });
  // Three days with a spread of 14.826, and fourteen with the published 8.
  expect(heartRate!.sd).toBeCloseTo(Math.sqrt((3 * 14.826 ** 2 + 14 * 64) / 17), 9);
  expect(hrvKind).toBe('rmssd');
  expect(lnHrv!.centre).toBeCloseTo(Math.log(40), 12);
  expect(lnHrv!.sd).toBeCloseTo(Math.sqrt((14 * 0.35 ** 2) / 17), 9);
});

test('requires three of the last fourteen days, not counting the day itself', () => {
  const none = { heartRate: null, hrvKind: null, lnHrv: null };
  expect(epochNormsOn(daysOf(rmssd(0), rmssd(1), rmssd(2)), day)).toEqual(none);
  expect(epochNormsOn(daysOf(rmssd(1), rmssd(2), rmssd(15)), day)).toEqual(none);
  expect(epochNormsOn(daysOf(rmssd(1), rmssd(2), [3, 'rmssd', []]), day)).toEqual(none);
  expect(epochNormsOn(daysOf(rmssd(1), rmssd(2), beats(3)), day)).toMatchObject({
    heartRate: { readings: 3 },
    lnHrv: null,
  });
});

test('never mixes two measures of variability and prefers rMSSD if enough days have it', () => {
  const mixed = epochNormsOn(daysOf(rmssd(1), rmssd(2), rmssd(3), sdnn(4), sdnn(5), sdnn(6)), day);
  expect(mixed).toMatchObject({ hrvKind: 'rmssd', lnHrv: { readings: 3 }, heartRate: { readings: 6 } });
  expect(mixed.lnHrv!.centre).toBeCloseTo(Math.log(40), 12);
  const fewer = epochNormsOn(daysOf(rmssd(1), rmssd(2), sdnn(4), sdnn(5), sdnn(6)), day);
  expect(fewer).toMatchObject({ hrvKind: 'sdnn', lnHrv: { readings: 3 } });
  expect(fewer.lnHrv!.centre).toBeCloseTo(Math.log(50), 12);
});

test('ignores variability in another measure than usual', () => {
  const before = [1, 2, 3].map(sdnn);
  const own = compareEpochs(daysOf(sdnn(0), ...before), day);
  expect(own).toMatchObject({ hrvKind: 'sdnn', epochs: [{ hrv: 50 }], baseline: { lnHrv: { readings: 3 } } });
  const other = compareEpochs(daysOf([0, 'rmssd', [[60, 40]]], ...before), day);
  expect(other).toMatchObject({ hrvKind: null, baseline: { heartRate: { readings: 3 }, lnHrv: null } });
  expect(other.epochs).toEqual([{ slot: 0, bpm: 60, hrv: null }]);
});

test('compares nothing without norms', () => {
  expect(compareEpochs(daysOf(rmssd(0)), day)).toMatchObject({ baseline: null, hrvKind: null });
  expect(compareEpochs(daysOf(rmssd(1), rmssd(2), rmssd(3)), day).epochs).toEqual([]);
});

test('reuses known norms', () => {
  const days = daysOf(rmssd(1), rmssd(2), rmssd(3));
  const known = { heartRate: { centre: 1, sd: 2, readings: 3 }, hrvKind: null, lnHrv: null };
  days.norms.set(day, known);
  expect(epochNormsOn(days, day)).toBe(known);
  const norms = epochNormsOn(days, day + 1);
  expect(days.norms.get(day + 1)).toBe(norms);
});
