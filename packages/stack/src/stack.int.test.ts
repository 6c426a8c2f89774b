import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { startStack, type Stack } from './stack.ts';

test('a stack can be started, disturbed and stopped from a program', { timeout: 120_000 }, async () => {
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

test('uses engines that run already, and leaves them running', { timeout: 120_000 }, async () => {
  await using owner = await startStack({ ephemeral: true });
  const { databaseUrl, natsUrl, redisUrl } = owner.engines;
  const smtpUrl = owner.info.smtp_url;
  expect((await fetch(`${owner.info.mail_url}/messages`)).status).toBe(200);
  const guest = await startStack({
    ephemeral: true,
    existing: { databaseUrl, natsUrl, redisUrl, smtpUrl },
  });
  expect(Object.keys(guest.info.pids)).toEqual(['stack', 'node-1']);
  expect(guest.info.database_url).toBe(databaseUrl);
  expect(guest.info).toMatchObject({ smtp_url: smtpUrl, mail_url: null });
  await guest.stop();
  for (const engine of [owner.engines.postgres, owner.engines.nats, owner.engines.redis]) {
    expect(process.kill(engine.pid ?? 0, 0)).toBe(true);
  }
  expect((await fetch(`${owner.info.mail_url}/messages`)).status).toBe(200);
});

test('a start that is given up leaves nothing', { timeout: 60_000 }, async () => {
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
      if (step === 'PostgreSQL' && state === 'done') giveUp.abort(new Error('changed my mind'));
    },
  });
  await expect(start).rejects.toThrow('changed my mind');
  expect(steps).not.toContain('Schema done');
  expect(readdirSync(parent)).toEqual([]);
  vi.unstubAllEnvs();
  rmSync(parent, { recursive: true });
});
