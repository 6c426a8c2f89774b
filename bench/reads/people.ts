import { formatDay } from '@tributary/domain';
import { formatId } from '@tributary/server/testing/ids';
import type { RawRequest, RunStack } from '@tributary/rig';
import { lastDay, tenMetrics, type Account } from './fill.ts';

export interface Person {
  account: Account;
  number: number;
  uuid: string;
  path: string;
}

/** All users of the accounts in mixed order, so that every part of the list is spread over all keys, which have limits. */
export async function listPeople(run: RunStack, accounts: readonly Account[]): Promise<Person[]> {
  const byId = new Map(accounts.map((account) => [account.uuid, account]));
  const { rows } = await run.admin.query<{ id: string; account_id: string; number: number }>(
    `SELECT id, account_id, substr(reference_id, 5)::int AS number FROM users WHERE account_id = ANY($1) ORDER BY random()`,
    [[...byId.keys()]],
  );
  return rows.map(({ id, account_id, number }) => ({
    account: byId.get(account_id)!,
    number,
    uuid: id,
    path: `/v1/users/${formatId('user', id)}`,
  }));
}

/** A request with the key of the user's account. */
export function getAs({ account }: Person, path: string, headers: Record<string, string> = {}): RawRequest {
  return { path, headers: { authorization: `Bearer ${account.key}`, ...headers } };
}

const types = tenMetrics.map(({ id }) => id).join(',');

/** The query for a number of last days, in Form 2. */
export function days(count: number): string {
  return `from_date=${formatDay(lastDay - count + 1)}&to_date=${formatDay(lastDay)}`;
}

/** A request for ten metrics of a month. */
export function getDaily(person: Person, headers: Record<string, string> = {}): RawRequest {
  return getAs(person, `${person.path}/daily?types=${types}&${days(30)}`, headers);
}

/** A request for every heart rate sample of a number of last days. */
export function getSamples(person: Person, count: number): RawRequest {
  const range = `start_date=${formatDay(lastDay - count + 1)}&end_date=${formatDay(lastDay)}`;
  return getAs(person, `${person.path}/timeseries?metrics=heart_rate&${range}`);
}
