import { isSameSecret } from '../is-same-secret.ts';
import { fieldsOf, idOf } from '../mapping/read.ts';
import type { Fields } from '../mapping/read.ts';
import {
  signatureToleranceMs,
  type Notice,
  type Push,
  type PushRequest,
  type PushState,
} from '../provider.ts';
import { setUp } from './set-up-push.ts';
import { isSigned, verifyTokenOf } from './signature.ts';

/** Strava's pushes. Not every source mentions signatures, so an operator can disable them. The subscription must be ours in any case. */
export const push: Push = {
  setUp,
  respond: (request, { api: { app, now }, state, toleranceMs = signatureToleranceMs }) => {
    if (request.method === 'GET') return Promise.resolve(respondToChallenge(request, app.clientSecret));
    const isGenuine =
      (app.settings['signed_pushes'] === 'false' ||
        isSigned(request, app.clientSecret, { nowMs: now(), toleranceMs })) &&
      isOfSubscription(request, state);
    return Promise.resolve({ status: isGenuine ? 200 : 401, keep: isGenuine });
  },
  notices: (body) => {
    const event = readEvent(body);
    const userId = idOf(event['owner_id']);
    return userId === null ? [] : noticesOf(event, userId);
  },
};

function respondToChallenge({ query }: PushRequest, clientSecret: string) {
  const challenge = query.get('hub.challenge');
  const isOurs = isSameSecret(query.get('hub.verify_token') ?? '', verifyTokenOf(clientSecret));
  if (query.get('hub.mode') !== 'subscribe' || challenge === null || !isOurs)
    return { status: 401, keep: false };
  return { status: 200, body: JSON.stringify({ 'hub.challenge': challenge }), keep: false };
}

/** Until the subscription is known, no push can be verified. Strava sends it again. */
function isOfSubscription({ body }: PushRequest, state: PushState): boolean {
  const wanted = state['subscription_id'];
  return wanted !== undefined && idOf(readEvent(body.toString())['subscription_id']) === wanted;
}

function noticesOf(event: Fields, userId: string): Notice[] {
  const id = idOf(event['object_id']);
  const { object_type: type, aspect_type: aspect } = event;
  if (type === 'athlete')
    return fieldsOf(event['updates'])['authorized'] === 'false' ? [{ userId, kind: 'revoked' }] : [];
  if (type !== 'activity' || id === null) return [];
  if (aspect === 'create' || aspect === 'update')
    return [{ userId, kind: 'document', stream: 'activity', id }];
  return aspect === 'delete' ? [{ userId, kind: 'deleted', stream: 'activity', id }] : [];
}

function readEvent(body: string): Fields {
  try {
    return fieldsOf(JSON.parse(body));
  } catch {
    return {};
  }
}
