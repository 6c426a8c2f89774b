import { deviceKinds } from '@tributary/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rankForSession } from '../devices/rank.ts';
import { overlapMs } from '../sessions/cluster.ts';
import { clusterSleep, mainOf } from '../sessions/cluster-sleep.ts';
import { clusterWorkouts } from '../sessions/cluster-workouts.ts';
import { sportTypes } from '../sessions/sport-types.ts';
import { explainMainSleep } from './explain-main-sleep.ts';
import { explainExcluded, explainMerged, summarizeSession, type SessionVerdict } from './explain-session.ts';

const sessions = fc
  .array(
    fc.record({
      deviceNo: fc.integer({ min: 0, max: 3 }),
      startMinute: fc.integer({ min: 0, max: 600 }),
      lengthMinutes: fc.integer({ min: 1, max: 400 }),
      asleepMinutes: fc.option(fc.integer({ min: 0, max: 400 })),
      inBedMinutes: fc.option(fc.integer({ min: 0, max: 400 })),
      sport: fc.constantFrom(...sportTypes.slice(0, 3)),
      firstHand: fc.boolean(),
      distanceKm: fc.option(fc.integer({ min: 0, max: 3 })),
    }),
    { maxLength: 8 },
  )
  .chain((list) =>
    fc
      .array(
        fc.record({
          kind: fc.constantFrom(...deviceKinds.slice(0, 4)),
          onDevice: fc.boolean(),
          connectedAtMs: fc.integer({ min: 0, max: 1 }),
        }),
        { minLength: 4, maxLength: 4 },
      )
      .map((devices) =>
        list.map(({ deviceNo, startMinute, lengthMinutes, ...rest }, at) => ({
          ...rest,
          key: `k${at}`,
          device: { deviceNo, stableId: `d${deviceNo}`, provider: 'p', ...devices[deviceNo]! },
          label: `device ${deviceNo}`,
          startMs: startMinute * 60_000,
          endMs: (startMinute + lengthMinutes) * 60_000,
          enabled: true,
          day: 0,
          startHidden: false,
          hasDistance: (rest.distanceKm ?? 0) > 0,
          trace: null,
        })),
      ),
  );
type Session = Parameters<Parameters<typeof sessions.map>[0]>[0][number];

function expectTrue(
  kind: 'sleep' | 'workout',
  shownSession: Session,
  other: Session,
  { reason }: SessionVerdict,
  all: readonly Session[] = [],
): void {
  const [better, worse] = [shownSession, other].map(({ device }) => rankForSession(kind, device)) as [
    number,
    number,
  ];
  const isSameDevice = shownSession.device.deviceNo === other.device.deviceNo;
  switch (reason) {
    case 'lower_rank':
      expect(worse).toBeGreaterThan(better);
      break;
    case 'connected_earlier':
      expect(worse).toBe(better);
      expect(other.device.connectedAtMs).toBeLessThan(shownSession.device.connectedAtMs);
      break;
    case 'other_id':
      // Of one group, all sessions of the device with a distance are shown, including those without one.
      if (
        all.some(({ device, hasDistance }) => hasDistance && device.deviceNo === shownSession.device.deviceNo)
      )
        break;
      expect([worse, other.device.connectedAtMs]).toEqual([better, shownSession.device.connectedAtMs]);
      expect(shownSession.device.stableId < other.device.stableId).toBe(true);
      break;
    case 'second_hand':
      expect([shownSession.firstHand, other.firstHand]).toEqual([true, false]);
      break;
    case 'same_device_overlap':
      expect(isSameDevice).toBe(true);
      break;
    case 'low_coverage':
      expect(worse).toBeLessThanOrEqual(better);
      break;
    case 'less_complete':
      expect([shownSession.hasDistance, other.hasDistance]).toEqual([true, false]);
      break;
    case 'hidden_start':
      expect(overlapMs(shownSession, other)).toBe(0);
      break;
    case 'excluded':
      expect.unreachable();
  }
}

