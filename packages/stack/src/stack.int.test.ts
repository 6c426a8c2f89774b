import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { freePort } from './ports/ports.ts';
import { startStack, type Stack } from './stack.ts';

test('starts, disturbs and stops a stack from a program', { timeout: 240_000 }, async () => {
  let dir: string;
  {
    await using stack: Stack = await startStack({ ephemeral: true });
    dir = stack.dir;
    const [node] = stack.nodes;
    const isReady = async (): Promise<boolean> =>
      fetch(`${node?.baseUrl}/readyz`).then(
        (response) => response.ok,
        () => false,
      );
    expect(await isReady()).toBe(true);

    node?.signal('SIGKILL');
    await node?.start();
    expect(await isReady()).toBe(true);

    stack.engines.postgres.signal('SIGKILL');
    await stack.engines.postgres.start();
    await expect.poll(isReady, { timeout: 30_000 }).toBe(true);
  }
  expect(existsSync(dir)).toBe(false);
});

test('uses engines that are already running, and leaves them running', { timeout: 240_000 }, async () => {
  await using owner = await startStack({ ephemeral: true });
  const { databaseUrl, natsUrl, redisUrl } = owner.engines;
  const smtpUrl = owner.info.smtp_url;
  const labUrl = owner.info.lab_url!;
  expect((await fetch(`${owner.info.mail_url}/messages`)).status).toBe(200);
  const guest = await startStack({
    ephemeral: true,
    existing: { databaseUrl, natsUrl, redisUrl, smtpUrl, labUrl },
  });
  expect(Object.keys(guest.info.pids)).toEqual(['stack', 'node-1']);
  expect(guest.info.database_url).toBe(databaseUrl);
  expect(guest.info).toMatchObject({ smtp_url: smtpUrl, mail_url: null, lab_url: labUrl });
  await guest.stop();
  for (const engine of [owner.engines.postgres, owner.engines.nats, owner.engines.redis]) {
    expect(process.kill(engine.pid ?? 0, 0)).toBe(true);
  }
  expect((await fetch(`${owner.info.mail_url}/messages`)).status).toBe(200);
  expect((await fetch(`${labUrl}/lab/status`)).status).toBe(200);
});

test('reports a lab that does not respond', { timeout: 120_000 }, async () => {
  const labUrl = `http://127.0.0.1:${await freePort()}`;
  await expect(startStack({ ephemeral: true, existing: { labUrl } })).rejects.toThrow(
    `No lab responds at ${labUrl}, the address in LAB_URL.`,
  );
});

test(
  'simulates providers for the sandbox, and registers the service again after the lab was killed',
  { timeout: 180_000 },
  async () => {
    await using stack = await startStack({ ephemeral: true, nodes: 2 });
    const { lab_url: labUrl, base_urls: baseUrls, sandbox_key: key, pids } = stack.info;
    const knownApp = async () => {
      const status = await fetch(`${labUrl}/lab/status`);
      const { apps } = (await status.json()) as {
        apps: { client_id: string; redirect_uris: string[]; push_urls: Record<string, string> }[];
      };
      return apps.find(({ client_id }) => client_id === 'lab-app')!;
    };
    const introduced = await knownApp();
    expect(introduced.redirect_uris).toEqual(baseUrls.map((url) => `${url}/connect/callback`));
    expect(introduced.push_urls['oura']).toMatch(
      new RegExp(`^${baseUrls[0]}/push/sandbox/oura/1\\.[\\w-]{43}$`),
    );
    expect(pids['lab']).toBe(stack.lab?.pid);

    const post = (path: string, body: object) =>
      fetch(`${baseUrls[1]}/v1/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }).then((response) => response.json() as Promise<{ data: { id: string; auth_url: string } }>);
    const { data: user } = await post('users', { reference_id: 'ada', timezone: 'Europe/Berlin' });
    const redirectUrl = 'http://localhost:3000/connected';
    const { data: device } = await post(`users/${user.id}/devices`, {
      provider: 'oura',
      redirect_url: redirectUrl,
    });
    expect(await connectAs('ada', device.auth_url)).toBe(
      `${redirectUrl}?status=connected&device_id=${device.id}&provider=oura`,
    );

    stack.lab?.signal('SIGKILL');
    await stack.lab?.start();
    expect(await knownApp()).toEqual(introduced);
  },
);

/** Goes through the pages as a user would, and returns the final URL of the browser. */
async function connectAs(person: string, authUrl: string): Promise<string | null> {
  const post = (url: string, fields: URLSearchParams) =>
    fetch(url, { method: 'POST', body: fields, redirect: 'manual' });
  const onwards = await post(authUrl, new URLSearchParams({ choice: 'continue' }));
  const cookie = onwards.headers.get('set-cookie')?.split(';')[0] ?? '';
  const consent = new URL(onwards.headers.get('location')!);
  const form = new URLSearchParams(consent.search);
  form.set('person', person);
  form.set('decision', 'allow');
  for (const scope of (form.get('scope') ?? '').split(/[ ,]/)) form.append('granted', scope);
  const consented = await post(`${consent.origin}${consent.pathname}`, form);
  const back = await fetch(consented.headers.get('location')!, { headers: { cookie }, redirect: 'manual' });
  return back.headers.get('location');
}

test('leaves nothing behind when a start is canceled', { timeout: 60_000 }, async () => {
  const parent = mkdtempSync(join(tmpdir(), 'tributary-given-up-'));
  chmodSync(parent, 0o755);
  vi.stubEnv('TMPDIR', parent);
  const giveUp = new AbortController();
  const steps: string[] = [];
  const start = startStack({
    ephemeral: true,
    signal: giveUp.signal,
    onProgress: ({ step, state }) => {
      steps.push(`${step} ${state}`);
      if (step === 'PostgreSQL' && state === 'done') giveUp.abort(new Error('start canceled'));
    },
  });
  await expect(start).rejects.toThrow('start canceled');
  expect(steps).not.toContain('Schema done');
  expect(readdirSync(parent)).toEqual([]);
  vi.unstubAllEnvs();
  rmSync(parent, { recursive: true });
});
