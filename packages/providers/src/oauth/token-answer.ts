import { jsonOf, ProviderFailure } from '../failure.ts';
import { fieldsOf, numberOf, textOf } from '../mapping/read.ts';
import type { Answer, Tokens } from '../provider.ts';

/** Reads the answer of a token endpoint that keeps to RFC 6749. `before` gives what a refresh does not repeat. */
export function readTokenAnswer(
  answer: Answer | { fields: unknown },
  nowMs: number,
  { before = null, separator = ' ' }: { before?: Tokens | null; separator?: string } = {},
): Tokens {
  const fields = fieldsOf('fields' in answer ? answer.fields : jsonOf(answer));
  const accessToken = fullText(fields['access_token']);
  if (accessToken === null) throw new ProviderFailure('unavailable', 'answered without a token');
  const seconds = numberOf(fields['expires_in']);
  const scope = textOf(fields['scope']);
  return {
    accessToken,
    refreshToken: fullText(fields['refresh_token']) ?? before?.refreshToken ?? null,
    expiresAtMs: seconds === null ? null : nowMs + seconds * 1000,
    scopes: scope === null ? (before?.scopes ?? null) : scope.split(separator).filter((one) => one !== ''),
  };
}

/**
 * What a refusal of a token endpoint that keeps to RFC 6749 means: the consent is over only when the provider says so of the grant itself.
 * To be used on refusals of refreshing and redeeming, since elsewhere a 400 means something else.
 */
export function failureOfTokenAnswer({ status, body }: Answer): ProviderFailure | null {
  if (status !== 400 && status !== 401 && status !== 403) return null;
  let error: unknown;
  try {
    error = fieldsOf(JSON.parse(body))['error'];
  } catch {
    return null;
  }
  if (error === 'invalid_grant') return new ProviderFailure('consent_ended', 'the grant is no longer good');
  return new ProviderFailure('refused', `the token endpoint refused: ${status}`);
}

function fullText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
