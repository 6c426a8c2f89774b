import type { KeyRowWire, OperatorLinkWire, SignedInWire } from '@tributary/contract';

export interface FixtureResponse {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

const day = 86_400_000;
const at = (days: number) => new Date(Date.now() + days * day).toISOString();

export const session: SignedInWire = {
  operator: { id: 'op_01', email: 'ada@example.com', name: 'Ada Lovelace', two_factor: true },
  account: { id: 'acc_01', name: 'Acme Health', requires_authenticator: false },
  role: 'owner',
  session: { idle_limit_seconds: 1_800, idle_remaining_seconds: 1_800, ends_at: at(7) },
};

const invitation: OperatorLinkWire = {
  kind: 'invitation',
  account: { name: 'Acme Health' },
  role: 'developer',
  email: 'grace@example.com',
  invited_by: 'Ada Lovelace',
  expires_at: at(6),
};

const signedOut = refuse(401, 'signed_out', 'You are signed out. Sign in again.');
const linkEnded = refuse(404, 'link_ended', 'This link is no longer valid.');

/** The state of the fixture server: the signed-in role and the keys. */
export class Fixtures {
  isSignedIn = true;
  role: SignedInWire['role'] = 'owner';
  keys: KeyRowWire[] = [
    makeKey('key_live_2', 'live', {
      created_at: at(-356),
      expires_at: at(9),
      last_used_address: '203.0.113.7',
    }),
    makeKey('key_sandbox_1', 'sandbox', { created_at: at(-12), expires_at: at(353) }),
    makeKey('key_live_1', 'live', { status: 'revoked', created_at: at(-500), revoked_at: at(-356) }),
    makeKey('key_sandbox_0', 'sandbox', { status: 'expired', created_at: at(-400), expires_at: at(-35) }),
  ];

  /** Responses that a page's test adds, by method and path. */
  more: Record<string, (body: Record<string, unknown>) => FixtureResponse> = {};

  respond(call: string, body: Record<string, unknown>): FixtureResponse {
    const known = this.more[call] ?? this.#responses[call];
    if (known) return known(body);
    if (call.startsWith('DELETE /dashboard/api/keys/')) return this.#revoke(call.split('/').at(-1)!);
    return { status: 404, body: { error: 'not_found', message: 'No such operation.', details: {} } };
  }

  readonly #responses: Record<string, (body: Record<string, unknown>) => FixtureResponse> = {
    'GET /dashboard/api/session': () =>
      this.isSignedIn ? { status: 200, body: { ...session, role: this.role } } : signedOut,
    'POST /dashboard/api/session/confirm': ({ code, password }) =>
      code === '123456' || password === 'right'
        ? { status: 204 }
        : refuse(401, code === undefined ? 'wrong_sign_in' : 'wrong_code', 'Incorrect.'),
    'POST /dashboard/api/sign-in': ({ password }) => {
      if (password === 'locked')
        return { ...refuse(429, 'rate_limited', 'Too many attempts.'), headers: { 'retry-after': '840' } };
      if (password !== 'right') return refuse(401, 'wrong_sign_in', 'Incorrect email or password.');
      return { status: 200, body: { two_factor: true } };
    },
    'POST /dashboard/api/sign-in/code': ({ code }) => this.#enter(code === '123456'),
    'POST /dashboard/api/sign-in/backup-code': ({ code }) => this.#enter(code === 'aaaaa-bbbbb'),
    'POST /dashboard/api/sign-out': () => {
      this.isSignedIn = false;
      return { status: 204 };
    },
    'POST /dashboard/api/password/forgot': () => ({ status: 204 }),
    'POST /dashboard/api/password/reset': ({ token }) => (token === 'good' ? { status: 204 } : linkEnded),
    'POST /dashboard/api/links': ({ token }) => {
      if (token === 'first')
        return { status: 200, body: { ...invitation, kind: 'owner', role: 'owner', email: null } };
      return token === 'good' ? { status: 200, body: invitation } : linkEnded;
    },
    'POST /dashboard/api/join': () => this.#enter(true),
    'POST /dashboard/api/authenticator': () => ({
      status: 200,
      body: {
        uri: 'otpauth://totp/Tributary:ada@example.com?secret=JBSWY3DPEHPK3PXP&issuer=Tributary&digits=6&period=30',
        backup_codes: Array.from({ length: 10 }, (_, index) => `made${index}-up${index}00`),
      },
    }),
    'POST /dashboard/api/authenticator/confirm': ({ code }) => this.#enter(code === '123456'),
    'GET /dashboard/api/find': () => ({
      status: 200,
      body: { kind: 'key', id: 'key_01jcqz4w5ve9prdk6r9f4vg1yx', path: 'keys' },
    }),
    'GET /dashboard/api/keys': () =>
      this.isSignedIn ? { status: 200, body: { data: this.keys } } : signedOut,
    'POST /dashboard/api/keys': ({ environment }) => {
      for (const key of this.keys)
        if (key.environment === environment && key.status === 'active')
          Object.assign(key, { status: 'revoked', revoked_at: at(0) });
      const data = makeKey(`key_new_${this.keys.length}`, environment as KeyRowWire['environment'], {
        created_at: at(0),
      });
      this.keys.push(data);
      return { status: 201, body: { key: 'sk_sample_000000000000000000000000000000', data } };
    },
  };

  #enter(isRight: boolean): FixtureResponse {
    if (!isRight) return refuse(401, 'wrong_code', 'Incorrect code.');
    this.isSignedIn = true;
    return { status: 204 };
  }

  #revoke(id: string): FixtureResponse {
    const key = this.keys.find((one) => one.id === id);
    if (!key) return refuse(404, 'key_not_found', 'Key not found.');
    Object.assign(key, { status: 'revoked', revoked_at: at(0) });
    return { status: 204 };
  }
}

export function refuse(status: number, error: string, message: string): FixtureResponse {
  return { status, body: { error, message, details: {} } };
}

function makeKey(
  id: string,
  environment: KeyRowWire['environment'],
  fields: Partial<KeyRowWire>,
): KeyRowWire {
  return {
    id,
    environment,
    prefix: `sk_${environment}_`,
    last_four: id.slice(-4),
    status: 'active',
    created_at: at(0),
    created_by: 'Ada Lovelace',
    expires_at: at(365),
    revoked_at: null,
    last_used_at: fields.last_used_address ? at(-0.0001) : null,
    last_used_address: null,
    ...fields,
  };
}
