import { failureOfStatus, ProviderFailure } from '../failure.ts';
import { numberOf } from '../mapping/read.ts';
import { failureOfTokenResponse } from '../oauth/token-response.ts';
import type { ProviderResponse } from '../provider-response.ts';

/** The failure in an Oura response. Only `invalid_grant` ends a consent, because a 401 on data may mean an expired token. */
export function failureOf(response: ProviderResponse, nowMs: number): ProviderFailure | null {
  const ofToken = failureOfTokenResponse(response);
  if (ofToken?.kind === 'consent_ended') return ofToken;
  const failure = failureOfStatus(response, nowMs);
  if (failure?.kind !== 'limited' || failure.retryAtMs !== null) return failure;
  const resetSeconds = numberOf(response.headers['x-ratelimit-reset']);
  if (resetSeconds === null) return failure;
  return new ProviderFailure('limited', failure.message, { retryAtMs: resetSeconds * 1000 });
}
