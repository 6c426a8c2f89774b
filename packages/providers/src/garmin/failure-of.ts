import { failureOfStatus, ProviderFailure } from '../failure.ts';
import { fieldsOf } from '../mapping/read.ts';
import { failureOfTokenAnswer } from '../oauth/token-answer.ts';
import type { Answer } from '../provider.ts';

/** The errors of RFC 6749; answers about data have other words, in `errorMessage`. */
const tokenErrors: ReadonlySet<unknown> = new Set([
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
]);

/** The window of the limit that is known: 100 calls a minute. */
const windowMs = 60_000;

/** What is wrong with an answer of Garmin. */
export function failureOf(answer: Answer, nowMs: number): ProviderFailure | null {
  // Only requests for history are answered so, and it means that the same span was asked for before.
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
