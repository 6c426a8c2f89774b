import { createHmac } from 'node:crypto';
import type { OperatorRole } from '@tributary/contract';
import { createJoinLink } from '../../services/operators/invite-colleague.ts';
import type { Environment } from '../../store/database/tenant.ts';
import { testActor } from '../acting.ts';
import type { TestResponse, TestApp, TestRequest } from '../apps/test-app.ts';

export const testPassword = 'correct horse battery';

/** A browser that keeps cookies and sends its origin, as the dashboard's pages do. */
export class TestBrowser {
  readonly cookies = new Map<string, string>();
  readonly #app: TestApp;

  constructor(app: TestApp) {
    this.#app = app;
  }

  /** A request to the dashboard's own API. */
  call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<TestResponse> {
    return this.#send(method, `/dashboard/api${path}`, { ...(body === undefined ? {} : { body }), headers });
  }

  /** A request to the public API as the signed-in dashboard user. */
  api(
    method: string,
    path: string,
    environment: Environment = 'live',
    body?: unknown,
  ): Promise<TestResponse> {
    return this.#send(method, path, {
      ...(body === undefined ? {} : { body }),
      headers: { 'tributary-environment': environment },
    });
  }

  async #send(method: string, path: string, { headers, ...request }: TestRequest): Promise<TestResponse> {
    const response = await this.#app.request(method, path, {
      ...request,
      key: '',
      headers: { origin: this.#app.url, cookie: this.cookie, ...headers },
    });
    for (const line of response.headers.getSetCookie()) this.#keep(line);
    return response;
  }

  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split('; ');
    const [name = '', value = ''] = pair.split('=', 2);
    if (value === '' || attributes.some((word) => word.toLowerCase() === 'max-age=0'))
      this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

/** The secret in a dashboard user's link. */
export function tokenOf(url: string): string {
  return url.split('#')[1]!;
}

/** A signed-in dashboard user with a role in an account. */
export async function joinAs(
  app: TestApp,
  role: OperatorRole,
  { accountId = app.account.uuid, email = `${role}-${Math.random().toString(36).slice(2)}@example.com` } = {},
): Promise<{ browser: TestBrowser; email: string }> {
  const url = await createJoinLink(app.ctx, testActor, { accountId, email, role });
  const browser = new TestBrowser(app);
  const response = await browser.call('POST', '/join', {
    token: tokenOf(url),
    name: `The ${role}`,
    password: testPassword,
  });
  if (response.status !== 204) throw new Error(`joining failed: ${JSON.stringify(response.body)}`);
  return { browser, email };
}

/** The code of an authenticator app at a given time (RFC 6238), for the URI it was set up with. */
export function codeOf(uri: string, atMs = Date.now()): string {
  const secret = fromBase32(new URL(uri).searchParams.get('secret')!);
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(atMs / 30_000)));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = mac.at(-1)! & 0xf;
  return String((mac.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, '0');
}

function fromBase32(text: string): Buffer {
  const bits = Array.from(text.replaceAll('=', ''))
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  const bytes = bits.match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
}
