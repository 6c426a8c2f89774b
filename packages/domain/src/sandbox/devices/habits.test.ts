import { archetypes } from '@tributary/contract';
import { describe, expect, test } from 'vitest';
import { parseDay } from '../../days.ts';
import { truthOf } from '../day/truth.ts';
import { isInWorkout } from '../day/workout.ts';
import { habitsOf } from './habits.ts';

const firstDay = parseDay('2026-03-02')!;

describe.each(archetypes)('habits of %s', (archetype) => {
  const days = ['1', '2', '3', '4', '5'].flatMap((seed) =>
    truthOf({ seed, archetype, firstDay }, 0, 27).map((truth) => ({ truth, ...habitsOf(truth) })),
  );
  const share = (flags: boolean[]) => flags.filter(Boolean).length / flags.length;

  test('include a charging watch every day, and a forgotten one on some days', () => {
    const charging = days.map(({ worn }) => worn.filter((isWorn) => !isWorn).length * 5);
    for (const minutes of charging) expect(minutes).toBeGreaterThanOrEqual(30);
    const forgotten = charging.filter((minutes) => minutes > 120).length / days.length;
    expect(forgotten).toBeLessThan(0.1);
  });

  test('include the watch during every workout, and the phone during some', () => {
    for (const { truth, worn } of days)
      worn.forEach((isWorn, slot) => {
        if (isInWorkout(truth.workout, slot)) expect(isWorn).toBe(true);
      });
    const along = days.flatMap(({ truth, carried }) =>
      truth.workout ? [carried[Math.floor(truth.workout.startMinute / 5) + 1]!] : [],
    );
    if (along.length > 20) {
      expect(share(along)).toBeGreaterThan(0.1);
      expect(share(along)).toBeLessThan(0.6);
    }
  });

  test('include the phone during most waking hours, and never in bed', () => {
    for (const { truth, carried } of days)
      carried.forEach((isCarried, slot) => {
        const minute = slot * 5;
        const isInBed = minute >= truth.night.startMinute && minute < truth.night.endMinute;
        if (isInBed) expect(isCarried).toBe(false);
      });
    const noon = share(days.map(({ carried }) => carried[12 * 12]!));
    expect(noon).toBeGreaterThan(archetype === 'shift_worker' ? 0.3 : 0.65);
    expect(noon).toBeLessThan(0.95);
  });
});
