import { randomBytes } from 'node:crypto';
import { startPgBouncer } from './pgbouncer.ts';
import type { TestDatabase } from './test-database.ts';

/** A login of the database server, which belongs to all databases of the tests. */
export interface TestLogin {
  name: string;
  password: string;
  url: string;
}

/** Logins that are removed when disposed. */
export class TestLogins implements AsyncDisposable {
  readonly #database: Pick<TestDatabase, 'admin' | 'url'>;
  readonly #names: string[] = [];

  constructor(database: Pick<TestDatabase, 'admin' | 'url'>) {
    this.#database = database;
  }

  /** Creates a login that is only a member of these roles and inherits nothing from them. */
  async create(roles: readonly string[]): Promise<TestLogin> {
    const [name, password] = [`login_${randomBytes(6).toString('hex')}`, randomBytes(12).toString('hex')];
    const { admin, url } = this.#database;
    await admin.query(`CREATE ROLE ${name} LOGIN NOINHERIT PASSWORD '${password}'`);
    this.#names.push(name);
    for (const role of roles) await admin.query(`GRANT ${role} TO ${name}`);
    const own = new URL(url);
    own.username = name;
    own.password = password;
    return { name, password, url: own.href };
  }

  /** Creates a login for a pooler: the server gives it the role and limits that a direct connection would set itself. */
  async createWithSettings(role: 'service' | 'operator' | 'sign_in'): Promise<TestLogin> {
    const login = await this.create([`tributary_${role}`]);
    const settings: Record<string, string> = {
      role: `tributary_${role}`,
      TimeZone: 'UTC',
      jit: 'off',
      statement_timeout: '10s',
      idle_in_transaction_session_timeout: '30s',
      ...(role === 'service' && { plan_cache_mode: 'force_generic_plan' }),
      ...(role === 'sign_in' && { search_path: 'auth' }),
    };
    for (const [name, value] of Object.entries(settings))
      await this.#database.admin.query(`ALTER ROLE ${login.name} SET ${name} = '${value}'`);
    return login;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { admin } = this.#database;
    for (const name of this.#names) {
      await admin.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${name}'`);
      await admin.query(`DROP OWNED BY ${name}`);
      await admin.query(`DROP ROLE ${name}`);
    }
  }
}

/** Settings of a service behind PgBouncer: a login for each role through the pooler, and a direct one for session locks. */
export async function arrangePooler(
  database: Pick<TestDatabase, 'admin' | 'url'>,
  resources: AsyncDisposableStack,
  poolSize?: number,
): Promise<Record<string, string>> {
  const logins = resources.use(new TestLogins(database));
  const [service, operator, signIn] = [
    await logins.createWithSettings('service'),
    await logins.createWithSettings('operator'),
    await logins.createWithSettings('sign_in'),
  ];
  const pooler = resources.use(await startPgBouncer([service, operator, signIn], poolSize));
  return {
    DATABASE_URL: pooler.through(service.url),
    DATABASE_OPERATOR_URL: pooler.through(operator.url),
    DATABASE_SIGN_IN_URL: pooler.through(signIn.url),
    DATABASE_DIRECT_URL: operator.url,
    DATABASE_PREPARED_STATEMENTS: String(pooler.preparesStatements),
    MIGRATE_ON_START: 'false',
  };
}
