import type { BatchWire } from '@tributary/contract';

export type DeviceKind = 'watch' | 'phone';

/** One upload as sent, and the expected outcome. */
export interface Upload {
  /** The number of the user. */
  userAt: number;
  device: DeviceKind;
  batchId: string;
  body: BatchWire;
  /** Number of values in it, including those that must be rejected. */
  valueCount: number;
  /** Number of values that the receipt must count as rejected. */
  refusedCount: number;
}

/** What a phone does next. */
export interface Step {
  upload: Upload;
  /** Sends the upload once, repeats it after the acknowledgement, or sends it to both nodes at the same time. */
  how: 'once' | 'again' | 'at_once';
  /** Whether the phone abandons it when it does not learn the outcome. */
  abandons: boolean;
  /** Whether the phone reuses the id for another body afterwards, which must be rejected. */
  misuses: boolean;
}
