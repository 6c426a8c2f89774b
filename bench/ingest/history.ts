import {
  type CanonicalMonth,
  emptyDeviceDay,
  encodeDeviceDay,
  encodeMonth,
  findMetric,
  uuidBytes,
} from '@tributary/domain';
import type { RunStack } from '@tributary/rig';

const days = 60;
const metrics = [
  'steps',
  'distance',
  'active_calories',
  'resting_energy',
  'resting_heart_rate',
  'asleep',
  'deep_sleep',
  'REM',
  'blood_oxygen',
  'weight',
];

/** Adds sixty days of ten daily values for every user, directly in the tables. The values are equal, since only their presence matters. */
export async function fillHistory({ admin }: RunStack): Promise<void> {
  const today = Math.floor(Date.now() / 86_400_000);
  const owner = {
    createdMs: Date.now(),
    batchId: uuidBytes('0d9c1c55-3f0e-4d4b-9a52-6f6f3f1f7f10'),
    utcOffsetMinutes: null,
    unitCode: 0,
  };
  const day = emptyDeviceDay();
  for (const id of metrics) day.reported.set(findMetric(id)!.no, { micros: 72_500_000, owner });
  const month: CanonicalMonth = Array.from({ length: 30 }, () => ({
    micros: 72_500_000,
    source: 1,
    contributors: [],
  }));
  const monthNo = (new Date().getUTCFullYear() - 1970) * 12 + new Date().getUTCMonth();
  await admin.query({
    text: `INSERT INTO devices (user_id, device_no, id, provider, stable_id, on_device, kind, status, connected_at, described_at, described_by)
           SELECT id, 1, gen_random_uuid(), 'apple_health', 'watch-1', true, 'watch', 'active', now() - interval '60 days',
             now() - interval '60 days', gen_random_uuid() FROM users`,
  });
  await admin.query({
    text: `INSERT INTO device_days (user_id, day, device_no, data)
           SELECT u.id, date '1970-01-01' + d, 1, $1 FROM (SELECT id FROM users ORDER BY id) AS u, generate_series($2::int, $3::int) AS d`,
    values: [Buffer.from(encodeDeviceDay(day, today)), today - days - 3, today - 3],
  });
  await admin.query({
    text: `INSERT INTO canonical_months (user_id, metric_no, month, printed, detail)
           SELECT u.id, m, n, repeat('72.5,', 29) || '72.5', $1
           FROM (SELECT id FROM users ORDER BY id) AS u, unnest($2::int2[]) AS m, generate_series($3::int, $4::int) AS n`,
    values: [Buffer.from(encodeMonth(month)), metrics.map((id) => findMetric(id)!.no), monthNo - 2, monthNo],
  });
}
