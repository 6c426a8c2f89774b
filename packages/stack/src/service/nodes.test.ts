import { describe, expect, test } from 'vitest';
import { existingEngine } from '../engines/engine.ts';
import {
  commandEnvironment,
  planNodes,
  serverEnvironment,
  serverLaunch,
  type ServerSettings,
} from './nodes.ts';
import { fixedPorts } from '../ports/port-plan.ts';

const settings: ServerSettings = {
  engines: {
    databaseUrl: 'postgres://db',
    adminDatabaseUrl: 'postgres://admin',
    natsUrl: 'nats://n',
    redisUrl: 'redis://r',
    postgres: existingEngine('postgres', 'postgres://db', 5432),
    nats: existingEngine('nats', 'nats://n', 4222),
    redis: existingEngine('redis', 'redis://r', 6379),
  },
  smtpUrl: 'smtp://127.0.0.1:10259',
  labUrl: null,
  encryptionKeys: '1:key',
  ports: fixedPorts(8080, { api: 2, metrics: 4 }),
  env: {},
};

describe('planNodes', () => {
  test('runs one process for everything with one node', () => {
    expect(planNodes(1)).toEqual([{ name: 'node-1', role: 'all' }]);
  });

  test('runs several API processes with one process for each other role', () => {
    expect(planNodes(2)).toEqual([
      { name: 'node-1', role: 'api' },
      { name: 'node-2', role: 'api' },
      { name: 'ingest', role: 'ingest' },
      { name: 'jobs', role: 'jobs' },
      { name: 'keeper', role: 'keeper' },
    ]);
  });
});

describe('serverEnvironment', () => {
  test('gives each API node its own ports and URL, on loopback', () => {
    expect(serverEnvironment(settings, 'node-2', 1)).toMatchObject({
      TRIBUTARY_ENV: 'development',
      NODE_NAME: 'node-2',
      HOST: '127.0.0.1',
      PORT: '8081',
      METRICS_HOST: '127.0.0.1',
      METRICS_PORT: '9465',
      PUBLIC_URL: 'http://127.0.0.1:8081',
      DATABASE_URL: 'postgres://db',
      NATS_URL: 'nats://n',
      REDIS_URL: 'redis://r',
    });
  });

  test('gives processes without an API the URL of the first node', () => {
    expect(serverEnvironment(settings, 'jobs', 3)).toMatchObject({
      METRICS_PORT: '9467',
      PUBLIC_URL: 'http://127.0.0.1:8080',
    });
  });

  test('allows webhooks to loopback unless configured otherwise', () => {
    expect(serverEnvironment(settings, 'node-1')['OUTBOUND_ALLOW']).toBe('localhost,127.0.0.1,[::1]');
    expect(commandEnvironment(settings)['OUTBOUND_ALLOW']).toBe('localhost,127.0.0.1,[::1]');
    const closed = { ...settings, env: { OUTBOUND_ALLOW: '' } };
    expect(serverEnvironment(closed, 'node-1')['OUTBOUND_ALLOW']).toBe('');
  });

  test('passes the mail server and the sender address to every process and command', () => {
    const mail = { SMTP_URL: 'smtp://127.0.0.1:10259', MAIL_FROM: 'Tributary <tributary@localhost>' };
    expect(serverEnvironment(settings, 'jobs', 3)).toMatchObject(mail);
    expect(commandEnvironment(settings)).toMatchObject(mail);
    const named = { ...settings, env: { MAIL_FROM: 'ada@example.com' } };
    expect(commandEnvironment(named)['MAIL_FROM']).toBe('ada@example.com');
  });

  test('passes the lab to every process and command, and always allows calls to it', () => {
    const withLab = { ...settings, labUrl: 'http://127.0.0.1:10909' };
    const open = { LAB_URL: 'http://127.0.0.1:10909', OUTBOUND_ALLOW: 'localhost,127.0.0.1,[::1]' };
    expect(serverEnvironment(withLab, 'jobs', 3)).toMatchObject(open);
    expect(commandEnvironment(withLab)).toMatchObject(open);
    const allowed = (OUTBOUND_ALLOW: string) =>
      serverEnvironment({ ...withLab, env: { OUTBOUND_ALLOW } }, 'node-1').OUTBOUND_ALLOW;
    expect(allowed('')).toBe('127.0.0.1:10909');
    expect(allowed('receiver.corp, 10.1.2.3:8443')).toBe('receiver.corp, 10.1.2.3:8443,127.0.0.1:10909');
    expect(allowed('127.0.0.1:10909')).toBe('127.0.0.1:10909');
    expect(serverEnvironment(settings, 'node-1')).not.toHaveProperty('LAB_URL');
  });

  test('gives commands the URL of the first node', () => {
    expect(commandEnvironment(settings)['PUBLIC_URL']).toBe('http://127.0.0.1:8080');
  });

  test("adds the caller's variables last", () => {
    expect(serverEnvironment({ ...settings, env: { LOG_LEVEL: 'debug' } }, 'node-1')['LOG_LEVEL']).toBe(
      'debug',
    );
  });
});

describe('serverLaunch', () => {
  test('runs the server next to this package, or another copy of it', () => {
    expect(serverLaunch(settings, 'node-1', ['all'], {}).args).toEqual([
      expect.stringMatching(/packages\/server\/src\/main\.ts$/),
      'all',
    ]);
    const program = '/copy/main.ts';
    expect(serverLaunch({ ...settings, program }, 'node-1', ['all'], {}).args).toEqual([program, 'all']);
  });
});
