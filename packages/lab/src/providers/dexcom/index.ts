// Dexcom API v3. Its hosts (api.dexcom.com, api.dexcom.eu, api.dexcom.jp) serve the same API to different regions, so one base path simulates all of
// them: /dexcom/v2/oauth2/… and /dexcom/v3/…. Dexcom has no pushes, so clients poll.
import type { LabProvider } from '../../provider.ts';
import { serveData } from './data-routes.ts';
import { serveOauth } from './oauth-routes.ts';
import { handleRefusals } from './refusal.ts';

/** Dexcom API v3. */
export const dexcom: LabProvider = {
  id: 'dexcom',
  name: 'Dexcom',
  register: (app, frame) => {
    handleRefusals(app);
    serveOauth(app, frame);
    serveData(app, frame);
  },
};
