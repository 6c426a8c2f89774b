import type { Metric } from '../catalog/metric.ts';
import { ByteReader, ByteWriter } from '../samples/bytes.ts';
import { fromMicros } from '../samples/micros.ts';
import { roundTo } from '../units.ts';

/** The canonical value of one metric and day, in millionths of its unit. */
export interface CanonicalValue {
  micros: number;
  /** The number of the source device. 0 if the value was derived from other canonical values. */
  source: number;
  /** All contributing devices, if there are several. */
  contributors: readonly number[];
}

/** The canonical values of one metric and calendar month, by day of the month. Null for a day without a value. */
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

/** The text that reads in metric units return: printed numbers and `null`, separated by commas. */
export function printMonth(month: CanonicalMonth, metric: Metric): string {
  return month
    .map((value) => (value ? String(roundTo(fromMicros(value.micros), metric.precision)) : 'null'))
    .join(',');
}

/** Version, number of days and a bit per day with a value, followed by the value, source and contributors of each. */
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

/** Passes each value to `visit` without decoding the month into objects, for callers that scan many months. */
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
  const storedVersion = input.byte();
  if (storedVersion !== version) throw new Error(`unsupported month version ${storedVersion}`);
  return { input, days: input.byte() };
}
