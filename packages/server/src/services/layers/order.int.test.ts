import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BatchWire } from '@tributary/contract';
import { decodeMonth } from '@tributary/domain';
import { inTransaction, openPool, type Queryable } from '../../store/database/database.ts';
import { devicesOf, type DeviceRow } from '../../store/uploads/pending-batches.ts';
import {
  batchesOfOnePerson,
  createdMsOf,
  midnight,
  type Generated,
} from '../../test/data/generate-batches.ts';
import { createTestDatabase, type TestDatabase } from '../../test/apps/test-database.ts';
import { applyBatches } from './apply-batches.ts';
import { openBatch } from './open-batch.ts';
import { UserState } from './user-state.ts';
import { writeDeviceChanges } from './write-device-changes.ts';
import { writeLayers } from './write-layers.ts';

/** The final state depends only on the data, not on the order of arrival or on repetitions. `npm run test:order` checks 2,000 sets. */
const cases = Number(process.env['ORDER_CASES'] ?? 400);
const casesAtOnce = 100;
const seed = Number(process.env['ORDER_SEED'] ?? Date.now() % 1_000_000);

let database: TestDatabase;
let pool: ReturnType<typeof openPool>;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = openPool({
    url: database.url,
    role: 'operator',
    max: 2,
    statementTimeoutMs: 60_000,
    applicationName: 'order',
  });
});
afterAll(async () => {
  await pool.end();
  await database[Symbol.asyncDispose]();
});

const scenario = batchesOfOnePerson.chain((batches) =>
  fc.record({
    timezones: fc.constantFrom('UTC', 'Europe/Berlin', 'America/St_Johns', 'Pacific/Auckland'),
    batches: fc.constant(batches),
    shuffled: fc.shuffledSubarray(batches, { minLength: batches.length }),
    repeats: fc.array(fc.constantFrom(...batches), { maxLength: 3 }),
  }),
);

/** One user of a case, with its batches in order of arrival. */
interface Sequence {
  userId: string;
  timezones: string;
  batches: Generated[];
}

test(`${cases} sets of batches give the same state in any order and with any repetition (seed ${seed})`, async () => {
  const generated = fc.sample(scenario, { numRuns: cases, seed });
  for (let from = 0; from < generated.length; from += casesAtOnce) {
    const some = generated
      .slice(from, from + casesAtOnce)
      .map(({ timezones, batches, shuffled, repeats }) => ({
        straight: { userId: randomUUID(), timezones, batches },
        mixed: { userId: randomUUID(), timezones, batches: [...shuffled, ...repeats] },
      }));
    await bringIn(some.flatMap(({ straight, mixed }) => [straight, mixed]));
    const states = await readStates(some.flatMap(({ straight, mixed }) => [straight.userId, mixed.userId]));
    for (const { straight, mixed } of some) {
      const [expected, actual] = [states.get(straight.userId)!, states.get(mixed.userId)!];
      const differences = [...expected.symmetricDifference(actual)];
      const details =
        differences.length === 0 ? '' : JSON.stringify({ straight: straight.batches, mixed: mixed.batches });
      expect(differences, details).toEqual([]);
    }
  }
}, 600_000);

/** Applies the batches of many users, one batch per user in each transaction, as ingest workers do. */
async function bringIn(sequences: Sequence[]): Promise<void> {
  const rounds = Math.max(...sequences.map(({ batches }) => batches.length));
  for (let round = 0; round < rounds; round += 1) {
    await inTransaction(pool, async (tx) => {
      const devices = await findDevices(tx, sequences);
      const work = sequences.flatMap(({ userId, timezones, batches }) => {
        const next = batches[round];
        if (!next) return [];
        const facts = {
          userId,
          timezones,
          accountId: userId,
          environment: 'live' as const,
          settings: {},
          heightCm: null,
        };
        return [{ state: new UserState(facts, devices.get(userId) ?? []), batches: [opened(next)] }];
      });
      await applyBatches(tx, work, randomUUID);
      const states = work.map(({ state }) => state);
      await Promise.all([writeDeviceChanges(tx, states), writeLayers(tx, states)]);
    });
  }
}

async function findDevices(
  tx: Queryable,
  users: { userId: string }[],
): Promise<Map<string, DeviceRow[] | null>> {
  const { rows } = await tx.query<{ userId: string; devices: DeviceRow[] | null }>({
    name: 'order/devices',
    text: `SELECT u.id AS "userId", ${devicesOf('u.id')} AS devices FROM unnest($1::uuid[]) AS u (id)`,
    values: [users.map(({ userId }) => userId)],
  });
  return new Map(rows.map((row) => [row.userId, row.devices]));
}

function opened(generated: Generated) {
  const { created: _, ...body } = generated;
  return openBatch({
    batchId: body.batch_id,
    createdMs: createdMsOf(generated),
    receivedMs: midnight + 100_000_000,
    scopes: 127,
    kind: 'upload',
    payload: Buffer.from(JSON.stringify(body satisfies BatchWire)),
  });
}

/** Everything stored for these users. Devices appear by their own IDs, because our numbers and IDs depend on which device was seen first. */
async function readStates(userIds: string[]): Promise<Map<string, Set<string>>> {
  const states = new Map<string, unknown[]>(userIds.map((userId) => [userId, []]));
  const query = (text: string) => pool.query({ text, values: [userIds] });
  const { rows: known } = await query('SELECT * FROM devices WHERE user_id = ANY ($1::uuid[])');
  const names = new Map(known.map((row) => [`${row.user_id}/${row.device_no}`, row.stable_id as string]));
  const nameOf = (userId: string, deviceNo: number) => names.get(`${userId}/${deviceNo}`);
  for (const { user_id, stable_id, kind, connected_at } of known)
    states.get(user_id)!.push(['device', stable_id, kind, connected_at]);

  const tables = ['sample_chunks', 'device_days', 'device_sleep', 'device_workouts', 'device_records'];
  for (const table of tables) {
    const { rows } = await query(`SELECT * FROM ${table} WHERE user_id = ANY ($1::uuid[])`);
    for (const { user_id, device_no, data, ...row } of rows)
      states.get(user_id)!.push([table, nameOf(user_id, device_no), row, data?.toString('hex')]);
  }
  const { rows: months } = await query('SELECT * FROM canonical_months WHERE user_id = ANY ($1::uuid[])');
  for (const { user_id, metric_no, month, printed, detail } of months) {
    const days = decodeMonth(detail).map(
      (value) => value && { micros: value.micros, source: nameOf(user_id, value.source) },
    );
    states.get(user_id)!.push(['month', metric_no, month, printed, days]);
  }
  for (const table of ['canonical_sleep', 'canonical_workouts']) {
    const { rows } = await query(`SELECT * FROM ${table} WHERE user_id = ANY ($1::uuid[])`);
    for (const { user_id, id: _, device_no, gave_way, ...row } of rows) {
      const others = gave_way.map(
        ([deviceNo, source]: [number, string]) => `${nameOf(user_id, deviceNo)}/${source}`,
      );
      states.get(user_id)!.push([table, nameOf(user_id, device_no), row, others.toSorted()]);
    }
  }
  return new Map(
    [...states].map(([userId, parts]) => [userId, new Set(parts.map((part) => JSON.stringify(part)))]),
  );
}
