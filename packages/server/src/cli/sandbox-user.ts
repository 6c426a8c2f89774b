import { ConfigError } from '../config.ts';
import { formatId, parseId } from '../ids.ts';
import type { Queryable } from '../store/database.ts';
import { listUsersNamed, type NamedUser } from '../store/sandbox-lookup.ts';
import { requireId } from './command.ts';
import { harmless } from './sandbox-text.ts';

/** Finds the user of the sandbox that an operator means by an id or a reference. What is known of live users is never printed. */
export async function findSandboxUser(
  operator: Queryable,
  { user, account }: { user: string; account?: string },
): Promise<NamedUser> {
  const accountId = account === undefined ? null : requireId('acc', account);
  const userId = parseId('user', user);
  const named = await listUsersNamed(operator, userId ? { userId } : { referenceId: user });
  const found = named.filter((one) => accountId === null || one.accountId === accountId);
  const [first, ...others] = found.filter(({ environment }) => environment === 'sandbox');
  const name = harmless(user);
  if (first && others.length > 0) {
    const accounts = [first, ...others].map((one) => formatId('acc', one.accountId));
    throw new ConfigError(
      `Several accounts have a user ${name} in the sandbox. Say which with --account: ${accounts.join(', ')}.`,
    );
  }
  if (first) return first;
  if (found.length > 0)
    throw new ConfigError(
      `${name} is a live user, whose values are not printed here. Sandbox commands are for users that were made with a sandbox key.`,
    );
  const where = account === undefined ? 'any account' : `account ${account}`;
  throw new ConfigError(`There is no user ${name} in the sandbox of ${where}.`);
}
