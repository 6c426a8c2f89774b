import { failureOfStatus, ProviderFailure } from '../failure.ts';
import { fieldsOf } from '../mapping/read.ts';
import { failureOfTokenAnswer } from '../oauth/token-answer.ts';
import type { Answer } from '../provider-response.ts';

/** RFC 6749 errors. Data responses report errors in `errorMessage` instead. */
const tokenErrors: ReadonlySet<unknown> = new Set([
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
]);

/** The window of the known limit: 100 calls a minute. */
const windowMs = 60_000;

/** The failure in a Garmin response. */
export function failureOf(answer: Answer, nowMs: number): ProviderFailure | null {
  // Only backfill requests return this status. It means that the same range was requested before.
  if (answer.status === 409) return null;
  const ofToken = isOfTokens(answer) ? failureOfTokenAnswer(answer) : null;
  const failure = ofToken ?? failureOfStatus(answer, nowMs);
  if (failure?.kind !== 'limited' || failure.retryAtMs !== null) return failure;
  return new ProviderFailure('limited', failure.message, { retryAtMs: nowMs + windowMs });
}

function isOfTokens({ body }: Answer): boolean {
  try {
    return tokenErrors.has(fieldsOf(JSON.parse(body))['error']);
  } catch {
    return false;
  }
}
