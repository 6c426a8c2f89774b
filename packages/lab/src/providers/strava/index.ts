// Strava API v3. Its one host, www.strava.com, is below /strava: /strava/oauth/… and /strava/api/v3/….
import type { LabProvider } from '../../provider.ts';
import { serveData } from './data-routes.ts';
import { serveOauth } from './oauth-routes.ts';
import { pushEvents } from './pushes.ts';
import { handleRefusals } from './refusal.ts';
import { Subscriptions } from './subscriptions.ts';
import { serveWebhooks } from './webhook-routes.ts';

/** Strava with or without signed events, because sources describe both. */
export function playStrava({ isSigned }: { isSigned: boolean }): LabProvider {
  return {
    id: 'strava',
    name: 'Strava',
    register: (app, frame) => {
      const subscriptions = new Subscriptions();
      handleRefusals(app);
      serveOauth(app, frame);
      serveData(app, frame);
      serveWebhooks(app, frame, subscriptions);
      pushEvents(frame, subscriptions, isSigned);
    },
  };
}

/** Strava API v3. */
export const strava: LabProvider = playStrava({ isSigned: true });
