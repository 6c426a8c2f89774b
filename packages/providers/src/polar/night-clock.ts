import { minuteMs } from '@tributary/domain';
import { fieldsOf, instantOf, numberOf, offsetOf, textOf } from '../mapping/read.ts';
import { clockChangeBetween } from './clock-change.ts';
import { minutesOfOffset } from './wire.ts';

const dayMinutes = 1440;

/** When a night began and ended, and the local time at its start. */
export interface NightClock {
  startMs: number;
  endMs: number;
  startClock: number;
  /** When the clock changed, and by how much it went forward. */
  change: { atMs: number; byMs: number } | null;
}

/** The clock of a night, or null without both of its times. */
export function nightClockOf(start: unknown, end: unknown): NightClock | null {
  const [startMs, endMs] = [instantOf(start), instantOf(end)];
  const startClock = clockOf(/T(\d\d:\d\d)/.exec(textOf(start) ?? '')?.[1] ?? '');
  if (startMs === null || endMs === null || startClock === null) return null;
  const [from, to] = [offsetOf(start), offsetOf(end)];
  const atMs = from !== null && to !== null ? clockChangeBetween(startMs, endMs, { from, to }) : null;
  const change =
    atMs === null ? null : { atMs, byMs: (minutesOfOffset(to!) - minutesOfOffset(from!)) * minuteMs };
  return { startMs, endMs, startClock, change };
}

/** The absolute times of values that are keyed by time of day. These start over at midnight, so they are counted from the start. */
export function momentsOf(night: NightClock, byClock: unknown): [atMs: number, value: number][] {
  const firstMs = Math.floor(night.startMs / minuteMs) * minuteMs;
  return Object.entries(fieldsOf(byClock))
    .flatMap(([key, rawValue]): [number, number][] => {
      const [clock, value] = [clockOf(key), numberOf(rawValue)];
      if (clock === null || value === null) return [];
      const localMs = firstMs + ((clock - night.startClock + dayMinutes) % dayMinutes) * minuteMs;
      const { change } = night;
      const atMs = change && localMs >= change.atMs ? localMs - change.byMs : localMs;
      return atMs <= night.endMs ? [[atMs, value]] : [];
    })
    .sort(([one], [other]) => one - other);
}

function clockOf(text: string): number | null {
  const [, hours, minutes] = /^(\d\d):(\d\d)$/.exec(text) ?? [];
  return hours === undefined ? null : Number(hours) * 60 + Number(minutes);
}
