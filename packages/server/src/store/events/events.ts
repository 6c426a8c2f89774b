import type { EventType } from '@tributary/contract';
import type { Queryable } from '../database/database.ts';
import type { Environment } from '../database/tenant.ts';

/** A change to a user's data. Never contains a measured value. */
export interface Event {
  id: string;
  accountId: string;
  environment: Environment;
  userId: string;
  type: EventType;
  deviceId: string | null;
  metrics: readonly number[];
  data: Record<string, unknown>;
}

/** Inserts events in the transaction of the change itself. */
export async function insertEvents(tx: Queryable, events: readonly Event[]): Promise<void> {
  await tx.query({
    name: 'events/insert',
    text: `INSERT INTO events (id, account_id, environment, user_id, type, device_id, metrics, data)
           SELECT id, account_id, environment, user_id, type, device_id, metrics::int2[], data
           FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::text[], $6::uuid[], $7::text[], $8::jsonb[])
             AS e (id, account_id, environment, user_id, type, device_id, metrics, data)`,
    values: [
      events.map(({ id }) => id),
      events.map(({ accountId }) => accountId),
      events.map(({ environment }) => environment),
      events.map(({ userId }) => userId),
      events.map(({ type }) => type),
      events.map(({ deviceId }) => deviceId),
      events.map(({ metrics }) => `{${metrics.join(',')}}`),
      events.map(({ data }) => JSON.stringify(data)),
    ],
  });
}
