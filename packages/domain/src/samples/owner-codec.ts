import type { ByteReader, ByteWriter } from './bytes.ts';
import type { Owner } from './owner.ts';

const minutesADay = 1440;

/** A count, then for each owner its creation time relative to a nearby instant, batch ID, offset + 1 day or 0, and unit. */
export function writeOwners(out: ByteWriter, owners: readonly Owner[], nearMs: number): void {
  out.varint(owners.length);
  for (const owner of owners) {
    out.signed(owner.createdMs - nearMs);
    out.raw(owner.batchId);
    out.varint(owner.utcOffsetMinutes === null ? 0 : owner.utcOffsetMinutes + minutesADay);
    out.varint(owner.unitCode);
  }
}

export function readOwners(input: ByteReader, nearMs: number): Owner[] {
  const owners: Owner[] = [];
  for (let left = input.varint(); left > 0; left -= 1) {
    const createdMs = input.signed() + nearMs;
    const batchId = input.raw(16);
    const offset = input.varint();
    const utcOffsetMinutes = offset === 0 ? null : offset - minutesADay;
    owners.push({ createdMs, batchId, utcOffsetMinutes, unitCode: input.varint() });
  }
  return owners;
}
