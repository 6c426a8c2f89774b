import type { Frame, Grant, Push, PushRetry } from '../../provider.ts';
import { entriesOf, entryOf } from './entries.ts';
import type { Portal } from './portal.ts';
import type { PullTokens } from './pull.ts';
import type { Row } from './summary.ts';

/** Only a 200 response within 30 seconds counts as success. The retry schedule is undocumented. */
export const retry: PushRetry = {
  delaysSeconds: [60, 300, 900, 3600, 14_400],
  timeoutMs: 30_000,
  isSuccess: (status) => status === 200,
};

/** How often a call repeats the last rows of another user. */
const severalRate = 0.3;

export interface Delivery {
  /** The pushes or pings for an app. They contain nothing that the person has not permitted. */
  buildPushes: (grant: Grant, key: string, rows: Row[], uploadedAt: number) => Push[];
  /** A message that is not a summary, such as a revoked consent. */
  announce: (grant: Grant, key: string, more: Row) => Push[];
}

/** Builds the messages that Garmin sends to the URLs configured in the portal. */
export function makeDelivery(frame: Frame, portal: Portal, tokens: PullTokens): Delivery {
  const lastOf = new Map<string, { grant: Grant; rows: Row[] }>();
  const announce: Delivery['announce'] = (grant, key, more) => {
    const endpoint = portal.endpointOf(grant.clientId, key);
    return endpoint ? [post(grant, endpoint.url, { [key]: [{ userId: grant.userId, ...more }] })] : [];
  };
  return {
    announce,
    buildPushes: (grant, key, rows, uploadedAt) => {
      const endpoint = portal.endpointOf(grant.clientId, key);
      if (!endpoint || rows.length === 0 || !grant.scopes.includes(permissionOf(key))) return [];
      if (endpoint.mode === 'ping')
        return announce(grant, key, { callbackURL: tokens.callbackUrl(grant, key, uploadedAt) });
      const mine = rows.map((row) => ({ userId: grant.userId, ...row }));
      const place = `${grant.clientId} ${key}`;
      const last = lastOf.get(place);
      lastOf.set(place, { grant, rows: mine });
      const brings =
        last &&
        last.grant.userId !== grant.userId &&
        !last.grant.revoked &&
        frame.chance('several', place, uploadedAt) < severalRate;
      return [post(grant, endpoint.url, { [key]: brings ? [...last.rows, ...mine] : mine })];
    },
  };
}

function post(grant: Grant, url: string, body: object): Push {
  return {
    personId: grant.personId,
    clientId: grant.clientId,
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', 'garmin-client-id': grant.clientId },
    body: JSON.stringify(body),
    retry,
  };
}

/** Sends documents that appear or change. */
export function deliverDocuments(frame: Frame, delivery: Delivery): void {
  frame.pushes.onDocument(
    (grant, document, seen) => {
      const rows = entryOf(frame, document)?.rows(seen) ?? {};
      return Object.entries(rows).flatMap(([key, list]) =>
        delivery.buildPushes(grant, key, list, seen.updatedAt),
      );
    },
    { retry, documents: (person, date) => entriesOf(frame, person, date) },
  );
}

/** The permission that each key requires. */
function permissionOf(key: string): string {
  return /activit/i.test(key) ? 'ACTIVITY_EXPORT' : 'HEALTH_EXPORT';
}
