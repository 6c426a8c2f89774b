import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Day } from './people/day.ts';
import type { Person } from './people/person.ts';

/** A provider as the lab plays it: everything that it serves lies below `/<id>`. */
export interface LabProvider {
  id: string;
  name: string;
  register: (app: FastifyInstance, frame: Frame) => void;
  /** Its own id of a person, where it is not just those digits. */
  userId?: (person: Person, digits: string) => string;
  /** How its servers say that they are broken; a plain 503 where it is not given. */
  broken?: Refuse;
}

/** What the lab gives each provider to be played with. */
export interface Frame {
  provider: string;
  /** Where the outside sees this provider, without a slash at the end. */
  baseUrl: string;
  /** Milliseconds of UTC on the clock that tests can move. */
  now: () => number;
  person: (id: string) => Person | undefined;
  /** A day of someone's life; the same at every call. */
  dayOf: (person: Person, date: string) => Day;
  /** The local dates from one moment to another, as the person lived them. */
  datesBetween: (person: Person, fromMs: number, toMs: number) => string[];
  /** Apps that may connect; each has its own address for pushes. */
  app: (clientId: string) => LabApp | undefined;
  oauth: OAuth;
  /** When a document becomes visible, and as which revision it is visible now; null while it is not. */
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
  /** Where the app wants its pushes; null while it has told nobody. */
  pushUrl: string | null;
}

/**
 * Names a document that a provider keeps of someone. The lab's own kinds, whose keys are those of the truth, are `sleep` and `workout` (their
 * `key`), `day`, `body`, `blood_pressure` and `glucose` (the date): `documentsOf` lists them. A provider with kinds of its own lists them for `onDocument`.
 */
export interface DocumentKey {
  person: string;
  kind: string;
  key: string;
}

export interface Visible {
  /** 0 as first told; higher after each time it was revised. What a revision changes is up to the provider. */
  revision: number;
  /** When it came to be seen, and when it was last changed. */
  createdAt: number;
  updatedAt: number;
}

/** How a provider gives out tokens. */
export interface OAuthPolicy {
  scopes: readonly string[];
  scopeSeparator: ' ' | ',';
  /** `body` or `basic`: how the client says its id and secret. */
  credentials: 'body' | 'basic' | 'either';
  pkce: 'required' | 'optional' | 'ignored';
  codeSeconds: number;
  accessSeconds: number;
  refresh:
    | { kind: 'none' }
    | { kind: 'kept' }
    /** Each use gives a new one. The one before dies at once, or so many seconds later. */
    | { kind: 'rotating'; graceSeconds: number; onReuse: 'refuse' | 'revoke' };
  /** A refresh token is only given with this scope. */
  offlineScope?: string;
  /** How long a refresh token lives; for ever where it is not given. */
  refreshSeconds?: number;
  /** The refresh token before dies when the new access token is first used, if that is before its grace ends. */
  graceEndsOnUse?: boolean;
  /** The fewest characters of `state`; 1 where it is not given. */
  stateMinLength?: number;
  /** Scopes that the page of consent leaves unticked until the person ticks them. */
  untickedScopes?: readonly string[];
}

/** A consent that a person gave an app. */
export interface Grant {
  id: string;
  personId: string;
  clientId: string;
  scopes: string[];
  /** The provider's own id of the person, as its API tells it. */
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

/** Consent, codes and tokens, by the policy of the provider. */
export interface OAuth {
  /** Serves the page on which a person chooses who they are, and allows or refuses; it returns to `redirect_uri` with a code or an error. */
  serveAuthorize: (path: string, policy: OAuthPolicy) => void;
  /** Handles the fields of a token request, whatever shape the provider's endpoint gives the answer. */
  token: (
    policy: OAuthPolicy,
    fields: Record<string, string | undefined>,
    authorization: string | undefined,
  ) => IssuedTokens | TokenProblem;
  /** The grant of a bearer token that is good now; null otherwise. */
  grantOf: (request: FastifyRequest) => Grant | null;
  /** The same for a token that was said elsewhere than in the header. */
  grantOfToken?: (accessToken: string) => Grant | null;
  grants: () => Grant[];
  revoke: (grantId: string) => void;
  /** Called when a consent ended, whoever ended it; a provider answers the pushes that tell of it. */
  onRevoked?: (listener: (grant: Grant) => Push[]) => void;
}

export interface LimitRule {
  /** Calls in so many seconds. */
  calls: number;
  windowSeconds: number;
  per: 'app' | 'user';
  /** Windows begin when first used, or at whole multiples of their length. */
  aligned?: boolean;
}

export interface Limits {
  /** Counts a call; answers how each rule stands. What is over the limit is counted as exceeded, for tests to look at. */
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
  /** Headers made at each attempt, as a signature over the time is; they win over `headers`. */
  sign?: (atMs: number) => Record<string, string>;
  body: string;
  /** For a push that `onDocument` answers and that is tried again in a way of its own. */
  retry?: PushRetry;
}

export interface Pushes {
  /** Sends it, again by the schedule of the provider while it is not answered as it should be; told what became of it in the end. */
  send: (push: Push, retry: PushRetry) => void;
  /**
   * Called whenever a document of someone with a grant becomes visible or is revised. A provider answers the pushes that tell of it; some are
   * lost on purpose when that fault is switched on.
   */
  onDocument: (
    listener: (grant: Grant, document: DocumentKey, seen: Visible) => Push[],
    options?: DocumentPushOptions,
  ) => void;
}

export interface PushRetry {
  /** Seconds from each attempt that failed to the next. */
  delaysSeconds: number[];
  timeoutMs: number;
  isSuccess: (status: number) => boolean;
  /** Answers after which it is not sent again. */
  isFinal?: (status: number) => boolean;
  /** Told once, with the last answer; null when there was none. */
  onEnd?: (outcome: 'succeeded' | 'failed', status: number | null) => void;
}

interface DocumentPushOptions {
  /** Ten seconds, a minute and an hour where it is not given. */
  retry?: PushRetry;
  /** The documents of a person's date, where a provider has kinds of its own. */
  documents?: (person: Person, date: string) => TimedDocument[];
}

/** A document and the end of what it tells of. */
export interface TimedDocument {
  document: DocumentKey;
  endedAt: number;
}

/** Answers as the provider's servers do when something is wrong. */
type Refuse = (reply: FastifyReply) => FastifyReply;
