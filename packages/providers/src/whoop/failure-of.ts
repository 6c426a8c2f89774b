import { failureOfStatus, ProviderFailure, retryAtOf } from '../failure.ts';
import { failureOfTokenAnswer } from '../oauth/token-answer.ts';
import type { Answer } from '../provider.ts';

const minuteMs = 60_000;

/** What is wrong with an answer of WHOOP. Only the token endpoint speaks of grants, so its word can be taken wherever it is heard. */
export function failureOf(answer: Answer, nowMs: number): ProviderFailure | null {
  const refused = failureOfTokenAnswer(answer);
  if (refused?.kind === 'consent_ended') return refused;
  if (answer.status === 429)
    return new ProviderFailure('limited', 'answered 429', { retryAtMs: resetAtOf(answer, nowMs) });
  return failureOfStatus(answer, nowMs);
}

/** `X-RateLimit-Reset` counts the seconds until the limit that was hit begins anew; the shorter one lasts a minute. */
function resetAtOf(answer: Answer, nowMs: number): number {
  const seconds = answer.headers['x-ratelimit-reset'];
  if (seconds !== undefined && /^\d+$/.test(seconds)) return nowMs + Number(seconds) * 1000;
  return retryAtOf(answer, nowMs) ?? nowMs + minuteMs;
}
