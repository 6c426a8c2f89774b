import type { Calendar } from './calendar.ts';
import { byRank } from './ranks.ts';
import type { Device, WorkoutItem } from './uploads.ts';

/** A workout that the API returns. */
export interface Workout {
  device: Device;
  date: string;
  sport: string;
  startMs: number;
  endMs: number;
  /** In kilometers. */
  distance: number | null;
  /** Whether another device or app recorded the same workout. */
  isEcho: boolean;
}

type Span = readonly [fromMs: number, toMs: number];

interface Session extends Workout {
  traceMs: Span | null;
}

const minuteMs = 60_000;

/** Every workout once, from the best-ranked device of those with a distance, if its sport has one. Settings do not apply. */
export function shownWorkouts(devices: readonly Device[], calendar: Calendar): Workout[] {
  const clusters: Session[][] = [];
  for (const session of devices.flatMap((device) =>
    [...device.workouts.values()].map((item) => sessionOf(device, item, calendar)),
  )) {
    const same = clusters.filter((cluster) => cluster.some((other) => isSame(other, session)));
    for (const cluster of same) clusters.splice(clusters.indexOf(cluster), 1);
    clusters.push([session, ...same.flat()]);
  }
  return clusters.map((cluster) => {
    const [shown] = cluster.toSorted(
      (a, b) => Number(hasDistance(b)) - Number(hasDistance(a)) || byRank('workout')(a.device, b.device),
    );
    return { ...shown!, isEcho: cluster.length > 1 };
  });
}

function sessionOf(device: Device, item: WorkoutItem, calendar: Calendar): Session {
  const startMs = Date.parse(item.start);
  const { heart_rate: trace } = item;
  const traceMs = trace ? Date.parse(trace.start) : 0;
  return {
    device,
    date: calendar.dateOf(startMs),
    sport: item.sport_type,
    startMs,
    endMs: Date.parse(item.end),
    distance: item.values?.['distance'] ?? null,
    isEcho: false,
    traceMs: trace ? [traceMs, traceMs + trace.values.length * trace.interval_seconds * 1000] : null,
  };
}

/**
 * Whether two sessions of different devices are the same workout: the same sport at the same time, or, whatever the names of their sports, the
 * same start and duration with the same distance or heart rate.
 */
function isSame(a: Session, b: Session): boolean {
  if (a.device === b.device) return false;
  if (familyOf(a.sport) === familyOf(b.sport) && overlapOf([a.startMs, a.endMs], [b.startMs, b.endMs]) >= 0.5)
    return true;
  const [lengthA, lengthB] = [a.endMs - a.startMs, b.endMs - b.startMs];
  const hasDistance = (share: number) =>
    a.distance !== null && b.distance !== null && isWithin(a.distance, b.distance, share);
  return (
    Math.abs(a.startMs - b.startMs) <= 2 * minuteMs &&
    isWithin(lengthA, lengthB, 0.05) &&
    (hasDistance(0.03) ||
      (a.traceMs !== null && b.traceMs !== null && overlapOf(a.traceMs, b.traceMs) >= 0.9))
  );
}

const sportsWithDistance = new Set(['running', 'cycling', 'swimming', 'walking', 'hiking']);
const hasDistance = ({ sport, distance }: Workout): boolean =>
  sportsWithDistance.has(sport) && distance !== null && distance > 0;

const isWithin = (a: number, b: number, share: number): boolean => Math.abs(a - b) <= share * Math.max(a, b);

const familyOf = (sport: string): string => (sport === 'hiking' ? 'walking' : sport);

/** Shared time as a share of the shorter one. */
function overlapOf([fromA, toA]: Span, [fromB, toB]: Span): number {
  return (Math.min(toA, toB) - Math.max(fromA, fromB)) / Math.min(toA - fromA, toB - fromB);
}
