import { jsonOf, ProviderFailure } from '../failure.ts';
import { fieldsOf, numberOf, textOf } from '../mapping/read.ts';
import type { Tokens } from '../provider.ts';
import type { ProviderResponse } from '../provider-response.ts';

/** Parses the response of a token endpoint that follows RFC 6749. `before` has the values that a refresh does not repeat. */
export function readTokenResponse(
  response: ProviderResponse | { fields: unknown },
  nowMs: number,
  { before = null, separator = ' ' }: { before?: Tokens | null; separator?: string } = {},
): Tokens {
  const fields = fieldsOf('fields' in response ? response.fields : jsonOf(response));
  const accessToken = fullText(fields['access_token']);
  if (accessToken === null) throw new ProviderFailure('unavailable', 'the response has no token');
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
 * The failure in an error response of a token endpoint that follows RFC 6749. The consent has ended only if the provider reports the grant itself as
 * invalid. Only for errors of refreshing and redeeming, because elsewhere a 400 has another meaning.
 */
export function failureOfTokenResponse({ status, body }: ProviderResponse): ProviderFailure | null {
  if (status !== 400 && status !== 401 && status !== 403) return null;
  let error: unknown;
  try {
    error = fieldsOf(JSON.parse(body))['error'];
  } catch {
    return null;
  }
  if (error === 'invalid_grant') return new ProviderFailure('consent_ended', 'the grant is no longer valid');
  return new ProviderFailure('refused', `the token endpoint returned ${status}`);
}

function fullText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
