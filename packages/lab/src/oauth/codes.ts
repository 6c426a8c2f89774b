import { createHash } from 'node:crypto';
import { digestOf, isSameSecret, newSecret } from './secrets.ts';

/** A user's consent, waiting for the app to exchange its code for tokens. */
interface Code {
  grantId: string;
  clientId: string;
  scopes: string[];
  redirectUri: string;
  challenge: string | null;
  expiresAt: number;
}

export interface Codes {
  issue: (code: Code) => string;
  /** Redeems a code. Null if it was already used or has expired. */
  take: (code: string) => Code | null;
}

/** Stores codes until they are used or expire. */
export function keepCodes(now: () => number): Codes {
  const codes = new Map<string, Code>();
  return {
    issue: (code) => {
      for (const [digest, { expiresAt }] of codes) if (expiresAt <= now()) codes.delete(digest);
      const secret = newSecret();
      codes.set(digestOf(secret), code);
      return secret;
    },
    take: (secret) => {
      const digest = digestOf(secret);
      const code = codes.get(digest);
      codes.delete(digest);
      return code && now() < code.expiresAt ? code : null;
    },
  };
}

/** Returns whether the verifier matches the challenge (RFC 7636, S256). */
export function isVerified(challenge: string | null, verifier: string | undefined): boolean {
  if (challenge === null) return true;
  if (verifier === undefined) return false;
  return isSameSecret(createHash('sha256').update(verifier).digest('base64url'), challenge);
}
