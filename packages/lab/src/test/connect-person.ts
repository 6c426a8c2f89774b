import type { Lab } from '../lab-type.ts';

/** Where a user consents, and where the code is exchanged for tokens. */
export interface Endpoints {
  authorize: string;
  token: string;
}

/** An app's tokens for a user, and the token response. */
export interface Connection {
  accessToken: string;
  refreshToken: string | undefined;
  /** The URL to which the user was redirected. */
  returned: URL;
  body: Record<string, unknown>;
  /** Reads a path of the provider. */
  get: (path: string) => Promise<{ status: number; headers: Headers; body: Json }>;
}

// oxlint-disable-next-line typescript/no-explicit-any -- provider responses, whose shape the tests check
export type Json = any;

/** Consents as a person and fetches the tokens as the app, like a browser and a server. */
export async function connect(
  lab: Lab,
  endpoints: Endpoints,
  person: string,
  scopes: readonly string[],
): Promise<Connection> {
  const returned = await consent(lab, endpoints, person, scopes);
  const code = returned.searchParams.get('code') ?? '';
  const response = await postForm(`${lab.url}${endpoints.token}`, {
    ...credentialsOf(lab),
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri(lab),
  });
  const body = (await response.json()) as Record<string, unknown>;
  if (response.status !== 200) throw new Error(`No tokens: ${response.status} ${JSON.stringify(body)}`);
  const accessToken = String(body['access_token']);
  const refreshToken = body['refresh_token'] as string | undefined;
  return {
    accessToken,
    refreshToken,
    returned,
    body,
    get: (path) => getJson(`${lab.url}${path}`, accessToken),
  };
}

/** Allows the scopes on the consent page and returns the URL to which the browser is redirected. */
export async function consent(
  lab: Lab,
  endpoints: Endpoints,
  person: string,
  scopes: readonly string[],
  state = 'state-of-the-test',
): Promise<URL> {
  const form = new URLSearchParams({
    client_id: credentialsOf(lab).client_id,
    redirect_uri: redirectUri(lab),
    response_type: 'code',
    state,
    scope: scopes.join(' '),
    person,
    decision: 'allow',
  });
  for (const scope of scopes) form.append('granted', scope);
  const url = `${lab.url}${endpoints.authorize}`;
  const response = await fetch(url, { method: 'POST', body: form, redirect: 'manual' });
  return new URL(response.headers.get('location') ?? `${url}#${response.status}`);
}

/** Requests a new pair of tokens. */
export async function refresh(
  lab: Lab,
  endpoints: Endpoints,
  refreshToken: string,
  more: Record<string, string> = {},
): Promise<{ status: number; body: Json }> {
  const fields = { ...credentialsOf(lab), grant_type: 'refresh_token', refresh_token: refreshToken, ...more };
  const response = await postForm(`${lab.url}${endpoints.token}`, fields);
  return { status: response.status, body: await response.json() };
}

/** Reads JSON with a token. */
export async function getJson(
  url: string,
  accessToken: string,
): Promise<{ status: number; headers: Headers; body: Json }> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${accessToken}` } });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
}

/** The credentials of the lab's first app. */
export function credentialsOf(lab: Lab): { client_id: string; client_secret: string } {
  const [app] = lab.apps;
  if (!app) throw new Error('The lab of this test has no app.');
  return { client_id: app.clientId, client_secret: app.clientSecret };
}

function redirectUri(lab: Lab): string {
  return lab.apps[0]?.redirectUris[0] ?? '';
}

async function postForm(url: string, fields: Record<string, string>): Promise<Response> {
  return fetch(url, { method: 'POST', body: new URLSearchParams(fields) });
}
