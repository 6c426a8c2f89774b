import { minuteMs } from '@tributary/domain';
import { failureOfStatus, ProviderFailure, type FailureKind } from '../failure.ts';
import { fieldsOf, numberOf } from '../mapping/read.ts';
import type { ProviderResponse } from '../provider-response.ts';

/** The limit is per minute, and no header says when it ends. */
const limitMs = minuteMs;

/** Families of status codes as ranges. A code outside of them counts as a temporary failure. */
const families: readonly (readonly [from: number, to: number, kind: FailureKind])[] = [
  [100, 102, 'unauthorized'],
  [200, 200, 'unauthorized'],
  [401, 401, 'unauthorized'],
  [201, 213, 'refused'],
  [293, 295, 'refused'],
  [501, 511, 'refused'],
  [214, 214, 'forbidden'],
  [277, 277, 'forbidden'],
  [2553, 2553, 'forbidden'],
  [601, 601, 'limited'],
];

/** The failure in a response. Nearly all responses are HTTP 200, and the `status` inside decides. */
export function failureOf(response: ProviderResponse, nowMs: number): ProviderFailure | null {
  const failure = failureOfStatus(response, nowMs);
  if (failure) return failure;
  const status = statusOf(response);
  if (status === 0) return null;
  if (status === null) return new ProviderFailure('unavailable', 'the response has no status');
  const kind = families.find(([from, to]) => status >= from && status <= to)?.[2] ?? 'unavailable';
  const retryAtMs = kind === 'limited' ? nowMs + limitMs : null;
  return new ProviderFailure(kind, `the provider returned status ${status}`, { retryAtMs });
}

function statusOf({ body }: ProviderResponse): number | null {
  try {
    return numberOf(fieldsOf(JSON.parse(body))['status']);
  } catch {
    return null;
  }
}
