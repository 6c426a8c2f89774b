import type { DeviceKind } from '@tributary/contract';
import type { Told } from './mapping/told.ts';
import type { ProviderFailure } from './failure.ts';

/**
 * A cloud API that people can connect. It says what has to be asked and what an answer means; when to ask, with which token and within which
 * limits is up to the service, which hands in every way to the outside.
 */
export interface Provider {
  id: string;
  name: string;
  /** What its data are ranked as. */
  kind: DeviceKind;
  /** What the service reads, for the person who is asked, in words of every day: `{ category: 'Sleep', what: 'when and how long you sleep' }`. */
  reads: readonly { category: string; what: string }[];
  /** Metrics of the catalog that a connection can bring. */
  metrics: readonly string[];
  /** How many days before the connection can be read. */
  historyDays: number;
  /** Its hosts by a short name, as origins without a slash at the end. */
  hosts: Readonly<Record<string, string>>;
  /** What an operator has to tell besides id and secret of the app. */
  settings?: readonly { name: string; about: string }[];
  /** What a lab takes for them. */
  labSettings?: Readonly<Record<string, string>>;
  limits: readonly LimitRule[];
  cadence: Cadence;
  oauth: OAuth;
  /** What is wrong with an answer; null when nothing is. `failureOfStatus` where the provider speaks plain HTTP. */
  failureOf: (answer: Answer, nowMs: number) => ProviderFailure | null;
  streams: readonly Stream[];
  push: Push | null;
}

/** An application that was registered with the provider. */
export interface App {
  clientId: string;
  clientSecret: string;
  /** The provider's own, or those of a lab. */
  hosts: Readonly<Record<string, string>>;
  settings: Readonly<Record<string, string>>;
  /** Ends the address of its pushes; the lab's application has none. */
  pushSecret?: string;
}

export interface Tokens {
  accessToken: string;
  refreshToken: string | null;
  /** Null when the provider did not say. */
  expiresAtMs: number | null;
  /** What the person granted; null when the provider did not say. */
  scopes: readonly string[] | null;
  /** What else a provider has to know again at the next refresh. */
  kept?: Readonly<Record<string, string>>;
}

/** A request to the provider. `form` and `json` are bodies; at most one of them is given. */
export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  query?: Readonly<Record<string, string | number | undefined>>;
  headers?: Readonly<Record<string, string>>;
  form?: Readonly<Record<string, string | number | undefined>>;
  json?: unknown;
  /** Sent without the person's token, and not counted in the limits: for tokens and subscriptions, never for data. */
  bare?: true;
}

export interface Answer {
  status: number;
  /** In lower case. */
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** The way to the provider as the application. An answer that is a failure is thrown as `ProviderFailure`. */
export interface AppApi {
  app: App;
  now: () => number;
  send: (call: Call) => Promise<Answer>;
}

/** The way to the provider for one person: calls carry the token, which is always a good one. */
export interface UserApi extends AppApi {
  /** The provider's own id of the person; empty until `enroll` has told it. */
  userId: string;
  scopes: readonly string[] | null;
  /** The tokens themselves, for what does not go by header: revoking. */
  tokens: Tokens;
}

export interface OAuth {
  scopes: readonly string[];
  /** Whether the provider takes part in PKCE (S256). */
  pkce: boolean;
  authorizeUrl: (app: App, ask: { redirectUri: string; state: string; challenge: string }) => string;
  /** Makes tokens of the code that the person came back with. `returned` is the query of that address. */
  redeem: (
    api: AppApi,
    given: { code: string; redirectUri: string; verifier: string; returned: URLSearchParams },
  ) => Promise<Tokens>;
  /** Null where tokens do not end. Throws `consent_ended` when the provider knows the token no more. */
  refresh: ((api: AppApi, tokens: Tokens) => Promise<Tokens>) | null;
  /**
   * Who the person is at the provider, and whatever it wants to be done before it tells anything. Done again at every connecting, so it must
   * bear repetition. `memberId` is our name for the person, `pushUrl` where pushes go.
   */
  enroll: (api: UserApi, ours: { memberId: string; pushUrl: string }) => Promise<string>;
  /** What the person granted, where tokens do not say. The code is used up by now, so a failure must not cost the tokens: null. */
  readScopes?: (api: UserApi) => Promise<readonly string[] | null>;
  /** Ends the consent at the provider; a consent that has ended already is no failure. Null where the provider offers no way. */
  revoke: ((api: UserApi) => Promise<void>) | null;
}

/** A span of time to be read, from inclusive, to exclusive. Providers that go by local dates ask for a day more at each side. */
export interface Span {
  fromMs: number;
  toMs: number;
}

/** What a provider answered, as it was told: what the raw layer keeps and `map` reads, now and after any rebuild. */
export type Documents = readonly unknown[];

/** One kind of documents. */
export interface Stream {
  name: string;
  /** Any of these opens it; absent where every consent does. */
  scopes?: readonly string[];
  /** Documents of a span, page by page; nothing of an empty page is yielded. Absent where the provider tells only by push. */
  read?: (api: UserApi, span: Span) => AsyncIterable<Documents>;
  /** One document that a push named; empty when it is gone. */
  readOne?: (api: UserApi, id: string) => Promise<Documents>;
  /** The stream whose documents this one tells more of, under their ids. It costs a call each, so it is read of those that are new alone. */
  detailOf?: string;
  /** Asks for history that comes by push later. In place of `read`. */
  ask?: (api: UserApi, span: Span) => Promise<void>;
  /** The longest span that is read or asked for in one go. */
  pieceDays: number;
  /** Where every document costs calls: the days that a look takes in one go. One that limits cut off goes on with those that it had not read. */
  lookDays?: number;
  /** How far back every poll looks again, for what comes late or is changed. */
  trailingDays: number;
  /** Says in our terms what documents tell. Pure: the same documents always say the same. */
  map: (documents: Documents, told: Told) => void;
  /** Says that a document is gone; absent where the provider never takes one back. */
  mapDeleted?: (id: string, told: Told) => void;
}

export interface LimitRule {
  per: 'app' | 'user';
  /** Calls in a window; may grow with the number of connected people. */
  calls: number | ((people: number) => number);
  windowSeconds: number;
}

/** What is to be expected of a healthy connection. */
interface Cadence {
  /** Minutes between polls while pushes come, and while none do. */
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

/** What is kept between runs of `setUp`: secrets that are shown once, ids, ends. Encrypted at rest. */
export type PushState = Readonly<Record<string, string>>;

export interface Push {
  /** Has the provider push to `url`: makes, mends or renews what is needed, and leaves what is right. Null where it is set up in a portal. */
  setUp: ((api: AppApi, ours: { url: string; state: PushState }) => Promise<PushState>) | null;
  /**
   * Answers a request to the push address. `keep` says that it is genuine and tells something: it is committed before the answer is sent.
   * Whatever cannot be verified is refused. Sends nothing itself, but may read the provider's public keys.
   */
  answer: (
    request: PushRequest,
    ours: PushReceiver,
  ) => Promise<{ status: number; body?: string; keep: boolean }>;
  /** What a kept push tells, in order. Pure. Throws nothing: what it does not understand tells nothing. */
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
export const signatureToleranceMs = 5 * 60_000;

/** What a push tells of one person, by the provider's own id. */
export type Notice = { userId: string } & (
  | { kind: 'document'; stream: string; id: string }
  | { kind: 'span'; stream: string; fromMs: number; toMs: number }
  | { kind: 'deleted'; stream: string; id: string }
  | { kind: 'data'; stream: string; documents: Documents }
  | { kind: 'revoked' }
);
