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
  const existing = same.find(({ removedMs }) => removedMs === null);
  if (!existing) {
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
  const { kind: kindBefore, connectedAtMs: connectedBefore } = existing;
  const later =
    batch.createdMs > existing.describedMs ||
    (batch.createdMs === existing.describedMs && batch.batchId > existing.describedBy);
  if (later) Object.assign(existing, described);
  existing.connectedAtMs = Math.min(existing.connectedAtMs, batch.createdMs);
  if (existing.kind !== kindBefore || existing.connectedAtMs !== connectedBefore) {
    state.ranksChanged ||= state.devices.length > 1;
  }
  if (later && existing.change !== 'new') existing.change = 'described';
  existing.change ??= 'heard';
  return existing;
}
