import type { Answer } from './provider.ts';

/**
 * What a provider's refusal means for us.
 * - `unauthorized`: the token is not accepted; a new one may be.
 * - `consent_ended`: the person's consent is over; only the person can mend it.
 * - `forbidden`: not for this consent: a scope that was not granted, a membership that lapsed. The rest goes on.
 * - `limited`: too many calls; `retryAtMs` says when to come back.
 * - `unavailable`: broken for now.
 * - `refused`: what we asked was wrong, and would be again.
 * - `gone`: there is no such document.
 */
export type FailureKind =
  | 'unauthorized'
  | 'consent_ended'
  | 'forbidden'
  | 'limited'
  | 'unavailable'
  | 'refused'
  | 'gone';

/** A provider did not do what it was asked. The message is ours: it quotes nothing of the answer. */
export class ProviderFailure extends Error {
  override name = 'ProviderFailure';
  readonly kind: FailureKind;
  /** With `limited`, where the provider told. */
  readonly retryAtMs: number | null;

  constructor(kind: FailureKind, message: string, { retryAtMs = null }: { retryAtMs?: number | null } = {}) {
    super(message);
    this.kind = kind;
    this.retryAtMs = retryAtMs;
  }
}

/** What the status of plain HTTP says. */
export function failureOfStatus(answer: Answer, nowMs: number): ProviderFailure | null {
  const { status } = answer;
  if (status >= 200 && status < 300) return null;
  const message = `answered ${status}`;
  if (status === 401) return new ProviderFailure('unauthorized', message);
  if (status === 403) return new ProviderFailure('forbidden', message);
  if (status === 404 || status === 410) return new ProviderFailure('gone', message);
  if (status === 429) return new ProviderFailure('limited', message, { retryAtMs: retryAtOf(answer, nowMs) });
  return new ProviderFailure(status >= 500 || status === 408 ? 'unavailable' : 'refused', message);
}

/** When `Retry-After` says to come back, in seconds or as a date. */
export function retryAtOf({ headers }: Answer, nowMs: number): number | null {
  const value = headers['retry-after'];
  if (value === undefined) return null;
  const seconds = Number(value);
  const atMs = Number.isFinite(seconds) ? nowMs + seconds * 1000 : Date.parse(value);
  return Number.isNaN(atMs) ? null : atMs;
}

/** The JSON of an answer; `unavailable` when it is cut off or none at all. */
export function jsonOf({ body }: Answer): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new ProviderFailure('unavailable', 'answered with what is no JSON');
  }
}
