import { ByteReader, ByteWriter } from './bytes.ts';
import { chunkMs, type Chunk } from './chunk.ts';
import { microsPerUnit } from './micros.ts';
import { readOwners, writeOwners } from './owner-codec.ts';

/**
 * The layout of a chunk, version 1. Integers are varints.
 *
 *   version, flags (1 milliseconds, 2 durations, 4 deletions, 8 times as runs), decimals of the values, number of readings
 *   owners
 *   runs of owners, times as steps, deleted positions, values as differences at that many decimals, durations as runs
 *
 * Equal content always has equal bytes.
 */
const version = 1;
const inMilliseconds = 1;
const withDurations = 2;
const withDeletions = 4;
const timesAsRuns = 8;

export function encodeChunk(chunk: Chunk, index: number): Uint8Array {
  const { times, values, durations, owners, ownerOf } = chunk;
  const length = times.length;
  const unitMs = isWholeSeconds(times) && (!durations || isWholeSeconds(durations)) ? 1000 : 1;
  const steps = new Int32Array(length);
  for (let at = 0; at < length; at += 1) steps[at] = (times[at]! - (at > 0 ? times[at - 1]! : 0)) / unitMs;
  const asRuns = countRuns(steps) * 2 < length;
  const deleted = positionsOfNaN(values);
  const decimals = decimalsOf(values);

  const out = new ByteWriter();
  out.byte(version);
  out.byte(
    (unitMs === 1 ? inMilliseconds : 0) |
      (durations ? withDurations : 0) |
      (deleted.length > 0 ? withDeletions : 0) |
      (asRuns ? timesAsRuns : 0),
  );
  out.byte(decimals);
  out.varint(length);

  writeOwners(out, owners, index * chunkMs);
  writeRuns(out, ownerOf);
  if (asRuns) writeRuns(out, steps);
  else for (let at = 0; at < length; at += 1) out.varint(steps[at]!);
  if (deleted.length > 0) {
    out.varint(deleted.length);
    let before = 0;
    for (const position of deleted) {
      out.varint(position - before);
      before = position;
    }
  }
  out.differences(scaledValues(values, length - deleted.length, microsPerUnit / 10 ** decimals));
  if (durations)
    writeRuns(
      out,
      durations.map((duration) => duration / unitMs),
    );
  return out.finish();
}

/** Throws if this version cannot decode the bytes. */
export function decodeChunk(bytes: Uint8Array, index: number): Chunk {
  const input = new ByteReader(bytes);
  const storedVersion = input.byte();
  if (storedVersion !== version) throw new Error(`unsupported chunk version ${storedVersion}`);
  const flags = input.byte();
  const unitMs = flags & inMilliseconds ? 1 : 1000;
  const scale = microsPerUnit / 10 ** input.byte();
  const length = input.varint();

  const owners = readOwners(input, index * chunkMs);
  const ownerOf = new Uint16Array(length);
  readRuns(input, ownerOf);

  const times = new Int32Array(length);
  if (flags & timesAsRuns) readRuns(input, times);
  else for (let at = 0; at < length; at += 1) times[at] = input.varint();
  let time = 0;
  for (let at = 0; at < length; at += 1) {
    time += times[at]! * unitMs;
    times[at] = time;
  }

  const values = new Float64Array(length);
  let deletions = 0;
  if (flags & withDeletions) {
    deletions = input.varint();
    let position = 0;
    for (let left = deletions; left > 0; left -= 1) {
      position += input.varint();
      values[position] = Number.NaN;
    }
  }
  const scaled = new Float64Array(length - deletions);
  input.differences(scaled);
  for (let at = 0, next = 0; at < length; at += 1) {
    if (deletions === 0 || !Number.isNaN(values[at]!)) values[at] = scaled[next++]! * scale;
  }
  let durations: Int32Array | null = null;
  if (flags & withDurations) {
    durations = new Int32Array(length);
    readRuns(input, durations);
    for (let at = 0; at < length; at += 1) durations[at] = durations[at]! * unitMs;
  }
  return { times, values, durations, ownerOf, owners };
}

function isWholeSeconds(milliseconds: Int32Array): boolean {
  for (let at = 0; at < milliseconds.length; at += 1) if (milliseconds[at]! % 1000 !== 0) return false;
  return true;
}

function positionsOfNaN(values: Float64Array): number[] {
  const positions: number[] = [];
  for (let at = 0; at < values.length; at += 1) if (Number.isNaN(values[at]!)) positions.push(at);
  return positions;
}

function scaledValues(values: Float64Array, count: number, scale: number): Float64Array {
  const scaled = new Float64Array(count);
  for (let at = 0, next = 0; at < values.length; at += 1) {
    const value = values[at]!;
    if (!Number.isNaN(value)) scaled[next++] = value / scale;
  }
  return scaled;
}

/** The number of decimals that the values use. With none, each heart rate takes one byte. */
function decimalsOf(values: Float64Array): number {
  let decimals = 0;
  let scale = microsPerUnit;
  for (let at = 0; at < values.length && decimals < 6; at += 1) {
    const value = values[at]!;
    if (Number.isNaN(value)) continue;
    while (decimals < 6 && Math.floor(value / scale) * scale !== value) {
      decimals += 1;
      scale /= 10;
    }
  }
  return decimals;
}

type Numbers = Int32Array | Uint16Array;

function countRuns(numbers: Numbers): number {
  let runs = 0;
  for (let at = 0; at < numbers.length; at += 1) if (at === 0 || numbers[at] !== numbers[at - 1]) runs += 1;
  return runs;
}

function writeRuns(out: ByteWriter, numbers: Numbers): void {
  for (let at = 0; at < numbers.length;) {
    let end = at + 1;
    while (end < numbers.length && numbers[end] === numbers[at]) end += 1;
    out.varint(numbers[at]!);
    out.varint(end - at);
    at = end;
  }
}

function readRuns(input: ByteReader, into: Numbers): void {
  for (let at = 0; at < into.length;) {
    const value = input.varint();
    const end = at + input.varint();
    if (end > into.length || end === at) throw new RangeError('a run extends beyond its chunk');
    into.fill(value, at, end);
    at = end;
  }
}
