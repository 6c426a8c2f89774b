import { createHmac } from 'node:crypto';
import type { Frame, Grant, Push, PushRetry } from '../../provider.ts';
import { lifeOf } from '../life.ts';
import { activitiesOn, isReadable } from './activities.ts';
import type { Activity } from './activity.ts';
import { readsActivities, readsPrivate } from './admit.ts';
import { editOf, stateAfter } from './edits.ts';
import type { Subscriptions } from './subscriptions.ts';

interface WebhookEvent {
  object_type: 'activity' | 'athlete';
  object_id: number;
  aspect_type: 'create' | 'update' | 'delete';
  updates: Record<string, string>;
}

/** Three attempts in all. The delays are undocumented. */
const retry: PushRetry = { delaysSeconds: [60, 300], timeoutMs: 2000, isSuccess: (status) => status === 200 };

/** Notifies the app of activities and of revoked grants. Sources disagree on whether these are signed. */
export function pushEvents(frame: Frame, subscriptions: Subscriptions, isSigned: boolean): void {
  const pushOf = (grant: Grant, event: WebhookEvent, atMs: number): Push[] => {
    const subscription = subscriptions.find(grant.clientId);
    const secret = frame.app(grant.clientId)?.clientSecret;
    if (!subscription || secret === undefined) return [];
    const body = JSON.stringify({
      ...event,
      owner_id: Number(grant.userId),
      subscription_id: subscription.id,
      event_time: Math.floor(atMs / 1000),
    });
    return [
      {
        personId: grant.personId,
        clientId: grant.clientId,
        method: 'POST',
        url: subscription.callbackUrl,
        headers: { 'content-type': 'application/json' },
        ...(isSigned && { sign: (sentAt: number) => signatureOf(secret, sentAt, body) }),
        body,
        retry,
      },
    ];
  };

  frame.pushes.onDocument((grant, document, seen) => {
    const person = frame.person(document.person);
    if (!person || document.kind !== 'workout' || !readsActivities(grant)) return [];
    const activity = activitiesOn(frame, lifeOf(frame, person), document.key.slice(0, 10)).find(
      ({ workout }) => workout.key === document.key,
    );
    const event = activity ? eventOf(frame, activity, seen.revision, readsPrivate(grant)) : null;
    return event ? pushOf(grant, event, seen.updatedAt) : [];
  });
  frame.oauth.onRevoked?.((grant) => {
    const athlete = Number(grant.userId);
    const updates = { authorized: 'false' };
    const event = { object_type: 'athlete', object_id: athlete, aspect_type: 'update', updates } as const;
    return pushOf(grant, event, frame.now());
  });
}

/** The event of a revision. Reporting it as created or deleted to an app without access to private activities is an assumption. */
function eventOf(
  frame: Frame,
  activity: Activity,
  revision: number,
  seesPrivate: boolean,
): WebhookEvent | null {
  const buildEvent = (
    aspect: WebhookEvent['aspect_type'],
    updates: Record<string, string> = {},
  ): WebhookEvent => ({
    object_type: 'activity',
    object_id: activity.id,
    aspect_type: aspect,
    updates,
  });
  const state = stateAfter(frame, activity, revision);
  const isThere = isReadable(state, seesPrivate);
  const wasThere = revision > 0 && isReadable(stateAfter(frame, activity, revision - 1), seesPrivate);
  if (!wasThere) return isThere ? buildEvent('create') : null;
  if (!isThere) return buildEvent('delete');
  const edit = editOf(frame, activity, revision);
  if (edit === 'title') return buildEvent('update', { title: state.name });
  if (edit === 'type') return buildEvent('update', { type: state.sportType });
  return edit === 'private' ? buildEvent('update', { private: String(state.isPrivate) }) : null;
}

function signatureOf(secret: string, atMs: number, body: string): Record<string, string> {
  const time = Math.floor(atMs / 1000);
  const mac = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
  return { 'X-Strava-Signature': `t=${time},v1=${mac}` };
}
