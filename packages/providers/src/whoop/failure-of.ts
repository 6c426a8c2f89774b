import { minuteMs } from '@tributary/domain';
import { failureOfStatus, ProviderFailure, retryAtOf } from '../failure.ts';
import { failureOfTokenResponse } from '../oauth/token-response.ts';
import type { ProviderResponse } from '../provider-response.ts';

/** The failure in a WHOOP response. Only the token endpoint reports grants, so that error is reliable wherever it occurs. */
export function failureOf(response: ProviderResponse, nowMs: number): ProviderFailure | null {
  const refused = failureOfTokenResponse(response);
  if (refused?.kind === 'consent_ended') return refused;
  if (response.status === 429)
    return new ProviderFailure('limited', 'the provider returned 429', {
      retryAtMs: resetAtOf(response, nowMs),
    });
  return failureOfStatus(response, nowMs);
}

/** `X-RateLimit-Reset` is the number of seconds until the exhausted limit resets. The shorter limit lasts a minute. */
function resetAtOf(response: ProviderResponse, nowMs: number): number {
  const seconds = response.headers['x-ratelimit-reset'];
  if (seconds !== undefined && /^\d+$/.test(seconds)) return nowMs + Number(seconds) * 1000;
  return retryAtOf(response, nowMs) ?? nowMs + minuteMs;
}
