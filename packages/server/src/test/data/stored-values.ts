import { decodeMonth, firstDayOf, formatDay, metricOf } from '@tributary/domain';
import type { TestApp } from '../apps/test-app.ts';

/** A stored canonical value with the devices' own names, because device numbers depend on arrival order. */
export interface StoredValue {
  value: number;
  source: string | null;
  contributors: string[];
}

/** All stored canonical values of a user: by metric and date, and sessions by date. */
export interface StoredValues {
  values: Record<string, StoredValue>;
  sleep: Record<string, string[]>;
  workouts: Record<string, string[]>;
}

export async function readStoredValues(app: TestApp, userId: string): Promise<StoredValues> {
  const query = (text: string) => app.admin.query(text, [userId]);
  const devices = await query('SELECT device_no, provider, stable_id FROM devices WHERE user_id = $1');
  const names = new Map(devices.rows.map((row) => [row.device_no, `${row.provider}/${row.stable_id}`]));
  const months = await query('SELECT metric_no, month, detail FROM canonical_months WHERE user_id = $1');
  const values: StoredValues['values'] = {};
  for (const { metric_no, month, detail } of months.rows) {
    for (const [index, canonicalValue] of decodeMonth(detail).entries()) {
      if (!canonicalValue) continue;
      values[`${metricOf(metric_no).id} ${formatDay(firstDayOf(month) + index)}`] = {
        value: canonicalValue.micros / 1e6,
        source: names.get(canonicalValue.source) ?? null,
        contributors: canonicalValue.contributors.map((deviceNo) => names.get(deviceNo)!),
      };
    }
  }
  const sessionsOf = async (table: string) => {
    const { rows } = await query(
      `SELECT day::text, device_no, source_id FROM ${table} WHERE user_id = $1 ORDER BY start_at, id`,
    );
    const byDay: Record<string, string[]> = {};
    for (const row of rows) (byDay[row.day] ??= []).push(`${names.get(row.device_no)}/${row.source_id}`);
    return byDay;
  };
  const [sleep, workouts] = [await sessionsOf('canonical_sleep'), await sessionsOf('canonical_workouts')];
  return { values, sleep, workouts };
}
