/** What kind of thing measured, in the columns of the table of ranks; `other` is for everything else. */
export const deviceKinds = [
  'ring',
  'watch',
  'band',
  'chest_strap',
  'headband',
  'bed_sensor',
  'scale',
  'cgm',
  'meter',
  'bike_computer',
  'phone',
  'food_app',
  'manual',
  'other',
] as const;
export type DeviceKind = (typeof deviceKinds)[number];

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
