import type { DeviceKind, Scope } from '@tributary/contract';
import { minuteMs } from '@tributary/domain';
import type { BatchBuilder } from './mapping/batch-builder.ts';
import type { ProviderFailure } from './failure.ts';
import type { ProviderResponse } from './provider-response.ts';

/**
 * A cloud API that users can connect. It defines the requests and how to interpret responses. The service decides when to call, with which token and
 * within which limits, and it passes in all network access.
 */
export interface Provider {
  id: string;
  name: string;
  /** The device kind by which its data is ranked. */
  kind: DeviceKind;
  /** What the service reads, in everyday words for the consent screen: `{ category: 'Sleep', what: 'when and how long you sleep' }`. */
  reads: readonly { category: string; what: string }[];
  /** Categories that are stored only if the user turns them on, in everyday words for the consent screen. */
  optIns?: readonly { scope: Scope; category: string; what: string }[];
  /** Catalog metrics that a connection can provide. */
  metrics: readonly string[];
  /** How many days before the connection can be read. */
  historyDays: number;
  /** Its hosts by a short name, as origins without a trailing slash. */
  hosts: Readonly<Record<string, string>>;
  /** Settings that an operator must provide besides the id and secret of the app. */
  settings?: readonly { name: string; about: string }[];
  /** Values of these settings for a lab. */
  labSettings?: Readonly<Record<string, string>>;
  limits: readonly LimitRule[];
  cadence: Cadence;
  oauth: OAuth;
  /** The failure in a response, or null. Use `failureOfStatus` for a provider with plain HTTP statuses. */
  failureOf: (response: ProviderResponse, nowMs: number) => ProviderFailure | null;
  streams: readonly Stream[];
  push: Push | null;
}

/** An application that is registered with the provider. */
export interface App {
  clientId: string;
  clientSecret: string;
  /** The provider's hosts, or those of a lab. */
  hosts: Readonly<Record<string, string>>;
  settings: Readonly<Record<string, string>>;
  /** The last part of its push URL. The lab's application has none. */
  pushSecret?: string;
}

export interface Tokens {
  accessToken: string;
  refreshToken: string | null;
  /** Null if the provider did not report it. */
  expiresAtMs: number | null;
  /** The scopes that the user granted. Null if the provider did not report them. */
  scopes: readonly string[] | null;
  /** Other values that the provider needs for the next refresh. */
  kept?: Readonly<Record<string, string>>;
}

/** A request to the provider. `form` and `json` are bodies, of which at most one is set. */
export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  query?: Readonly<Record<string, string | number | undefined>>;
  headers?: Readonly<Record<string, string>>;
  form?: Readonly<Record<string, string | number | undefined>>;
  json?: unknown;
  /** Sent without the user's token and not counted in the limits. For tokens and subscriptions, never for data. */
  bare?: true;
}

/** Access to the provider as the application. Failures are thrown as `ProviderFailure`. */
export interface AppApi {
  app: App;
  now: () => number;
  send: (call: Call) => Promise<ProviderResponse>;
}

/** Access to the provider for one user. Calls carry a valid token. */
export interface UserApi extends AppApi {
  /** The provider's id of the user. Empty until `enroll` has returned it. */
  userId: string;
  scopes: readonly string[] | null;
  /** The tokens themselves, for revocation requests that do not use the header. */
  tokens: Tokens;
}

export interface OAuth {
  scopes: readonly string[];
  /** Whether the provider supports PKCE (S256). */
  pkce: boolean;
  authorizeUrl: (app: App, request: { redirectUri: string; state: string; challenge: string }) => string;
  /** Exchanges the code from the redirect for tokens. `returned` is the query of the redirect URL. */
  redeem: (
    api: AppApi,
    authorization: { code: string; redirectUri: string; verifier: string; returned: URLSearchParams },
  ) => Promise<Tokens>;
  /** Null if tokens do not expire. Throws `consent_ended` if the provider no longer accepts the token. */
  refresh: ((api: AppApi, tokens: Tokens) => Promise<Tokens>) | null;
  /**
   * Returns the user's id at the provider, after any registration that it requires. Called on every connect, so it must be idempotent. `memberId` is
   * our id for the user, and `pushUrl` is the URL for pushes.
   */
  enroll: (api: UserApi, ours: { memberId: string; pushUrl: string }) => Promise<string>;
  /** The granted scopes, if the tokens do not contain them. The code has been used by now, so a failure must return null to preserve the tokens. */
  readScopes?: (api: UserApi) => Promise<readonly string[] | null>;
  /** Revokes the consent at the provider. A consent that has already ended is not a failure. Null if the provider has no such call. */
  revoke: ((api: UserApi) => Promise<void>) | null;
}

