import type { Lab } from '../../lab-type.ts';
import { consent, credentialsOf, type Json } from '../../test/connect-person.ts';
import { policy } from './policy.ts';

export const endpoints = {
  authorize: '/polar/flow/oauth2/authorization',
  token: '/polar/polarremote/v2/oauth2/token',
};

export interface TestResponse {
  status: number;
  headers: Headers;
  body: Json;
}

export interface Client {
  token: Json;
  /** Calls a path below /v3. */
  call: (method: string, path: string, body?: Json) => Promise<TestResponse>;
  get: (path: string) => Promise<TestResponse>;
}

/** The credentials of an app. */
function basicOf(lab: Lab): string {
  const { client_id: id, client_secret: secret } = credentialsOf(lab);
  return `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
}

/** Consents as a person and fetches the token, without registering the user. */
export async function authorize(lab: Lab, person: string, scopes = policy.scopes): Promise<Client> {
  const returned = await consent(lab, endpoints, person, scopes);
  const { status, body } = await exchange(lab, {
    code: returned.searchParams.get('code') ?? '',
    redirect_uri: lab.apps[0]!.redirectUris[0]!,
  });
  if (status !== 200) throw new Error(`No token: ${status} ${JSON.stringify(body)}`);
  return clientOf(lab, body, `Bearer ${body.access_token}`);
}

/** The same, and registers the user. */
export async function connectPolar(lab: Lab, person: string): Promise<Client> {
  const client = await authorize(lab, person);
  const { status } = await client.call('POST', '/users', { 'member-id': `ours-${person}` });
  if (status !== 200) throw new Error(`Not registered: ${status}`);
  return client;
}

/** An app that authenticates as itself. */
export function asApp(lab: Lab): Client {
  return clientOf(lab, null, basicOf(lab));
}

/** Requests a token. */
export async function exchange(
  lab: Lab,
  fields: Record<string, string>,
  authorization = basicOf(lab),
): Promise<TestResponse> {
  const response = await fetch(`${lab.url}${endpoints.token}`, {
    method: 'POST',
    headers: { authorization },
    body: new URLSearchParams({ grant_type: 'authorization_code', ...fields }),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

function clientOf(lab: Lab, token: Json, authorization: string): Client {
  const call = async (method: string, path: string, body?: Json): Promise<TestResponse> => {
    const response = await fetch(`${lab.url}/polar/www/v3${path}`, {
      method,
      headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? null : JSON.parse(text),
    };
  };
  return { token, call, get: (path) => call('GET', path) };
}
