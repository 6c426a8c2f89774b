import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DeviceKind } from '@tributary/contract';
import type { DeviceFacts } from '../devices/device-facts.ts';
import { clusterSleep, mainOf, type SleepSession } from './cluster-sleep.ts';

const minuteMs = 60_000;
/** Ranks for sleep: the ring, then the band, then the watch. */
const numbers: Partial<Record<DeviceKind, number>> = { ring: 1, band: 2, watch: 3 };

function session(
  key: string,
  kind: DeviceKind,
  startMinute: number,
  endMinute: number,
  more: Partial<SleepSession> = {},
): SleepSession {
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
    startMs: startMinute * minuteMs,
    endMs: endMinute * minuteMs,
    asleepMinutes: null,
    inBedMinutes: null,
    enabled: true,
    ...more,
  };
}

function keys(...sessions: SleepSession[]): [string, ...string[]][] {
  return clusterSleep(sessions).map((shownSession) => [shownSession.session.key, ...shownSession.mergedKeys]);
}

describe('sleep clusters', () => {
  test('use the highest-ranked device for a night that several report', () => {
    expect(
      keys(session('w', 'watch', 0, 480), session('r', 'ring', 10, 470), session('b', 'band', 5, 490)),
    ).toEqual([['r', 'b', 'w']]);
  });

  test('keep sessions that only touch apart', () => {
    expect(keys(session('w', 'watch', 0, 100), session('r', 'ring', 100, 200))).toEqual([['w'], ['r']]);
  });

  test('join sessions that overlap through a third one', () => {
    const sessions = [
      session('r', 'ring', 0, 100),
      session('w', 'watch', 90, 200),
      session('b', 'band', 190, 300),
    ];
    expect(keys(...sessions)).toEqual([['r', 'b', 'w']]);
  });

  test('keep all sessions of the winner, and merge others into the one with the most overlap', () => {
    const sessions = [
      session('r1', 'ring', 0, 100),
      session('r2', 'ring', 120, 300),
      session('w', 'watch', 0, 300),
      session('b', 'band', 50, 110),
    ];
    expect(keys(...sessions)).toEqual([
      ['r1', 'b'],
      ['r2', 'w'],
    ]);
  });

  test('keep the longer of two overlapping sessions of the winner, then the smaller key', () => {
    expect(keys(session('a', 'ring', 0, 100), session('b', 'ring', 50, 200))).toEqual([['b', 'a']]);
    expect(keys(session('b', 'ring', 0, 100), session('a', 'ring', 50, 150))).toEqual([['a', 'b']]);
    const asleep = session('c', 'ring', 0, 100, { asleepMinutes: 95 });
    expect(keys(asleep, session('d', 'ring', 50, 200, { asleepMinutes: 90 }))).toEqual([['c', 'd']]);
  });

  test('use time in bed only where no other session has a time asleep', () => {
    const inBed = session('bed', 'ring', 0, 540, { inBedMinutes: 540 });
    const night = session('night', 'watch', 100, 400, { asleepMinutes: 270 });
    const nap = session('nap', 'band', 500, 600, { asleepMinutes: 80 });
    expect(keys(inBed, night)).toEqual([['night', 'bed']]);
    expect(keys(inBed, night, nap)).toEqual([['night', 'bed'], ['nap']]);
    expect(keys(inBed, session('b', 'band', 500, 600))).toEqual([['bed', 'b']]);
  });

  test('ignore sessions of disabled devices', () => {
    const ring = session('r', 'ring', 0, 200, { enabled: false });
    expect(keys(ring, session('w', 'watch', 0, 100), session('b', 'band', 150, 250))).toEqual([['w'], ['b']]);
  });
});

describe('main sleep', () => {
  test('is the longest by minutes asleep, else in bed, else from start to end', () => {
    const short = session('short', 'ring', 0, 500, { asleepMinutes: 290, inBedMinutes: 490 });
    const long = session('long', 'ring', 1500, 2000, { asleepMinutes: 300 });
    const inBed = session('in bed', 'ring', 600, 1000, { inBedMinutes: 310 });
    const span = session('span', 'ring', 1100, 1420);
    expect(mainOf([short, long], 'UTC')?.key).toBe('long');
    expect(mainOf([inBed, span], 'UTC')?.key).toBe('span');
    expect(mainOf([short, inBed, span], 'UTC')?.key).toBe('short');
  });

  test('is at least 60 minutes long', () => {
    expect(mainOf([session('nap', 'ring', 0, 300, { asleepMinutes: 59.9 })], 'UTC')).toBeNull();
    expect(mainOf([session('short', 'ring', 0, 300, { asleepMinutes: 60 })], 'UTC')?.key).toBe('short');
    expect(mainOf([], 'UTC')).toBeNull();
  });

  test('is the earlier of two with equal length, then the one with the smaller key', () => {
    expect(mainOf([session('a', 'ring', 500, 700), session('b', 'ring', 0, 200)], 'UTC')?.key).toBe('b');
    expect(mainOf([session('b', 'ring', 0, 200), session('a', 'watch', 0, 200)], 'UTC')?.key).toBe('a');
  });
});

const anySessions = fc
  .array(
    fc.tuple(
      fc.constantFrom<DeviceKind>('ring', 'band', 'watch'),
      fc.nat(500),
      fc.integer({ min: 1, max: 120 }),
      fc.option(fc.nat(100)),
      fc.boolean(),
    ),
    { maxLength: 12 },
  )
  .map((all) =>
    all.map(([kind, start, length, asleepMinutes, enabled], at) =>
      session(`${at}`, kind, start, start + length, { asleepMinutes, enabled }),
    ),
  );

test('keeps or merges every enabled session once, and keeps no sessions that overlap', () => {
  fc.assert(
    fc.property(anySessions, (sessions) => {
      const shownSessions = clusterSleep(sessions);
      const allKeys = shownSessions.flatMap(({ session: { key }, mergedKeys }) => [key, ...mergedKeys]);
      const enabled = sessions.filter((one) => one.enabled).map((one) => one.key);
      expect(allKeys.toSorted()).toEqual(enabled.toSorted());
      for (let at = 1; at < shownSessions.length; at += 1) {
        expect(shownSessions[at]!.session.startMs).toBeGreaterThanOrEqual(
          shownSessions[at - 1]!.session.endMs,
        );
      }
    }),
    { numRuns: 1000 },
  );
});

test('does not depend on the order of sessions', () => {
  const shuffled = anySessions.chain((all) =>
    fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
  );
  fc.assert(
    fc.property(shuffled, ([all, again]) => {
      expect(clusterSleep(again)).toEqual(clusterSleep(all));
      expect(mainOf(again, 'UTC')).toBe(mainOf(all, 'UTC'));
    }),
    { numRuns: 1000 },
  );
});
