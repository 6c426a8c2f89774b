/**
 * Withings as clients see it. Hosts are mapped to paths by their first label: `account.withings.com` is `/withings/account`, `wbsapi.withings.net` is
 * `/withings/wbsapi`. Every request is a form with an `action`, and every response is HTTP 200. Only `status` 0 is success.
 */
import type { LabProvider } from '../../provider.ts';
import { serveBody } from './body.ts';
import { serveData } from './data.ts';
import { serveNotify } from './notify.ts';
import { serveOAuth } from './oauth.ts';
import { openedAt } from './range.ts';
import { notifyApps } from './notify-apps.ts';

/** Simulates Withings. */
export const withings: LabProvider = {
  id: 'withings',
  name: 'Withings',
  register: (app, frame) => {
    const opened = openedAt(frame);
    const subscriptions = serveNotify(app, frame);
    serveOAuth(app, frame, subscriptions.drop);
    serveData(app, frame, opened);
    serveBody(app, frame, opened);
    notifyApps(frame, subscriptions);
  },
};
