import { createHmac } from 'node:crypto';
import type { Lab } from '../../lab-type.ts';
import { startLab } from '../../lab.ts';
import type { StartLabOptions } from '../../lab.ts';
import { withings } from './index.ts';

export interface TestResponse {
  http: number;
  status: number;
  // The tests define the shape of the body.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

export const testApp = { clientId: 'test-app', clientSecret: 'a-secret-of-the-test' };
export const noon = Date.parse('2026-05-04T12:00:00Z');
export const allScopes = ['user.info', 'user.metrics', 'user.activity', 'user.sleepevents'];

/** Starts a lab that simulates only Withings. */
export function startWithings(options: StartLabOptions = {}): Promise<Lab> {
  return startLab({ providers: [withings], startAt: noon, apps: [testApp], ...options });
}

/** Calls an action as a client does. */
export async function call(
  lab: Lab,
  path: string,
  fields: Record<string, string | number>,
  token?: string,
): Promise<TestResponse> {
  const body = new URLSearchParams(
    Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const headers = token ? { authorization: `Bearer ${token}` } : undefined;
  const response = await fetch(`${lab.url}/withings/wbsapi${path}`, {
    method: 'POST',
    body,
    ...(headers && { headers }),
  });
  return { http: response.status, ...((await response.json()) as Omit<TestResponse, 'http'>) };
}

/** Consents as a person and returns the code. */
export async function consent(
  lab: Lab,
  person: string,
  scopes: readonly string[] = allScopes,
): Promise<string> {
  const form = new URLSearchParams({
    response_type: 'code',
    client_id: testApp.clientId,
    redirect_uri: `${lab.url}/lab/callback`,
    state: 'a-state-of-mine',
    scope: scopes.join(','),
    person,
    decision: 'allow',
  });
  for (const scope of scopes) form.append('granted', scope);
  const url = `${lab.url}/withings/account/oauth2_user/authorize2`;
  const response = await fetch(url, { method: 'POST', body: form, redirect: 'manual' });
  return new URL(response.headers.get('location') ?? '').searchParams.get('code') ?? '';
}

/** Fields of a token request. */
export function tokenRequest(lab: Lab, code: string): Record<string, string> {
  return {
    action: 'requesttoken',
    grant_type: 'authorization_code',
    client_id: testApp.clientId,
    client_secret: testApp.clientSecret,
    code,
    redirect_uri: `${lab.url}/lab/callback`,
  };
}

/** Connects a person. */
export async function connect(
  lab: Lab,
  person: string,
  scopes?: readonly string[],
): Promise<{ token: string; refresh: string; userid: string }> {
  const { body } = await call(lab, '/v2/oauth2', tokenRequest(lab, await consent(lab, person, scopes)));
  return { token: body.access_token, refresh: body.refresh_token, userid: body.userid };
}

/** Signs as the Withings documentation describes: the values sorted by field name, joined by commas. */
export function sign(fields: Record<string, string>, secret: string = testApp.clientSecret): string {
  const signed = Object.entries(fields)
    .filter(([name]) => ['action', 'client_id', 'nonce', 'timestamp'].includes(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, value]) => value);
  return createHmac('sha256', secret).update(signed.join(',')).digest('hex');
}
