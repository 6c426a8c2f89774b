import { dayMs } from '@tributary/domain';
import { ProviderFailure } from '../failure.ts';
import { fieldsOf, idOf, instantOf, textOf, type Fields } from '../mapping/read.ts';
import type { Documents, Span, UserApi } from '../provider.ts';
import { findRecord, listRecords, pathPart } from './list-records.ts';

/**
 * Sleeps, each with its recovery, because a recovery has no times of its own. `recovery` is null if there is none, and absent if it may not be read.
 */
export async function* readSleeps(api: UserApi, { fromMs, toMs }: Span): AsyncGenerator<Documents> {
  // They are filtered by start, which for a night is on the day before.
  for await (const sleeps of listRecords(api, '/activity/sleep', { fromMs: fromMs - dayMs, toMs })) {
    const recoveries = await unlessForbidden(api, () => listRecoveries(api, sleeps));
    yield sleeps.map((sleep) =>
      recoveries ? { sleep, recovery: recoveries.get(idOf(fieldsOf(sleep)['id'])) ?? null } : { sleep },
    );
  }
}

/** The sleep that a push referred to, directly or through its recovery. */
export async function readSleep(api: UserApi, id: string): Promise<Documents> {
  const sleep = await findRecord(api, `/activity/sleep/${pathPart(id)}`);
  if (!sleep) return [];
  const recovery = await unlessForbidden(api, () => findRecovery(api, sleep));
  return [recovery === undefined ? { sleep } : { sleep, recovery }];
}

/** A recovery can only be read through its cycle. */
async function findRecovery(api: UserApi, sleep: Fields): Promise<Fields | null> {
  if (sleep['nap'] === true) return null;
  const recovery = await findRecord(api, `/cycle/${pathPart(sleep['cycle_id'])}/recovery`);
  return recovery && recovery['sleep_id'] === sleep['id'] ? recovery : null;
}

/** The recoveries of these sleeps by sleep id. The time they are filtered by is undocumented, so a wide span is requested. */
async function listRecoveries(api: UserApi, sleeps: Documents): Promise<Map<string | null, Fields>> {
  const bySleepId = new Map<string | null, Fields>();
  const nights = sleeps.map(fieldsOf).filter(({ nap }) => nap !== true);
  const times = nights.flatMap(({ start, end }) => [instantOf(start), instantOf(end)]);
  const known = times.filter((time) => time !== null);
  if (known.length === 0) return bySleepId;
  const span = { fromMs: Math.min(...known), toMs: Math.max(...known) + dayMs };
  for await (const recoveries of listRecords(api, '/recovery', span))
    for (const recovery of recoveries.map(fieldsOf)) bySleepId.set(textOf(recovery['sleep_id']), recovery);
  return bySleepId;
}

/** Undefined without the scope. The sleep is mapped anyway. */
async function unlessForbidden<Read>(api: UserApi, read: () => Promise<Read>): Promise<Read | undefined> {
  if (api.scopes && !api.scopes.includes('read:recovery')) return undefined;
  try {
    return await read();
  } catch (error) {
    if (error instanceof ProviderFailure && error.kind === 'forbidden') return undefined;
    throw error;
  }
}
