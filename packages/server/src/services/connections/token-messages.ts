import type { FailureKind } from '@tributary/providers';

/** A request from a node to its token service. Contains only IDs, never a token. */
export interface RenewRequest {
  ticket: number;
  deviceId: string;
  /** The version of the tokens that no longer work. */
  seenVersion: number;
}

/** The outcome of a request. The tokens themselves are in the database. */
export interface RenewReply {
  ticket: number;
  /** The provider's failure. `unexpected` means that the token service logged the cause. */
  failure: { kind: FailureKind; message: string; retryAtMs: number | null } | 'unexpected' | null;
}
