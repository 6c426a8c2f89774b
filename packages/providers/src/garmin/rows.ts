import { dateOf, fieldsOf, mapped, numberOf, offsetOfSeconds, type Fields } from '../mapping/read.ts';
import type { Documents } from '../provider.ts';

/** One summary of a push; all times are seconds of UTC, with the offset of the watch beside them. */
export type Row = Fields;

export const msOf = (value: unknown): number | null => mapped(numberOf(value), (seconds) => seconds * 1000);

/** When a summary begins. */
export const startOf = (row: Row): number | null => msOf(row['startTimeInSeconds']);

export const offsetOfRow = (row: Row): string | null => offsetOfSeconds(row['startTimeOffsetInSeconds']);

export const calendarDateOf = (row: Row): string | null => dateOf(row['calendarDate']);

/** A level that is known: every scale of Garmin begins above zero, and what is below says why there is none. */
export const levelOf = (value: unknown): number | null =>
  mapped(numberOf(value), (level) => (level >= 1 ? level : null));

/** Samples of a `timeOffset…` map, which has seconds from the start of the summary as keys. */
export function samplesOf(row: Row, name: string): [atMs: number, value: number | null][] {
  const startMs = startOf(row);
  if (startMs === null) return [];
  return Object.entries(fieldsOf(row[name])).flatMap(([key, value]): [number, number | null][] => {
    const offsetMs = msOf(key);
    return offsetMs === null ? [] : [[startMs + offsetMs, levelOf(value)]];
  });
}

/** The mean of samples; null when there are none. */
export function meanOf(samples: readonly (readonly [number, number | null])[]): number | null {
  const known = samples.flatMap(([, value]) => value ?? []);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}

/**
 * Of rows about the same thing, the one that knows most, and of equals the last: Garmin sends the same day or night again and again, under
 * other ids. Rows without a key are left out.
 */
export function latestRows(
  documents: Documents,
  keyOf: (row: Row) => string | null,
  knows: (row: Row) => number = () => 0,
): Row[] {
  const kept = new Map<string, Row>();
  for (const row of documents.map(fieldsOf)) {
    const key = keyOf(row);
    if (key === null) continue;
    const before = kept.get(key);
    if (!before || knows(row) >= knows(before)) kept.set(key, row);
  }
  return [...kept.values()];
}