describe('reasons for merged sessions', () => {
  test('gives true reasons for sleep', () => {
    fc.assert(
      fc.property(sessions, (list) => {
        const sleepSessions = list.map((session) => ({ ...session, firstHand: true }));
        for (const { session: shownSession, mergedKeys } of clusterSleep(sleepSessions)) {
          for (const other of sleepSessions.filter(({ key }) => mergedKeys.includes(key))) {
            expectTrue('sleep', shownSession, other, explainMerged('sleep', shownSession, other));
          }
        }
      }),
      { numRuns: 1000 },
    );
  });

  test('gives true reasons for workouts', () => {
    fc.assert(
      fc.property(sessions, (list) => {
        for (const { session: shownSession, mergedKeys } of clusterWorkouts(list)) {
          for (const other of list.filter(({ key }) => mergedKeys.includes(key))) {
            expectTrue('workout', shownSession, other, explainMerged('workout', shownSession, other), list);
          }
        }
      }),
      { numRuns: 1000 },
    );
  });
});

test('identifies the same main sleep that consolidation chooses', () => {
  fc.assert(
    fc.property(sessions, (list) => {
      const main = mainOf(list, 'UTC');
      for (const session of list)
        expect(explainMainSleep(session, list, 'UTC').isMain).toBe(session === main);
    }),
    { numRuns: 1000 },
  );
});

describe('explanation text', () => {
  const night = {
    key: 'a',
    device: { deviceNo: 1, stableId: 's', provider: 'oura', onDevice: false, kind: 'ring', connectedAtMs: 0 },
    label: 'the oura ring',
    startMs: 0,
    endMs: 400 * 60_000,
    asleepMinutes: null,
    inBedMinutes: null,
    enabled: true,
    firstHand: true,
    hasDistance: false,
  } as const;

  test('measures sleep by time asleep, else time in bed, else its span', () => {
    expect(explainMainSleep(night, [night], 'UTC').because).toContain('400 minutes from start to end');
    const inBed = { ...night, inBedMinutes: 50 };
    expect(explainMainSleep(inBed, [inBed], 'UTC').because).toBe(
      'Not the main sleep: 50 minutes in bed is less than the minimum of 60 minutes.',
    );
    const [first, second] = [
      { ...night, asleepMinutes: 300 },
      { ...night, key: 'b', asleepMinutes: 300, startMs: 60_000 },
    ];
    expect(explainMainSleep(second, [first, second], 'UTC').because).toContain(
      'is equally long and started earlier',
    );
  });

  test('explains copies, second sessions of the same device, and excluded sessions', () => {
    expect(explainMerged('workout', night, { ...night, firstHand: false }).because).toContain(
      'the oura ring recorded the original',
    );
    expect(explainMerged('sleep', night, { ...night, key: 'b' })).toMatchObject({
      reason: 'same_device_overlap',
      overlapMinutes: 400,
    });
    expect(explainExcluded(night, { ...night, startMs: 400 * 60_000 }, 'everywhere')).toEqual({
      reason: 'excluded',
      because: "Not used: this user's settings exclude oura everywhere.",
      overlapMinutes: 0,
    });
  });

  test('counts merged and excluded sessions in the summary', () => {
    const none = { merged: 0, fromOtherDevices: true, excluded: 0, pending: false };
    expect(summarizeSession(night, none)).toBe('From the oura ring only.');
    expect(summarizeSession(night, { ...none, merged: 1, excluded: 1 })).toBe(
      'From the oura ring. One overlapping session from another device was merged into it. ' +
        "This user's settings exclude 1 overlapping session.",
    );
    expect(summarizeSession(night, { merged: 2, fromOtherDevices: false, excluded: 2, pending: true })).toBe(
      'From the oura ring. Two overlapping sessions were merged into it. ' +
        "This user's settings exclude 2 overlapping sessions. " +
        'Recalculating. This session may disappear when the latest change takes effect.',
    );
  });
});
