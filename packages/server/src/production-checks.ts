import type { EnvironmentReader } from './environment-reader.ts';

interface Checked {
  http: { publicUrl: string; trustProxy: readonly string[] };
  secrets: { encryptionKeys: readonly Key[] };
}

interface Key {
  version: number;
  key: Buffer;
}

const logins = [
  'DATABASE',
  'DATABASE_OPERATOR',
  'DATABASE_SIGN_IN',
  'DATABASE_DIRECT',
  'DATABASE_OWNER',
  'KEY_STORE',
];
const urls = [...logins.map((login) => `${login}_URL`), 'NATS_URL', 'REDIS_URL', 'SMTP_URL'];
const passwords = [
  ...logins.map((login) => `${login}_PASSWORD`),
  'NATS_PASSWORD',
  'NATS_TOKEN',
  'REDIS_PASSWORD',
  'REDIS_SENTINEL_PASSWORD',
];

/** Adds a problem for every setting that is valid but unsafe in production. */
export function checkForProduction(env: EnvironmentReader, { http, secrets }: Checked): void {
  if (env.optional('PUBLIC_URL') === undefined)
    env.problem('PUBLIC_URL is missing: set the `https://` URL that clients use');
  else if (!http.publicUrl.startsWith('https://'))
    env.problem('PUBLIC_URL must start with `https://`: responses contain health data and credentials');
  for (const entry of http.trustProxy)
    if (trustsEveryone(entry))
      env.problem(
        `TRUST_PROXY contains ${entry}, which lets every client choose its address: list your proxies`,
      );
  checkKeys(env, secrets.encryptionKeys);
  for (const name of urls)
    if (hasSamplePassword(env.secret(name)?.read()))
      env.problem(`${name} contains a sample password or the name of its user as password: set a random one`);
  for (const name of passwords)
    if (samplePasswords.has(env.secret(name)?.read().toLowerCase() ?? ''))
      env.problem(`${name} is a sample password: set a random one`);
}

/** IPv6 networks contain the addresses of IPv4 clients, too. */
function trustsEveryone(entry: string): boolean {
  const [address = '', bits] = entry.toLowerCase().split('/');
  return bits === '0' || /^0+$/.test(bits ?? '') || (address.startsWith('::ffff:') && Number(bits) <= 96);
}

function checkKeys(env: EnvironmentReader, keys: readonly Key[]): void {
  const distinct = new Set(keys.map(({ key }) => key.toString('base64')));
  if (distinct.size !== keys.length) env.problem('ENCRYPTION_KEYS contains the same key more than once');
  for (const { version, key } of keys)
    if (key.length === 32 && isGuessable(key))
      env.problem(
        `ENCRYPTION_KEYS contains a key that is not random, version ${version}: generate one with \`openssl rand -base64 32\``,
      );
}

/** Of 32 random bytes, fewer than 16 differ, or all are printable characters, in less than one of 10^12 cases. */
function isGuessable(key: Buffer): boolean {
  return new Set(key).size < 16 || key.every((byte) => byte >= 0x20 && byte < 0x7f);
}

const samplePasswords = new Set(['secret', 'password', 'changeme', 'replace_me', 'tributary', 'postgres']);

function hasSamplePassword(url: string | undefined): boolean {
  if (url === undefined || !URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  return password !== '' && (password === username || samplePasswords.has(password.toLowerCase()));
}
