import type { Day } from '../../../world/people/day.ts';
import type { Person } from '../../../world/people/person.ts';
import type { Frame, Visible } from '../../../provider.ts';
import { addDays } from '../../document-id.ts';
import type { Life } from '../../life.ts';
import type { Batch, Point } from './batch.ts';
import { bodyBatch, dailyBatch, heightBatch } from './day-batches.ts';
import { hourBatches } from './hour-batches.ts';
import { sleepBatches } from './sleep-batches.ts';
import { workoutBatches } from './workout-batches.ts';

/** A point with its local date and time zone. */
export interface PlacedPoint extends Point {
  date: string;
  timezone: string;
}

/** When a person joined. There is no earlier history, as far as known. */
export function memberSince(frame: Pick<Frame, 'chance'>, person: Person): string {
  return addDays('2024-06-01', Math.floor(300 * frame.chance('joined', person.id)));
}

/** Cached by day, which belongs to one person. Every data type is requested separately and reads the same batches. */
const known = new WeakMap<Day, Batch[]>();

/** Everything that devices send for a date. */
export function batchesOf(frame: Pick<Frame, 'chance'>, life: Life, date: string): Batch[] {
  const day = life.dayOf(date);
  const batches = known.get(day) ?? makeBatches(frame, life, day);
  known.set(day, batches);
  return batches;
}

function makeBatches(frame: Pick<Frame, 'chance'>, life: Life, day: Day): Batch[] {
  const { date } = day;
  const since = memberSince(frame, life.person);
  if (date < since) return [];
  return [
    ...hourBatches(day),
    ...sleepBatches(life.person.id, day),
    ...workoutBatches(life.person.id, day),
    ...dailyBatch(day),
    ...bodyBatch(day),
    ...(date === since ? [heightBatch(life.person, day)] : []),
  ];
}

/** The points of a type and date that are visible now. */
export function pointsOf(frame: Frame, life: Life, type: string, date: string): PlacedPoint[] {
  return batchesOf(frame, life, date).flatMap((batch) => {
    const buildPoints = batch.points[type];
    const seen = buildPoints && seeBatch(frame, life, batch, type);
    return buildPoints && seen
      ? buildPoints(seen).map((point) => ({ ...point, date, timezone: batch.day.timezone }))
      : [];
  });
}

function seeBatch(frame: Frame, life: Life, batch: Batch, type: string): Visible | null {
  const { kind, key, endedAt, isDeleted } = batch;
  const seen = frame.visible({ person: life.person.id, kind, key }, endedAt);
  return seen && !isDeleted?.(type, seen.revision) ? seen : null;
}
