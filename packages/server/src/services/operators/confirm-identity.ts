import { ApiError } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../store/database/database.ts';
import { updateSessionConfirmed } from '../../store/accounts/operator-sessions.ts';
import type { SignedInOperator } from './authenticate-operator.ts';
import { beginPasswordAttempt } from './password-attempts.ts';
import { recordOperator } from './record-operator.ts';
import type { Browser } from './browser.ts';
import { reportGuesses, verifySessionCode } from './verify-password.ts';

/** How long a confirmation lasts, in its session only. */
const confirmedSeconds = 300;

/**
 * Confirms with the password or a code that it is still the dashboard user who uses a session. Throws `wrong_sign_in`, `wrong_code` or
 * `rate_limited`.
 */
export async function confirmIdentity(
  ctx: Pick<Context, 'operator' | 'signIn' | 'jobs' | 'newId' | 'log'>,
  { browser, operator }: { browser: Browser; operator: SignedInOperator },
  proof: { password: string } | { code: string },
): Promise<void> {
  if ('code' in proof) await verifySessionCode(ctx, browser, operator, proof.code);
  else {
    const attempt = await beginPasswordAttempt(ctx, operator.email, browser.address);
    if (!(await ctx.signIn.checkPassword(operator.id, proof.password))) {
      if (attempt.isReported) reportGuesses(ctx, browser, operator.email);
      throw new ApiError('wrong_sign_in', { message: 'Incorrect password.' });
    }
    await attempt.succeed();
  }
  await inTransaction(ctx.operator, async (tx) => {
    await updateSessionConfirmed(tx, operator.sessionId);
    const by = 'code' in proof ? 'code' : 'password';
    await recordOperator(ctx, tx, browser, operator, 'operator.confirmed', { by });
  });
}

/** Throws `confirmation_required` unless the dashboard user has just confirmed that it is them. For acts that outlast the session. */
export function requireConfirmed({
  confirmedSeconds: seconds,
  hasAuthenticator,
}: Pick<SignedInOperator, 'confirmedSeconds' | 'hasAuthenticator'>): void {
  if (seconds === null || seconds > confirmedSeconds)
    throw new ApiError('confirmation_required', {
      details: { by: hasAuthenticator ? ['code', 'password'] : ['password'] },
    });
}
