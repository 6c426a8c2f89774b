import { describe, expect, test } from 'vitest';
import { renderGreeting, renderProgress, tryCommands, type Paint } from './greeting.ts';
import type { StackInfo } from '../service/stack-info.ts';

const info: StackInfo = {
  base_url: 'http://127.0.0.1:8080',
  base_urls: ['http://127.0.0.1:8080', 'http://127.0.0.1:8081'],
  metrics_url: 'http://127.0.0.1:9464/metrics',
  dashboard_url: 'http://127.0.0.1:8080/dashboard',
  account_id: 'acc_1',
  live_key: 'sk_live_1',
  sandbox_key: 'sk_sandbox_1',
  database_url: 'postgres://tributary:hidden@127.0.0.1:54329/tributary',
  nats_url: 'nats://127.0.0.1:42229',
  redis_url: 'redis://127.0.0.1:63799',
  smtp_url: 'smtp://127.0.0.1:10259',
  mail_url: 'http://127.0.0.1:10809',
  lab_url: 'http://127.0.0.1:10909',
  outbound_allow: 'localhost,127.0.0.1,[::1]',
  pids: { stack: 1 },
};
const plain: Paint = (_, text) => text;

describe('renderGreeting', () => {
  test('shows URLs, keys and the data folder, but no password', () => {
    const greeting = renderGreeting(info, { dir: '.tributary', ephemeral: false }, plain);
    for (const shown of [
      ...info.base_urls,
      info.metrics_url,
      'acc_1',
      'sk_live_1',
      'sk_sandbox_1',
      '.tributary',
    ]) {
      expect(greeting).toContain(shown);
    }
    expect(greeting).not.toContain('hidden');
  });

  test('shows the dashboard URL, and the owner link on the first day', () => {
    const place = { dir: '.tributary', ephemeral: false };
    expect(renderGreeting(info, place, plain)).toMatch(/Dashboard +http:\/\/127\.0\.0\.1:8080\/dashboard\n/);
    expect(renderGreeting(info, place, plain)).not.toContain('owner');
    const owner_url = 'http://127.0.0.1:8080/dashboard/join#ol_1';
    expect(renderGreeting({ ...info, owner_url }, place, plain)).toContain(
      `${owner_url} (makes you the owner)`,
    );
  });

  test('shows the local inbox unless an external mail server is set', () => {
    const place = { dir: '.tributary', ephemeral: false };
    expect(renderGreeting(info, place, plain)).toMatch(/Local inbox +http:\/\/127\.0\.0\.1:10809/);
    expect(renderGreeting({ ...info, mail_url: null }, place, plain)).not.toContain('inbox');
  });

  test('shows the lab URL if there is a lab', () => {
    const place = { dir: '.tributary', ephemeral: false };
    expect(renderGreeting(info, place, plain)).toMatch(
      /Lab +http:\/\/127\.0\.0\.1:10909 \(simulated providers/,
    );
    expect(renderGreeting({ ...info, lab_url: null }, place, plain)).not.toContain('Lab');
  });

  test('shows which hosts are reachable that production blocks', () => {
    const place = { dir: '.tributary', ephemeral: false };
    expect(renderGreeting(info, place, plain)).toContain('can reach localhost,127.0.0.1,[::1]');
    expect(renderGreeting({ ...info, outbound_allow: '' }, place, plain)).not.toContain('in production');
  });
});

describe('tryCommands', () => {
  test('returns three commands that can be pasted, with only the sandbox key', () => {
    const commands = tryCommands(info).map(({ command }) => command);
    expect(commands).toHaveLength(3);
    expect(commands[0]).toBe(
      'curl -s -X POST http://127.0.0.1:8080/v1/users -H "Authorization: Bearer sk_sandbox_1" ' +
        '-H "Content-Type: application/json" -d \'{"reference_id":"ada","timezone":"Europe/Berlin"}\'',
    );
    expect(commands.join()).not.toContain('sk_live');
  });
});

describe('renderProgress', () => {
  test('aligns steps and prints nothing before the first is done', () => {
    const step = { step: 'NATS', detail: '127.0.0.1:42229', elapsedMs: 1240 };
    expect(renderProgress({ ...step, state: 'started' }, plain)).toBe('');
    const nats = renderProgress({ ...step, state: 'done' }, plain);
    const postgres = renderProgress(
      { step: 'PostgreSQL', detail: 'x', elapsedMs: 12_340, state: 'done' },
      plain,
    );
    expect(nats).toMatch(/NATS +127\.0\.0\.1:42229 +1\.2 s\n/);
    expect(postgres).toHaveLength(nats.length);
  });
});
