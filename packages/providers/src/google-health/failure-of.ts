import { minuteMs } from '@tributary/domain';
import { failureOfStatus, ProviderFailure } from '../failure.ts';
import { fieldsOf, listOf } from '../mapping/read.ts';
import type { ProviderResponse } from '../provider-response.ts';
import { secondsOf } from './wire.ts';

/** Quotas are per minute. */
const quotaWindowMs = minuteMs;

/** The failure in a Google response. The token endpoint names errors by a code, everything else by an object. */
export function failureOf(response: ProviderResponse, nowMs: number): ProviderFailure | null {
  const plain = failureOfStatus(response, nowMs);
  if (plain === null) return null;
  const { error } = fieldsOf(parsed(response.body));
  if (response.status === 400 && (error === 'invalid_grant' || error === 'invalid_token'))
    return new ProviderFailure('consent_ended', 'the grant is no longer valid');
  if (plain.kind === 'unauthorized' && typeof error === 'string')
    return new ProviderFailure('refused', 'the provider rejected the app credentials');
  if (plain.kind !== 'limited') return plain;
  const retryAtMs = plain.retryAtMs ?? nowMs + (retryDelayMs(error) ?? quotaWindowMs);
  return new ProviderFailure('limited', plain.message, { retryAtMs });
}

/** Some error responses include the delay in their details. */
function retryDelayMs(error: unknown): number | null {
  const delays = listOf(fieldsOf(error)['details']).map((detail) =>
    secondsOf(fieldsOf(detail)['retryDelay']),
  );
  const seconds = delays.find((delay) => delay !== null);
  return seconds === undefined || seconds === null ? null : seconds * 1000;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
