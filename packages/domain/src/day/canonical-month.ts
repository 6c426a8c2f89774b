import type { Metric } from '../catalog/metric.ts';
import { ByteReader, ByteWriter } from '../samples/bytes.ts';
import { fromMicros } from '../samples/micros.ts';
import { roundTo } from '../units.ts';

/** The answer for one metric and day: the value in millionths of its unit, and whose it is. */
export interface CanonicalValue {
  micros: number;
  /** The number of the device that supplied it; 0 when it was derived from other answers. */
  source: number;
  /** All devices that had a part in it, where more than one had. */
  contributors: readonly number[];
}

/** The answers for one metric and calendar month, by day of the month; a missing one is null. */
export type CanonicalMonth = (CanonicalValue | null)[];

const version = 1;

export function emptyMonth(daysInMonth: number): CanonicalMonth {
  return Array.from({ length: daysInMonth }, () => null);
}

export function sameValue(a: CanonicalValue | null, b: CanonicalValue | null): boolean {
  if (a === null || b === null) return a === b;
  return (
    a.micros === b.micros &&
    a.source === b.source &&
    a.contributors.length === b.contributors.length &&
    a.contributors.every((device, at) => device === b.contributors[at])
  );
}

/** What reads answer from in metric units: numbers as they are printed, and `null`, with commas between. */
export function printMonth(month: CanonicalMonth, metric: Metric): string {
  return month
    .map((value) => (value ? String(roundTo(fromMicros(value.micros), metric.precision)) : 'null'))
    .join(',');
}

/** Version, days of the month, a bit for each day that has a value; then value, source and contributors of each. */
export function encodeMonth(month: CanonicalMonth): Uint8Array {
  const out = new ByteWriter();
  out.byte(version);
  out.byte(month.length);
  let present = 0;
  month.forEach((value, at) => (present += value ? 2 ** at : 0));
  out.varint(present);
  for (const value of month) {
    if (!value) continue;
    out.signed(value.micros);
    out.varint(value.source);
    out.varint(value.contributors.length);
    for (const device of value.contributors) out.varint(device);
  }
  return out.finish();
}

export function decodeMonth(bytes: Uint8Array): CanonicalMonth {
  const { input, days } = openMonth(bytes);
  const month = emptyMonth(days);
  for (let present = input.varint(), at = 0; present > 0; present = Math.floor(present / 2), at += 1) {
    if (present % 2 === 0) continue;
    const micros = input.signed();
    const source = input.varint();
    const contributors = Array.from({ length: input.varint() }, () => input.varint());
    month[at] = { micros, source, contributors };
  }
  return month;
}

/** Shows each value of a month with its place, for those who look at many months and keep none. */
export function visitMonth(
  bytes: Uint8Array,
  visit: (index: number, micros: number, source: number) => void,
): void {
  const { input } = openMonth(bytes);
  for (let present = input.varint(), at = 0; present > 0; present = Math.floor(present / 2), at += 1) {
    if (present % 2 === 0) continue;
    visit(at, input.signed(), input.varint());
    for (let left = input.varint(); left > 0; left -= 1) input.varint();
  }
}

function openMonth(bytes: Uint8Array): { input: ByteReader; days: number } {
  const input = new ByteReader(bytes);
  const found = input.byte();
  if (found !== version) throw new Error(`a month of version ${found} cannot be read`);
  return { input, days: input.byte() };
}
