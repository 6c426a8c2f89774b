import type { Lab } from '../lab-type.ts';

export type Fields = Record<string, string | string[]>;

/** The parameters of a valid authorization request. */
export const ASKED: Fields = {
  response_type: 'code',
  client_id: 'lab-app',
  state: 'a-state',
  scope: 'sleep offline',
};

/** Consents as a person and returns the redirect URL. */
export async function allow(lab: Lab, fields: Fields = {}): Promise<URL> {
  const response = await postForm(`${lab.url}/tiny/authorize`, {
    ...ASKED,
    person: 'ada',
    decision: 'allow',
    granted: ['sleep', 'offline'],
    ...fields,
  });
  return new URL(response.headers.get('location') ?? `http://none/${response.status}`);
}

export interface TokenResponse {
  error?: string;
  access_token: string;
  refresh_token: string | null;
  expires_in: number;
  scope: string;
}

/** Requests tokens with the credentials of the demo app. */
export async function requestTokens(
  lab: Lab,
  fields: Fields,
  headers: Record<string, string> = {},
): Promise<TokenResponse> {
  const client = { client_id: 'lab-app', client_secret: 'lab-app-secret' };
  const response = await postForm(`${lab.url}/tiny/token`, { ...client, ...fields }, headers);
  return (await response.json()) as TokenResponse;
}

/** Connects a person, from consent to tokens. */
export async function connect(lab: Lab, person = 'ada'): Promise<TokenResponse> {
  const code = (await allow(lab, { person })).searchParams.get('code')!;
  return requestTokens(lab, { grant_type: 'authorization_code', code });
}

/** Exchanges a refresh token. */
export function renew(lab: Lab, { refresh_token: token }: TokenResponse): Promise<TokenResponse> {
  return requestTokens(lab, { grant_type: 'refresh_token', refresh_token: token! });
}

/** Reads a user's identity with their token. */
export function fetchMe(lab: Lab, { access_token: token }: TokenResponse): Promise<Response> {
  return fetch(`${lab.url}/tiny/me`, { headers: { authorization: `Bearer ${token}` } });
}

/** Sends a form without following redirects. */
export function postForm(
  url: string,
  fields: Fields,
  headers: Record<string, string> = {},
): Promise<Response> {
  const body = new URLSearchParams();
  for (const [name, value] of Object.entries(fields))
    for (const one of [value].flat()) body.append(name, one);
  return fetch(url, { method: 'POST', body, headers, redirect: 'manual' });
}
