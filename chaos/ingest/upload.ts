import type { BatchWire } from '@tributary/contract';

export type DeviceKind = 'watch' | 'phone';

/** One upload as it goes over the wire, and what has to become of it. */
export interface Upload {
  /** The number of the user. */
  userAt: number;
  device: DeviceKind;
  batchId: string;
  body: BatchWire;
  /** Values in it, those included that must be refused. */
  valueCount: number;
  /** Values that the receipt must count as refused. */
  refusedCount: number;
}

/** What a phone does next. */
export interface Step {
  upload: Upload;
  /** Once; again after the acknowledgement; or at the same time on both nodes. */
  how: 'once' | 'again' | 'at_once';
  /** Whether it is given up when nobody knows whether it arrived. */
  abandons: boolean;
  /** Whether the id is used for another body afterwards, which has to be refused. */
  misuses: boolean;
}
