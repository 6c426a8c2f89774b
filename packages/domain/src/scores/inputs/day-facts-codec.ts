import { ByteReader, ByteWriter } from '../../samples/bytes.ts';
import { uuidBytes, uuidText } from '../../samples/owner.ts';
import type { ObservedFacts } from '../daily/observed-facts.ts';
import type { DayFacts, Epoch, HeartRateMinutes, HrvKind, WorkoutFacts } from './day-facts.ts';

const version = 2;
/** The previous version, in which workouts always count in full. */
const withoutShares = 1;
const kinds: readonly (HrvKind | null)[] = [null, 'rmssd', 'sdnn'];

/**
 * Version, covered minutes, heart rates, workouts and epochs. Each list is preceded by its length. What was observed besides follows, where
 * releases that do not know it stop reading.
 */
export function encodeFacts(facts: DayFacts): Uint8Array {
  const out = new ByteWriter();
  out.byte(version);
  out.float(facts.coveredMinutes);
  writeMinutes(out, facts.awake);
  out.varint(facts.workouts.length);
  for (const { id, minutes, share, heartRate, zoneMinutes, rpe } of facts.workouts) {
    out.raw(uuidBytes(id));
    out.float(minutes);
    out.float(share ?? 1);
    writeMinutes(out, heartRate);
    out.byte(zoneMinutes.length);
    for (const zone of zoneMinutes) out.float(zone);
    out.float(rpe ?? -1);
  }
  out.byte(kinds.indexOf(facts.hrvKind));
  out.varint(facts.epochs.length);
  let before = 0;
  for (const { slot, bpm, hrv } of facts.epochs) {
    out.varint(slot - before);
    before = slot;
    out.varint(Math.round(bpm * 10));
    out.varint(hrv === null ? 0 : Math.round(hrv * 10) + 1);
  }
  if (facts.observed) writeObserved(out, facts.observed);
  return out.finish();
}

export function decodeFacts(bytes: Uint8Array): DayFacts {
  const input = new ByteReader(bytes);
  const storedVersion = input.byte();
  if (storedVersion !== version && storedVersion !== withoutShares)
    throw new Error(`unsupported day facts version ${storedVersion}`);
  const coveredMinutes = input.float();
  const awake = readMinutes(input);
  const workouts = Array.from({ length: input.varint() }, (): WorkoutFacts => {
    const id = uuidText(input.raw(16));
    const minutes = input.float();
    const share = storedVersion === withoutShares ? 1 : input.float();
    const heartRate = readMinutes(input);
    const zoneMinutes = Array.from({ length: input.byte() }, () => input.float());
    const rpe = input.float();
    const facts = { id, minutes, heartRate, zoneMinutes, rpe: rpe < 0 ? null : rpe };
    return share === 1 ? facts : { ...facts, share };
  });
  const hrvKind = kinds[input.byte()] ?? null;
  let slot = 0;
  const epochs = Array.from({ length: input.varint() }, (): Epoch => {
    slot += input.varint();
    const bpm = input.varint() / 10;
    const hrv = input.varint();
    return { slot, bpm, hrv: hrv === 0 ? null : (hrv - 1) / 10 };
  });
  const facts = { coveredMinutes, awake, workouts, hrvKind, epochs };
  return input.done ? facts : { ...facts, observed: readObserved(input) };
}

/** Whole numbers are one larger than the value, and 0 for none. */
function writeObserved(
  out: ByteWriter,
  { stepHours, longestInactivity, heartRateDip, glucose }: ObservedFacts,
) {
  out.varint(stepHours === null ? 0 : stepHours.activeHours + 1);
  out.varint(stepHours?.located ?? 0);
  out.varint(longestInactivity === null ? 0 : longestInactivity + 1);
  out.float(heartRateDip ?? Number.NaN);
  out.varint(glucose?.quarters ?? 0);
  out.float(glucose?.mean ?? 0);
}

function readObserved(input: ByteReader): ObservedFacts {
  const [hours, located, inactivity] = [input.varint(), input.varint(), input.varint()];
  const heartRateDip = input.float();
  const [quarters, mean] = [input.varint(), input.float()];
  return {
    stepHours: hours === 0 ? null : { activeHours: hours - 1, located },
    longestInactivity: inactivity === 0 ? null : inactivity - 1,
    heartRateDip: Number.isNaN(heartRateDip) ? null : heartRateDip,
    glucose: quarters === 0 ? null : { quarters, mean },
  };
}

/** Beats are in tenths. Whole minutes are varints, others are floating-point numbers. */
function writeMinutes(out: ByteWriter, list: HeartRateMinutes): void {
  out.varint(list.length);
  for (const [minutes, bpm] of list) {
    const isWhole = Number.isInteger(minutes);
    out.varint(Math.round(bpm * 10));
    out.byte(isWhole ? 1 : 0);
    if (isWhole) out.varint(minutes);
    else out.float(minutes);
  }
}

function readMinutes(input: ByteReader): [number, number][] {
  return Array.from({ length: input.varint() }, () => {
    const bpm = input.varint() / 10;
    const minutes = input.byte() === 1 ? input.varint() : input.float();
    return [minutes, bpm];
  });
}
