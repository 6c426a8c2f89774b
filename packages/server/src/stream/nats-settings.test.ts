import { describe, expect, test } from 'vitest';
import { EnvironmentReader } from '../environment-reader.ts';
import { readNatsSettings, readUrlCredentials } from './nats-settings.ts';

const seed = `SU${'A'.repeat(56)}`;

function read(env: Record<string, string>) {
  const reader = new EnvironmentReader({ NATS_URL: 'nats://one:4222', ...env });
  const settings = readNatsSettings(reader);
  reader.throwProblems();
  return settings;
}

test.each([
  ['nats://one', ['one'], null],
  ['one:4222', ['one:4222'], null],
  ['nats://one:4222, nats://two:4223/', ['one:4222', 'two:4223'], null],
  ['tls://one:4222,tls://two', ['one:4222', 'two'], { host: undefined, files: null }],
  ['tls://10.0.0.1', ['10.0.0.1'], { host: '10.0.0.1', files: null }],
  ['tls://[::1]:4222', ['[::1]:4222'], { host: '::1', files: null }],
])('reads %j', (url, servers, tls) => {
  expect(read({ NATS_URL: url })).toEqual({ servers, tls, authentication: { kind: 'none' } });
});

test('reads a user and password from the URL', () => {
  const { servers, authentication } = read({
    NATS_URL: 'nats://ada:p%40ss:word@one:4222,nats://ada:p%40ss:word@two',
  });
  expect(servers).toEqual(['one:4222', 'two']);
  expect(authentication.kind === 'url' && readUrlCredentials(authentication.url)).toEqual({
    user: 'ada',
    password: 'p@ss:word',
  });
});

test.each([
  [{ NATS_USER: 'ada', NATS_PASSWORD: 'x' }, 'password'],
  [{ NATS_TOKEN: 'x' }, 'token'],
  [{ NATS_NKEY_SEED: seed }, 'nkey'],
])('authenticates with %j', (env, kind) => {
  expect(read(env).authentication.kind).toBe(kind);
});

describe('rejects', () => {
  test.each([
    [{ NATS_URL: 'https://one' }, 'NATS_URL is not valid'],
    [{ NATS_URL: 'nats://' }, 'NATS_URL is not valid'],
    [{ NATS_URL: 'nats://one/path' }, 'NATS_URL is not valid'],
    [{ NATS_URL: 'nats://hunter2@one' }, 'must contain a user and a password, or neither'],
    [{ NATS_URL: 'nats://a:hunter2@one,nats://b:hunter2@two' }, 'contains different users'],
    [{ NATS_URL: 'tls://10.0.0.1,tls://10.0.0.2' }, 'must contain host names'],
    [{ NATS_USER: 'ada' }, 'NATS_USER and NATS_PASSWORD must be set together'],
    [{ NATS_PASSWORD: 'hunter2' }, 'NATS_USER and NATS_PASSWORD must be set together'],
    [
      { NATS_TOKEN: 'hunter2', NATS_USER: 'ada', NATS_PASSWORD: 'hunter2' },
      'NATS_USER and NATS_TOKEN are set',
    ],
    [{ NATS_TOKEN: 'x', NATS_URL: 'nats://a:hunter2@one' }, 'the user in NATS_URL and NATS_TOKEN are set'],
    [{ NATS_NKEY_SEED: 'hunter2' }, 'NATS_NKEY_SEED is not the seed of a user'],
    [{ NATS_CREDENTIALS: 'hunter2' }, 'NATS_CREDENTIALS does not contain'],
  ])('%j', (env, problem) => {
    expect(() => read(env)).toThrow(problem);
    expect(() => read(env)).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('hunter2') }),
    );
  });
});
