import { minuteMs } from '@tributary/domain';
import { failureOfStatus, ProviderFailure, retryAtOf } from '../failure.ts';
import { fieldsOf } from '../mapping/read.ts';
import { failureOfTokenResponse } from '../oauth/token-response.ts';
import type { ProviderResponse } from '../provider-response.ts';

/** The limit is hourly, and the response does not say when the hour began. */
const limitMs = 10 * minuteMs;

/** RFC 6749 error codes that only a token endpoint returns. */
const tokenErrors = new Set<unknown>([
  'invalid_grant',
  'invalid_client',
  'unauthorized_client',
  'unsupported_grant_type',
]);

/** The failure in a response: plain HTTP, except for errors of the token endpoint. */
export function failureOf(response: ProviderResponse, nowMs: number): ProviderFailure | null {
  if (response.status === 429) {
    const retryAtMs = retryAtOf(response, nowMs) ?? nowMs + limitMs;
    return new ProviderFailure('limited', 'the provider returned 429', { retryAtMs });
  }
  const refusal = tokenErrors.has(errorOf(response)) ? failureOfTokenResponse(response) : null;
  return refusal ?? failureOfStatus(response, nowMs);
}

function errorOf({ status, body }: ProviderResponse): unknown {
  if (status < 400 || status >= 500) return null;
  try {
    return fieldsOf(JSON.parse(body))['error'];
  } catch {
    return null;
  }
}
