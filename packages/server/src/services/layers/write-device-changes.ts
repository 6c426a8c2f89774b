import type { Queryable } from '../../store/database/database.ts';
import { writeDevices, type DeviceChange } from '../../store/devices/devices.ts';
import type { UserState } from './user-state.ts';

/** Writes the devices that sent data. */
export async function writeDeviceChanges(tx: Queryable, states: readonly UserState[]): Promise<void> {
  const inserted: DeviceChange[] = [];
  const updated: DeviceChange[] = [];
  for (const { user, devices } of states) {
    for (const device of devices) {
      if (device.change === null) continue;
      const change = { ...device, userId: user.userId, described: device.change === 'described' };
      (device.change === 'new' ? inserted : updated).push(change);
    }
  }
  await writeDevices(tx, { inserted, heard: updated });
}
