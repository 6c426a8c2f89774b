import { createHash } from 'node:crypto';
import { ApiError } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { blockOf } from '../../limiter/address-block.ts';
import { inTransaction } from '../../store/database/database.ts';
import { isKnownAddress } from '../../store/accounts/operator-addresses.ts';
import {
  deleteAttempts,
  deleteFailure,
  insertFailures,
  lockAttempts,
} from '../../store/accounts/sign-in-attempts.ts';
import { normalizeEmail } from './sign-in.ts';

/** How failures in a row slow the next attempt down. */
interface Slowdown {
  /** Failures without a wait. */
  free: number;
  mostWaitSeconds: number;
}

/** Of one email address, from all addresses that are not known for it. */
const ofEmail: Slowdown = { free: 5, mostWaitSeconds: 900 };
/** Of one email address, from one that is known for it. Only who shares this address with the dashboard user can slow them down there. */
const ofKnownAddress: Slowdown = { free: 5, mostWaitSeconds: 60 };
/** Of one address, for all email addresses. Colleagues may share it. */
const ofAddress: Slowdown = { free: 20, mostWaitSeconds: 900 };
/** Of authenticator codes in an open session. */
const ofCodes: Slowdown = { free: 5, mostWaitSeconds: 900 };

/** A password series of this length is reported to the dashboard user. */
const reportedFailures = 10;

/** Seconds to wait after a number of failures in a row: 1, 2, 4 and so on after the free ones. */
export function waitAfter(failures: number, { free, mostWaitSeconds }: Slowdown): number {
  return failures < free ? 0 : Math.min(mostWaitSeconds, 2 ** Math.min(failures - free, 30));
}

/** An attempt that counts as failed until it succeeds. */
export interface Attempt {
  /** Whether this failure is the one to report. */
  isReported: boolean;
  succeed: () => Promise<void>;
}

type AttemptContext = Pick<Context, 'operator'>;

/**
 * Counts a password attempt before the password is checked, so that concurrent attempts cannot exceed the limit. Throws `rate_limited` for attempts
 * that come too early. Those do not count, so waiting always helps.
 */
export async function beginPasswordAttempt(
  ctx: AttemptContext,
  email: string,
  address: string,
): Promise<Attempt> {
  const byEmail = keyOf('email', normalizeEmail(email));
  const byAddress = keyOf('address', blockOf(address));
  if (await isKnownAddress(ctx.operator, normalizeEmail(email), hashAddress(address))) {
    const pair = keyOf('known', normalizeEmail(email), blockOf(address));
    const { isReported } = await begin(ctx, 'passwords', new Map([[pair, ofKnownAddress]]), pair);
    return { isReported, succeed: () => deleteAttempts(ctx.operator, [pair]) };
  }
  const slowdowns = new Map([
    [byEmail, ofEmail],
    [byAddress, ofAddress],
  ]);
  const { isReported } = await begin(ctx, 'passwords', slowdowns, byEmail);
  return {
    isReported,
    async succeed() {
      await deleteAttempts(ctx.operator, [byEmail]);
      // Only this attempt is taken back. Otherwise someone with a sign-in of their own could guess without ever having to wait.
      await deleteFailure(ctx.operator, byAddress);
    },
  };
}

/** The same for a code in an open session, where the library does not count. */
export async function beginCodeAttempt(ctx: AttemptContext, operatorId: string): Promise<Attempt> {
  const key = keyOf('code', operatorId);
  const { isReported } = await begin(ctx, 'codes', new Map([[key, ofCodes]]), key);
  return { isReported, succeed: () => deleteAttempts(ctx.operator, [key]) };
}

/** Forgets failures for an email address, after its owner has proven access to the mailbox. */
export function forgetAttempts({ operator }: AttemptContext, email: string, address: string): Promise<void> {
  const normal = normalizeEmail(email);
  return deleteAttempts(operator, [keyOf('email', normal), keyOf('known', normal, blockOf(address))]);
}

/** Returns the stored form of an address. One person has a whole IPv6 /64. */
export function hashAddress(address: string): Buffer {
  return keyOf('operator-address', blockOf(address));
}

function begin(
  { operator }: AttemptContext,
  what: 'passwords' | 'codes',
  slowdowns: ReadonlyMap<Buffer, Slowdown>,
  reported: Buffer,
): Promise<{ isReported: boolean }> {
  return inTransaction(operator, async (tx) => {
    const counts = await lockAttempts(tx, [...slowdowns.keys()]);
    const waitSeconds = Math.max(...counts.map((count) => count.waitSeconds));
    if (waitSeconds > 0) throw tooMany(what, waitSeconds);
    const find = (key: Buffer) => counts.find((count) => count.key.equals(key))!; // every key was locked
    await insertFailures(
      tx,
      [...slowdowns].map(([key, slowdown]) => ({
        key,
        waitSeconds: waitAfter(find(key).failures + 1, slowdown),
      })),
    );
    return { isReported: find(reported).failures + 1 === reportedFailures };
  });
}

function tooMany(what: 'passwords' | 'codes', waitSeconds: number): ApiError {
  const next = what === 'passwords' ? ', or reset your password' : '';
  return new ApiError('rate_limited', {
    message: `Too many incorrect ${what}. Wait ${formatWait(waitSeconds)}${next}.`,
    retryAfterSeconds: waitSeconds,
  });
}

function formatWait(seconds: number): string {
  const [count, unit] = seconds < 60 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

function keyOf(...parts: readonly string[]): Buffer {
  return createHash('sha256').update(parts.join('\0')).digest();
}
