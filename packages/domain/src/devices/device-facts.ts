import type { DeviceKind } from '@tributary/contract';

/** What consolidation needs to know about a device. */
export interface DeviceFacts {
  readonly deviceNo: number;
  /** The device's own id, the same after every connection and rebuild. */
  readonly stableId: string;
  readonly provider: string;
  /** Whether the data came through the Mobile SDK. */
  readonly onDevice: boolean;
  readonly kind: DeviceKind;
  readonly connectedAtMs: number;
}
