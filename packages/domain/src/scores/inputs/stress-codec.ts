import { ByteReader, ByteWriter } from '../../samples/bytes.ts';
import type { Points } from '../../samples/points.ts';
import { microsPerUnit } from '../../samples/micros.ts';
import { epochMs } from './day-facts.ts';

const version = 1;

/** Version and number of epochs, followed by the distance of each to the previous one in slots, and its stress in tenths. */
export function encodeStress(epochs: readonly { slot: number; tenths: number }[]): Uint8Array {
  const out = new ByteWriter();
  out.byte(version);
  out.varint(epochs.length);
  let before = 0;
  for (const { slot, tenths } of epochs) {
    out.varint(slot - before);
    out.varint(tenths);
    before = slot;
  }
  return out.finish();
}

/** The stress of a day as samples, each at the start of its epoch. */
export function decodeStress(bytes: Uint8Array, dayStartMs: number): Points {
  const input = new ByteReader(bytes);
  const storedVersion = input.byte();
  if (storedVersion !== version) throw new Error(`unsupported stress version ${storedVersion}`);
  const points: Points = { timesMs: [], micros: [], unitCodes: null, devices: null };
  let slot = 0;
  for (let left = input.varint(); left > 0; left -= 1) {
    slot += input.varint();
    points.timesMs.push(dayStartMs + slot * epochMs);
    points.micros.push((input.varint() * microsPerUnit) / 10);
  }
  return points;
}
