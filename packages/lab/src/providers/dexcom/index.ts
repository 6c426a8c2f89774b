// Dexcom API v3. Its hosts (api.dexcom.com, api.dexcom.eu, api.dexcom.jp) are the same API for different people, so that one stands for all:
// /dexcom/v2/oauth2/… and /dexcom/v3/…. Nothing is pushed: clients poll.
import type { LabProvider } from '../../provider.ts';
import { serveData } from './data-routes.ts';
import { serveOauth } from './oauth-routes.ts';
import { answerRefusals } from './refusal.ts';

/** Dexcom API v3. */
export const dexcom: LabProvider = {
  id: 'dexcom',
  name: 'Dexcom',
  register: (app, frame) => {
    answerRefusals(app);
    serveOauth(app, frame);
    serveData(app, frame);
  },
};
