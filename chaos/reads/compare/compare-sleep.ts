import type { UserModel } from '../model/user-model.ts';
import { rounded, shown, type Units } from '../model/shown.ts';
import type { CanonicalSleep } from '../model/sleep.ts';
import type { TestUser, World } from '../world.ts';
import {
  byContent,
  clockTime,
  isNewestFirst,
  newestFirst,
  readPages,
  withoutId,
  type Listed,
} from './compare-lists.ts';
import type { Comparison } from './differences.ts';

/** Compares the list of sleep sessions in both forms. */
export async function compareSleep(
  world: World,
  who: TestUser,
  model: UserModel,
  dates: readonly string[],
  limit: number,
  comparison: Comparison,
): Promise<void> {
  const inRange = model.sleep.filter(({ date }) => date >= dates[0]! && date <= dates.at(-1)!);
  const pages = await readPages(world, who, 'sleep', dates, limit);
  const expected = newestFirst(inRange, (session) => form2(session, model));
  const actual = newestFirst(pages.map(asListed), withoutId);
  comparison.sameList('sleep, Form 2', byContent(expected), byContent(actual));

  for (const units of ['metric', 'imperial'] as const) {
    const rows: Record<string, unknown>[] = (
      await world.get(
        who,
        `sleep?start_date=${dates[0]}&end_date=${dates.at(-1)}&unit_system=${units}&include_sources=true`,
      )
    ).data;
    const read = `sleep, Form 1, ${units}`;
    const wanted = newestFirst(inRange, (session) => form1(session, units));
    comparison.sameList(
      read,
      wanted,
      newestFirst(
        rows.map((row) => ({ ...row, startMs: Date.parse(String(row['start'])), date: String(row['date']) })),
        withoutId,
      ),
    );
    comparison.same(read, 'newest first', true, isNewestFirst(rows));
    comparison.same(
      read,
      'ids, as in Form 2',
      pages.map(({ id }) => id),
      rows.map(({ id }) => id),
    );
  }
}

interface SleepWire extends Record<string, unknown> {
  id: string;
  date: string;
  start_time: string;
}

function asListed(row: Record<string, unknown>): Listed {
  const { date, start_time } = row as SleepWire;
  return { ...row, date, startMs: Date.parse(`${start_time}Z`) };
}

function form2(
  { device, numbers, startMs, endMs, date, isMain }: CanonicalSleep,
  { days }: UserModel,
): object {
  return {
    date,
    start_time: clockTime(days, startMs),
    end_time: clockTime(days, endMs),
    duration_minutes: rounded((endMs - startMs) / 60_000, 0),
    is_main_sleep: isMain,
    source: device.provider,
    asleep_minutes: shown('asleep', numbers.asleep),
    deep_minutes: shown('deep_sleep', numbers.deep),
    light_minutes: shown('light_sleep', numbers.light),
    rem_minutes: shown('REM', numbers.rem),
    awake_minutes: shown('time_awake', numbers.awake),
    in_bed_minutes: shown('time_in_bed', numbers.inBed),
    efficiency_pct: shown('sleep_efficiency', numbers.efficiency),
    source_detail: sourceOf(device),
  };
}

function form1({ device, numbers, startMs, endMs, date, content }: CanonicalSleep, units: Units): object {
  const vital = (metric: string) => shown(metric, content.vitals[metric], units);
  const { deep, rem } = numbers;
  return {
    date,
    start: new Date(startMs).toISOString(),
    end: new Date(endMs).toISOString(),
    asleep: shown('asleep', numbers.asleep),
    time_awake: shown('time_awake', numbers.awake),
    light_sleep: shown('light_sleep', numbers.light),
    deep_sleep: shown('deep_sleep', deep),
    REM: shown('REM', rem),
    restorative_sleep: shown('restorative_sleep', deep === null || rem === null ? null : deep + rem),
    time_in_bed: shown('time_in_bed', numbers.inBed),
    sleep_efficiency: shown('sleep_efficiency', numbers.efficiency),
    sleep_heart_rate: vital('sleep_heart_rate'),
    sleep_heart_rate_variability: vital('sleep_heart_rate_variability'),
    sleep_respiratory_rate: vital('sleep_respiratory_rate'),
    sleep_blood_oxygen: vital('sleep_blood_oxygen'),
    sleep_body_temperature: vital('sleep_body_temperature'),
    sleep_skin_temperature: vital('sleep_skin_temperature'),
    sleep_wrist_temperature: vital('sleep_wrist_temperature'),
    source: sourceOf(device),
  };
}

function sourceOf({ provider, id }: CanonicalSleep['device']): object {
  return { provider, device_id: id, original_value: null, original_unit: null };
}
