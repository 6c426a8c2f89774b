import { minuteMs } from '@tributary/domain';
import { instantOf, offsetOf } from '../mapping/read.ts';
import { clockChangeBetween } from './clock-change.ts';
import { minutesOfOffset } from './wire.ts';

interface Known {
  atMs: number;
  localMs: number;
  offset: string;
}

/** Returns when a clock without an offset showed a time, and its offset. */
export type DayClock = (localMs: number) => { atMs: number; offset: string };

/** A clock that showed these times, which have offsets. Null if none has. Between two of them it changes once at most. */
export function dayClockOf(times: readonly unknown[]): DayClock | null {
  const known = times.flatMap(knownOf).sort((one, other) => one.atMs - other.atMs);
  const [first] = known;
  if (!first) return null;
  const changes = known.map((one, index) => {
    const next = known[index + 1];
    return next ? clockChangeBetween(one.atMs, next.atMs, { from: one.offset, to: next.offset }) : null;
  });
  return (localMs) => {
    const index = Math.max(
      0,
      known.findLastIndex((one) => one.localMs <= localMs),
    );
    const { offset } = known[index]!;
    const atMs = instantWith(offset, localMs);
    const change = changes[index] ?? null;
    const next = known[index + 1];
    if (!next || change === null || atMs < change) return { atMs, offset };
    return { atMs: instantWith(next.offset, localMs), offset: next.offset };
  };
}

function knownOf(time: unknown): Known[] {
  const [atMs, offset] = [instantOf(time), offsetOf(time)];
  if (atMs === null || offset === null) return [];
  return [{ atMs, offset, localMs: atMs + minutesOfOffset(offset) * minuteMs }];
}

function instantWith(offset: string, localMs: number): number {
  return localMs - minutesOfOffset(offset) * minuteMs;
}
