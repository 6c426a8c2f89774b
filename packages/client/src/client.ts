import { buildApi } from './build-api.ts';
import { followEvents, type FollowedEvent, type FollowOptions } from './follow.ts';
import type { ApiForm1, ApiForm2, UserApiForm1, UserApiForm2 } from './generated/api.ts';
import { otherOperations, userOperations } from './generated/operations.ts';
import type { ClientOptions, Credential, Form } from './options.ts';
import { Transport } from './transport.ts';
import { verifyWebhook } from './verify.ts';

/** The methods of a client with an API key. */
export type Api<F extends Form> = F extends 1 ? ApiForm1 : ApiForm2;
/** The methods of a client with a user token. */
export type UserApi<F extends Form> = F extends 1 ? UserApiForm1 : UserApiForm2;

export interface TributaryOptions<F extends Form> extends ClientOptions<F> {
  /** An API key, `sk_live_…` or `sk_sandbox_…`. Keep it on your backend. */
  apiKey: Credential;
}

export interface TributaryUserOptions<F extends Form> extends ClientOptions<F> {
  /** A user token, or a function that requests one from your backend. */
  userToken: Credential;
}

/** Additions to the operations of the API. */
export interface Additions {
  readonly events: {
    /** Yields every event after the cursor once and in order. Uses the live stream, and the feed while the stream is down. */
    follow(options?: FollowOptions): AsyncGenerator<FollowedEvent, void>;
  };
  readonly webhooks: {
    /** Verifies a webhook request and returns its event. */
    verify: typeof verifyWebhook;
  };
}

/** The client for your backend. */
export type Tributary<F extends Form> = Api<F> & Additions;
/** The client for browsers and apps, which reads the data of one user. */
export type TributaryUser<F extends Form> = UserApi<F>;

interface TributaryConstructor {
  /** Creates a client with an API key. `form` fixes the types of requests and responses. */
  new <F extends Form>(options: TributaryOptions<F>): Tributary<F>;
}

interface TributaryUserConstructor {
  /** Creates a client with a user token. */
  new <F extends Form>(options: TributaryUserOptions<F>): TributaryUser<F>;
}

function createTributary(options: TributaryOptions<Form>): object {
  if (!options.apiKey) throw new TypeError('`apiKey` is missing.');
  if (isBrowser())
    throw new TypeError('An API key must not reach a browser. Use `TributaryUser` with a user token.');
  const transport = new Transport(options, options.apiKey);
  const api = buildApi([userOperations, otherOperations], transport, options.form);
  api['events']!['follow'] = (followOptions: FollowOptions = {}) => followEvents(transport, followOptions);
  api['webhooks']!['verify'] = verifyWebhook;
  return api;
}

function createTributaryUser(options: TributaryUserOptions<Form>): object {
  const { userToken } = options;
  if (!userToken) throw new TypeError('`userToken` is missing.');
  if (typeof userToken === 'string' && userToken.startsWith('sk_'))
    throw new TypeError('`userToken` is an API key. Request a user token from your backend.');
  return buildApi([userOperations], new Transport(options, userToken), options.form);
}

// The methods come from a table, which classes cannot express. A constructor may return any object.
export const Tributary = createTributary as unknown as TributaryConstructor;
export const TributaryUser = createTributaryUser as unknown as TributaryUserConstructor;

function isBrowser(): boolean {
  const { window } = globalThis as { window?: { document?: unknown } };
  return window?.document !== undefined;
}
