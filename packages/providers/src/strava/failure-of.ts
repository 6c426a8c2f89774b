import { dayMs, minuteMs } from '@tributary/domain';
import { failureOfStatus, ProviderFailure } from '../failure.ts';
import { fieldsOf, listOf, type Fields } from '../mapping/read.ts';
import type { ProviderResponse } from '../provider-response.ts';

const quarterMs = 15 * minuteMs;

/** The failure in a Strava response, which names the invalid resource in a list of errors. */
export function failureOf(response: ProviderResponse, nowMs: number): ProviderFailure | null {
  const { status } = response;
  if (status === 429)
    return new ProviderFailure('limited', 'the provider returned 429', {
      retryAtMs: resetAtOf(response, nowMs),
    });
  const failure = failureOfStatus(response, nowMs);
  if (status !== 400 && status !== 401) return failure;
  const errors = errorsOf(response);
  // Only a refresh response mentions this token, so it must be the cause.
  if (errors.some(({ resource, code }) => resource === 'RefreshToken' && code === 'invalid'))
    return new ProviderFailure('consent_ended', 'the refresh token is no longer valid');
  // Returned with 401 although a new token would not help.
  if (errors.some(({ field, code }) => code === 'missing' && String(field).endsWith('_permission')))
    return new ProviderFailure('forbidden', 'the consent does not include this scope');
  return failure;
}

/** Windows begin at each quarter-hour and at midnight UTC. Headers show which one is exhausted. */
function resetAtOf({ headers }: ProviderResponse, nowMs: number): number {
  const isDayOver = ['x-readratelimit', 'x-ratelimit'].some((name) => {
    const [limit, usage] = [`${name}-limit`, `${name}-usage`].map((header) =>
      Number(headers[header]?.split(',')[1] ?? Number.NaN),
    );
    return usage! >= limit!;
  });
  const windowMs = isDayOver ? dayMs : quarterMs;
  return (Math.floor(nowMs / windowMs) + 1) * windowMs;
}

function errorsOf({ body }: ProviderResponse): Fields[] {
  try {
    return listOf(fieldsOf(JSON.parse(body))['errors']).map(fieldsOf);
  } catch {
    return [];
  }
}
