import { setTimeout as sleep } from 'node:timers/promises';
import type { Queryable } from '@tributary/server/testing/database';
import { insertEvents } from '@tributary/server/testing/events';
import { type FeedTenant, type Random, uuidOf } from '@tributary/rig';
import type { Deliveries } from './deliveries.ts';

/** Number of users per endpoint whom events are about. */
const usersOfTenant = 200;
/** An event type that webhooks never coalesce. */
const type = 'score.updated';

export interface Writing {
  db: Queryable;
  deliveries: Deliveries;
  /** One for each endpoint, in order. */
  tenants: readonly FeedTenant[];
  random: Random;
}

/** Commits events at a rate, with several concurrent writers, until the count is reached. */
export async function writeEvents(writing: Writing, count: number, perSecond: number): Promise<void> {
  const writers = 8;
  const startedAt = performance.now();
  let begun = 0;
  const write = async (): Promise<void> => {
    while (begun < count) {
      const size = Math.min(writing.random.int(1, 4), count - begun);
      await sleep(Math.max(0, startedAt + (begun / perSecond) * 1000 - performance.now()));
      begun += size;
      await writeSome(writing, size);
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
}

/** Writes events of one tenant in one transaction. */
async function writeSome({ db, deliveries, tenants, random }: Writing, size: number): Promise<void> {
  const endpoint = random.int(0, tenants.length - 1);
  const { accountId, environment } = tenants[endpoint]!;
  const users = Array.from({ length: size }, () => random.int(0, usersOfTenant - 1));
  const numbers = users.map(() => deliveries.add(endpoint));
  await insertEvents(
    db,
    numbers.map((number, at) => ({
      id: uuidOf(number),
      accountId,
      environment,
      userId: userUuid(endpoint, users[at]!),
      type,
      deviceId: null,
      metrics: [1],
      data: { change: 'updated', first_date: '2026-03-01', last_date: '2026-03-01', backfill: false },
    })),
  );
  deliveries.commit(numbers, users);
}

function userUuid(endpoint: number, user: number): string {
  const [a, b] = [endpoint, user].map((number) => number.toString(16).padStart(4, '0'));
  return `00000000-${a}-7000-8000-00000000${b}`;
}
