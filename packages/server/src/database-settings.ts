import type { EnvironmentReader } from './environment-reader.ts';
import type { Secret } from './settings/secret.ts';
import { readTlsFiles, type TlsFiles } from './settings/tls-files.ts';

/** How the service uses the database. */
export interface DatabaseSettings {
  poolSize: number;
  statementTimeoutMs: number;
  migrateOnStart: boolean;
  /** False behind a pooler that cannot route prepared statements. */
  preparedStatements: boolean;
}

/** A user of the database. All of it is read again for each connection, so that operators can rotate passwords and certificates. */
export interface DatabaseLogin {
  url: Secret;
  /** Null if the URL contains the password, or none is needed. */
  password: Secret | null;
  /** Null if the URL decides about TLS. */
  tls: TlsFiles | null;
}

/** Logins for the roles of the service, and for connections that no pooler may share. By default all are the same login. */
export interface DatabaseLogins {
  service: DatabaseLogin;
  operator: DatabaseLogin;
  signIn: DatabaseLogin;
  /** For work under session locks. */
  direct: DatabaseLogin;
  /** For migrations. */
  owner: DatabaseLogin;
  /** A separate database with the keys of raw payloads. Null: they are in the main database. */
  keyStore: DatabaseLogin | null;
}

/** Reads the logins from the environment. */
export function readDatabaseLogins(env: EnvironmentReader): DatabaseLogins {
  const tls = readTlsFiles(env, 'DATABASE');
  const service = toLogin(env, 'DATABASE', env.requiredSecret('DATABASE_URL'), tls);
  const operator = readLogin(env, 'DATABASE_OPERATOR', tls);
  const direct = readLogin(env, 'DATABASE_DIRECT', tls);
  return {
    service,
    operator: operator ?? service,
    signIn: readLogin(env, 'DATABASE_SIGN_IN', tls) ?? service,
    direct: direct ?? operator ?? service,
    owner: readLogin(env, 'DATABASE_OWNER', tls) ?? direct ?? service,
    keyStore: readLogin(env, 'KEY_STORE', tls),
  };
}

function readLogin(env: EnvironmentReader, prefix: string, tls: TlsFiles | null): DatabaseLogin | null {
  const url = env.secret(`${prefix}_URL`);
  if (url !== undefined) return toLogin(env, prefix, url, tls);
  if (env.secret(`${prefix}_PASSWORD`) !== undefined)
    env.problem(`${prefix}_PASSWORD requires ${prefix}_URL, which names its user`);
  return null;
}

const tlsParameters = ['ssl', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey'];

function toLogin(env: EnvironmentReader, prefix: string, url: Secret, tls: TlsFiles | null): DatabaseLogin {
  const password = env.secret(`${prefix}_PASSWORD`) ?? null;
  const parsed = parseDatabaseUrl(url.read());
  if (url.read() === '') return { url, password, tls };
  if (parsed === null)
    env.problem(
      `${url.setting} is not a valid URL: use \`postgres://user:password@host:5432/database\`, and percent-encode everything but letters and digits in the password`,
    );
  else if (password !== null && (parsed.password !== '' || parsed.searchParams.has('password')))
    env.problem(`${prefix}_PASSWORD and the password in ${url.setting} are both set: remove one of them`);
  const contradicting = tlsParameters.find((name) => parsed?.searchParams.has(name));
  if (tls !== null && contradicting !== undefined)
    env.problem(
      `${url.setting} contains \`${contradicting}\`, which contradicts DATABASE_CA_FILE, DATABASE_CERT_FILE and DATABASE_KEY_FILE: remove one of them`,
    );
  return { url, password, tls };
}

/** Null if the database driver would reject it. The driver also accepts URLs without a host, for sockets of this machine. */
export function parseDatabaseUrl(text: string): URL | null {
  const base = 'postgres://base';
  return URL.parse(text, base) ?? URL.parse(text.replace('@/', '@socket/'), base);
}
