import { findMetric } from '../../catalog/catalog.ts';
import { visitMonth } from '../../day/canonical-month.ts';
import { firstDayOf } from '../../day/month.ts';
import type { DayNumber, DayRange } from '../../days.ts';
import { observedDays } from '../../people/max-heart-rate.ts';
import { fromMicros } from '../../samples/micros.ts';
import type { Span } from '../../spans.ts';
import { decodeFacts } from './day-facts-codec.ts';
import type { DayFacts } from './day-facts.ts';
import type { EpochNorms } from './epoch-norms-type.ts';
import { normDays, scoreHistories } from '../score-metrics.ts';
import type { Sex } from '../score.ts';
import type { Timezones } from '../../timezones.ts';

/** Facts about a person that scores use besides measurements. */
export interface Person {
  readonly birthDay: DayNumber | null;
  readonly sex: Sex;
  readonly weightKg: number | null;
  readonly maxHeartRate: number | null;
  readonly timezone: Timezones;
}

export interface SleepSpan extends Span {
  readonly isMain: boolean;
}

/** One metric over consecutive days. */
interface MetricDays {
  readonly firstDay: DayNumber;
  /** NaN for a day without a value. */
  readonly values: Float64Array;
  /** The device of each value. 0 for none in particular. */
  readonly sources: Uint16Array;
}

/**
 * The days of a person as scores read them: canonical values, facts from samples, and sleep. `set` stores values that result from a score,
 * so that later days can read them.
 */
export class PersonDays {
  readonly person: Person;
  readonly #range: DayRange;
  readonly facts = new FactsByDay();
  /** The norms before each day, if they are known. See `epochNormsOn`. */
  readonly norms = new Map<DayNumber, EpochNorms>();
  /** The highest heart rate in the workouts of each day that have a trace. */
  readonly highestInWorkouts = new Map<DayNumber, number>();
  /** By the day they end on. */
  readonly sleep = new Map<DayNumber, SleepSpan[]>();
  readonly #metrics = new Map<number, MetricDays>();

  /** For the scores of these days, with the history they require. */
  constructor(person: Person, range: DayRange) {
    this.person = person;
    this.#range = range;
  }

  /** The value of a day. Null if there is none. */
  valueOf(metricId: string, day: DayNumber): number | null {
    const column = this.#metrics.get(numberOf(metricId));
    const value = column?.values[day - column.firstDay];
    return value === undefined || Number.isNaN(value) ? null : value;
  }

  /** The number of the device that reported a value. 0 for none in particular. */
  sourceOf(metricId: string, day: DayNumber): number {
    const column = this.#metrics.get(numberOf(metricId));
    return column?.sources[day - column.firstDay] ?? 0;
  }

  /** The values of the days before `day`, oldest first. Null for a day without a value. */
  before(metricId: string, day: DayNumber, days: number): (number | null)[] {
    const column = this.#metrics.get(numberOf(metricId));
    const history: (number | null)[] = [];
    for (let at = day - days; at < day; at += 1) {
      const value = column?.values[at - column.firstDay];
      history.push(value === undefined || Number.isNaN(value) ? null : value);
    }
    return history;
  }

  /** The number of days before `day` with a value. */
  countBefore(metricId: string, day: DayNumber, days: number): number {
    let count = 0;
    for (let at = day - days; at < day; at += 1) if (this.valueOf(metricId, at) !== null) count += 1;
    return count;
  }

  /** The latest value of the days up to and including `day`. */
  latest(metricId: string, day: DayNumber, days: number): number | null {
    for (let at = day; at > day - days; at -= 1) {
      const value = this.valueOf(metricId, at);
      if (value !== null) return value;
    }
    return null;
  }

  set(metricId: string, day: DayNumber, value: number | null): void {
    const { firstDay, values } = this.#column(numberOf(metricId));
    values[day - firstDay] = value ?? Number.NaN;
  }

  /** Loads a stored month of a metric. */
  load(metricNo: number, month: number, content: Uint8Array): void {
    const { firstDay, values, sources } = this.#column(metricNo);
    const shift = firstDayOf(month) - firstDay;
    visitMonth(content, (index, micros, source) => {
      const place = shift + index;
      if (place < 0 || place >= values.length) return;
      values[place] = fromMicros(micros);
      sources[place] = source;
    });
  }

  mainSleepOf(day: DayNumber): SleepSpan | null {
    return this.sleep.get(day)?.find(({ isMain }) => isMain) ?? null;
  }

  #column(metricNo: number): MetricDays {
    let column = this.#metrics.get(metricNo);
    if (!column) {
      const { from, to } = this.#range;
      const firstDay = from - (historyDaysByMetric.get(metricNo) ?? 1);
      const length = to + 2 - firstDay;
      column = {
        firstDay,
        values: new Float64Array(length).fill(Number.NaN),
        sources: new Uint16Array(length),
      };
      this.#metrics.set(metricNo, column);
    }
    return column;
  }
}

/** Facts by day, decoded only when they are read. */
class FactsByDay {
  readonly #facts = new Map<DayNumber, DayFacts | Uint8Array>();

  get(day: DayNumber): DayFacts | undefined {
    const known = this.#facts.get(day);
    if (!(known instanceof Uint8Array)) return known;
    const facts = decodeFacts(known);
    this.#facts.set(day, facts);
    return facts;
  }

  has(day: DayNumber): boolean {
    return this.#facts.has(day);
  }

  set(day: DayNumber, facts: DayFacts | Uint8Array): void {
    this.#facts.set(day, facts);
  }
}

const numbers = new Map<string, number>();

/** Metrics that scores also read for days earlier than the previous one. */
const historyDaysByMetric = new Map([
  ...scoreHistories.map((id): [number, number] => [numberOf(id), normDays]),
  [numberOf('heart_rate_max'), observedDays],
]);

function numberOf(metricId: string): number {
  let no = numbers.get(metricId);
  if (no === undefined) numbers.set(metricId, (no = findMetric(metricId)!.no));
  return no;
}
