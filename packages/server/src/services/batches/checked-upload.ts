import type { BatchList, BatchWire } from '@tributary/contract';

/** An upload whose body is valid. */
export interface CheckedUpload {
  /** The body without its lists. */
  head: Omit<BatchWire, BatchList>;
  values: number;
  /** The number of different UTC days on which items start. */
  days: number;
  /** SHA-256 of the body. */
  digest: Buffer;
  /** The body, compressed for storage. */
  payload: Buffer;
}
