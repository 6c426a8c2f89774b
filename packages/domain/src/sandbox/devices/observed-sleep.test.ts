import { expect, test } from 'vitest';
import { parseDay } from '../../days.ts';
import { planDays } from '../day/plan.ts';
import { sleepOf } from '../day/night.ts';
import { observeNight, readRmssd, type StageErrors } from './observed-sleep.ts';

const plans = planDays({ seed: '42', archetype: 'athlete', firstDay: parseDay('2025-06-09')! }, 0, 599);

function errorsOf(errors: StageErrors) {
  const nights = plans.map((plan) => {
    const night = sleepOf(plan);
    return { night, seen: observeNight(plan.chance, night, 'watch', errors) };
  });
  const spread = (field: 'asleepMinutes' | 'deepMinutes' | 'remMinutes') => {
    const off = nights.map(({ night, seen }) => seen[field] - night[field]);
    const mean = off.reduce((sum, one) => sum + one, 0) / off.length;
    const variance = off.reduce((sum, one) => sum + (one - mean) ** 2, 0) / off.length;
    return { mean, sd: Math.sqrt(variance) };
  };
  return { nights, deep: spread('deepMinutes'), rem: spread('remMinutes') };
}

test('adds the bias and standard deviation of the device', () => {
  const { deep, rem } = errorsOf({ asleep: [10, 12], deep: [-20, 14], rem: [0, 14] });
  expect(Math.abs(deep.mean + 20)).toBeLessThan(2);
  expect(Math.abs(deep.sd - 14)).toBeLessThan(1.5);
  expect(Math.abs(rem.mean)).toBeLessThan(2);
  expect(Math.abs(rem.sd - 14)).toBeLessThan(1.5);
});

test('returns the actual night for a device without error', () => {
  const { nights } = errorsOf({ asleep: [0, 0], deep: [0, 0], rem: [0, 0] });
  for (const { night, seen } of nights) expect(seen).toEqual(night);
});

test('keeps the night consistent and every stage present with large errors', () => {
  for (const shift of [-900, 900]) {
    const { nights } = errorsOf({ asleep: [shift, 50], deep: [shift, 50], rem: [shift, 50] });
    for (const { seen } of nights) {
      const { asleepMinutes, deepMinutes, remMinutes, latencyMinutes, arisingMinutes } = seen;
      const inBedMinutes = seen.endMinute - seen.startMinute;
      expect(Math.min(deepMinutes, remMinutes, asleepMinutes - deepMinutes - remMinutes)).toBeGreaterThan(0);
      expect(inBedMinutes - asleepMinutes - latencyMinutes - arisingMinutes).toBeGreaterThanOrEqual(0);
    }
  }
});

test('limits readings to the range of the device', () => {
  expect(readRmssd(42.26, 1.1)).toBe(46.5);
  expect([readRmssd(290, 1.1), readRmssd(2, 0.1)]).toEqual([300, 1]);
});
