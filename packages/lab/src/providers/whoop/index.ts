// WHOOP API v2. Its one host, api.prod.whoop.com, is below /whoop: /whoop/oauth/oauth2/… and /whoop/developer/v2/….
import type { LabProvider } from '../../provider.ts';
import { serveData } from './data-routes.ts';
import { serveOauth } from './oauth-routes.ts';
import { serveProfile } from './profile-routes.ts';
import { pushDocuments } from './pushes.ts';
import { handleRefusals } from './refusal.ts';

/** WHOOP API v2. */
export const whoop: LabProvider = {
  id: 'whoop',
  name: 'WHOOP',
  register: (app, frame) => {
    handleRefusals(app);
    serveOauth(app, frame);
    serveProfile(app, frame);
    serveData(app, frame);
    pushDocuments(frame);
  },
};
