// Oura API v2. Its host cloud.ouraring.com is below /oura/cloud (consent), and api.ouraring.com is below /oura/api (everything else).
import type { LabProvider } from '../../provider.ts';
import { documentId } from '../document-id.ts';
import { serveData } from './data-routes.ts';
import { serveOauth } from './oauth-routes.ts';
import { pushDocuments } from './pushes.ts';
import { handleRefusals } from './refusal.ts';
import { Subscriptions } from './subscriptions.ts';
import { serveWebhooks } from './webhook-routes.ts';

/** Oura API v2. */
export const oura: LabProvider = {
  id: 'oura',
  name: 'Oura',
  userId: (person) => documentId(person.id, 'user', '2020-01-01', 'oura'),
  register: (app, frame) => {
    const subscriptions = new Subscriptions(frame.now);
    handleRefusals(app);
    serveOauth(app, frame);
    serveData(app, frame);
    serveWebhooks(app, frame, subscriptions);
    pushDocuments(frame, subscriptions);
  },
};
