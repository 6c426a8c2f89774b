import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { freePort, startEngines } from '@tributary/stack';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkReadiness } from '../ops/readiness.ts';
import { openPool, openSession } from '../store/database/database.ts';
import { startTestApp } from '../test/apps/test-app.ts';
import { testConfig } from '../test/apps/test-config.ts';
import { TestLogins } from '../test/apps/test-logins.ts';
import { createAuthority } from '../test/certificate.ts';
import { cliOf } from '../test/commands/run-cli.ts';
import { createTestFolder, startPrivateEngine, type TestFolder } from '../test/engines/private-engine.ts';

let resources: AsyncDisposableStack;
let folder: TestFolder;
beforeEach(() => {
  resources = new AsyncDisposableStack();
  folder = resources.use(createTestFolder());
});
afterEach(() => resources.disposeAsync());

const roles = ['tributary_service', 'tributary_operator', 'tributary_sign_in'];
const withoutPassword = (url: string) => Object.assign(new URL(url), { password: '' }).href;

/** A service whose database password is in a file. */
async function startWithPasswordFile(inUrl: boolean) {
  const secrets: string[] = [];
  const lines: string[] = [];
  let rotate!: (inDatabase: boolean, inFile: boolean) => Promise<void>;
  const app = await startTestApp(
    {},
    (line) => void lines.push(line),
    async (database, stack) => {
      const login = await stack.use(new TestLogins(database)).create(roles);
      const write = (password: string) => {
        const url = Object.assign(new URL(login.url), { password }).href;
        return folder.write('secret', `${inUrl ? url : password}\n`);
      };
      secrets.push(login.password);
      rotate = async (inDatabase, inFile) => {
        if (inDatabase) {
          secrets.push(randomBytes(12).toString('hex'));
          await database.admin.query(`ALTER ROLE ${login.name} PASSWORD '${secrets.at(-1)}'`);
          await database.admin.query(
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${login.name}'`,
          );
        }
        if (inFile) write(secrets.at(-1)!);
      };
      const file = write(login.password);
      return inUrl
        ? { DATABASE_URL: '', DATABASE_URL_FILE: file }
        : { DATABASE_URL: withoutPassword(login.url), DATABASE_PASSWORD_FILE: file };
    },
  );
  resources.use(app);
  return { app, lines, secrets, rotate };
}

test.each([
  ['DATABASE_PASSWORD_FILE', false],
  ['DATABASE_URL_FILE', true],
])('a rotated password in %s needs no restart', async (_, inUrl) => {
  const { app, lines, secrets, rotate } = await startWithPasswordFile(inUrl);
  const read = () => app.request('GET', '/v1/users');
  expect((await read()).status).toBe(200);
  await rotate(true, false);
  await expect.poll(async () => (await checkReadiness(app.ctx)).checks['database']).toBe('not ready: 28P01');
  await rotate(false, true);
  await expect.poll(async () => (await checkReadiness(app.ctx)).status).toBe('ready');
  expect((await read()).status).toBe(200);
  for (const secret of secrets) expect(lines.join('\n')).not.toContain(secret);
});

test('wrong passwords of NATS and Redis are logged once each, without them, and shown in readiness', async () => {
  const [natsPort, redisPort] = [await freePort(), await freePort()];
  const natsConfig = folder.write(
    'nats.conf',
    `listen: "127.0.0.1:${natsPort}"\nauthorization: { user: u, password: right }`,
  );
  resources.use(await startPrivateEngine('nats-server', ['-c', natsConfig], natsPort));
  const redisConfig = folder.write(
    'redis.conf',
    `port ${redisPort}
bind 127.0.0.1
requirepass right
save ""
`,
  );
  resources.use(await startPrivateEngine('redis-server', [redisConfig], redisPort));
  const lines: string[] = [];
  const app = resources.use(
    await startTestApp(
      {
        LOG_LEVEL: 'trace',
        NATS_URL: `nats://127.0.0.1:${natsPort}`,
        NATS_USER: 'u',
        NATS_PASSWORD: 'wr0ng-password',
        REDIS_URL: `redis://127.0.0.1:${redisPort}`,
        REDIS_PASSWORD_FILE: folder.write('redis-password', 'wr0ng-password\n'),
      },
      (line) => void lines.push(line),
    ),
  );
  await expect
    .poll(async () => (await checkReadiness(app.ctx)).checks, { timeout: 10_000 })
    .toMatchObject({
      nats: 'degraded: credentials rejected',
      redis: 'degraded: credentials rejected, each node enforces its own share of the limits',
    });
  expect((await app.request('GET', '/v1/users')).status).toBe(200);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const reasons = lines.filter((line) => line.includes('cannot connect to')).map((line) => JSON.parse(line));
  expect(reasons.map(({ msg, level }) => [level, msg]).toSorted()).toEqual([
    ['warn', 'cannot connect to NATS'],
    ['warn', 'cannot connect to Redis'],
  ]);
  expect(lines.join()).not.toContain('wr0ng-password');
});

