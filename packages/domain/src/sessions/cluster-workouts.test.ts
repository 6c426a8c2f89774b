import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DeviceKind } from '@tributary/contract';
import type { DeviceFacts } from '../devices/device-facts.ts';
import { clusterWorkouts, type WorkoutSession } from './cluster-workouts.ts';
import type { SportType } from './sport-types.ts';

/** Ranks for workouts: the strap, then the watch, then the phone. */
const numbers: Partial<Record<DeviceKind, number>> = { chest_strap: 1, watch: 2, phone: 3 };

function workout(
  key: string,
  kind: DeviceKind,
  startMs: number,
  endMs: number,
  sport: SportType = 'running',
  firstHand = true,
): WorkoutSession {
  const device: DeviceFacts = {
    deviceNo: numbers[kind]!,
    stableId: kind,
    provider: kind,
    onDevice: false,
    kind,
    connectedAtMs: 0,
  };
  return {
    key,
    device,
    startMs,
    endMs,
    sport,
    firstHand,
    day: 0,
    startHidden: false,
    distanceKm: null,
    trace: null,
  };
}

function keys(...workouts: WorkoutSession[]): [string, ...string[]][] {
  return clusterWorkouts(workouts).map((shownWorkout) => [
    shownWorkout.session.key,
    ...shownWorkout.mergedKeys,
  ]);
}

describe('workout clusters', () => {
  test('join workouts whose sports belong to one family', () => {
    expect(keys(workout('w', 'watch', 0, 60), workout('p', 'phone', 0, 60, 'trail_running'))).toEqual([
      ['w', 'p'],
    ]);
    expect(keys(workout('w', 'watch', 0, 60), workout('p', 'phone', 0, 60, 'cycling'))).toHaveLength(2);
  });

  test('join workouts if at least half of the shorter one overlaps', () => {
    expect(keys(workout('w', 'watch', 0, 100), workout('p', 'phone', 80, 120))).toEqual([['w', 'p']]);
    expect(keys(workout('w', 'watch', 0, 100), workout('p', 'phone', 81, 121))).toEqual([['w'], ['p']]);
  });

  test('join workouts that overlap through a third one', () => {
    const all = [
      workout('s', 'chest_strap', 0, 100),
      workout('w', 'watch', 50, 150),
      workout('p', 'phone', 100, 200),
    ];
    expect(keys(...all)).toEqual([['s', 'p', 'w']]);
  });
});

describe('the kept workout', () => {
  // @contract workouts/fields: The original recording takes precedence over a copy of the same workout from another app
  test('is the original recording, even from a lower-ranked device', () => {
    expect(keys(workout('s', 'chest_strap', 0, 60, 'running', false), workout('p', 'phone', 0, 60))).toEqual([
      ['p', 's'],
    ]);
  });

  test('is that of the highest-ranked device', () => {
    expect(
      keys(workout('p', 'phone', 0, 60), workout('w', 'watch', 0, 60), workout('s', 'chest_strap', 0, 60)),
    ).toEqual([['s', 'p', 'w']]);
  });

  test('has the smaller key if one device reports it twice', () => {
    expect(keys(workout('b', 'watch', 0, 60), workout('a', 'watch', 5, 65))).toEqual([['a', 'b']]);
    expect(keys(workout('a', 'watch', 0, 60), workout('b', 'watch', 5, 65))).toEqual([['a', 'b']]);
  });

  test('may be several of the winner if a lower-ranked device reports them as one', () => {
    const all = [workout('w1', 'watch', 0, 30), workout('w2', 'watch', 40, 80), workout('p', 'phone', 0, 80)];
    expect(keys(...all)).toEqual([['w1'], ['w2', 'p']]);
  });
});

const anyWorkouts = fc
  .array(
    fc.tuple(
      fc.constantFrom<DeviceKind>('chest_strap', 'watch', 'phone'),
      fc.nat(300),
      fc.integer({ min: 1, max: 90 }),
      fc.constantFrom<SportType>('running', 'trail_running', 'cycling'),
      fc.boolean(),
    ),
    { maxLength: 12 },
  )
  .map((all) =>
    all.map(([kind, start, length, sport, firstHand], at) =>
      workout(`${at}`, kind, start, start + length, sport, firstHand),
    ),
  );

test('keeps or merges every workout once', () => {
  fc.assert(
    fc.property(anyWorkouts, (workouts) => {
      const shownWorkouts = clusterWorkouts(workouts);
      const allKeys = shownWorkouts.flatMap(({ session, mergedKeys }) => [session.key, ...mergedKeys]);
      expect(allKeys.toSorted()).toEqual(workouts.map((one) => one.key).toSorted());
      // The kept workouts are all distinct: clustering them again changes nothing.
      expect(clusterWorkouts(shownWorkouts.map((one) => one.session))).toHaveLength(shownWorkouts.length);
    }),
    { numRuns: 1000 },
  );
});

test('does not depend on the order of workouts', () => {
  const shuffled = anyWorkouts.chain((all) =>
    fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
  );
  fc.assert(
    fc.property(shuffled, ([all, again]) => {
      expect(clusterWorkouts(again)).toEqual(clusterWorkouts(all));
    }),
    { numRuns: 1000 },
  );
});
