import { startLab, type Lab, type StartLabOptions } from '@tributary/lab';
import { findProvider, type Provider } from '@tributary/providers';
import type { Context } from '../context.ts';
import { runJobs } from '../jobs/run-jobs.ts';
import { runSync } from '../jobs/run-sync.ts';
import { findApp } from '../services/providers/find-app.ts';
import { pushUrlOf } from '../services/providers/push-address.ts';
import { startTestApp, type TestAnswer, type TestApp } from './test-app.ts';
import { workThrough } from './uploads.ts';

/** The service beside a lab, whose providers its sandbox has. */
export interface ConnectApp extends TestApp {
  lab: Lab;
  /** Asks for a connection; answers the device and the page for the person. */
  connect(userId: string, provider: string, redirectUrl?: string): Promise<TestAnswer>;
  /** Goes through the pages as somebody of the lab would; answers where the browser ends up. */
  authorize(authUrl: string, person?: string, options?: AuthorizeOptions): Promise<Response>;
  /** A user with a timezone. */
  createUser(timezone?: string): Promise<string>;
  /** Brings what was read into the answers. */
  settle(): Promise<void>;
  /** Reads providers until disposed of, as the role `jobs` does. */
  startSync(): AsyncDisposable;
  /** Works on jobs, and reads providers, until disposed of; as another one where it is given. */
  startJobs(ctx?: Context): Promise<AsyncDisposable>;
}

export interface AuthorizeOptions {
  decision?: 'allow' | 'deny';
  scopes?: readonly string[];
  /** Whether the browser remembers that it went from here. */
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
  // Tests take any free port, which is known only now.
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
      const body = { reference_id: crypto.randomUUID(), timezone };
      const made = await app.request('POST', '/v1/users', { key: app.account.sandboxKey, body });
      await app.admin.query('DELETE FROM pending_batches');
      return made.body.data.id;
    },
    settle: () => workThrough(app),
    startSync: () => runSync(app.ctx),
    startJobs: (ctx = app.ctx) => runJobs(ctx),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Tells the lab where people come back to, and where each provider pushes to. */
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

/** Sends the form of our page: where the browser goes on to, and what it is given to be known again by. */
export async function continueFrom(
  authUrl: string,
): Promise<{ answer: Response; consentUrl: string; cookie: string }> {
  const answer = await fetch(authUrl, {
    method: 'POST',
    body: new URLSearchParams({ answer: 'continue' }),
    redirect: 'manual',
  });
  return {
    answer,
    consentUrl: answer.headers.get('location') ?? '',
    cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '',
  };
}

/** Answers the page of consent of the lab: the address to which it sends the browser, or null when it keeps it. */
export async function consentAt(
  consentUrl: string,
  person: string,
  options: Pick<AuthorizeOptions, 'decision' | 'scopes'> = {},
): Promise<{ answer: Response; back: string | null }> {
  const consent = new URL(consentUrl);
  const form = new URLSearchParams(consent.search);
  form.set('person', person);
  form.set('decision', options.decision ?? 'allow');
  // Where nothing is asked for by name, the person is shown all that there is.
  const [, providerId = ''] = consent.pathname.split('/');
  const asked = form.get('scope')?.split(/[ ,]/) ?? findProvider(providerId)?.oauth.scopes ?? [];
  for (const scope of options.scopes ?? asked) form.append('granted', scope);
  const answer = await fetch(`${consent.origin}${consent.pathname}`, {
    method: 'POST',
    body: form,
    redirect: 'manual',
  });
  return { answer, back: answer.headers.get('location') };
}

async function authorize(authUrl: string, person: string, options: AuthorizeOptions): Promise<Response> {
  const onwards = await continueFrom(authUrl);
  if (onwards.consentUrl === '') return onwards.answer;
  const { answer, back } = await consentAt(onwards.consentUrl, person, options);
  if (back === null) return answer;
  const headers = options.cookies === false ? {} : { cookie: onwards.cookie };
  return fetch(back, { headers, redirect: 'manual' });
}
