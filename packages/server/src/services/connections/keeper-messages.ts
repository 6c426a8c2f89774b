import type { FailureKind } from '@tributary/providers';

/** What a node asks of its token keeper: ids alone, never a token. */
export interface RenewRequest {
  ticket: number;
  deviceId: string;
  /** Of the tokens that are not good any more. */
  seenVersion: number;
}

/** How it went. The tokens themselves are in the database. */
export interface RenewAnswer {
  ticket: number;
  /** What the provider said against it; `unexpected` for what the keeper's log explains. */
  failure: { kind: FailureKind; message: string; retryAtMs: number | null } | 'unexpected' | null;
}
