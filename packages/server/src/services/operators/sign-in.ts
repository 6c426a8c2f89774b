import { createHash, randomBytes } from 'node:crypto';
import type { Config } from '../../config.ts';
import type { Keyring } from '../../credentials/keyring.ts';
import { openPool, type Queryable } from '../../store/database/database.ts';
import { keepSignInSecret } from '../../store/accounts/sign-in-guard.ts';

/** Binds the encrypted secret to its only row. */
export const signInSeal = 'sign_in_secrets';

/** A request to the library, as a browser would make it. */
interface SignInCall {
  body?: Record<string, unknown>;
  cookie: string | undefined;
  address: string;
  userAgent: string | undefined;
}

interface OperatorSessionIdentity {
  sessionId: string;
  operatorId: string;
}

/** Passwords, sessions and authenticator apps of dashboard users, provided by better-auth. */
export interface SignIn extends AsyncDisposable {
  /** Makes a request to the library. */
  call(path: string, call: SignInCall): Promise<Response>;
  /** Returns the session of a cookie, or null if there is none. */
  findSession(cookie: string | undefined): Promise<OperatorSessionIdentity | null>;
  /** Returns the dashboard user who has to enter a code to sign in, and the cookie of this challenge only. */
  findChallenged(cookie: string | undefined): Promise<{ operatorId: string; cookie: string } | null>;
  hashPassword(password: string): Promise<string>;
  /** Whether this is the password of a dashboard user. Does not count attempts. */
  checkPassword(operatorId: string, password: string): Promise<boolean>;
}

interface Options {
  config: Config;
  operator: Queryable;
  keyring: Keyring;
}

/** Loads and connects nothing before the first sign-in, because most nodes and all commands never need it. */
export function createSignIn(options: Options): SignIn {
  let opened: ReturnType<typeof open> | undefined;
  const opening = () => (opened ??= open(options));
  return {
    async call(path, { body, cookie, address, userAgent }) {
      const { auth, baseUrl, authPath, addressHeader } = await opening();
      const headers = new Headers({ origin: new URL(baseUrl).origin, [addressHeader]: address });
      if (cookie !== undefined) headers.set('cookie', cookie);
      if (userAgent !== undefined) headers.set('user-agent', userAgent.slice(0, 300));
      headers.set('content-type', 'application/json');
      return auth.handler(
        new Request(`${baseUrl}${authPath}${path}`, {
          method: 'POST',
          headers,
          body: JSON.stringify(body ?? {}),
        }),
      );
    },
    async findSession(cookie) {
      const { auth, sessionCookie } = await opening();
      if (!cookie?.includes(sessionCookie)) return null;
      const current = await auth.api.getSession({ headers: new Headers({ cookie }) });
      return current && { sessionId: current.session.id, operatorId: current.user.id };
    },
    async findChallenged(cookie) {
      const { auth, challengeCookie } = await opening();
      const value = readCookie(cookie, challengeCookie);
      if (value === null) return null;
      // The part before the signature needs no decoding. The library checks the signature: a forged value finds no challenge or is rejected
      // afterwards.
      const identifier = value.slice(0, value.lastIndexOf('.'));
      const { internalAdapter } = await auth.$context;
      const challenge = await internalAdapter.findVerificationValue(identifier);
      return challenge && { operatorId: challenge.value, cookie: `${challengeCookie}=${value}` };
    },
    async hashPassword(password) {
      const { auth } = await opening();
      return (await auth.$context).password.hash(password);
    },
    async checkPassword(operatorId, password) {
      const { auth } = await opening();
      const { internalAdapter, password: passwords } = await auth.$context;
      const hash = (await internalAdapter.findCredentialAccount(operatorId))?.password;
      return hash ? passwords.verify({ hash, password }) : false;
    },
    async [Symbol.asyncDispose]() {
      await (await opened)?.pool.end();
    },
  };
}

async function open({ config, operator, keyring }: Options) {
  const [
    { betterAuth },
    { getAdapter },
    { addressHeader, authOptions, authPath, challengeCookie, sessionCookie },
    { withHashedTokens },
  ] = await Promise.all([
    import('better-auth'),
    import('better-auth/db/adapter'),
    import('./auth-options.ts'),
    import('./hashed-tokens.ts'),
  ]);
  const pool = openPool({
    url: config.secrets.database.signIn,
    role: 'sign_in',
    max: 4,
    statementTimeoutMs: config.database.statementTimeoutMs,
    namedStatements: config.database.preparedStatements,
    applicationName: `tributary-${config.nodeName}`,
  });
  const fresh = keyring.encrypt(randomBytes(32), signInSeal);
  const secret = keyring.decrypt(await keepSignInSecret(operator, fresh), signInSeal).toString('base64');
  const baseUrl = config.http.publicUrl;
  const options = authOptions({ pool, baseUrl, secret });
  const adapter = withHashedTokens(await getAdapter(options));
  const auth = betterAuth({ ...options, database: () => adapter });
  return { auth, pool, baseUrl, authPath, addressHeader, sessionCookie, challengeCookie };
}

/** Returns an email address as it is stored. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** Returns the hash that represents an email address that may belong to no dashboard user. */
export function hashEmail(email: string): Buffer {
  return createHash('sha256').update(normalizeEmail(email)).digest();
}

function readCookie(header: string | undefined, name: string): string | null {
  for (const part of header?.split(';') ?? []) {
    const [key, value] = part.trim().split('=', 2);
    if (key === name && value) return value;
  }
  return null;
}
