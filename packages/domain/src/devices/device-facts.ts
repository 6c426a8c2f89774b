import type { DeviceKind } from '@tributary/contract';

/** Facts about a device that consolidation uses. */
export interface DeviceFacts {
  readonly deviceNo: number;
  /** The device's own ID, which stays the same across reconnects and rebuilds. */
  readonly stableId: string;
  readonly provider: string;
  /** Whether the data came through the Mobile SDK. */
  readonly onDevice: boolean;
  readonly kind: DeviceKind;
  readonly connectedAtMs: number;
}
