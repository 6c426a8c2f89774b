import { randomUUID } from 'node:crypto';
import type { BrowserContext } from 'playwright-core';
import type { StackInfo } from './stack.ts';

/** Text that would run if it were used as markup, a URL or a template. */
export const hostile =
  'javascript:stolen=1//"><img src=x onerror=stolen=1><script>stolen=1</script>{{stolen=1}}${stolen=1}';
/** A hostile text that is a valid mail address. */
export const hostileMail = '{{stolen=1}}${stolen=1}@colleagues.example';
export const hostilePerson = '{{stolen=1}}${stolen=1}@people.example';
/** A hostile user agent, of which the dashboard shows the part before the slash. */
export const hostileAgent = '"><script>stolen=1<';

/** A text and the page that shows it. */
export type Sight = readonly [what: string, path: string, shown: string];

interface Call {
  method?: string;
  headers?: Record<string, string>;
  body: unknown;
}

async function call<T>(url: string, { method = 'POST', headers = {}, body }: Call): Promise<T> {
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID(), ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`);
  return JSON.parse(text) as T;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const inJson = (text: string) => JSON.stringify(text).slice(1, -1);

/** Stores hostile text in every API field that the dashboard shows. */
export async function storeByApi(info: StackInfo, receiverUrl: string): Promise<Sight[]> {
  const api = `${info.base_url}/v1`;
  const key = bearer(info.sandbox_key);
  const { data: user } = await call<{ data: { id: string } }>(`${api}/users`, {
    headers: key,
    body: { reference_id: hostile, sandbox: { archetype: 'none' } },
  });
  const session = await call<{ client_token: string }>(`${api}/users/${user.id}/sdk-sessions`, {
    headers: key,
    body: { installation_id: hostile },
  });
  const { access_token: token } = await call<{ access_token: string }>(`${api}/sdk/sessions/exchange`, {
    body: session,
  });
  const date = new Date().toISOString().slice(0, 10);
  await call(`${api}/sdk/batches`, {
    headers: bearer(token),
    body: {
      batch_id: randomUUID(),
      device: { provider: 'apple_health', id: hostile, kind: 'watch', model: hostile, name: hostile },
      daily: [{ metric: 'steps', date, value: 4_200 }],
      workouts: [
        {
          id: hostile,
          name: hostile,
          sport_type: '<img src=x onerror=stolen=1>',
          start: `${date}T00:00:00Z`,
          end: `${date}T00:10:00Z`,
        },
      ],
    },
  });
  const { data: webhook } = await call<{ data: { id: string; url: string } }>(`${api}/webhooks`, {
    headers: key,
    body: { url: `${receiverUrl}/${hostile.replaceAll(' ', '/')}`, events: ['*'] },
  });
  const { data: sent } = await call<{ data: { event_id: string } }>(`${api}/webhooks/${webhook.id}/test`, {
    headers: key,
    body: {},
  });
  await call(`${api}/team/roster/invitations`, {
    headers: bearer(info.live_key),
    body: { email: hostilePerson, name: hostile, reference_id: hostile },
  });
  return [
    ['the reference of a user', '/sandbox/users', hostile],
    ['the reference of a user, as a title', `/sandbox/users/${user.id}`, hostile],
    ['the name of a device', `/sandbox/users/${user.id}?why=daily.steps.${date}`, hostile],
    ['an unknown sport', `/sandbox/users/${user.id}?tab=workouts`, 'Other'],
    ['an endpoint', '/sandbox/webhooks', webhook.url],
    ['an endpoint, as a title', `/sandbox/webhooks/${webhook.id}`, webhook.url],
    ["an endpoint's response", `/sandbox/webhooks/${webhook.id}?delivery=${sent.event_id}`, hostile],
    ['the name of an invited person', '/live/roster/invitations', hostile],
    ['the address of an invited person', '/live/roster/invitations', hostilePerson],
  ];
}

/** Stores hostile text in account settings and the audit log. */
export async function storeByOwner(owner: BrowserContext, info: StackInfo): Promise<Sight[]> {
  const send = async (method: string, path: string, data: object) => {
    const response = await owner.request.fetch(`${info.base_url}/dashboard/api${path}`, {
      method,
      data,
      headers: { origin: info.base_url },
    });
    if (!response.ok()) throw new Error(`${method} ${path}: ${response.status()} ${await response.text()}`);
    return response;
  };
  await send('PATCH', '/settings', {
    name: hostile,
    organization_name: hostile,
    contact_email: hostileMail,
    add_redirect_urls: [`https://app.example/${hostile}`],
  });
  const settings = (await (await send('GET', '/settings', {})).json()) as { redirect_urls: string[] };
  await send('PUT', '/providers/oura', {
    client_id: hostile.replaceAll(' ', '/'),
    client_secret: hostile,
  });
  await send('POST', '/team/invitations', { email: hostileMail, role: 'viewer' });
  return [
    ['the name of the account, in the sidebar', '/live/overview', hostile],
    ['a redirect URL', '/live/settings', settings.redirect_urls.at(-1)!],
    ['the client id of a provider', '/live/providers/oura', hostile.replaceAll(' ', '/')],
    ['the address of a colleague', '/live/settings/team', hostileMail],
    ['a change in the audit log', '/live/audit?action=account.updated&entry=', hostile],
    ['the user of an entry', '/sandbox/audit?action=user.created&entry=', inJson(hostile)],
    ['a search for a user', `/live/users?q=${encodeURIComponent(hostile)}`, hostile],
  ];
}
