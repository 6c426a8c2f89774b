import type { Counts } from '../world/counts.ts';
import type { Grant } from '../provider.ts';

export interface GrantStore {
  /** Records a consent. If the user already has a grant for the app, only its scopes change. */
  add: (consent: Pick<Grant, 'personId' | 'clientId' | 'scopes' | 'userId'>) => Grant;
  find: (id: string) => Grant | undefined;
  list: () => Grant[];
  revoke: (id: string) => void;
  onRevoked: (listener: (grant: Grant) => void) => void;
}

/** Stores the grants that users gave at one provider. */
export function keepGrants(provider: string, counts: Counts): GrantStore {
  const grants = new Map<string, Grant>();
  const listeners: ((grant: Grant) => void)[] = [];
  return {
    add: (consent) => {
      const existing = [...grants.values()].find(
        (grant) =>
          !grant.revoked && grant.personId === consent.personId && grant.clientId === consent.clientId,
      );
      if (existing) return Object.assign(existing, { scopes: consent.scopes });
      const grant: Grant = { id: `${provider}-${grants.size + 1}`, ...consent, revoked: false };
      grants.set(grant.id, grant);
      return grant;
    },
    find: (id) => grants.get(id),
    list: () => [...grants.values()],
    revoke: (id) => {
      const grant = grants.get(id);
      if (!grant || grant.revoked) return;
      grant.revoked = true;
      counts.revokedGrants += 1;
      for (const listener of listeners) listener(grant);
    },
    onRevoked: (listener) => void listeners.push(listener),
  };
}
