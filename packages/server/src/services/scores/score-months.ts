import {
  decodeMonth,
  emptyMonth,
  encodeMonth,
  findMetric,
  metricOf,
  placeInMonth,
  printMonth,
  scoreMetrics,
  toMicros,
  visitMonth,
  type CanonicalMonth,
  type DayNumber,
} from '@tributary/domain';
import type { MonthKey } from '../../store/layers/reads.ts';

const scoreNumbers = new Map(scoreMetrics.map((id) => [id, findMetric(id)!.no]));
const isScore = new Set(scoreNumbers.values());

interface Entry {
  metricNo: number;
  month: number;
  /** The encoded content, used until something in it changes. */
  packed: Buffer | null;
  content: CanonicalMonth | null;
}

/** The canonical values of scores, by month. */
export class ScoreMonths {
  readonly #months = new Map<string, Entry>();

  constructor(stored: readonly { metricNo: number; month: number; content: Buffer }[], firstMonth: number) {
    for (const { metricNo, month, content: packed } of stored)
      if (isScore.has(metricNo) && month >= firstMonth)
        this.#months.set(`${metricNo}/${month}`, { metricNo, month, packed, content: null });
  }

  /** Sets a value. Returns false if it is already set. */
  set(metricId: string, day: DayNumber, value: number | null): boolean {
    const metricNo = scoreNumbers.get(metricId)!;
    const { month, index, daysInMonth } = placeInMonth(day);
    const key = `${metricNo}/${month}`;
    const micros = value === null ? null : toMicros(value);
    let entry = this.#months.get(key);
    if ((entry ? microsAt(entry, index) : null) === micros) return false;
    if (!entry) this.#months.set(key, (entry = { metricNo, month, packed: null, content: null }));
    entry.content ??= entry.packed ? decodeMonth(entry.packed) : emptyMonth(daysInMonth);
    entry.content[index] = micros === null ? null : { micros, source: 0, contributors: [] };
    return true;
  }

  /** The months to write. */
  changed(userId: string): (MonthKey & { printed: string; detail: Uint8Array | null })[] {
    return [...this.#months.values()].flatMap(({ metricNo, month, content }) => {
      if (!content) return [];
      const empty = content.every((value) => value === null);
      const printed = empty ? '' : printMonth(content, metricOf(metricNo));
      return [{ userId, metricNo, month, printed, detail: empty ? null : encodeMonth(content) }];
    });
  }
}

function microsAt({ packed, content }: Entry, index: number): number | null {
  if (content) return content[index]?.micros ?? null;
  let value: number | null = null;
  if (packed) visitMonth(packed, (at, micros) => at === index && (value = micros));
  return value;
}
