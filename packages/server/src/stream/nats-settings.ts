import { isIP } from 'node:net';
import type { EnvironmentReader } from '../environment-reader.ts';
import type { Secret } from '../settings/secret.ts';
import { readTlsFiles, type TlsFiles } from '../settings/tls-files.ts';

/** How to connect to NATS. Secrets and certificates are read again for each connection. */
export interface NatsSettings {
  /** Hosts with their ports, without credentials. */
  servers: string[];
  authentication: NatsAuthentication;
  /** Null to use TLS only if the server offers it. */
  tls: { host: string | undefined; files: TlsFiles | null } | null;
}

export type NatsAuthentication =
  | { kind: 'none' }
  | { kind: 'url'; url: Secret }
  | { kind: 'password'; user: string; password: Secret }
  | { kind: 'token'; token: Secret }
  | { kind: 'nkey'; seed: Secret }
  | { kind: 'credentials'; credentials: Secret };

interface UserPassword {
  user: string;
  password: string;
}

const urlHint = 'use `nats://host:4222` or `tls://host:4222`, comma-separated for several servers';

/** Settings for a server without credentials and certificates, such as that of a stack. */
export function plainNats(url: string): NatsSettings {
  return {
    servers: parseServers(url).map(({ address }) => address),
    authentication: { kind: 'none' },
    tls: null,
  };
}

export function readNatsSettings(env: EnvironmentReader): NatsSettings {
  const url = env.requiredSecret('NATS_URL');
  const servers = parseServers(url.read());
  if (url.read() !== '' && (servers.length === 0 || servers.some(({ isValid }) => !isValid)))
    env.problem(`NATS_URL is not valid: ${urlHint}`);
  const files = readTlsFiles(env, 'NATS');
  const usesTls = files !== null || servers.some(({ scheme }) => scheme === 'tls');
  const addressed = servers.find(({ host }) => isIP(host) !== 0);
  // The client verifies the certificate of an address only if it knows which server it connects to.
  if (usesTls && servers.length > 1 && addressed)
    env.problem('NATS_URL must contain host names, not addresses, if it lists several servers and uses TLS');
  return {
    servers: servers.map(({ address }) => address),
    authentication: readAuthentication(env, url),
    tls: usesTls ? { host: addressed?.host, files } : null,
  };
}

function readAuthentication(env: EnvironmentReader, url: Secret): NatsAuthentication {
  const user = env.optional('NATS_USER');
  const password = env.secret('NATS_PASSWORD');
  const token = env.secret('NATS_TOKEN');
  const seed = env.secret('NATS_NKEY_SEED');
  const credentials = env.secret('NATS_CREDENTIALS');
  const inUrl = findUrlCredentials(env, url);
  const ways: [setting: string, NatsAuthentication | null][] = [
    ['the user in NATS_URL', inUrl ? { kind: 'url', url } : null],
    ['NATS_USER', user && password ? { kind: 'password', user, password } : null],
    ['NATS_TOKEN', token ? { kind: 'token', token } : null],
    ['NATS_NKEY_SEED', seed ? { kind: 'nkey', seed } : null],
    ['NATS_CREDENTIALS', credentials ? { kind: 'credentials', credentials } : null],
  ];
  const configured = ways.filter(([, way]) => way !== null);
  if (configured.length > 1)
    env.problem(
      `${configured.map(([name]) => name).join(' and ')} are set: use one way to authenticate with NATS`,
    );
  if ((user !== undefined) !== env.isSet('NATS_PASSWORD'))
    env.problem('NATS_USER and NATS_PASSWORD must be set together');
  if (seed && !/^SU[A-Z2-7]{56}$/.test(seed.read()))
    env.problem('NATS_NKEY_SEED is not the seed of a user: it must start with `SU` and have 58 characters');
  if (credentials && !/BEGIN NATS USER JWT[^]*BEGIN USER NKEY SEED/.test(credentials.read()))
    env.problem('NATS_CREDENTIALS does not contain a user JWT and its seed: use the file that `nsc` creates');
  return configured[0]?.[1] ?? { kind: 'none' };
}

/** Whether the URL contains a user and a password. */
function findUrlCredentials(env: EnvironmentReader, url: Secret): boolean {
  const texts = new Set(parseServers(url.read()).map(({ userInfo }) => userInfo));
  if (texts.size > 1) env.problem('NATS_URL contains different users: use the same one for all servers');
  const [text] = texts;
  if (text === undefined || text === '') return false;
  if (parseUserInfo(text) !== null) return true;
  env.problem('NATS_URL must contain a user and a password, or neither: set NATS_TOKEN for a token');
  return false;
}

/** The user and password in the URL of the first server. */
export function readUrlCredentials(url: Secret): UserPassword | null {
  return parseUserInfo(parseServers(url.read())[0]?.userInfo ?? '');
}

function parseUserInfo(text: string): UserPassword | null {
  const [, user, password] = /^([^:]+):(.+)$/.exec(text) ?? [];
  if (user === undefined || password === undefined) return null;
  try {
    return { user: decodeURIComponent(user), password: decodeURIComponent(password) };
  } catch {
    return null;
  }
}

function parseServers(text: string) {
  const entries = text.split(/[,\n]/).flatMap((entry) => entry.trim() || []);
  return entries.map((entry) => {
    const [, scheme = 'nats', rest = ''] = /^(?:([a-z]+):\/\/)?(.*?)\/?$/i.exec(entry) ?? [];
    const at = rest.lastIndexOf('@');
    const address = rest.slice(at + 1);
    const url = URL.parse(`http://${address}`);
    const isKnown = ['nats', 'tls'].includes(scheme.toLowerCase());
    return {
      scheme: scheme.toLowerCase(),
      userInfo: at < 0 ? '' : rest.slice(0, at),
      address,
      host: url?.hostname.replace(/^\[(.*)\]$/, '$1') ?? '',
      isValid: isKnown && url !== null && url.pathname === '/' && url.search === '' && url.hash === '',
    };
  });
}
