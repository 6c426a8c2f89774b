import { digestOf, newSecret } from '../../oauth/secrets.ts';

/** Tokens of projects instead of users. */
export interface ProjectTokens {
  issue: (clientId: string) => string;
  clientOf: (token: string) => string | null;
}

export const projectTokenSeconds = 3600;

/** Stores the tokens with which apps manage their subscribers, with expiry on the lab's clock. */
export function keepProjectTokens(now: () => number): ProjectTokens {
  const tokens = new Map<string, { clientId: string; expiresAt: number }>();
  return {
    issue: (clientId) => {
      for (const [digest, { expiresAt }] of tokens) if (expiresAt <= now()) tokens.delete(digest);
      const token = newSecret();
      tokens.set(digestOf(token), { clientId, expiresAt: now() + projectTokenSeconds * 1000 });
      return token;
    },
    clientOf: (token) => {
      const record = tokens.get(digestOf(token));
      return record && record.expiresAt > now() ? record.clientId : null;
    },
  };
}
