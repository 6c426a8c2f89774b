import type { ProviderResponse } from './provider-response.ts';

/**
 * What an error response means for the service.
 * - `unauthorized`: the token is not accepted. A new one may be.
 * - `consent_ended`: the user's consent is over. Only the user can renew it.
 * - `forbidden`: not covered by this consent, because a scope was not granted or a membership lapsed. Everything else still works.
 * - `limited`: too many calls. `retryAtMs` is when to retry.
 * - `unavailable`: a temporary outage.
 * - `refused`: the request was invalid and would fail again.
 * - `gone`: the document does not exist.
 */
export type FailureKind =
  | 'unauthorized'
  | 'consent_ended'
  | 'forbidden'
  | 'limited'
  | 'unavailable'
  | 'refused'
  | 'gone';

/** A failed provider call. The message is our own and quotes nothing from the response. */
export class ProviderFailure extends Error {
  override name = 'ProviderFailure';
  readonly kind: FailureKind;
  /** With `limited`, if the provider reported it. */
  readonly retryAtMs: number | null;

  constructor(kind: FailureKind, message: string, { retryAtMs = null }: { retryAtMs?: number | null } = {}) {
    super(message);
    this.kind = kind;
    this.retryAtMs = retryAtMs;
  }
}

/** The failure that a plain HTTP status means. */
export function failureOfStatus(response: ProviderResponse, nowMs: number): ProviderFailure | null {
  const { status } = response;
  if (status >= 200 && status < 300) return null;
  const message = `the provider returned ${status}`;
  if (status === 401) return new ProviderFailure('unauthorized', message);
  if (status === 403) return new ProviderFailure('forbidden', message);
  if (status === 404 || status === 410) return new ProviderFailure('gone', message);
  if (status === 429)
    return new ProviderFailure('limited', message, { retryAtMs: retryAtOf(response, nowMs) });
  return new ProviderFailure(status >= 500 || status === 408 ? 'unavailable' : 'refused', message);
}

/** The time given in `Retry-After`, in seconds or as a date. */
export function retryAtOf({ headers }: ProviderResponse, nowMs: number): number | null {
  const value = headers['retry-after'];
  if (value === undefined) return null;
  const seconds = Number(value);
  const atMs = Number.isFinite(seconds) ? nowMs + seconds * 1000 : Date.parse(value);
  return Number.isNaN(atMs) ? null : atMs;
}

/** The JSON body of a response. Throws `unavailable` if it is truncated or invalid. */
export function jsonOf({ body }: ProviderResponse): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new ProviderFailure('unavailable', 'the response is not valid JSON');
  }
}
