import { expect } from 'vitest';
import { startLab, type StartLabOptions } from '../../lab.ts';
import type { Lab } from '../../lab-type.ts';
import { credentialsOf, getJson, type Json } from '../../test/connect-person.ts';
import { strava } from './index.ts';
import { policy } from './policy.ts';

interface TestResponse {
  status: number;
  headers: Headers;
  body: Json;
}

/** An app's access to a user's data. */
export interface Athlete {
  tokens: Json;
  /** The URL to which the user was redirected. */
  returned: URL;
  get: (path: string) => Promise<TestResponse>;
}

/** A lab with only Strava, whose clock stands still. */
export function startStrava(options: StartLabOptions = {}): Promise<Lab> {
  return startLab({ providers: [strava], startAt: Date.parse('2026-04-20T12:00:00Z'), ...options });
}

/** Consents as a person, with the scopes they leave checked, and fetches the tokens. */
export async function connect(
  lab: Lab,
  person: string,
  ticked: readonly string[] = policy.scopes,
): Promise<Athlete> {
  const form = new URLSearchParams({
    client_id: credentialsOf(lab).client_id,
    redirect_uri: `${lab.url}/lab/callback`,
    response_type: 'code',
    approval_prompt: 'auto',
    scope: policy.scopes.join(','),
    person,
    decision: 'allow',
  });
  for (const scope of ticked) form.append('granted', scope);
  const page = await fetch(`${lab.url}/strava/oauth/authorize`, {
    method: 'POST',
    body: form,
    redirect: 'manual',
  });
  const returned = new URL(page.headers.get('location') ?? '');
  const code = returned.searchParams.get('code') ?? '';
  const { status, body } = await requestTokens(lab, { grant_type: 'authorization_code', code });
  expect(status).toBe(200);
  return {
    tokens: body,
    returned,
    get: (path) => getJson(`${lab.url}/strava/api/v3${path}`, body.access_token),
  };
}

/** Calls the token endpoint with the credentials of the app. */
export function requestTokens(lab: Lab, fields: Record<string, string>): Promise<TestResponse> {
  return send(lab, '/oauth/token', { ...credentialsOf(lab), ...fields });
}

/** Requests new tokens. */
export function renew(lab: Lab, refreshToken: string): Promise<TestResponse> {
  return requestTokens(lab, { grant_type: 'refresh_token', refresh_token: refreshToken });
}

/** Sends a form to a path of the provider. */
export async function send(
  lab: Lab,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<TestResponse> {
  const url = `${lab.url}/strava${path}`;
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(fields), headers });
  return { status: response.status, headers: response.headers, body: await response.json() };
}
