import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ConfigError, readApiKey, readConfig } from './config.ts';

const newKey = (version: number) => `${version}:${randomBytes(32).toString('base64')}`;
const key = newKey(1);
const needed = {
  DATABASE_URL: 'postgres://x',
  NATS_URL: 'nats://x',
  ENCRYPTION_KEYS: key,
  PUBLIC_URL: 'https://health.example.com',
};
const example = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8');

/** An environment that records which names were read. */
function watch(env: Record<string, string>): { env: Record<string, string>; readNames: Set<string> } {
  const accessedNames = new Set<string>();
  const proxy = new Proxy(env, {
    get(target, name: string) {
      accessedNames.add(name);
      return target[name];
    },
  });
  return { env: proxy, readNames: accessedNames };
}

test('.env.example names every setting that is read, and no other', () => {
  const { env, readNames } = watch(needed);
  readConfig(env);
  const named = [...example.matchAll(/^(?:# )?([A-Z][A-Z_]+)=/gm)].map((match) => match[1]!);
  // It says once that every secret may be in a file.
  const isFileOfSecret = (name: string) => name.endsWith('_FILE') && readNames.has(name.slice(0, -5));
  const settings = [...readNames].filter((name) => !isFileOfSecret(name));
  expect(named.toSorted()).toEqual(settings.toSorted());
});

test('every secret may be in a file', () => {
  const { env, readNames } = watch(needed);
  readConfig(env);
  const [, listed = ''] = /Secrets: ([^.]+)\./.exec(example.replaceAll(/\n# /g, ' ')) ?? [];
  const secrets = [...readNames].filter((name) => readNames.has(`${name}_FILE`));
  expect(listed.split(', ').toSorted()).toEqual(secrets.toSorted());
});

test('.env.example shows the defaults', () => {
  const shown = Object.fromEntries(
    [...example.matchAll(/^# ([A-Z][A-Z_]+)=(.+)$/gm)].map((match) => [match[1]!, match[2]!]),
  );
  delete shown['REDIS_URL']; // has no default
  const exampleConfig = readConfig({ ...needed, ...shown });
  const defaults = readConfig(needed);
  expect(exampleConfig).toEqual(defaults);
});

test('freezes the configuration and keeps secrets separate', () => {
  const config = readConfig(needed);
  expect(Object.isFrozen(config)).toBe(true);
  expect(Object.isFrozen(config.http)).toBe(true);
  const { secrets, ...rest } = config;
  expect(JSON.stringify(rest)).not.toContain('postgres://');
  expect(secrets.encryptionKeys[0]?.key).toHaveLength(32);
});

test('reports every problem at once', () => {
  const broken = {
    PORT: 'http',
    LOG_LEVEL: 'loud',
    MIGRATE_ON_START: 'yes',
    ENCRYPTION_KEYS: '1:short',
    TEST_CLOCK: 'true',
  };
  const read = () => readConfig(broken);
  expect(read).toThrow(ConfigError);
  for (const name of [
    'DATABASE_URL',
    'NATS_URL',
    'PORT',
    'LOG_LEVEL',
    'MIGRATE_ON_START',
    'ENCRYPTION_KEYS',
    'TEST_CLOCK',
  ]) {
    expect(read).toThrow(name);
  }
});

test.each([
  ['TEST_CLOCK', 'true'],
  ['TEST_FAST_WAITS', 'true'],
  ['TEST_HISTORY_FROM', '2026-01-01T00:00:00Z'],
  ['TEST_PUSH_TOLERANCE_MS', '86400000'],
])('%s is a test setting: off by default, rejected in production', (name, value) => {
  const production = { ...needed, TRIBUTARY_ENV: 'production' };
  expect(() => readConfig({ ...production, [name]: value })).toThrow(`${name} is not allowed in production`);
  expect(() => readConfig({ ...production, [name]: '' })).not.toThrow();
  const changed = readConfig({ ...needed, TRIBUTARY_ENV: 'test', [name]: value });
  expect({ sync: changed.sync, clock: changed.testClock }).not.toEqual({
    sync: readConfig(needed).sync,
    clock: readConfig(needed).testClock,
  });
});

test('reads limits of providers that replace the built-in ones', () => {
  const read = (PROVIDER_LIMITS: string) => readConfig({ ...needed, PROVIDER_LIMITS }).limits.providers;
  expect(read('')).toEqual({});
  expect(read('whoop:500/60, whoop:50000/86400, google_health:user:600/60, polar:500+40/900')).toEqual({
    whoop: [
      { per: 'app', calls: 500, callsPerUser: 0, windowSeconds: 60 },
      { per: 'app', calls: 50_000, callsPerUser: 0, windowSeconds: 86_400 },
    ],
    google_health: [{ per: 'user', calls: 600, callsPerUser: 0, windowSeconds: 60 }],
    polar: [{ per: 'app', calls: 500, callsPerUser: 40, windowSeconds: 900 }],
  });
  for (const entry of [
    'wop:5/60',
    'whoop',
    'whoop:0/60',
    'whoop:5/0',
    'whoop:-5/60',
    'whoop:app:5/60',
    'whoop:5/60s',
  ])
    expect(() => read(entry)).toThrow(`PROVIDER_LIMITS contains the invalid entry "${entry}"`);
});

test('ships with the documented provider settings', () => {
  expect(readConfig(needed).sync).toEqual({
    pollIntervalMs: 250,
    retryPausesMs: [200, 1_000],
    limitPatienceMs: 10_000,
    historyRestShare: 4,
    pushToleranceMs: 300_000,
    historyFromMs: null,
  });
});

test.each([
  [{ DATABASE_URL: 'postgres://a:hun#ter2@:x' }, 'DATABASE_URL is not a valid URL'],
  [
    { DATABASE_URL: 'postgres://a:hunter2@x', DATABASE_PASSWORD: 'y' },
    'DATABASE_PASSWORD and the password in DATABASE_URL',
  ],
  [{ DATABASE_OWNER_PASSWORD: 'hunter2' }, 'DATABASE_OWNER_PASSWORD requires DATABASE_OWNER_URL'],
  [{ DATABASE_URL_FILE: '/nowhere' }, 'DATABASE_URL and DATABASE_URL_FILE are both set'],
  [{ ENCRYPTION_KEYS_FILE: '/nowhere' }, 'ENCRYPTION_KEYS and ENCRYPTION_KEYS_FILE are both set'],
])('rejects %j without printing it', (env, problem) => {
  const read = () => readConfig({ ...needed, ...env });
  expect(read).toThrow(problem);
  expect(read).toThrow(expect.not.objectContaining({ message: expect.stringMatching(/hun|ter2/) }));
});

test('each login has its own password, and takes that of its default only together with the URL', () => {
  const { database } = readConfig({
    ...needed,
    DATABASE_PASSWORD: 'one',
    DATABASE_OPERATOR_URL: 'postgres://two@x',
    DATABASE_OPERATOR_PASSWORD: 'two',
    DATABASE_OWNER_URL: 'postgres://three@x',
  }).secrets;
  const passwords = Object.entries(database).map(([name, login]) => [name, login?.password?.read()]);
  expect(Object.fromEntries(passwords)).toEqual({
    service: 'one',
    operator: 'two',
    signIn: 'one',
    direct: 'two',
    owner: undefined,
    keyStore: undefined,
  });
});

test('accepts sockets and addresses of the database', () => {
  for (const url of [
    'postgres://a@/db?host=/run/postgresql',
    'postgres://a@%2frun/db',
    'postgres://[::1]:5432/db',
  ])
    expect(() => readConfig({ ...needed, DATABASE_URL: url })).not.toThrow();
});

test('an API key may be in a file', () => {
  expect(readApiKey({ TRIBUTARY_API_KEY: 'key' })).toBe('key');
  expect(readApiKey({})).toBeUndefined();
  expect(() => readApiKey({ TRIBUTARY_API_KEY_FILE: '/nowhere' })).toThrow(
    'TRIBUTARY_API_KEY_FILE names a file',
  );
});

test.each(['', '1', 'one:AAAA', `${key},${key}`, `1:${Buffer.alloc(16).toString('base64')}`])(
  'rejects %j as keys',
  (value) => {
    expect(() => readConfig({ ...needed, ENCRYPTION_KEYS: value })).toThrow('ENCRYPTION_KEYS');
  },
);

describe('production', () => {
  const read = (env: Record<string, string>, mode = 'production') =>
    readConfig({ ...needed, TRIBUTARY_ENV: mode, ...env });
  const [encoded] = key.split(':').slice(1);

  test.each([
    [{ PUBLIC_URL: '' }, 'PUBLIC_URL is missing'],
    [{ PUBLIC_URL: 'http://health.example.com' }, 'PUBLIC_URL must start with `https://`'],
    [{ TRUST_PROXY: '10.0.0.1,0.0.0.0/0' }, 'TRUST_PROXY contains 0.0.0.0/0'],
    [{ TRUST_PROXY: '::/0' }, 'TRUST_PROXY contains ::/0'],
    [{ TRUST_PROXY: '::ffff:0:0/96' }, 'TRUST_PROXY contains ::ffff:0:0/96'],
    [{ ENCRYPTION_KEYS: `2:${encoded},1:${encoded}` }, 'the same key more than once'],
    [{ ENCRYPTION_KEYS: `3:${Buffer.alloc(32).toString('base64')}` }, 'not random, version 3'],
    [
      { ENCRYPTION_KEYS: `1:${Buffer.from('correct-horse-battery-staple-123').toString('base64')}` },
      'not random',
    ],
    [{ DATABASE_URL: 'postgres://tributary:secret@db/tributary' }, 'DATABASE_URL contains a sample password'],
    [{ NATS_URL: 'nats://service:service@nats' }, 'NATS_URL contains a sample password'],
    [{ NATS_USER: 'service', NATS_PASSWORD: 'Secret' }, 'NATS_PASSWORD is a sample password'],
    [{ DATABASE_OWNER_URL: 'postgres://a:secret@db' }, 'DATABASE_OWNER_URL contains a sample password'],
  ])('rejects %j', (env, problem) => {
    expect(() => read(env)).toThrow(problem);
    expect(() => read(env, 'development')).not.toThrow();
  });

  test('accepts a complete configuration and prints no secret', () => {
    const good = {
      TRUST_PROXY: 'loopback, 10.0.0.5, 10.1.0.0/16, 2001:db8::/32',
      ENCRYPTION_KEYS: `${newKey(2)},${key}`,
      DATABASE_URL: 'postgres://tributary:x9Qv2@db/tributary',
    };
    expect(read(good).http.trustProxy).toHaveLength(4);
    expect(() => read({ DATABASE_URL: 'postgres://ada:changeme@db' })).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('changeme') }),
    );
  });
});

test.each(['true', '*', '10.0.0.0/33', '10.0.0.1/8/8', '1'])('rejects %j as trusted proxies', (value) => {
  for (const mode of ['production', 'development'])
    expect(() => readConfig({ ...needed, TRIBUTARY_ENV: mode, TRUST_PROXY: value })).toThrow('TRUST_PROXY');
});

test('never prints a secret in a problem', () => {
  const secret = Buffer.alloc(16, 9).toString('base64');
  expect(() => readConfig({ ...needed, ENCRYPTION_KEYS: `1:${secret}` })).toThrow(
    expect.not.objectContaining({ message: expect.stringContaining(secret) }),
  );
});

test('normalizes allowed hosts', () => {
  const { outbound } = readConfig({ ...needed, OUTBOUND_ALLOW: 'LocalHost, 127.1:8080 ,::1' });
  expect(outbound.allow).toEqual(['localhost', '127.0.0.1:8080', '[::1]']);
  expect(readConfig(needed).outbound.allow).toEqual([]);
});

test.each(['*', '10.0.0.0/8', 'https://example.com', 'localhost,example.com:99999'])(
  'rejects %j as allowed hosts',
  (value) => {
    expect(() => readConfig({ ...needed, OUTBOUND_ALLOW: value })).toThrow('OUTBOUND_ALLOW contains');
  },
);

describe('mail', () => {
  const url = 'smtp://ada:hidden@mail.example.com:587';
  const mail = {
    ...needed,
    SMTP_URL: url,
    MAIL_FROM: 'Ada <ada@example.com>',
  };

  test('is disabled unless configured, and its password is a secret', () => {
    expect(readConfig(needed).mail).toBeNull();
    const { secrets, ...rest } = readConfig(mail);
    expect(rest.mail).toEqual({ from: { name: 'Ada', address: 'ada@example.com' }, tls: 'required' });
    expect(secrets.smtpUrl?.read()).toBe(url);
    expect(JSON.stringify(rest)).not.toContain('hidden');
  });

  test.each([
    [{ MAIL_FROM: '' }, 'MAIL_FROM is missing'],
    [{ SMTP_URL: '' }, 'SMTP_URL is missing'],
    [{ MAIL_FROM: 'Ada' }, 'MAIL_FROM is not an email address'],
    [{ SMTP_URL: 'https://ada:hidden@example.com' }, 'SMTP_URL is not a valid SMTP URL'],
    [{ SMTP_TLS: 'no' }, 'SMTP_TLS must be one of'],
    [{ PUBLIC_URL: '' }, 'PUBLIC_URL is missing'],
  ])('rejects %j without printing a password', (wrong, problem) => {
    const read = () => readConfig({ ...mail, ...wrong });
    expect(read).toThrow(problem);
    expect(read).toThrow(expect.not.objectContaining({ message: expect.stringContaining('hidden') }));
  });
});
