import { dateOf, fieldsOf, mapped, numberOf, offsetOfSeconds, type Fields } from '../mapping/read.ts';
import type { Documents } from '../provider.ts';

/** One summary of a push. All times are UTC seconds, with the watch's offset next to them. */
export type Row = Fields;

export const msOf = (value: unknown): number | null => mapped(numberOf(value), (seconds) => seconds * 1000);

/** When a summary begins. */
export const startOf = (row: Row): number | null => msOf(row['startTimeInSeconds']);

export const offsetOfRow = (row: Row): string | null => offsetOfSeconds(row['startTimeOffsetInSeconds']);

export const calendarDateOf = (row: Row): string | null => dateOf(row['calendarDate']);

/** A known level. All of Garmin's scales begin above zero, and lower values are codes for missing values. */
export const levelOf = (value: unknown): number | null =>
  mapped(numberOf(value), (level) => (level >= 1 ? level : null));

/** Samples of a `timeOffset…` map, whose keys are seconds from the start of the summary. */
export function samplesOf(row: Row, name: string): [atMs: number, value: number | null][] {
  const startMs = startOf(row);
  if (startMs === null) return [];
  return Object.entries(fieldsOf(row[name])).flatMap(([key, value]): [number, number | null][] => {
    const offsetMs = msOf(key);
    return offsetMs === null ? [] : [[startMs + offsetMs, levelOf(value)]];
  });
}

/** The mean of samples, or null without any. */
export function meanOf(samples: readonly (readonly [number, number | null])[]): number | null {
  const known = samples.flatMap(([, value]) => value ?? []);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}

/**
 * Of several rows with the same key, the most complete one, or the last of equals. Garmin sends the same day or night repeatedly under different ids.
 * Rows without a key are left out.
 */
export function latestRows(
  documents: Documents,
  keyOf: (row: Row) => string | null,
  knows: (row: Row) => number = () => 0,
): Row[] {
  const latestByKey = new Map<string, Row>();
  for (const row of documents.map(fieldsOf)) {
    const key = keyOf(row);
    if (key === null) continue;
    const before = latestByKey.get(key);
    if (!before || knows(row) >= knows(before)) latestByKey.set(key, row);
  }
  return [...latestByKey.values()];
}
