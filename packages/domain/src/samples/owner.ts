/**
 * The batch that a value came with. If a device has two readings of a metric with the same start, the one whose batch was created later
 * wins, then the one with the greater batch ID, regardless of the order of arrival.
 */
export interface Owner {
  createdMs: number;
  /** The 16 bytes of the batch's UUID. */
  batchId: Uint8Array;
  /** The source's offset from UTC, stored for provenance. Null if the source reported none. */
  utcOffsetMinutes: number | null;
  /** The original unit of the value. See `unitCodeOf`. */
  unitCode: number;
}

/** Positive if `a` wins over `b`, zero for readings of the same batch. */
export function compareStamps(a: Owner, b: Owner): number {
  return a.createdMs - b.createdMs || compareBytes(a.batchId, b.batchId);
}

/** The order in which owners are written, so that equal content has equal bytes. */
export function compareOwners(a: Owner, b: Owner): number {
  return (
    compareStamps(a, b) ||
    (a.utcOffsetMinutes ?? -10_000) - (b.utcOffsetMinutes ?? -10_000) ||
    a.unitCode - b.unitCode
  );
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  for (let at = 0; at < 16; at += 1) {
    const difference = a[at]! - b[at]!;
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Parses the text form of a UUID. Its bytes sort like the lowercase text. */
export function uuidBytes(uuid: string): Uint8Array {
  const bytes = new Uint8Array(16);
  let at = 0;
  for (let position = 0; at < 16; position += 2) {
    if (uuid.charCodeAt(position) === 0x2d) position += 1;
    bytes[at++] = Number.parseInt(uuid.slice(position, position + 2), 16);
  }
  return bytes;
}

export function uuidText(bytes: Uint8Array): string {
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
