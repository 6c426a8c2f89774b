import { ConfigError } from '../../config.ts';
import { formatId, parseId } from '../../ids.ts';
import type { Queryable } from '../../store/database/database.ts';
import { listUsersNamed, type NamedUser } from '../../store/sandbox/lookup.ts';
import { requireId } from '../command.ts';
import { harmless } from './text.ts';

/** Finds the sandbox user with an ID or a reference. Live users' data is never printed. */
export async function findSandboxUser(
  operator: Queryable,
  { user, account }: { user: string; account?: string },
): Promise<NamedUser> {
  const accountId = account === undefined ? null : requireId('acc', account);
  const userId = parseId('user', user);
  const named = await listUsersNamed(operator, userId ? { userId } : { referenceId: user });
  const matches = named.filter((one) => accountId === null || one.accountId === accountId);
  const [first, ...others] = matches.filter(({ environment }) => environment === 'sandbox');
  const name = harmless(user);
  if (first && others.length > 0) {
    const accounts = [first, ...others].map((one) => formatId('acc', one.accountId));
    throw new ConfigError(
      `Several accounts have a sandbox user ${name}. Choose one with --account: ${accounts.join(', ')}.`,
    );
  }
  if (first) return first;
  if (matches.length > 0)
    throw new ConfigError(
      `${name} is a live user. Sandbox commands never print data of live users: they only work for users created with a sandbox key.`,
    );
  const where = account === undefined ? 'any account' : `account ${account}`;
  throw new ConfigError(`Sandbox user ${name} not found in ${where}.`);
}
