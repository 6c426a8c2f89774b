// Google Health API v4. Hosts are mapped to paths by their first label: accounts.google.com is /google_health/accounts, oauth2.googleapis.com is
// /google_health/oauth2, health.googleapis.com is /google_health/health, and www.gstatic.com, which serves the push signing keys, is
// /google_health/www.
import type { LabProvider } from '../../provider.ts';
import { serveData } from './data-routes.ts';
import { serveOauth } from './oauth-routes.ts';
import { serveProfile } from './profile-routes.ts';
import { pushDocuments } from './pushes.ts';
import { handleRefusals, sendUnavailable } from './refusal.ts';
import { keepProjectTokens } from './project-tokens.ts';
import { serveSubscribers } from './subscriber-routes.ts';
import { Subscribers } from './subscribers.ts';
import { keepSigningKeys, serveKeyset } from './signing-keys.ts';

/** Google Health API v4. */
export const googleHealth: LabProvider = {
  id: 'google_health',
  name: 'Google Health',
  broken: sendUnavailable,
  register: (app, frame) => {
    const subscribers = new Subscribers();
    const projectTokens = keepProjectTokens(frame.now);
    const keys = keepSigningKeys(frame.now);
    handleRefusals(app);
    serveOauth(app, frame, projectTokens);
    serveProfile(app, frame);
    serveData(app, frame);
    serveSubscribers(app, frame, subscribers, projectTokens);
    serveKeyset(app, keys);
    pushDocuments(frame, subscribers, keys);
  },
};
