import { expect, test } from 'vitest';
import { testConfig } from './test/apps/test-config.ts';
import { findUnprotectedEngines } from './unprotected-engines.ts';

test.each([
  [{ NATS_URL: 'nats://localhost', REDIS_URL: 'redis://127.0.0.1' }, []],
  [{ NATS_URL: 'nats://nats:4222' }, ['NATS is used without credentials: nats:4222']],
  [{ NATS_URL: 'nats://nats', NATS_TOKEN: 'x' }, [expect.stringContaining('does not require TLS')]],
  [{ NATS_URL: 'tls://nats', NATS_TOKEN: 'x' }, []],
  [{ REDIS_URL: 'rediss://redis' }, ['Redis is used without a password: set REDIS_PASSWORD']],
  [{ REDIS_URL: 'redis://redis', REDIS_PASSWORD: 'x' }, [expect.stringContaining('without TLS')]],
  [{ REDIS_URL: 'rediss+sentinel://:x@localhost,redis/name' }, []],
])('warns about %j', (env, warnings) => {
  expect(findUnprotectedEngines(testConfig(env))).toEqual(warnings);
});
