// Polar AccessLink v3. Hosts are mapped to paths by their first label: flow.polar.com is /polar/flow, polarremote.com is /polar/polarremote, and
// www.polaraccesslink.com is /polar/www.
import type { LabProvider } from '../../provider.ts';
import { serveData } from './data-routes.ts';
import { serveExercises } from './exercise-routes.ts';
import { serveOauth } from './oauth-routes.ts';
import { pushDocuments } from './pushes.ts';
import { handleRefusals } from './refusal.ts';
import { Registry } from './registry.ts';
import { serveUsers } from './user-routes.ts';
import { serveWebhooks } from './webhook-routes.ts';
import { Webhooks } from './webhooks.ts';

/** Polar AccessLink v3. */
export const polar: LabProvider = {
  id: 'polar',
  name: 'Polar',
  register: (app, frame) => {
    const registry = new Registry(frame);
    const webhooks = new Webhooks(frame.now);
    handleRefusals(app, frame.now);
    serveOauth(app, frame);
    serveUsers(app, frame, registry);
    serveData(app, frame, registry);
    serveExercises(app, frame, registry);
    serveWebhooks(app, frame, webhooks);
    pushDocuments(frame, registry, webhooks);
  },
};
