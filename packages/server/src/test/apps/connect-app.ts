import { startLab, type Lab, type StartLabOptions } from '@tributary/lab';
import { findProvider, type Provider } from '@tributary/providers';
import type { Context } from '../../context.ts';
import { runJobs } from '../../jobs/run-jobs.ts';
import { runSync } from '../../jobs/run-sync.ts';
import { findApp } from '../../services/providers/find-app.ts';
import { pushUrlOf } from '../../services/providers/push-address.ts';
import { startTestApp, type TestResponse, type TestApp } from './test-app.ts';
import { workThrough } from '../data/uploads.ts';

/** The service with a lab that simulates its sandbox providers. */
export interface ConnectApp extends TestApp {
  lab: Lab;
  /** Requests a connection and returns the device and the authorization page. */
  connect(userId: string, provider: string, redirectUrl?: string): Promise<TestResponse>;
  /** Follows the pages as a user of the lab would and returns the final URL. */
  authorize(authUrl: string, person?: string, options?: AuthorizeOptions): Promise<Response>;
  /** A user with a time zone. */
  createUser(timezone?: string): Promise<string>;
  /** Processes the fetched data. */
  processPending(): Promise<void>;
  /** Syncs providers until disposed, as the `jobs` role does. */
  startSync(): AsyncDisposable;
  /** Runs jobs and syncs providers until disposed; optionally as another process. */
  startJobs(ctx?: Context): Promise<AsyncDisposable>;
}

export interface AuthorizeOptions {
  decision?: 'allow' | 'deny';
  scopes?: readonly string[];
  /** The boxes that the user checks on our page. */
  share?: readonly string[];
  /** Whether the browser keeps the cookie of the page. */
  cookies?: boolean;
}

export const redirectUrl = 'http://localhost:3000/connected';

export async function startConnectApp(
  labOptions: StartLabOptions = {},
  overrides: Record<string, string> = {},
  onLogLine?: (line: string) => void,
): Promise<ConnectApp> {
  await using resources = new AsyncDisposableStack();
  const lab = resources.use(await startLab(labOptions));
  const app = resources.use(
    await startTestApp({ LAB_URL: lab.url, SANDBOX_WAIT_MS: '0', ...overrides }, onLogLine),
  );
  // Tests use any free port, which is known only now.
  (app.ctx as { config: unknown }).config = {
    ...app.ctx.config,
    http: { ...app.ctx.config.http, publicUrl: app.url },
  };
  await introduceToLab(app, lab);
  await app.admin.query('UPDATE accounts SET redirect_urls = $1, organization_name = $2', [
    [redirectUrl],
    'Demo Health',
  ]);
  const owned = resources.move();
  return {
    ...app,
    lab,
    request: (method, path, options = {}) =>
      app.request(method, path, { key: app.account.sandboxKey, ...options }),
    connect: (userId, provider, back) =>
      app.request('POST', `/v1/users/${userId}/devices`, {
        key: app.account.sandboxKey,
        body: { provider, ...(back !== undefined && { redirect_url: back }) },
      }),
    authorize: (authUrl, person = 'ada', options = {}) => authorize(authUrl, person, options),
    async createUser(timezone = 'Europe/Berlin') {
      const body = { reference_id: crypto.randomUUID(), timezone, sandbox: { archetype: 'none' } };
      const response = await app.request('POST', '/v1/users', { key: app.account.sandboxKey, body });
      return response.body.data.id;
    },
    processPending: () => workThrough(app),
    startSync: () => runSync(app.ctx),
    startJobs: (ctx = app.ctx) => runJobs(ctx),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Registers the redirect URL and each provider's push URL with the lab. */
async function introduceToLab(app: TestApp, lab: Lab): Promise<void> {
  const pushUrls: Record<string, string> = {};
  for (const { id } of lab.providers) {
    const provider: Provider | undefined = findProvider(id);
    const own = provider && (await findApp(app.ctx, app.ctx.db, 'sandbox', provider));
    if (own) pushUrls[id] = pushUrlOf(app.ctx, 'sandbox', id, own);
  }
  await fetch(`${lab.url}/lab/apps`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_id: 'lab-app',
      redirect_uris: [`${app.url}/connect/callback`],
      push_urls: pushUrls,
    }),
  });
}

/** Submits the form of our page; returns the redirect target and the cookie. */
export async function continueFrom(
  authUrl: string,
  share: readonly string[] = [],
): Promise<{ response: Response; consentUrl: string; cookie: string }> {
  const pageResponse = await fetch(authUrl, {
    method: 'POST',
    body: new URLSearchParams([
      ['choice', 'continue'],
      ...share.map((scope): [string, string] => ['share', scope]),
    ]),
    redirect: 'manual',
  });
  return {
    response: pageResponse,
    consentUrl: pageResponse.headers.get('location') ?? '',
    cookie: pageResponse.headers.get('set-cookie')?.split(';')[0] ?? '',
  };
}

/** Submits the lab's consent page; returns the redirect URL, or null when the lab does not redirect. */
export async function consentAt(
  consentUrl: string,
  person: string,
  options: Pick<AuthorizeOptions, 'decision' | 'scopes'> = {},
): Promise<{ response: Response; back: string | null }> {
  const consent = new URL(consentUrl);
  const form = new URLSearchParams(consent.search);
  form.set('person', person);
  form.set('decision', options.decision ?? 'allow');
  // Without requested scopes, the page offers all of them.
  const [, providerId = ''] = consent.pathname.split('/');
  const requestedScopes = form.get('scope')?.split(/[ ,]/) ?? findProvider(providerId)?.oauth.scopes ?? [];
  for (const scope of options.scopes ?? requestedScopes) form.append('granted', scope);
  const consentResponse = await fetch(`${consent.origin}${consent.pathname}`, {
    method: 'POST',
    body: form,
    redirect: 'manual',
  });
  return { response: consentResponse, back: consentResponse.headers.get('location') };
}

async function authorize(authUrl: string, person: string, options: AuthorizeOptions): Promise<Response> {
  const onwards = await continueFrom(authUrl, options.share);
  if (onwards.consentUrl === '') return onwards.response;
  const { response, back } = await consentAt(onwards.consentUrl, person, options);
  if (back === null) return response;
  const headers = options.cookies === false ? {} : { cookie: onwards.cookie };
  return fetch(back, { headers, redirect: 'manual' });
}
