import type { AccessOutcome, CredentialType } from '@tributary/contract';
import type { DayRange } from '@tributary/domain';
import type { Queryable } from '../database/database.ts';
import type { Environment } from '../database/tenant.ts';

/** One read of the data of one user, or of several. Never contains what was read. */
export interface AccessRecord {
  id: string;
  accountId: string;
  environment: Environment;
  atMs: number;
  credentialType: CredentialType;
  credentialId: string;
  userId: string | null;
  operation: string;
  days: DayRange | null;
  outcome: AccessOutcome;
}

/** An array for PostgreSQL. IDs, numbers and names of operations need no quotes, which the driver would put around each of them. */
function toArray(
  records: readonly AccessRecord[],
  valueOf: (record: AccessRecord) => string | number | null,
): string {
  return `{${records.map((record) => valueOf(record) ?? 'NULL').join(',')}}`;
}

/** Inserts records of any tenants. Records that are stored already do not change, so a write may be repeated. */
export async function insertAccessRecords(db: Queryable, records: readonly AccessRecord[]): Promise<void> {
  await db.query({
    name: 'access-records/insert',
    text: `INSERT INTO access_records (id, account_id, environment, at, credential_type, credential_id, user_id, operation, first_day, last_day, outcome)
           SELECT r.id, r.account_id, r.environment, to_timestamp(r.at_ms / 1000.0), r.credential_type, r.credential_id, r.user_id, r.operation,
             DATE '1970-01-01' + r.first_day, DATE '1970-01-01' + r.last_day, r.outcome
           FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::float8[], $5::text[], $6::uuid[], $7::uuid[], $8::text[], $9::int4[], $10::int4[], $11::text[])
             AS r (id, account_id, environment, at_ms, credential_type, credential_id, user_id, operation, first_day, last_day, outcome)
           ON CONFLICT DO NOTHING`,
    values: [
      toArray(records, ({ id }) => id),
      toArray(records, ({ accountId }) => accountId),
      toArray(records, ({ environment }) => environment),
      toArray(records, ({ atMs }) => atMs),
      toArray(records, ({ credentialType }) => credentialType),
      toArray(records, ({ credentialId }) => credentialId),
      toArray(records, ({ userId }) => userId),
      toArray(records, ({ operation }) => operation),
      toArray(records, ({ days }) => days?.from ?? null),
      toArray(records, ({ days }) => days?.to ?? null),
      toArray(records, ({ outcome }) => outcome),
    ],
  });
}

/** Creates the tables of the months to come and drops those past retention. */
export async function maintainAccessRecords(db: Queryable, retentionDays: number): Promise<void> {
  await db.query({ text: 'SELECT maintain_access_records($1)', values: [retentionDays] });
}
