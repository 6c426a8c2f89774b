import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Day } from './world/people/day.ts';
import type { Person } from './world/people/person.ts';

/** A simulated provider. All of its routes are below `/<id>`. */
export interface LabProvider {
  id: string;
  name: string;
  register: (app: FastifyInstance, frame: Frame) => void;
  /** The provider's id for a person, if it is not simply these digits. */
  userId?: (person: Person, digits: string) => string;
  /** How its servers report an outage. Defaults to a plain 503. */
  broken?: Refuse;
}

/** Everything that the lab offers to a simulated provider. */
export interface Frame {
  provider: string;
  /** The provider's public base URL, without a trailing slash. */
  baseUrl: string;
  /** Milliseconds since 1970 in UTC, on the clock that tests can move. */
  now: () => number;
  person: (id: string) => Person | undefined;
  /** One day in a person's life. Every call returns the same data. */
  dayOf: (person: Person, date: string) => Day;
  /** The person's local dates between two times. */
  datesBetween: (person: Person, fromMs: number, toMs: number) => string[];
  /** Apps that may connect. Each has its own push URL. */
  app: (clientId: string) => LabApp | undefined;
  oauth: OAuth;
  /** The current revision of a document and when it became visible. Null while it is not visible. */
  visible: (document: DocumentKey, endedAt: number) => Visible | null;
  /** A number from 0 to 1 that is always the same for the same words. */
  chance: (...words: (string | number)[]) => number;
  limits: Limits;
  pushes: Pushes;
}

export interface LabApp {
  clientId: string;
  clientSecret: string;
  name: string;
  /** Where the app wants its pushes. Null if it has not set a URL. */
  pushUrl: string | null;
}

/**
 * Identifies a document that a provider stores for a person. The lab's own kinds are `sleep` and `workout` (by their `key` in the ground truth), and
 * `day`, `body`, `blood_pressure` and `glucose` (by date). `documentsOf` lists them. A provider with kinds of its own lists those for `onDocument`.
 */
export interface DocumentKey {
  person: string;
  kind: string;
  key: string;
}

export interface Visible {
  /** 0 at first, then one more with each revision. The provider decides what a revision changes. */
  revision: number;
  /** When it became visible, and when it last changed. */
  createdAt: number;
  updatedAt: number;
}

/** How a provider issues tokens. */
export interface OAuthPolicy {
  scopes: readonly string[];
  scopeSeparator: ' ' | ',';
  /** How the client sends its id and secret: `body` or `basic`. */
  credentials: 'body' | 'basic' | 'either';
  pkce: 'required' | 'optional' | 'ignored';
  codeSeconds: number;
  accessSeconds: number;
  refresh:
    | { kind: 'none' }
    | { kind: 'kept' }
    /** Each use returns a new token. The previous one is invalidated at once, or after the grace period. */
    | { kind: 'rotating'; graceSeconds: number; onReuse: 'refuse' | 'revoke' };
  /** Refresh tokens are issued only with this scope. */
  offlineScope?: string;
  /** Lifetime of a refresh token. Unlimited if absent. */
  refreshSeconds?: number;
  /** The previous refresh token is invalidated when the new access token is first used, if its grace period has not ended by then. */
  graceEndsOnUse?: boolean;
  /** Minimum length of `state`. Defaults to 1. */
  stateMinLength?: number;
  /** Scopes that are unchecked on the consent page by default. */
  untickedScopes?: readonly string[];
}

/** A person's consent for an app. */
export interface Grant {
  id: string;
  personId: string;
  clientId: string;
  scopes: string[];
  /** The provider's id for the person, as its API returns it. */
  userId: string;
  revoked: boolean;
}

export interface IssuedTokens {
  grant: Grant;
  accessToken: string;
  refreshToken: string | null;
  expiresInSeconds: number;
}

export type TokenProblem =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unsupported_grant_type'
  | 'invalid_scope';

/** Consent, codes and tokens under the provider's policy. */
export interface OAuth {
  /**
   * Serves the page on which a person chooses a simulated user and allows or denies access. It redirects to `redirect_uri` with a code or an error.
   */
  serveAuthorize: (path: string, policy: OAuthPolicy) => void;
  /** Handles the fields of a token request. The provider's endpoint shapes the response. */
  token: (
    policy: OAuthPolicy,
    fields: Record<string, string | undefined>,
    authorization: string | undefined,
  ) => IssuedTokens | TokenProblem;
  /** The grant of a valid bearer token, otherwise null. */
  grantOf: (request: FastifyRequest) => Grant | null;
  /** The same for a token that is sent outside the header. */
  grantOfToken?: (accessToken: string) => Grant | null;
  grants: () => Grant[];
  revoke: (grantId: string) => void;
  /** Called when a grant is revoked, by either side. The provider returns the pushes that announce it. */
  onRevoked?: (listener: (grant: Grant) => Push[]) => void;
}

export interface LimitRule {
  /** Maximum number of calls per window. */
  calls: number;
  windowSeconds: number;
  per: 'app' | 'user';
  /** Whether windows start at multiples of their length. Otherwise they start with the first call. */
  aligned?: boolean;
}

export interface Limits {
  /** Counts a call and returns the state of each rule. Tests can read how often each limit was exceeded. */
  take: (rules: readonly LimitRule[], clientId: string, userId: string) => LimitState[];
}

export interface LimitState extends LimitRule {
  used: number;
  exceeded: boolean;
  resetAtMs: number;
}

export interface Push {
  personId: string;
  clientId: string;
  method: 'POST';
  url: string;
  headers: Record<string, string>;
  /** Headers computed for each attempt, such as a signature over the receiver's time. They override `headers`. */
  sign?: (atMs: number) => Record<string, string>;
  body: string;
  /** For a push returned to `onDocument` that has its own retry schedule. */
  retry?: PushRetry;
}

export interface Pushes {
  /** Sends a push and retries it on the provider's schedule until it succeeds. `retry.onEnd` receives the outcome. */
  send: (push: Push, retry: PushRetry) => void;
  /**
   * Called whenever a document of a person with a grant becomes visible or is revised. The provider returns the pushes that announce it. Some of them
   * are lost on purpose while that fault is switched on.
   */
  onDocument: (
    listener: (grant: Grant, document: DocumentKey, seen: Visible) => Push[],
    options?: DocumentPushOptions,
  ) => void;
}

export interface PushRetry {
  /** Seconds from each failed attempt to the next one. */
  delaysSeconds: number[];
  timeoutMs: number;
  isSuccess: (status: number) => boolean;
  /** Response statuses after which it is not retried. */
  isFinal?: (status: number) => boolean;
  /** Called once with the last response status, or null if there was no response. */
  onEnd?: (outcome: 'succeeded' | 'failed', status: number | null) => void;
}

interface DocumentPushOptions {
  /** Defaults to ten seconds, one minute and one hour. */
  retry?: PushRetry;
  /** The documents of a person's date, for a provider with kinds of its own. */
  documents?: (person: Person, date: string) => TimedDocument[];
}

/** A document and the time at which its period ends. */
export interface TimedDocument {
  document: DocumentKey;
  endedAt: number;
}

/** Responds as the provider's servers do when they fail. */
type Refuse = (reply: FastifyReply) => FastifyReply;
