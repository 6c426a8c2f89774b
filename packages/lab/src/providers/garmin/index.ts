/**
 * Garmin's Health and Activity APIs as open-source clients use them, because the specification is not public. Hosts are mapped to paths by their
 * first label: `connect.garmin.com` is `/garmin/connect`, `diauth.garmin.com` is `/garmin/diauth`, `apis.garmin.com` is `/garmin/apis`.
 * `/garmin/portal` simulates the developer portal.
 */
import type { LabProvider } from '../../provider.ts';
import { serveBackfill } from './backfill.ts';
import { deliverDocuments, makeDelivery, retry } from './delivery.ts';
import { serveOAuth } from './oauth.ts';
import { servePortal } from './portal.ts';
import { servePull } from './pull.ts';
import { digest } from './summary.ts';
import { serveUser } from './user.ts';

/** Simulates Garmin. */
export const garmin: LabProvider = {
  id: 'garmin',
  name: 'Garmin',
  userId: (person) => digest('user', person.id).slice(0, 32),
  register: (app, frame) => {
    const connectedAt = new Map<string, number>();
    // An app that deletes a registration itself is not notified.
    const left = new Set<string>();
    serveOAuth(app, frame, (grantId) => {
      if (!connectedAt.has(grantId)) connectedAt.set(grantId, frame.now());
    });
    const tokens = servePull(app, frame);
    const portal = servePortal(app, frame, (grant) => {
      const change = { permissions: grant.scopes };
      for (const push of delivery.announce(grant, 'userPermissionsChange', change))
        frame.pushes.send(push, retry);
    });
    const delivery = makeDelivery(frame, portal, tokens);
    serveUser(app, frame, (grant) => void left.add(grant.id));
    serveBackfill(app, frame, delivery, (grantId) => connectedAt.get(grantId) ?? frame.now());
    deliverDocuments(frame, delivery);
    frame.oauth.onRevoked?.((grant) =>
      left.has(grant.id) ? [] : delivery.announce(grant, 'deregistrations', {}),
    );
  },
};
