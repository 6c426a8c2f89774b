import type { Counts } from '../world/counts.ts';
import type { Grant, IssuedTokens, OAuthPolicy } from '../provider.ts';
import type { GrantStore } from './grant-store.ts';
import { digestOf, newSecret } from './secrets.ts';

interface Access {
  grantId: string;
  expiresAt: number;
  /** Digest of the refresh token that is invalidated when this access token is first used. */
  ends: string | null;
}

interface Refresh {
  grantId: string;
  clientId: string;
  expiresAt: number;
  /** Whether it was used and replaced by a new one. */
  replaced: boolean;
}

export interface Tokens {
  issue: (policy: OAuthPolicy, grant: Grant) => IssuedTokens;
  /** A new pair of tokens, or null for an invalid refresh token. */
  refresh: (policy: OAuthPolicy, clientId: string, refreshToken: string) => IssuedTokens | null;
  grantOf: (accessToken: string) => Grant | null;
}

/** Stores tokens by digest, with expiry on the lab's clock. */
export function keepTokens(now: () => number, grants: GrantStore, counts: Counts): Tokens {
  const accesses = new Map<string, Access>();
  const refreshes = new Map<string, Refresh>();

  const issueAccess = (policy: OAuthPolicy, grant: Grant, ends: string | null): string => {
    for (const [digest, { expiresAt }] of accesses) {
      // Tokens are in the order of issue, so the search stops at the first one that has not expired.
      if (expiresAt > now()) break;
      accesses.delete(digest);
    }
    const token = newSecret();
    const expiresAt = now() + policy.accessSeconds * 1000;
    accesses.set(digestOf(token), { grantId: grant.id, expiresAt, ends });
    return token;
  };
  const issueRefresh = (policy: OAuthPolicy, grant: Grant): string | null => {
    const wanted = policy.offlineScope === undefined || grant.scopes.includes(policy.offlineScope);
    if (policy.refresh.kind === 'none' || !wanted) return null;
    const token = newSecret();
    const expiresAt = now() + (policy.refreshSeconds ?? Infinity) * 1000;
    refreshes.set(digestOf(token), {
      grantId: grant.id,
      clientId: grant.clientId,
      expiresAt,
      replaced: false,
    });
    return token;
  };
  return {
    issue: (policy, grant) => ({
      grant,
      accessToken: issueAccess(policy, grant, null),
      refreshToken: issueRefresh(policy, grant),
      expiresInSeconds: policy.accessSeconds,
    }),
    refresh: (policy, clientId, refreshToken) => {
      const digest = digestOf(refreshToken);
      const record = refreshes.get(digest);
      const grant = record && record.clientId === clientId ? grants.find(record.grantId) : undefined;
      if (!record || !grant || grant.revoked) return null;
      if (record.expiresAt <= now()) {
        if (record.replaced) counts.reuses += 1;
        if (record.replaced && policy.refresh.kind === 'rotating' && policy.refresh.onReuse === 'revoke')
          grants.revoke(grant.id);
        return null;
      }
      counts.refreshes += 1;
      const expiresInSeconds = policy.accessSeconds;
      if (policy.refresh.kind !== 'rotating')
        return { grant, accessToken: issueAccess(policy, grant, null), refreshToken, expiresInSeconds };
      record.replaced = true;
      record.expiresAt = Math.min(record.expiresAt, now() + policy.refresh.graceSeconds * 1000);
      const ends = policy.graceEndsOnUse ? digest : null;
      return {
        grant,
        accessToken: issueAccess(policy, grant, ends),
        refreshToken: issueRefresh(policy, grant),
        expiresInSeconds,
      };
    },
    grantOf: (accessToken) => {
      const access = accesses.get(digestOf(accessToken));
      const grant = access && grants.find(access.grantId);
      if (!access || !grant || grant.revoked || access.expiresAt <= now()) return null;
      const before = access.ends === null ? undefined : refreshes.get(access.ends);
      if (before) before.expiresAt = Math.min(before.expiresAt, now());
      return grant;
    },
  };
}
