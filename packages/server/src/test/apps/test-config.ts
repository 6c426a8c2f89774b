import { readConfig, type Config } from '../../config.ts';

/** A valid configuration for tests: free ports, quiet logs, a clock that can be moved. */
export function testConfig(overrides: Record<string, string>): Config {
  return readConfig({
    TRIBUTARY_ENV: 'test',
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    NATS_URL: 'nats://127.0.0.1:1',
    PORT: '0',
    METRICS_PORT: '0',
    LOG_LEVEL: 'silent',
    TEST_CLOCK: 'true',
    SHUTDOWN_DRAIN_MS: '0',
    // Most tests run no worker that would process the data of sandbox users.
    SANDBOX_WAIT_MS: '0',
    // Webhook receivers of tests run on this machine.
    OUTBOUND_ALLOW: 'localhost,127.0.0.1,[::1]',
    // Every test sends from the same address, and many send invalid credentials.
    ADDRESS_LIMIT_PER_SECOND: '100000',
    ADDRESS_LIMIT_BURST: '100000',
    ENCRYPTION_KEYS: `1:${Buffer.alloc(32, 7).toString('base64')}`,
    ...overrides,
  });
}
