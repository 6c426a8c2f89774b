import type { Keyring } from '../../credentials/keyring.ts';
import type { ChainEnd, SignedHead } from '../../store/audit/chain.ts';

const purpose = 'audit-head';

/** Signs a chain head, so that access to the database is not enough to forge one. */
export function signHead(keyring: Keyring, end: ChainEnd): SignedHead {
  return { ...end, signature: keyring.sign(contentOf(end), purpose) };
}

export function isSignedByUs(keyring: Keyring, head: SignedHead): boolean {
  return keyring.verify(contentOf(head), purpose, head.signature);
}

function contentOf({ accountId, position, hash }: ChainEnd): string {
  return JSON.stringify([accountId, position, hash.toString('hex')]);
}
