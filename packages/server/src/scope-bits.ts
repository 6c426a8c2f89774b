import { defaultScopes, scopes, type Scope } from '@tributary/contract';

/** Scopes as stored with batches and in tokens: one bit each, in the order of the contract's list. */
export function scopeBits(some: readonly string[]): number {
  return scopes.reduce((bits, scope, at) => bits | (some.includes(scope) ? 1 << at : 0), 0);
}

/** The scopes of these bits. Bits of a later version mean nothing. */
export function scopesOf(bits: number): Scope[] {
  return scopes.filter((_, at) => bits & (1 << at));
}

/** What is stored without any choice of the person. Equals the default of the columns. */
export const defaultScopeBits = scopeBits(defaultScopes);
