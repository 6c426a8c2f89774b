import type { Calendar, Day } from './calendar.ts';
import type { Device, Reading } from './uploads.ts';

/** What one device reported for one metric and day. */
export interface DeviceDay {
  device: Device;
  value: number;
  /** Share of the day that the device observed. */
  coverage: number;
  dayMs: number;
  /** The parts of counted intervals that lie within the day. */
  pieces: Piece[];
  /** The platform's total, if there is one. */
  total: number | null;
  /** Whether the total was replaced because counts arrived after it. */
  isAged: boolean;
  /** Whether an interval was split at midnight. */
  isSplit: boolean;
}

interface Piece {
  startMs: number;
  endMs: number;
  value: number;
}

/** How samples become a daily value. */
export type Aggregation = 'sum' | 'avg' | 'min' | 'max' | 'last';

/** Metrics whose daily value follows from the samples of another metric. */
const sampledAs: Record<string, string> = { heart_rate_min: 'heart_rate', heart_rate_max: 'heart_rate' };
/** Means that one reading represents. */
const isOneReading = new Set(['blood_pressure_systolic', 'blood_pressure_diastolic']);
const movement = ['steps', 'distance', 'active_calories'];
const minuteMs = 60_000;
const slotMs = 15 * minuteMs;

/** The value and coverage of one device, metric and day. Null if the device reported nothing. */
export function deviceDay(
  device: Device,
  metric: string,
  aggregation: Aggregation,
  day: Day,
): DeviceDay | null {
  const own = readingsOn(device, metric, day);
  const readings = own.length > 0 ? own : readingsOn(device, sampledAs[metric] ?? metric, day);
  const total = device.totals.get(metric)?.get(day.date) ?? null;
  if (readings.length === 0 && !total) return null;
  const dayMs = day.endMs - day.startMs;
  if (aggregation !== 'sum') {
    const value = total?.value ?? aggregate(readings, aggregation, day);
    const isWhole = aggregation === 'last' || isOneReading.has(metric) || readings.length === 0;
    const coverage = isWhole ? 1 : slotsOf(readings, day);
    return {
      device,
      value,
      coverage,
      dayMs,
      pieces: [],
      total: total?.value ?? null,
      isAged: false,
      isSplit: false,
    };
  }
  const pieces = readings.map((reading) => pieceOf(reading, day));
  const sum = pieces.reduce((all, { value }) => all + value, 0);
  const isAged = total !== null && sum > total.value && pieces.some(({ endMs }) => endMs > total.asOfMs);
  const value = total === null || isAged ? sum : total.value;
  const isUnworn = value === 0 && !isWorn(device, day);
  // A total is valid until it was reported. Counts of less than half of it are not all that the device counted.
  const asOfMs = total !== null && total.asOfMs > day.startMs ? Math.min(total.asOfMs, day.endMs) : day.endMs;
  const isWhole = pieces.length === 0 || (total !== null && !isAged && sum * 2 < total.value);
  const counted = isWhole ? (asOfMs - day.startMs) / dayMs : unionMs(pieces) / dayMs;
  return {
    device,
    value,
    coverage: isUnworn ? 0 : counted,
    dayMs,
    pieces,
    total: total?.value ?? null,
    isAged,
    isSplit: readings.some(({ startMs, endMs }) => startMs < day.startMs || endMs > day.endMs),
  };
}

/** A value that is not made of readings: it covers the whole day. */
export function wholeDay(device: Device, value: number, { startMs, endMs }: Day): DeviceDay {
  return {
    device,
    value,
    coverage: 1,
    dayMs: endMs - startMs,
    pieces: [],
    total: value,
    isAged: false,
    isSplit: false,
  };
}

/** Whether there is a sign that the device was worn: a heart rate, wear time or movement. */
function isWorn(device: Device, day: Day): boolean {
  const valueOf = (metric: string) =>
    device.totals.get(metric)?.get(day.date)?.value ??
    readingsOn(device, metric, day).reduce((most, { value }) => Math.max(most, value), -1);
  return valueOf('heart_rate') >= 0 || ['wear_time', ...movement].some((metric) => valueOf(metric) > 0);
}

function readingsOn(device: Device, metric: string, day: Day): Reading[] {
  return [...(device.readings.get(metric)?.values() ?? [])]
    .filter(({ startMs, endMs }) => startMs < day.endMs && (endMs > day.startMs || startMs >= day.startMs))
    .toSorted((a, b) => a.startMs - b.startMs);
}

/** The part of an interval within the day, with its share of the value. */
function pieceOf({ startMs, endMs, value }: Reading, day: Day): Piece {
  const from = Math.max(startMs, day.startMs);
  const to = Math.min(endMs, day.endMs);
  return {
    startMs: from,
    endMs: to,
    value: endMs === startMs ? value : (value * (to - from)) / (endMs - startMs),
  };
}

const isLong = ({ startMs, endMs }: Reading): boolean => endMs - startMs > minuteMs;

/** A minute with readings counts once, with their mean. A reading that lasts longer than a minute counts for its duration. */
function aggregate(readings: readonly Reading[], aggregation: Exclude<Aggregation, 'sum'>, day: Day): number {
  if (aggregation === 'last') return readings.at(-1)!.value;
  const short = readings.filter((reading) => !isLong(reading));
  const parts = [
    ...readings.filter(isLong).map(({ startMs, endMs, value }) => ({
      value,
      weight: Math.min(endMs, day.endMs) - Math.max(startMs, day.startMs),
    })),
    ...[...Map.groupBy(short, ({ startMs }) => Math.floor(startMs / minuteMs)).values()].map((some) => ({
      value: mean(some.map(({ value }) => value)),
      weight: minuteMs,
    })),
  ];
  if (aggregation === 'min') return Math.min(...parts.map(({ value }) => value));
  if (aggregation === 'max') return Math.max(...parts.map(({ value }) => value));
  const weight = parts.reduce((sum, part) => sum + part.weight, 0);
  return parts.reduce((sum, part) => sum + part.value * part.weight, 0) / weight;
}

/** The share of the day's slots of 15 minutes with a reading. */
function slotsOf(readings: readonly Reading[], day: Day): number {
  const slots = new Set<number>();
  for (const { startMs, endMs } of readings)
    for (
      let at = Math.floor(Math.max(startMs, day.startMs) / slotMs);
      at * slotMs < Math.min(Math.max(endMs, startMs + 1), day.endMs);
      at += 1
    )
      slots.add(at);
  return (slots.size * slotMs) / (day.endMs - day.startMs);
}

export function unionMs(pieces: readonly { startMs: number; endMs: number }[]): number {
  let covered = 0;
  let untilMs = -Infinity;
  for (const { startMs, endMs } of pieces.toSorted((a, b) => a.startMs - b.startMs)) {
    covered += Math.max(0, endMs - Math.max(startMs, untilMs));
    untilMs = Math.max(untilMs, endMs);
  }
  return covered;
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** All dates for which the devices have readings, totals or sleep. */
export function datesOf(devices: readonly Device[], calendar: Calendar): string[] {
  const dates = new Set<string>();
  for (const { readings, totals, sleep } of devices) {
    for (const some of readings.values())
      for (const { startMs, endMs } of some.values())
        dates.add(calendar.dateOf(startMs)).add(calendar.dateOf(Math.max(startMs, endMs - 1)));
    for (const some of totals.values()) for (const date of some.keys()) dates.add(date);
    for (const { end } of sleep.values()) dates.add(calendar.dateOf(Date.parse(end)));
  }
  return [...dates].sort();
}
