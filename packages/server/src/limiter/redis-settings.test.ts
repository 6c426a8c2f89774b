import { describe, expect, test } from 'vitest';
import { EnvironmentReader } from '../environment-reader.ts';
import { parseRedisUrl, readRedisSettings } from './redis-settings.ts';

function read(env: Record<string, string>) {
  const reader = new EnvironmentReader(env);
  const settings = readRedisSettings(reader);
  reader.throwProblems();
  return settings;
}

const one = {
  addresses: [{ host: 'one', port: 6379 }],
  primaryName: null,
  usesTls: false,
  user: '',
  password: '',
  database: 0,
};

test.each([
  ['redis://one', one],
  ['rediss://one:6380/3', { ...one, addresses: [{ host: 'one', port: 6380 }], usesTls: true, database: 3 }],
  ['redis://ada:p%40ss@one/', { ...one, user: 'ada', password: 'p@ss' }],
  ['redis://:pass@[::1]:80', { ...one, addresses: [{ host: '::1', port: 80 }], password: 'pass' }],
  [
    'rediss+sentinel://ada:pass@one,two:26380/limits/1',
    {
      addresses: [
        { host: 'one', port: 26_379 },
        { host: 'two', port: 26_380 },
      ],
      primaryName: 'limits',
      usesTls: true,
      user: 'ada',
      password: 'pass',
      database: 1,
    },
  ],
])('parses %s', (url, target) => {
  expect(parseRedisUrl(url)).toEqual(target);
});

test('is absent without REDIS_URL', () => {
  expect(read({})).toBeUndefined();
});

describe('rejects', () => {
  test.each([
    [{ REDIS_URL: 'http://one' }, 'REDIS_URL is not valid'],
    [{ REDIS_URL: 'redis://one,two' }, 'REDIS_URL is not valid'],
    [{ REDIS_URL: 'redis://one:99999' }, 'REDIS_URL is not valid'],
    [{ REDIS_URL: 'redis://one/name' }, 'REDIS_URL is not valid'],
    [{ REDIS_URL: 'redis+sentinel://one' }, 'REDIS_URL is not valid'],
    [{ REDIS_URL: 'redis://a:hunter2%@one' }, 'REDIS_URL is not valid'],
    [{ REDIS_URL: 'redis://ada@one' }, 'contains a user without a password'],
    [
      { REDIS_URL: 'redis://:hunter2@one', REDIS_PASSWORD: 'hunter2' },
      'REDIS_PASSWORD and the password in REDIS_URL',
    ],
    [{ REDIS_URL: 'redis://one', REDIS_USER: 'ada' }, 'REDIS_USER requires REDIS_PASSWORD'],
    [{ REDIS_URL: 'redis://one', REDIS_SENTINEL_PASSWORD: 'hunter2' }, 'REDIS_SENTINEL_PASSWORD requires'],
    [{ REDIS_PASSWORD: 'hunter2' }, 'REDIS_URL is missing'],
  ])('%j', (env, problem) => {
    expect(() => read(env)).toThrow(problem);
    expect(() => read(env)).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('hunter2') }),
    );
  });
});
