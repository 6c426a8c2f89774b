import { failureOfStatus, ProviderFailure } from '../failure.ts';
import { fieldsOf } from '../mapping/read.ts';
import { failureOfTokenResponse } from '../oauth/token-response.ts';
import type { ProviderResponse } from '../provider-response.ts';

/** The failure in a Polar response. Only its token endpoint has an `error`. */
export function failureOf(response: ProviderResponse, nowMs: number): ProviderFailure | null {
  const plain = failureOfStatus(response, nowMs);
  if (plain?.kind === 'limited')
    return new ProviderFailure('limited', plain.message, { retryAtMs: resetAtOf(response, nowMs) });
  const isOfTokens = plain !== null && typeof fieldsOf(parsed(response.body))['error'] === 'string';
  return (isOfTokens ? failureOfTokenResponse(response) : null) ?? plain;
}

/** Headers have one number for 15 minutes and one for the day. The exhausted limit determines the retry time. */
function resetAtOf({ headers }: ProviderResponse, nowMs: number): number | null {
  const [usage = [], limits = [], resets = []] = ['usage', 'limit', 'reset'].map((name) =>
    (headers[`ratelimit-${name}`] ?? '').split(',').map((part) => Number.parseFloat(part)),
  );
  const used = resets.filter((seconds, at) => seconds >= 0 && (usage[at] ?? 0) >= (limits[at] ?? Infinity));
  const first = resets.find((seconds) => seconds >= 0);
  if (used.length > 0) return nowMs + Math.max(...used) * 1000;
  return first === undefined ? null : nowMs + first * 1000;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