describe('the command line', () => {
  test('reads secrets from files', async () => {
    const app = resources.use(await startTestApp());
    const { code, stdout, stderr } = await cliOf(app).tributary(['account', 'list'], {
      DATABASE_URL: '',
      DATABASE_URL_FILE: folder.write('url', `${app.ctx.config.secrets.database.service.url.read()}\n`),
      ENCRYPTION_KEYS: '',
      ENCRYPTION_KEYS_FILE: folder.write('keys', `1:${Buffer.alloc(32, 7).toString('base64')}\n`),
    });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('Test');
  });

  test('explains a wrong password and a missing file in one sentence, without the secret', async () => {
    const app = resources.use(await startTestApp());
    const url = withoutPassword(app.ctx.config.secrets.database.service.url.read());
    const wrong = await cliOf(app).tributary(['account', 'list'], {
      DATABASE_URL: url,
      DATABASE_PASSWORD_FILE: folder.write('password', 'wr0ng-password\n'),
    });
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toMatch(/^PostgreSQL rejected the user or the password: .*"tributary".*\n$/);
    const missing = await cliOf(app).tributary(['account', 'list'], {
      DATABASE_URL: url,
      DATABASE_PASSWORD_FILE: folder.path('missing'),
    });
    expect(missing.stderr).toBe(
      'Invalid configuration:\n  - DATABASE_PASSWORD_FILE names a file that cannot be read (ENOENT)\n',
    );
    expect(wrong.stderr).not.toContain('wr0ng-password');
  });
});

describe('PostgreSQL with TLS', () => {
  const names = ['localhost', '127.0.0.1'];
  const authority = createAuthority();

  test(
    'verifies the server, presents a client certificate, and reads renewed ones without a restart',
    { timeout: 120_000 },
    async () => {
      const dir = folder.path('engines');
      resources.defer(() => rm(dir, { recursive: true, force: true }));
      const engines = resources.use(await startEngines({ dir }));
      const admin = new pg.Pool({ connectionString: engines.adminDatabaseUrl, max: 1 });
      resources.defer(() => admin.end());
      admin.on('error', () => {});
      const install = async (file: string, text: string) =>
        admin.query(
          `COPY (SELECT unnest(string_to_array('${text.trim()}', E'\\n'))) TO PROGRAM 'umask 077; cat > ${file}'`,
        );
      const serve = async (issuer: typeof authority, serverNames: string[]) => {
        const server = issuer.issue(serverNames);
        await install('server.crt', server.cert);
        await install('server.key', server.key);
        await install('clients.crt', issuer.cert);
        await admin.query('SELECT pg_reload_conf()');
      };
      for (const setting of ['ssl = on', "ssl_ca_file = 'clients.crt'"])
        await admin.query(`ALTER SYSTEM SET ${setting}`);
      // Everyone but the administrator needs TLS with a client certificate.
      await install(
        'pg_hba.conf',
        `host all postgres all scram-sha-256
hostssl all tributary all scram-sha-256 clientcert=verify-ca`,
      );
      await serve(authority, names);

      const { password } = new URL(engines.databaseUrl);
      const client = authority.issue(['tributary']);
      const settings = {
        DATABASE_PASSWORD_FILE: folder.write('password', decodeURIComponent(password)),
        DATABASE_CA_FILE: folder.write('ca.crt', authority.cert),
        DATABASE_CERT_FILE: folder.write('client.crt', client.cert),
        DATABASE_KEY_FILE: folder.write('client.key', client.key),
      };
      const optionsFor = (host: string) => {
        const url = Object.assign(new URL(withoutPassword(engines.databaseUrl)), { hostname: host }).href;
        const { secrets } = testConfig({ DATABASE_URL: url, ...settings });
        return {
          url: secrets.database.owner,
          role: 'owner',
          statementTimeoutMs: 10_000,
          applicationName: 'tls',
        } as const;
      };
      const usesTls = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()';
      const pool = openPool({ ...optionsFor('localhost'), max: 1 });
      resources.defer(() => pool.end());
      expect((await pool.query(usesTls)).rows).toEqual([{ ssl: true }]);
      const session = await openSession(optionsFor('127.0.0.1'));
      expect((await session.query(usesTls)).rows).toEqual([{ ssl: true }]);
      await session.end();

      // A certificate for another name, then one of another authority.
      await serve(authority, ['other.example.com']);
      for (const host of names)
        await expect.poll(() => attempt(optionsFor(host))).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
      const next = createAuthority();
      await serve(next, names);
      await expect.poll(() => attempt(optionsFor('localhost'))).toMatch(/SELF_SIGNED|SIGNATURE|ISSUER/);

      const renewed = next.issue(['tributary']);
      folder.write('ca.crt', next.cert);
      folder.write('client.crt', renewed.cert);
      folder.write('client.key', renewed.key);
      await admin.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'tributary'`);
      await expect
        .poll(() =>
          pool.query(usesTls).then(
            ({ rows }) => rows,
            () => null,
          ),
        )
        .toEqual([{ ssl: true }]);
    },
  );

  async function attempt(options: Parameters<typeof openSession>[0]): Promise<unknown> {
    try {
      await (await openSession(options)).end();
      return 'connected';
    } catch (error) {
      return (error as { code?: string }).code;
    }
  }
});
