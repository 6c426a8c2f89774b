import { randomUUID } from 'node:crypto';
import { formatId } from '../ids.ts';
import type { AccessRecord } from '../store/access-records/insert.ts';
import type { TestApp } from './apps/test-app.ts';

/** An access record as stored, in short. */
export interface StoredAccess {
  credential: string;
  user: string | null;
  operation: string;
  days: [first: string, last: string] | null;
  outcome: string;
}

/** A record of a read in the live environment of the test account. */
export function makeAccessRecord(
  { ctx, account }: TestApp,
  change: Partial<AccessRecord> = {},
): AccessRecord {
  return {
    id: ctx.newId(),
    accountId: account.uuid,
    environment: 'live',
    atMs: ctx.clock.now(),
    credentialType: 'api_key',
    credentialId: randomUUID(),
    userId: randomUUID(),
    operation: 'listDaily',
    days: null,
    outcome: 'returned',
    ...change,
  };
}

const prefixes = { api_key: 'key', user_token: 'tok', operator: 'op' } as const;

/** Every access record in the order of the reads. */
export async function storedAccess(app: TestApp, since = new Date(0)): Promise<StoredAccess[]> {
  await app.ctx.accessRecords.flush();
  const { rows } = await app.admin.query(
    `SELECT credential_type, credential_id, user_id, operation, first_day::text, last_day::text, outcome FROM access_records
     WHERE at >= $1 ORDER BY at, id`,
    [since],
  );
  return rows.map((row) => ({
    credential: `${row.credential_type} ${formatId(prefixes[row.credential_type as keyof typeof prefixes], row.credential_id)}`,
    user: row.user_id && formatId('user', row.user_id),
    operation: row.operation,
    days: row.first_day && [row.first_day, row.last_day],
    outcome: row.outcome,
  }));
}

/** The records of the reads that `work` makes. */
export async function accessDuring<T>(
  app: TestApp,
  work: () => Promise<T>,
): Promise<{ response: T; records: StoredAccess[] }> {
  const before = (await storedAccess(app)).length;
  const response = await work();
  return { response, records: (await storedAccess(app)).slice(before) };
}
