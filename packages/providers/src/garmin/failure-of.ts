import { minuteMs } from '@tributary/domain';
import { failureOfStatus, ProviderFailure } from '../failure.ts';
import { fieldsOf } from '../mapping/read.ts';
import { failureOfTokenResponse } from '../oauth/token-response.ts';
import type { ProviderResponse } from '../provider-response.ts';

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
const windowMs = minuteMs;

/** The failure in a Garmin response. */
export function failureOf(response: ProviderResponse, nowMs: number): ProviderFailure | null {
  // Only backfill requests return this status. It means that the same range was requested before.
  if (response.status === 409) return null;
  const ofToken = isOfTokens(response) ? failureOfTokenResponse(response) : null;
  const failure = ofToken ?? failureOfStatus(response, nowMs);
  if (failure?.kind !== 'limited' || failure.retryAtMs !== null) return failure;
  return new ProviderFailure('limited', failure.message, { retryAtMs: nowMs + windowMs });
}

function isOfTokens({ body }: ProviderResponse): boolean {
  try {
    return tokenErrors.has(fieldsOf(JSON.parse(body))['error']);
  } catch {
    return false;
  }
}
