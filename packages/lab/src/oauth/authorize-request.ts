import type { RegisteredApp } from '../apps.ts';
import type { OAuthPolicy } from '../provider.ts';

/** A valid authorization request. */
export interface AuthorizeRequest {
  app: RegisteredApp;
  redirectUri: string;
  state: string;
  scopes: string[];
  challenge: string | null;
}

export type AuthorizeCheck =
  | { kind: 'good'; request: AuthorizeRequest }
  /** The browser may not be redirected, so the page shows the error. */
  | { kind: 'stay'; message: string }
  | { kind: 'return'; to: string };

type Fields = Record<string, string | undefined>;

/** Validates an authorization request. Redirects only go to a registered URI of a known app. */
export function checkAuthorize(
  policy: OAuthPolicy,
  fields: Fields,
  findApp: (clientId: string) => RegisteredApp | undefined,
): AuthorizeCheck {
  const app = fields['client_id'] === undefined ? undefined : findApp(fields['client_id']);
  if (!app)
    return {
      kind: 'stay',
      message: 'No app is registered with this client_id. Check the client_id, or register the app.',
    };
  const redirectUri =
    fields['redirect_uri'] ?? (app.redirectUris.length === 1 ? app.redirectUris[0] : undefined);
  if (redirectUri === undefined || !app.redirectUris.includes(redirectUri))
    return {
      kind: 'stay',
      message: `This redirect_uri is not registered for ${app.name}. Register it exactly as the app sends it.`,
    };

  const state = fields['state'] ?? '';
  const fail = (error: string, description: string): AuthorizeCheck => ({
    kind: 'return',
    to: returnTo(redirectUri, { error, error_description: description, ...(state && { state }) }),
  });
  if (fields['response_type'] !== 'code')
    return fail('unsupported_response_type', 'response_type must be code.');
  const least = policy.stateMinLength ?? 1;
  if (state.length < least)
    return fail('invalid_request', `state must have at least ${least} character${least === 1 ? '' : 's'}.`);
  const scopes = fields['scope']
    ? fields['scope'].split(policy.scopeSeparator).filter(Boolean)
    : [...policy.scopes];
  const unknown = scopes.find((scope) => !policy.scopes.includes(scope));
  if (unknown !== undefined) return fail('invalid_scope', `Unknown scope ${unknown}.`);

  const challenge = policy.pkce === 'ignored' ? null : (fields['code_challenge'] ?? null);
  if (challenge === null && policy.pkce === 'required')
    return fail('invalid_request', 'code_challenge is missing. PKCE is required.');
  if (challenge !== null && fields['code_challenge_method'] !== 'S256')
    return fail('invalid_request', 'code_challenge_method must be S256.');
  return { kind: 'good', request: { app, redirectUri, state, scopes, challenge } };
}

/** The redirect URI with the result in its query. */
export function returnTo(redirectUri: string, params: Record<string, string>): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
  return url.href;
}
