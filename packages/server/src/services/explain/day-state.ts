import { decodeChunk, decodeDeviceDay, decodeMonth } from '@tributary/domain';
import type { Queryable } from '../../store/database/database.ts';
import type { DayRow, DayWanted } from '../../store/reads/explanations.ts';
import type { Tenant } from '../../store/database/tenant.ts';
import { consolidateDays } from '../layers/consolidate-days.ts';
import { unpack } from '../layers/packing.ts';
import { dayOfSessions } from '../layers/session-days.ts';
import { UserState } from '../layers/user-state.ts';

/** The stored layers of one day. */
export function stateOfDay(tenant: Tenant, userId: string, wanted: DayWanted, row: DayRow): UserState {
  const { timezones, settings, heightCm } = row;
  const state = new UserState({ ...tenant, userId, timezones, settings, heightCm }, row.devices ?? []);
  for (const [deviceNo, data] of row.days) {
    state.day(wanted.day, deviceNo).content = decodeDeviceDay(unpack(fromBase64(data)), wanted.day);
    // Create the chunks without samples too, so that nothing else has to be loaded.
    for (const metricNo of wanted.metrics)
      for (let chunk = wanted.firstChunk; chunk <= wanted.lastChunk; chunk += 1)
        state.chunk(metricNo, deviceNo, chunk);
  }
  for (const [metricNo, deviceNo, chunk, data] of row.chunks)
    state.chunk(metricNo, deviceNo, chunk).content = decodeChunk(unpack(fromBase64(data)), chunk);
  for (const [metricNo, detail] of row.months)
    state.month(metricNo, wanted.day).content = decodeMonth(fromBase64(detail));
  const { kind } = wanted.sessions;
  if (kind) state.sessionDays[kind].set(wanted.day, dayOfSessions(state, kind, wanted.day, row.shown));
  return state;
}

/** Recomputes metrics of the day in memory, with the code that writes canonical values. */
export async function decideAgain(state: UserState, day: number, metrics: readonly number[]): Promise<void> {
  for (const metricNo of metrics) state.markStale(day, metricNo);
  await consolidateDays(rejectingQueryable, state);
}

const rejectingQueryable: Queryable = {
  query: () => Promise.reject(new Error('explained day is missing data')),
};

function fromBase64(text: string): Buffer {
  return Buffer.from(text, 'base64');
}
