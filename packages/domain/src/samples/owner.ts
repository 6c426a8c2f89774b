/**
 * Who says a value: the batch it came with. Of two readings of one device, metric and start the one whose batch was created later
 * wins, then the greater batch id, whatever the order of arrival.
 */
export interface Owner {
  createdMs: number;
  /** Sixteen bytes of the batch's UUID. */
  batchId: Uint8Array;
  /** The source's offset from UTC, kept for provenance; null when it gave none. */
  utcOffsetMinutes: number | null;
  /** In which unit the value came: see `unitCodeOf`. */
  unitCode: number;
}

/** Positive when `a` wins over `b`; zero for readings of one batch. */
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

/** The bytes of a UUID as text; the order of bytes is the order of the lower-case text. */
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
