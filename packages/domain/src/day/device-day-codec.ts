import { metricOf } from '../catalog/catalog.ts';
import { measuredAtOnceWith } from '../catalog/measurements.ts';
import { dayMs } from '../durations.ts';
import { ByteReader, ByteWriter } from '../samples/bytes.ts';
import { chunkMs } from '../samples/chunk.ts';
import { readOwners, writeOwners } from '../samples/owner-codec.ts';
import { compareOwners, type Owner } from '../samples/owner.ts';
import type { Partial, SpotReading } from '../samples/partial-summary.ts';
import { companionsOf } from './companions.ts';
import { emptyDeviceDay, type DeviceDay } from './device-day.ts';

/**
 * The layout of a device's day: owners of reported totals, totals, parts from samples and values from sessions, each sorted by metric. A
 * part contains only the fields that its metric needs. Equal content has equal bytes. Version 1 did not store the unit of samples, version 2
 * not how much of the day the device observed, and version 3 not the single readings of metrics that are measured at once.
 */
const version = 4;
const readableVersions: ReadonlySet<number> = new Set([1, 2, 3, version]);

export function encodeDeviceDay(content: DeviceDay, day: number): Uint8Array {
  const out = new ByteWriter();
  out.byte(version);
  const reported = inOrder(content.reported);
  const owners = distinctOwners(reported.map(([, { owner }]) => owner));
  writeOwners(out, owners, day * dayMs);
  writeEntries(out, reported, ({ micros, owner }) => {
    out.signed(micros);
    out.varint(owners.findIndex((other) => compareOwners(other, owner) === 0));
  });
  writeEntries(out, inOrder(content.sampled), (parts, metricNo) => {
    const fields = fieldsOf(metricNo);
    out.varint(parts.size);
    for (const [chunk, part] of inOrder(parts)) {
      out.varint(chunk - firstChunk(day, version));
      out.varint(part.unitCode);
      // Observed time has full precision only in counts. One more, because 0 means unknown.
      out.varint(part.observedMs === null ? 0 : part.observedMs + 1);
      writePart(out, part, fields, day);
      if (measuredAtOnceWith(metricNo)) writeReadings(out, part.readings, day);
    }
  });
  writeEntries(out, inOrder(content.fromSessions), (micros) => out.signed(micros));
  return out.finish();
}

/** Throws if this version cannot decode the bytes. */
export function decodeDeviceDay(bytes: Uint8Array, day: number): DeviceDay {
  const input = new ByteReader(bytes);
  const storedVersion = input.byte();
  if (!readableVersions.has(storedVersion))
    throw new Error(`unsupported device day version ${storedVersion}`);
  const owners = readOwners(input, day * dayMs);
  const content = emptyDeviceDay();
  readEntries(input, (metricNo) => {
    content.reported.set(metricNo, { micros: input.signed(), owner: owners[input.varint()]! });
  });
  readEntries(input, (metricNo) => {
    const fields = fieldsOf(metricNo);
    const parts = new Map<number, Partial>();
    for (let left = input.varint(); left > 0; left -= 1) {
      const chunk = input.varint() + firstChunk(day, storedVersion);
      const unitCode = storedVersion === 1 ? 0 : input.varint();
      const observedMs = storedVersion < 3 ? null : readObserved(input);
      const part = { ...readPart(input, fields, day, storedVersion), unitCode, observedMs };
      const readings = !measuredAtOnceWith(metricNo)
        ? null
        : storedVersion < 4
          ? readingOf(part, fields)
          : readReadings(input, day);
      parts.set(chunk, { ...part, readings });
    }
    content.sampled.set(metricNo, parts);
  });
  readEntries(input, (metricNo) => content.fromSessions.set(metricNo, input.signed()));
  return content;
}

/** No local day begins more than a day before its date begins in UTC, and no reading is longer than two days. */
function firstChunk(day: number, storedVersion: number): number {
  return ((day - (storedVersion < 3 ? 1 : 4)) * dayMs) / chunkMs;
}

function readObserved(input: ByteReader): number | null {
  const stored = input.varint();
  return stored === 0 ? null : stored - 1;
}

