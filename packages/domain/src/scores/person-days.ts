import { findMetric } from '../catalog/catalog.ts';
import { visitMonth } from '../day/canonical-month.ts';
import { firstDayOf } from '../day/month.ts';
import type { DayNumber, DayRange } from '../days.ts';
import { observedDays } from '../people/max-heart-rate.ts';
import { fromMicros } from '../samples/micros.ts';
import type { Span } from '../spans.ts';
import { decodeFacts } from './day-facts-codec.ts';
import type { DayFacts } from './day-facts.ts';
import type { EpochNorms } from './epoch-norms.ts';
import { normDays, scoreHistories } from './score-metrics.ts';
import type { Sex } from './score.ts';

/** What scores know of a person besides what was measured. */
export interface Person {
  readonly birthDay: DayNumber | null;
  readonly sex: Sex;
  readonly weightKg: number | null;
  readonly maxHeartRate: number | null;
  readonly timezone: string;
}

export interface SleepSpan extends Span {
  readonly isMain: boolean;
}

/** One metric over days in a row. */
interface MetricDays {
  readonly firstDay: DayNumber;
  /** NaN for a day without a value. */
  readonly values: Float64Array;
  /** Whose each value is; 0 for none in particular. */
  readonly sources: Uint16Array;
}

/**
 * The days of a person as scores look at them: daily answers, what samples gave, and sleep. Values that follow from a score are put back
 * with `set`, so that later days find them.
 */
export class PersonDays {
  readonly person: Person;
  readonly #range: DayRange;
  readonly facts = new FactsByDay();
  /** What was usual before each day, as far as it is known; see `epochNormsOn`. */
  readonly norms = new Map<DayNumber, EpochNorms>();
  /** By the day they end on. */
  readonly sleep = new Map<DayNumber, SleepSpan[]>();
  readonly #metrics = new Map<number, MetricDays>();

  /** For the scores of these days, and what they look back at. */
  constructor(person: Person, range: DayRange) {
    this.person = person;
    this.#range = range;
  }

  /** A value of a day; null when there is none. */
  valueOf(metricId: string, day: DayNumber): number | null {
    const column = this.#metrics.get(numberOf(metricId));
    const value = column?.values[day - column.firstDay];
    return value === undefined || Number.isNaN(value) ? null : value;
  }

  /** The number of the device that supplied a value; 0 for none in particular. */
  sourceOf(metricId: string, day: DayNumber): number {
    const column = this.#metrics.get(numberOf(metricId));
    return column?.sources[day - column.firstDay] ?? 0;
  }

  /** The values of the days before `day`, oldest first, null for a day without one. */
  before(metricId: string, day: DayNumber, days: number): (number | null)[] {
    const column = this.#metrics.get(numberOf(metricId));
    const history: (number | null)[] = [];
    for (let at = day - days; at < day; at += 1) {
      const value = column?.values[at - column.firstDay];
      history.push(value === undefined || Number.isNaN(value) ? null : value);
    }
    return history;
  }

  /** How many of the days before `day` have a value. */
  countBefore(metricId: string, day: DayNumber, days: number): number {
    let count = 0;
    for (let at = day - days; at < day; at += 1) if (this.valueOf(metricId, at) !== null) count += 1;
    return count;
  }

  /** The latest value of the days up to `day`, the day itself included. */
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

  /** Takes over a stored month of a metric. */
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
      const firstDay = from - (lookBackDays.get(metricNo) ?? 1);
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

/** Facts of days, unpacked only when somebody looks at them. */
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

/** Metrics that are looked at on more than the day itself and the one before. */
const lookBackDays = new Map([
  ...scoreHistories.map((id): [number, number] => [numberOf(id), normDays]),
  [numberOf('heart_rate_max'), observedDays],
]);

function numberOf(metricId: string): number {
  let no = numbers.get(metricId);
  if (no === undefined) numbers.set(metricId, (no = findMetric(metricId)!.no));
  return no;
}
