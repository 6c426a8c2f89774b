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
  /** Returns the session of a cookie, with cookies to set if the session was extended, or null if there is none. */
  findSession(
    cookie: string | undefined,
  ): Promise<(OperatorSessionIdentity & { setCookie: string[] }) | null>;
  /** Returns the dashboard user whose challenge or session these cookies belong to, before they enter a code. */
  findChallenged(cookie: string | undefined): Promise<string | null>;
  hashPassword(password: string): Promise<string>;
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
      const result = await auth.api.getSession({ headers: new Headers({ cookie }), returnHeaders: true });
      if (!result.response) return null;
      const { session, user } = result.response;
      return {
        sessionId: session.id,
        operatorId: user.id,
        setCookie: result.headers?.getSetCookie() ?? [],
      };
    },
    async findChallenged(cookie) {
      const { auth, challengeCookie } = await opening();
      const session = await this.findSession(cookie);
      if (session) return session.operatorId;
      const value = readCookie(cookie, challengeCookie);
      if (value === null) return null;
      // The part before the signature needs no decoding. The library checks the signature: a forged value finds no challenge or is rejected
      // afterwards.
      const identifier = value.slice(0, value.lastIndexOf('.'));
      const { internalAdapter } = await auth.$context;
      return (await internalAdapter.findVerificationValue(identifier))?.value ?? null;
    },
    async hashPassword(password) {
      const { auth } = await opening();
      return (await auth.$context).password.hash(password);
    },
    async [Symbol.asyncDispose]() {
      await (await opened)?.pool.end();
    },
  };
}

async function open({ config, operator, keyring }: Options) {
  const [{ betterAuth }, { addressHeader, authOptions, authPath, challengeCookie, sessionCookie }] =
    await Promise.all([import('better-auth'), import('./auth-options.ts')]);
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
  const auth = betterAuth(authOptions({ pool, baseUrl, secret }));
  return { auth, pool, baseUrl, authPath, addressHeader, sessionCookie, challengeCookie };
}

/** Returns the stored form of an address that was entered at sign-in. */
export function hashEmail(email: string): Buffer {
  return createHash('sha256').update(email.trim().toLowerCase()).digest();
}

function readCookie(header: string | undefined, name: string): string | null {
  for (const part of header?.split(';') ?? []) {
    const [key, value] = part.trim().split('=', 2);
    if (key === name && value) return value;
  }
  return null;
}