/** Writes the number of readings plus one, because 0 means unknown, and each reading. */
function writeReadings(out: ByteWriter, readings: readonly SpotReading[] | null, day: number): void {
  out.varint(readings === null ? 0 : readings.length + 1);
  for (const { timeMs, micros, unitCode } of readings ?? []) {
    out.signed(timeMs - day * dayMs);
    out.signed(micros);
    out.varint(unitCode);
  }
}

function readReadings(input: ByteReader, day: number): SpotReading[] | null {
  const stored = input.varint();
  if (stored === 0) return null;
  return Array.from({ length: stored - 1 }, () => ({
    timeMs: input.signed() + day * dayMs,
    micros: input.signed(),
    unitCode: input.varint(),
  }));
}

/** What earlier versions stored of the readings: the latest one, or only their mean. */
function readingOf(part: Omit<Partial, 'readings'>, fields: readonly Field[]): SpotReading[] | null {
  const { lastMs, last, unitCode } = part;
  return fields.includes('last') ? [{ timeMs: lastMs, micros: last, unitCode }] : null;
}

type Field = 'sum' | 'mean' | 'range' | 'last';

const fieldsByMetric = new Map<number, readonly Field[]>();

function fieldsOf(metricNo: number): readonly Field[] {
  let fields = fieldsByMetric.get(metricNo);
  if (!fields) {
    const { id, aggregation } = metricOf(metricNo);
    const main = { sum: 'sum', avg: 'mean', min: 'range', max: 'range', last: 'last' } as const;
    fields = companionsOf(id).length > 0 ? [main[aggregation], 'range'] : [main[aggregation]];
    fieldsByMetric.set(metricNo, fields);
  }
  return fields;
}

function writePart(out: ByteWriter, part: Partial, fields: readonly Field[], day: number): void {
  out.varint(part.count);
  for (const field of fields) {
    if (field === 'sum') {
      out.signed(part.sum);
      out.signed(part.untilMs - day * dayMs);
    } else if (field === 'mean') {
      out.varint(part.coveredMs);
      out.float(part.weighted);
    } else if (field === 'range') {
      out.float(part.min);
      out.float(part.max);
    } else {
      out.signed(part.lastMs - day * dayMs);
      out.signed(part.last);
    }
  }
}

function readPart(
  input: ByteReader,
  fields: readonly Field[],
  day: number,
  storedVersion: number,
): Omit<Partial, 'unitCode' | 'observedMs' | 'readings'> {
  const part = {
    count: input.varint(),
    sum: 0,
    untilMs: 0,
    coveredMs: 0,
    weighted: 0,
    min: 0,
    max: 0,
    lastMs: 0,
    last: 0,
  };
  for (const field of fields) {
    if (field === 'sum') {
      part.sum = input.signed();
      if (storedVersion >= 3) part.untilMs = input.signed() + day * dayMs;
    } else if (field === 'mean') {
      part.coveredMs = input.varint();
      part.weighted = input.float();
    } else if (field === 'range') {
      part.min = input.float();
      part.max = input.float();
    } else {
      part.lastMs = input.signed() + day * dayMs;
      part.last = input.signed();
    }
  }
  return part;
}

function inOrder<Value>(entries: Map<number, Value>): [number, Value][] {
  return [...entries].sort(([a], [b]) => a - b);
}

function distinctOwners(owners: readonly Owner[]): Owner[] {
  const sorted = owners.toSorted(compareOwners);
  return sorted.filter((owner, at) => at === 0 || compareOwners(owner, sorted[at - 1]!) !== 0);
}

function writeEntries<Value>(
  out: ByteWriter,
  entries: [number, Value][],
  write: (value: Value, metricNo: number) => void,
): void {
  out.varint(entries.length);
  let before = 0;
  for (const [metricNo, value] of entries) {
    out.varint(metricNo - before);
    before = metricNo;
    write(value, metricNo);
  }
}

function readEntries(input: ByteReader, read: (metricNo: number) => void): void {
  let metricNo = 0;
  for (let left = input.varint(); left > 0; left -= 1) {
    metricNo += input.varint();
    read(metricNo);
  }
}
