import type { Frame } from '../../../provider.ts';
import { addDays, dayNumber } from '../../document-id.ts';
import type { Life } from '../../life.ts';
import { wallClockAt } from '../../local-time.ts';
import { pointsOf, type PlacedPoint } from './batches.ts';
import type { DataType } from './data-types.ts';
import { GoogleRefusal } from '../refusal.ts';
import { mostRollupDays, rollups } from './rollup-values.ts';
import { mergedFamily } from './sources.ts';
import { dateOf, stampOf } from '../wire.ts';

const dayMs = 86_400_000;
type Body = Record<string, unknown>;

/**
 * Merged values in windows of physical time, anchored at the start of the range. A client that anchors ranges at the current time gets different
 * windows each time.
 */
export function rollUp(frame: Frame, life: Life, type: DataType, body: Body): Body {
  const range = partOf(body, 'range');
  const from = momentOf(range, 'startTime');
  const to = momentOf(range, 'endTime');
  const windowMs = 1000 * Number(/^(\d{1,8})s$/.exec(String(body['windowSize']))?.[1] ?? 0);
  if (windowMs === 0)
    throw new GoogleRefusal(400, 'windowSize must be a duration in whole seconds, such as "3600s".');
  checkRange(type, (to - from) / dayMs);
  const first = addDays(new Date(from).toISOString().slice(0, 10), -2);
  const last = addDays(new Date(to).toISOString().slice(0, 10), 2);
  const points = merged(frame, life, type, first, last).filter(({ start }) => from <= start && start < to);
  return {
    rollupDataPoints: byWindow(points, ({ start }) => Math.floor((start - from) / windowMs)).map(
      ([window, inside]) => ({
        startTime: stampOf(from + window * windowMs),
        endTime: stampOf(Math.min(to, from + (window + 1) * windowMs)),
        [type.key]: rollups[type.name]!(inside),
      }),
    ),
  };
}

/** The same in windows of whole local days. */
export function dailyRollUp(frame: Frame, life: Life, type: DataType, body: Body): Body {
  const range = partOf(body, 'range');
  const from = civilDate(range, 'start');
  const to = civilDate(range, 'end');
  const days = Number(body['windowSizeDays'] ?? 1);
  if (!Number.isInteger(days) || days < 1 || days > 90)
    throw new GoogleRefusal(400, 'windowSizeDays must be an integer from 1 to 90.');
  checkRange(type, dayNumber(to) - dayNumber(from));
  const points = merged(frame, life, type, addDays(from, -1), addDays(to, 1)).filter((point) => {
    const date = dateOfPoint(point);
    return from <= date && date < to;
  });
  const windowOf = (point: PlacedPoint): number =>
    Math.floor((dayNumber(dateOfPoint(point)) - dayNumber(from)) / days);
  return {
    rollupDataPoints: byWindow(points, windowOf).map(([window, inside]) => ({
      civilStartTime: { date: dateOf(addDays(from, window * days)), time: {} },
      civilEndTime: { date: dateOf(addDays(from, (window + 1) * days)), time: {} },
      [type.key]: rollups[type.name]!(inside),
    })),
  };
}

function dateOfPoint({ start, timezone }: PlacedPoint): string {
  return wallClockAt(start, timezone).slice(0, 10);
}

function merged(frame: Frame, life: Life, type: DataType, first: string, last: string): PlacedPoint[] {
  const isWanted = mergedFamily(undefined);
  const points: PlacedPoint[] = [];
  for (let date = first; date <= last; date = addDays(date, 1))
    points.push(...pointsOf(frame, life, type.name, date).filter(isWanted));
  return points;
}

/** Windows without points are left out. */
function byWindow(points: PlacedPoint[], windowOf: (point: PlacedPoint) => number) {
  const windows = new Map<number, PlacedPoint[]>();
  for (const point of points) {
    const window = windowOf(point);
    windows.set(window, [...(windows.get(window) ?? []), point]);
  }
  return [...windows].toSorted(([one], [other]) => one - other);
}

function checkRange(type: DataType, days: number): void {
  if (!Object.hasOwn(rollups, type.name))
    throw new GoogleRefusal(400, `${type.name} does not support rollups. List its data points instead.`);
  const most = mostRollupDays(type.name);
  if (days <= 0) throw new GoogleRefusal(400, 'The end of the range must be after its start.');
  if (days > most)
    throw new GoogleRefusal(
      400,
      `A range of ${type.name} can have at most ${most} days. Request a shorter one.`,
    );
}

function partOf(body: unknown, name: string): Body {
  const part = body !== null && typeof body === 'object' ? (body as Body)[name] : undefined;
  if (part === null || typeof part !== 'object') throw new GoogleRefusal(400, `${name} must be an object.`);
  return part as Body;
}

function momentOf(range: Body, name: string): number {
  const moment = Date.parse(String(range[name]));
  if (Number.isNaN(moment))
    throw new GoogleRefusal(400, `range.${name} must be a timestamp such as 2026-03-29T04:00:00Z.`);
  return moment;
}

/** Days begin at midnight here. A time of day in the range is ignored. */
function civilDate(range: Body, name: string): string {
  const { year, month, day } = partOf(partOf(range, name), 'date');
  const text = [String(year), String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-');
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || Number.isNaN(Date.parse(text)))
    throw new GoogleRefusal(400, `range.${name}.date must be a date with year, month and day.`);
  return text;
}
