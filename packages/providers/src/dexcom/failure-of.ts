import { failureOfStatus, ProviderFailure, retryAtOf } from '../failure.ts';
import { fieldsOf } from '../mapping/read.ts';
import { failureOfTokenAnswer } from '../oauth/token-answer.ts';
import type { Answer } from '../provider-response.ts';

/** The limit is hourly, and the response does not say when the hour began. */
const limitMs = 10 * 60_000;

/** RFC 6749 error codes that only a token endpoint returns. */
const tokenErrors = new Set<unknown>([
  'invalid_grant',
  'invalid_client',
  'unauthorized_client',
  'unsupported_grant_type',
]);

/** The failure in a response: plain HTTP, except for errors of the token endpoint. */
export function failureOf(answer: Answer, nowMs: number): ProviderFailure | null {
  if (answer.status === 429) {
    const retryAtMs = retryAtOf(answer, nowMs) ?? nowMs + limitMs;
    return new ProviderFailure('limited', 'the provider returned 429', { retryAtMs });
  }
  const refusal = tokenErrors.has(errorOf(answer)) ? failureOfTokenAnswer(answer) : null;
  return refusal ?? failureOfStatus(answer, nowMs);
}

function errorOf({ status, body }: Answer): unknown {
  if (status < 400 || status >= 500) return null;
  try {
    return fieldsOf(JSON.parse(body))['error'];
  } catch {
    return null;
  }
}
