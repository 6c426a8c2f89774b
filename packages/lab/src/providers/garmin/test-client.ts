import { createHash } from 'node:crypto';
import { startLab } from '../../lab.ts';
import type { StartLabOptions } from '../../lab.ts';
import type { Lab } from '../../lab-type.ts';
import type { Received, Receiver } from '../test-receiver.ts';
import { garmin } from './index.ts';

// The tests define the shape of a row.
// oxlint-disable-next-line typescript/no-explicit-any
export type TestRow = any;

export const testApp = { clientId: 'test-app', clientSecret: 'a-secret-of-the-test' };
export const noon = Date.parse('2026-05-04T12:00:00Z');
export const allPermissions = ['ACTIVITY_EXPORT', 'HEALTH_EXPORT', 'HISTORICAL_DATA_EXPORT'];
const verifier = 'a-verifier-that-is-long-enough-to-be-one-of-RFC-7636';

/** Starts a lab that simulates only Garmin and pushes to the receiver. */
export function startGarmin(receiver?: Receiver, options: StartLabOptions = {}): Promise<Lab> {
  const pushUrls = receiver ? { garmin: `${receiver.url}/all` } : {};
  return startLab({ providers: [garmin], startAt: noon, apps: [{ ...testApp, pushUrls }], ...options });
}

/** Gives consent as a person and returns the redirect URL. */
export async function consent(
  lab: Lab,
  person: string,
  permitted: readonly string[],
  challenge?: string,
): Promise<URL> {
  const form = new URLSearchParams({
    response_type: 'code',
    client_id: testApp.clientId,
    redirect_uri: `${lab.url}/lab/callback`,
    state: 'a-state-of-mine',
    ...(challenge && { code_challenge: challenge, code_challenge_method: 'S256' }),
    person,
    decision: 'allow',
  });
  for (const permission of permitted) form.append('granted', permission);
  const url = `${lab.url}/garmin/connect/oauth2Confirm`;
  const response = await fetch(url, { method: 'POST', body: form, redirect: 'manual' });
  return new URL(response.headers.get('location') ?? '');
}

/** Requests tokens. */
export async function requestTokens(
  lab: Lab,
  fields: Record<string, string>,
): Promise<{ status: number; body: TestRow }> {
  const { clientId: client_id, clientSecret: client_secret } = testApp;
  const body = new URLSearchParams({ client_id, client_secret, ...fields });
  const response = await fetch(`${lab.url}/garmin/diauth/di-oauth2-service/oauth/token`, {
    method: 'POST',
    body,
  });
  return { status: response.status, body: await response.json() };
}

/** Connects a person. */
export async function connect(
  lab: Lab,
  person: string,
  permitted: readonly string[] = allPermissions,
): Promise<{ token: string; refresh: string }> {
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const code = (await consent(lab, person, permitted, challenge)).searchParams.get('code') ?? '';
  const fields = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: `${lab.url}/lab/callback`,
    code_verifier: verifier,
  };
  const { body } = await requestTokens(lab, fields);
  return { token: body.access_token, refresh: body.refresh_token };
}

/** Calls apis.garmin.com. */
export async function api(
  lab: Lab,
  path: string,
  token?: string,
  method = 'GET',
): Promise<{ status: number; body: TestRow }> {
  const headers = token ? { authorization: `Bearer ${token}` } : undefined;
  const response = await fetch(`${lab.url}/garmin/apis${path}`, { method, ...(headers && { headers }) });
  const text = await response.text();
  return { status: response.status, body: text ? JSON.parse(text) : null };
}

const parsed = new WeakMap<Received, Record<string, TestRow[]>>();

/** The rows of a key that were pushed so far, in order. */
export function rowsOf(receiver: Receiver, key: string): TestRow[] {
  return receiver.received.flatMap((one) => {
    const body = parsed.get(one) ?? (JSON.parse(one.body) as Record<string, TestRow[]>);
    parsed.set(one, body);
    return body[key] ?? [];
  });
}

/** Waits until a condition holds. */
export async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; tries < 200 && !holds(); tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 10));
}
