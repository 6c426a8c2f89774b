import type { BatchWire } from '@tributary/contract';

type Lists = Required<Pick<BatchWire, 'series' | 'records' | 'daily' | 'sleep' | 'workouts' | 'deletions'>>;
type SleepMinutes = NonNullable<NonNullable<BatchWire['sleep']>[number]['minutes']>;
type SleepStage = NonNullable<NonNullable<BatchWire['sleep']>[number]['stages']>[number]['stage'];

/** A value that may be missing. Missing values are left out. */
type Maybe<Value> = Value | null | undefined;

export interface ReadingInput {
  metric: string;
  startMs: Maybe<number>;
  endMs?: Maybe<number>;
  value: Maybe<number>;
  /** Defaults to the catalog's unit. */
  unit?: string;
  offset?: Maybe<string>;
  /** Only if the provider can delete the reading by this id. */
  id?: string;
}

export interface SeriesInput {
  metric: string;
  /** In any order. Points without a value are left out. */
  points: readonly (readonly [atMs: number, value: Maybe<number>])[];
  /** The period of each value, for counted metrics. Samples if absent. */
  everySeconds?: number;
  unit?: string;
  offset?: Maybe<string>;
}

export interface SleepInput {
  id: Maybe<string>;
  startMs: Maybe<number>;
  endMs: Maybe<number>;
  offset?: Maybe<string>;
  stages?: readonly { stage: SleepStage; startMs: number; endMs: number }[];
  /** As the provider counts them. */
  minutes?: { readonly [Name in keyof SleepMinutes]?: Maybe<number> };
  /** Measured sleep metrics in the catalog's units, such as `sleep_heart_rate`. */
  vitals?: Readonly<Record<string, Maybe<number>>>;
}

export interface WorkoutInput {
  id: Maybe<string>;
  /** The provider's name. The service recognizes the usual names in any spelling. */
  sport: Maybe<string>;
  startMs: Maybe<number>;
  endMs: Maybe<number>;
  offset?: Maybe<string>;
  name?: Maybe<string>;
  /** Workout metrics in the catalog's units, such as `distance` in km, `active_calories` and `heart_rate_avg`. */
  values?: Readonly<Record<string, Maybe<number>>>;
  heartRate?: readonly (readonly [atMs: number, bpm: Maybe<number>])[];
}

/** Collects mapped documents as the lists of an upload. Missing or non-numeric values are left out, so mappers need no checks. */
export class BatchBuilder {
  readonly lists: Lists = { series: [], records: [], daily: [], sleep: [], workouts: [], deletions: [] };

  /** The provider's value for a local day. */
  addDaily(date: Maybe<string>, metric: string, value: Maybe<number>, unit?: string): void {
    if (!isKnown(date) || !isNumber(value)) return;
    this.lists.daily.push({ metric, date, value, ...(unit !== undefined && { unit }) });
  }

  addReading({ metric, startMs, endMs, value, unit, offset, id }: ReadingInput): void {
    if (!isInstant(startMs) || !isNumber(value)) return;
    this.lists.records.push({
      metric,
      start: iso(startMs),
      ...(isInstant(endMs) && { end: iso(endMs) }),
      value,
      ...(unit !== undefined && { unit }),
      ...(isKnown(offset) && { utc_offset: offset }),
      ...(id !== undefined && { id }),
    });
  }

  /** Samples, or values that each cover `everySeconds`. */
  addSeries({ metric, points, everySeconds, unit, offset }: SeriesInput): void {
    const known = knownPoints(points);
    if (everySeconds !== undefined) {
      for (const [startMs, value] of known)
        this.addReading({
          metric,
          startMs,
          endMs: startMs + everySeconds * 1000,
          value,
          offset,
          ...(unit !== undefined && { unit }),
        });
      return;
    }
    const [first] = known;
    if (!first) return;
    this.lists.series.push({
      metric,
      start: iso(first[0]),
      offsets_seconds: known.map(([atMs]) => (atMs - first[0]) / 1000),
      values: known.map(([, value]) => value),
      ...(unit !== undefined && { unit }),
      ...(isKnown(offset) && { utc_offset: offset }),
    });
  }

  /** A sleep session. Ignored without an id or times. */
  addSleep({ id, startMs, endMs, offset, stages = [], minutes = {}, vitals = {} }: SleepInput): void {
    if (!isKnown(id) || !isInstant(startMs) || !isInstant(endMs)) return;
    const inside = stages.flatMap(({ stage, startMs: from, endMs: to }) => {
      const start = Math.max(from, startMs);
      const end = Math.min(to, endMs);
      return end > start ? [{ stage, start: iso(start), end: iso(end) }] : [];
    });
    this.lists.sleep.push({
      id,
      start: iso(startMs),
      end: iso(endMs),
      ...(isKnown(offset) && { utc_offset: offset }),
      ...(inside.length > 0 && { stages: inside }),
      minutes: onlyKnown(minutes),
      vitals: onlyKnown(vitals),
    });
  }

  /** A workout. Ignored without an id or times. */
  addWorkout({ id, sport, startMs, endMs, offset, name, values = {}, heartRate = [] }: WorkoutInput): void {
    if (!isKnown(id) || !isInstant(startMs) || !isInstant(endMs)) return;
    const trace = knownPoints(heartRate).filter(([atMs]) => atMs >= startMs && atMs <= endMs);
    const [first] = trace;
    this.lists.workouts.push({
      id,
      sport_type: isKnown(sport) ? sport.slice(0, 64) : 'other',
      start: iso(startMs),
      end: iso(endMs),
      ...(isKnown(offset) && { utc_offset: offset }),
      ...(isKnown(name) && { name: name.slice(0, 255) }),
      values: onlyKnown(values),
      ...(first && {
        heart_rate: {
          start: iso(first[0]),
          offsets_seconds: trace.map(([atMs]) => (atMs - first[0]) / 1000),
          values: trace.map(([, bpm]) => bpm),
        },
      }),
    });
  }

  /** Deletes the item with this id. */
  addDeletion(kind: Lists['deletions'][number]['kind'], id: Maybe<string>): void {
    if (isKnown(id)) this.lists.deletions.push({ kind, id });
  }
}

function isKnown(text: Maybe<string>): text is string {
  return text !== null && text !== undefined && text !== '';
}

/** The last time that a Date can represent. */
const lastMs = 8.64e15;

function isInstant(ms: Maybe<number>): ms is number {
  return isNumber(ms) && Math.abs(ms) <= lastMs;
}

function isNumber(value: Maybe<number>): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

/** In chronological order. */
function knownPoints(points: readonly (readonly [number, Maybe<number>])[]): [number, number][] {
  return points
    .flatMap(([atMs, value]): [number, number][] =>
      isInstant(atMs) && isNumber(value) ? [[atMs, value]] : [],
    )
    .sort(([a], [b]) => a - b);
}

function onlyKnown<Name extends string>(
  values: Readonly<Partial<Record<Name, Maybe<number>>>>,
): Record<Name, number> {
  const known = Object.entries<Maybe<number>>(values).filter(([, value]) => isNumber(value));
  return Object.fromEntries(known) as Record<Name, number>;
}
