import type { Queryable } from '../database/database.ts';

/** A device after a batch. */
export interface DeviceChange {
  userId: string;
  deviceNo: number;
  id: string;
  provider: string;
  stableId: string;
  onDevice: boolean;
  kind: string;
  model: string | null;
  name: string | null;
  connectedAtMs: number;
  describedMs: number;
  describedBy: string;
  /** Whether kind, model and name are new. Otherwise only the sync time changes. */
  described: boolean;
}

/** Inserts new devices, and updates the description and the last sync of known ones. */
export async function writeDevices(
  tx: Queryable,
  { inserted, heard: updated }: { inserted: readonly DeviceChange[]; heard: readonly DeviceChange[] },
): Promise<void> {
  const columns = (devices: readonly DeviceChange[]) => [
    devices.map(({ userId }) => userId),
    devices.map(({ deviceNo }) => deviceNo),
    devices.map(({ kind }) => kind),
    devices.map(({ model }) => model),
    devices.map(({ name }) => name),
    devices.map(({ connectedAtMs }) => connectedAtMs),
    devices.map(({ describedMs }) => describedMs),
    devices.map(({ describedBy }) => describedBy),
  ];
  const inserting =
    inserted.length > 0 &&
    tx.query({
      text: `INSERT INTO devices (user_id, device_no, id, provider, stable_id, on_device, kind, model, name, status,
               connected_at, described_at, described_by, last_sync_at)
             SELECT user_id, device_no, id, provider, stable_id, on_device, kind, model, name, 'active',
               to_timestamp(connected_ms / 1000), to_timestamp(described_ms / 1000), described_by, tributary_now()
             FROM unnest($1::uuid[], $2::int2[], $3::text[], $4::text[], $5::text[], $6::float8[], $7::float8[], $8::uuid[],
                         $9::uuid[], $10::text[], $11::text[], $12::bool[])
               AS d (user_id, device_no, kind, model, name, connected_ms, described_ms, described_by, id, provider, stable_id, on_device)`,
      values: [
        ...columns(inserted),
        inserted.map(({ id }) => id),
        inserted.map(({ provider }) => provider),
        inserted.map(({ stableId }) => stableId),
        inserted.map(({ onDevice }) => onDevice),
      ],
    });
  const updating =
    updated.length > 0 &&
    tx.query({
      name: 'devices/heard',
      text: `UPDATE devices d SET last_sync_at = tributary_now(), connected_at = to_timestamp(h.connected_ms / 1000),
               kind = h.kind, described_at = to_timestamp(h.described_ms / 1000), described_by = h.described_by,
               model = CASE WHEN h.described THEN h.model ELSE d.model END,
               name = CASE WHEN h.described THEN h.name ELSE d.name END
             FROM unnest($1::uuid[], $2::int2[], $3::text[], $4::text[], $5::text[], $6::float8[], $7::float8[], $8::uuid[], $9::bool[])
               AS h (user_id, device_no, kind, model, name, connected_ms, described_ms, described_by, described)
             WHERE d.user_id = h.user_id AND d.device_no = h.device_no`,
      values: [...columns(updated), updated.map(({ described }) => described)],
    });
  await Promise.all([inserting, updating]);
}
