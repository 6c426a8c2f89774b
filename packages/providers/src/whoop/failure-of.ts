import { failureOfStatus, ProviderFailure, retryAtOf } from '../failure.ts';
import { failureOfTokenAnswer } from '../oauth/token-answer.ts';
import type { Answer } from '../provider-response.ts';

const minuteMs = 60_000;

/** The failure in a WHOOP response. Only the token endpoint reports grants, so that error is reliable wherever it occurs. */
export function failureOf(answer: Answer, nowMs: number): ProviderFailure | null {
  const refused = failureOfTokenAnswer(answer);
  if (refused?.kind === 'consent_ended') return refused;
  if (answer.status === 429)
    return new ProviderFailure('limited', 'the provider returned 429', {
      retryAtMs: resetAtOf(answer, nowMs),
    });
  return failureOfStatus(answer, nowMs);
}

/** `X-RateLimit-Reset` is the number of seconds until the exhausted limit resets. The shorter limit lasts a minute. */
function resetAtOf(answer: Answer, nowMs: number): number {
  const seconds = answer.headers['x-ratelimit-reset'];
  if (seconds !== undefined && /^\d+$/.test(seconds)) return nowMs + Number(seconds) * 1000;
  return retryAtOf(answer, nowMs) ?? nowMs + minuteMs;
}
