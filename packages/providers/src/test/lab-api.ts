import { startLab, type Lab, type StartLabOptions } from '@tributary/lab';
import { ProviderFailure } from '../failure.ts';
import { hostsInLab } from '../hosts.ts';
import type { App, AppApi, Call, Documents, Provider, Tokens, UserApi } from '../provider.ts';
import type { ProviderResponse } from '../provider-response.ts';

/** A lab whose clock stands still until it is moved, with an app that may redirect to `redirectUri`. */
export function startTestLab(options: StartLabOptions = {}): Promise<Lab> {
  return startLab({ startAt: Date.parse('2026-11-15T12:00:00Z'), ...options });
}

/** The lab's first app, as a provider sees it. */
export function appInLab(
  lab: Lab,
  provider: Pick<Provider, 'id' | 'hosts'>,
  settings: Record<string, string> = {},
): App {
  const [{ clientId, clientSecret }] = lab.apps as [Lab['apps'][number]];
  return { clientId, clientSecret, hosts: hostsInLab(provider, lab.url), settings };
}

/** Access to a provider in the lab as the application. */
export function openAppApi(lab: Lab, provider: Provider, app = appInLab(lab, provider)): AppApi {
  return { app, now: lab.clock.now, send: (call) => send(lab, provider, call, {}) };
}

/** Connects a person as a browser and the service do: consent, code, tokens, enrollment, permissions. */
export async function connectInLab(
  lab: Lab,
  provider: Provider,
  person = 'ada',
  {
    scopes = provider.oauth.scopes,
    app = appInLab(lab, provider),
  }: { scopes?: readonly string[]; app?: App } = {},
): Promise<UserApi> {
  const api = openAppApi(lab, provider, app);
  const verifier = 'a-verifier-that-is-long-enough-for-every-provider';
  const challenge = await s256(verifier);
  const redirectUri = lab.apps[0]?.redirectUris[0] ?? '';
  const address = new URL(
    provider.oauth.authorizeUrl(app, { redirectUri, state: 'state-of-the-test', challenge }),
  );
  const form = new URLSearchParams(address.search);
  form.set('person', person);
  form.set('decision', 'allow');
  for (const scope of scopes) form.append('granted', scope);
  const consented = await fetch(`${address.origin}${address.pathname}`, {
    method: 'POST',
    body: form,
    redirect: 'manual',
  });
  const returned = new URL(consented.headers.get('location') ?? 'about:blank').searchParams;
  const code = returned.get('code');
  if (code === null) throw new Error(`the lab gave no code: ${consented.status} ${await consented.text()}`);
  const tokens = await provider.oauth.redeem(api, { code, redirectUri, verifier, returned });
  const user = openUserApi(lab, provider, app, tokens);
  user.userId = await provider.oauth.enroll(user, {
    memberId: `member-${person}`,
    pushUrl: 'https://push.test/x',
  });
  user.scopes = tokens.scopes ?? (await provider.oauth.readScopes?.(user)) ?? null;
  user.tokens = { ...tokens, scopes: user.scopes };
  return user;
}

/** Access to a provider in the lab for the user of these tokens. */
export function openUserApi(lab: Lab, provider: Provider, app: App, tokens: Tokens): UserApi {
  return {
    app,
    tokens,
    scopes: tokens.scopes,
    userId: '',
    now: lab.clock.now,
    send: (call) => send(lab, provider, call, { authorization: `Bearer ${tokens.accessToken}` }),
  };
}

/** All data of a stream in a span. */
export async function readAll(
  provider: Provider,
  name: string,
  api: UserApi,
  span: { fromMs: number; toMs: number },
): Promise<Documents> {
  const stream = provider.streams.find((one) => one.name === name);
  if (stream?.kind !== 'listed') throw new Error(`${provider.id} has no stream ${name} that can be read`);
  const allDocuments: unknown[] = [];
  for await (const documents of stream.read(api, span)) allDocuments.push(...documents);
  return allDocuments;
}

async function send(
  lab: Lab,
  provider: Provider,
  call: Call,
  auth: Record<string, string>,
): Promise<ProviderResponse> {
  const url = new URL(call.url);
  for (const [name, value] of Object.entries(call.query ?? {}))
    if (value !== undefined) url.searchParams.set(name, String(value));
  const form = call.form && Object.entries(call.form).filter(([, value]) => value !== undefined);
  const body = form
    ? new URLSearchParams(form.map(([name, value]): [string, string] => [name, String(value)]))
    : call.json === undefined
      ? null
      : JSON.stringify(call.json);
  const response = await fetch(url, {
    method: call.method,
    body,
    headers: {
      ...(call.json !== undefined && { 'content-type': 'application/json' }),
      ...(!call.bare && auth),
      ...call.headers,
    },
  }).catch(() => {
    throw new ProviderFailure('unavailable', 'no response');
  });
  const providerResponse: ProviderResponse = {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.text().catch(() => ''),
  };
  const failure = provider.failureOf(providerResponse, lab.clock.now());
  if (failure) throw failure;
  return providerResponse;
}

async function s256(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  return Buffer.from(digest).toString('base64url');
}