/** A time range to read, with an inclusive start and an exclusive end. Providers with local dates request an extra day on each side. */
export interface Span {
  fromMs: number;
  toMs: number;
}

/** The provider's response, unchanged. The raw layer stores it, and `map` reads it, now and after any rebuild. */
export type Documents = readonly unknown[];

/** One kind of document. Its `kind` determines how the service gets the documents. */
export type Stream = ListedStream | DetailStream | PushedStream;

interface StreamBase {
  name: string;
  /** Any of these scopes is enough. Absent if none is required. */
  scopes?: readonly string[];
  /** The category of its data, if users have to turn it on. Such a stream has data of no other category. */
  optIn?: Scope;
  /** One document that a push referred to. Empty if it is gone. Null if documents cannot be read by id. */
  readOne: ((api: UserApi, id: string) => Promise<Documents>) | null;
  /** Maps documents to the lists of a batch. Pure: the same documents always produce the same result. */
  map: (documents: Documents, batch: BatchBuilder) => void;
  /** What is deleted together with a document, under its id. Empty if the provider has no deletions. */
  deletes: readonly DeletionKind[];
}

type DeletionKind = Parameters<BatchBuilder['addDeletion']>[0];

/** A stream that can be read for any span. The service polls it, and reads it for history. */
export interface ListedStream extends StreamBase {
  kind: 'listed';
  /** Documents of a span, page by page. Empty pages are not yielded. */
  read: (api: UserApi, span: Span) => AsyncIterable<Documents>;
  /** The longest span of one read. */
  pieceDays: number;
  /** For streams whose documents cost a call each: the days read at a time. A run that a limit cut off continues with the unread parts. */
  daysPerRead?: number;
  /** How far back every poll reads again, for late or changed data. */
  trailingDays: number;
}

/** A stream whose documents extend those of another one, under the same ids. Each costs a call, so only new ones are read. */
interface DetailStream extends StreamBase {
  kind: 'detail';
  detailOf: string;
  readOne: NonNullable<StreamBase['readOne']>;
}

/** A stream whose documents arrive only in pushes. */
export interface PushedStream extends StreamBase {
  kind: 'pushed';
  readOne: null;
  /** Requests history that arrives later by push. Null if the provider has none. */
  requestHistory: ((api: UserApi, span: Span) => Promise<void>) | null;
  /** The longest span of one request. */
  pieceDays: number;
}

export interface LimitRule {
  per: 'app' | 'user';
  /** Calls per window. May grow with the number of connected users. */
  calls: number | ((people: number) => number);
  windowSeconds: number;
}

/** What to expect from a healthy connection. */
interface Cadence {
  /** Minutes between polls, with and without pushes. */
  pollMinutes: { pushed: number; unpushed: number };
  /** Hours without a document after which the connection is late, and silent. */
  lateHours: number;
  silentHours: number;
}

export interface PushRequest {
  method: string;
  query: URLSearchParams;
  /** In lower case. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

/** State stored between runs of `setUp`: secrets that are returned once, ids, expiry times. Encrypted at rest. */
export type PushState = Readonly<Record<string, string>>;

export interface Push {
  /**
   * Ensures that the provider pushes to `url`: creates, fixes or renews what is needed, and keeps what is correct. Null if it is set up in a portal.
   */
  setUp: ((api: AppApi, ours: { url: string; state: PushState }) => Promise<PushState>) | null;
  /**
   * Responds to a request to the push URL. `keep` means that it is authentic and has content. It is then committed before the response is sent.
   * Requests that cannot be verified are rejected. Sends nothing itself, but may fetch the provider's public keys.
   */
  respond: (
    request: PushRequest,
    ours: PushReceiver,
  ) => Promise<{ status: number; body?: string; keep: boolean }>;
  /** The notices in a stored push, in order. Pure. Never throws: unknown content is ignored. */
  notices: (body: string, headers: Readonly<Record<string, string>>) => Notice[];
}

/** What a push is verified with. */
interface PushReceiver {
  api: AppApi;
  state: PushState;
  /** Maximum age of a signature, and how far it may lie in the future. */
  toleranceMs?: number;
}

/** Older signatures are rejected as replays. */
export const signatureToleranceMs = 5 * minuteMs;

/** What a push reports about one user, by the provider's user id. */
export type Notice = { userId: string } & (
  | { kind: 'document'; stream: string; id: string }
  | { kind: 'span'; stream: string; fromMs: number; toMs: number }
  | { kind: 'deleted'; stream: string; id: string }
  | { kind: 'data'; stream: string; documents: Documents }
  | { kind: 'revoked' }
);
