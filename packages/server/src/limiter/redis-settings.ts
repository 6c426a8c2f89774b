import type { EnvironmentReader } from '../environment-reader.ts';
import { Secret } from '../settings/secret.ts';
import { readTlsFiles, type TlsFiles } from '../settings/tls-files.ts';

/** How to connect to Redis. All of it is read again for each connection. */
export interface RedisSettings {
  url: Secret;
  /** Override the user and password of the URL. */
  user: string | undefined;
  password: Secret | undefined;
  sentinelUser: string | undefined;
  sentinelPassword: Secret | undefined;
  tls: TlsFiles | null;
}

export interface RedisAddress {
  host: string;
  port: number;
}

/** A URL of one server, or of the Sentinels that know which server is the primary. */
export interface RedisTarget {
  addresses: RedisAddress[];
  /** The name of the primary that the Sentinels monitor. Null without Sentinels. */
  primaryName: string | null;
  usesTls: boolean;
  user: string;
  password: string;
  database: number;
}

const urlHint =
  'use `redis://user:password@host:6379`, `rediss://…` for TLS, or `redis+sentinel://user:password@host1:26379,host2:26379/name`, and percent-encode everything but letters and digits in the password';

/** Settings for a server that its URL describes completely, such as that of a stack. */
export function plainRedis(url: string): RedisSettings {
  const none = { user: undefined, password: undefined, sentinelUser: undefined, sentinelPassword: undefined };
  return { url: new Secret('REDIS_URL', url), ...none, tls: null };
}

/** Reads the settings of Redis. Undefined if REDIS_URL is not set. */
export function readRedisSettings(env: EnvironmentReader): RedisSettings | undefined {
  const url = env.secret('REDIS_URL');
  const tls = readTlsFiles(env, 'REDIS');
  const user = env.optional('REDIS_USER');
  const password = env.secret('REDIS_PASSWORD');
  const sentinelUser = env.optional('REDIS_SENTINEL_USER');
  const sentinelPassword = env.secret('REDIS_SENTINEL_PASSWORD');
  if (user !== undefined && !env.isSet('REDIS_PASSWORD')) env.problem('REDIS_USER requires REDIS_PASSWORD');
  if (sentinelUser !== undefined && !env.isSet('REDIS_SENTINEL_PASSWORD'))
    env.problem('REDIS_SENTINEL_USER requires REDIS_SENTINEL_PASSWORD');
  if (url === undefined) {
    if ((tls ?? user ?? password ?? sentinelPassword) && !env.isSet('REDIS_URL'))
      env.problem('REDIS_URL is missing, but other settings of Redis require it');
    return undefined;
  }
  const settings = { url, user, password, sentinelUser, sentinelPassword, tls };
  const target = parseRedisUrl(url.read());
  if (target === null) env.problem(`REDIS_URL is not valid: ${urlHint}`);
  else checkTarget(env, target, settings);
  return settings;
}

/** Adds a problem for each setting that contradicts the URL. */
function checkTarget(
  env: EnvironmentReader,
  target: RedisTarget,
  { user, password, sentinelPassword, tls }: RedisSettings,
): void {
  if (target.password !== '' && password !== undefined)
    env.problem('REDIS_PASSWORD and the password in REDIS_URL are both set: remove one of them');
  if (target.user !== '' && user !== undefined)
    env.problem('REDIS_USER and the user in REDIS_URL are both set: remove one of them');
  if (target.user !== '' && target.password === '' && password === undefined)
    env.problem('REDIS_URL contains a user without a password: set REDIS_PASSWORD');
  if (tls !== null && !target.usesTls)
    env.problem(
      'REDIS_CA_FILE, REDIS_CERT_FILE and REDIS_KEY_FILE require a REDIS_URL that starts with `rediss`',
    );
  if (sentinelPassword !== undefined && target.primaryName === null)
    env.problem(
      'REDIS_SENTINEL_PASSWORD requires a REDIS_URL that starts with `redis+sentinel` or `rediss+sentinel`',
    );
}

/** Null for anything that is not a URL of Redis. */
export function parseRedisUrl(text: string): RedisTarget | null {
  const [, scheme = '', userInfo = '', hosts = '', path = ''] =
    /^(rediss?(?:\+sentinel)?):\/\/(?:([^@/]*)@)?([^@/?#]+)(?:\/([^?#]*))?$/i.exec(text.trim()) ?? [];
  const isSentinel = scheme.toLowerCase().endsWith('+sentinel');
  const addresses = hosts.split(',').flatMap((host) => parseAddress(host, isSentinel ? 26_379 : 6_379) ?? []);
  if (addresses.length !== hosts.split(',').length) return null;
  const login = parseUserInfo(userInfo);
  if (scheme === '' || login === null) return null;
  if (!isSentinel && addresses.length !== 1) return null;
  const [name, database = '0', ...more] = isSentinel ? path.split('/') : [null, path === '' ? '0' : path];
  if (name === '' || more.length > 0 || !/^\d{1,3}$/.test(database)) return null;
  return {
    addresses,
    primaryName: name ?? null,
    usesTls: scheme.toLowerCase().startsWith('rediss'),
    ...login,
    database: Number(database),
  };
}

function parseUserInfo(text: string): Pick<RedisTarget, 'user' | 'password'> | null {
  const [user = '', password = '', ...rest] = text.split(':').map(decode);
  return rest.length > 0 || user === null || password === null ? null : { user, password };
}

function parseAddress(text: string, defaultPort: number): RedisAddress | null {
  const url = URL.parse(`http://${text.trim()}`);
  if (url === null || url.hostname === '') return null;
  // This scheme drops its own default port.
  const port = text.trim().endsWith(':80') ? 80 : Number(url.port || defaultPort);
  return { host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port };
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
