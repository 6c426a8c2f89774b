import { onDeviceProviders } from '@tributary/contract';
import type { ReadBatch } from '@tributary/domain';
import type { Device, UserState } from './user-state.ts';

const phoneStores: readonly string[] = onDeviceProviders;

/**
 * Finds the device of a batch, or creates it. Its latest batch describes a device, and its earliest batch sets when it was connected, regardless of
 * the order of arrival. Returns null if the device was removed after the batch arrived.
 */
export function resolveDevice(
  state: UserState,
  batch: { read: ReadBatch; batchId: string; createdMs: number; receivedMs: number },
  newId: () => string,
): Device | null {
  const { provider, id: stableId, kind, model = null, name = null } = batch.read.device;
  const same = state.devices.filter((device) => device.provider === provider && device.stableId === stableId);
  if (same.some(({ removedMs }) => removedMs !== null && batch.receivedMs <= removedMs)) return null;
  const described = { kind, model, name, describedMs: batch.createdMs, describedBy: batch.batchId };
  const found = same.find(({ removedMs }) => removedMs === null);
  if (!found) {
    const device: Device = {
      deviceNo: Math.max(0, ...state.devices.map(({ deviceNo }) => deviceNo)) + 1,
      id: newId(),
      provider,
      stableId,
      onDevice: phoneStores.includes(provider),
      connectedAtMs: batch.createdMs,
      removedMs: null,
      change: 'new',
      ...described,
    };
    state.devices.push(device);
    return device;
  }
  const { kind: kindBefore, connectedAtMs: connectedBefore } = found;
  const later =
    batch.createdMs > found.describedMs ||
    (batch.createdMs === found.describedMs && batch.batchId > found.describedBy);
  if (later) Object.assign(found, described);
  found.connectedAtMs = Math.min(found.connectedAtMs, batch.createdMs);
  if (found.kind !== kindBefore || found.connectedAtMs !== connectedBefore) {
    state.ranksChanged ||= state.devices.length > 1;
  }
  if (later && found.change !== 'new') found.change = 'described';
  found.change ??= 'heard';
  return found;
}
