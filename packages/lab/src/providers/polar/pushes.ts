import { createHmac } from 'node:crypto';
import type { DocumentKey, Frame, Grant, Push, TimedDocument, Visible } from '../../provider.ts';
import { lifeOf, type Life } from '../life.ts';
import { exercisesOn } from './exercise.ts';
import type { Registry } from './registry.ts';
import { syncsOf } from './sync.ts';
import type { Webhook, Webhooks } from './webhooks.ts';

/** Polar's retry schedule within the seven days is undocumented. */
const delaysSeconds = [60, 600, 3600];

interface Event {
  event: string;
  fields: Record<string, unknown>;
  path: string;
}

/** Notifies an app's webhook of new data. Some nights are announced twice. */
export function pushDocuments(frame: Frame, registry: Registry, webhooks: Webhooks): void {
  const pushesFor = (grant: Grant, document: DocumentKey, seen: Visible): Push[] => {
    const webhook = webhooks.find(grant.clientId);
    const person = frame.person(document.person);
    if (!webhook?.isActive || !person || !registry.find(grant)) return [];
    return eventsOf(lifeOf(frame, person), document)
      .filter(({ event }) => webhook.events.includes(event))
      .flatMap((event) => {
        const push = pushOf(grant, webhook, event, seen);
        const isTwice = event.event === 'SLEEP' && frame.chance('twice', document.person, document.key) < 0.2;
        return isTwice ? [push, push] : [push];
      });
  };
  const pushOf = (grant: Grant, webhook: Webhook, { event, fields, path }: Event, seen: Visible): Push => {
    const body = JSON.stringify({
      event,
      user_id: Number(grant.userId),
      ...fields,
      timestamp: new Date(seen.updatedAt).toISOString(),
      url: `${frame.baseUrl}/www/v3${path}`,
    });
    return {
      personId: grant.personId,
      clientId: grant.clientId,
      method: 'POST',
      url: webhook.url,
      headers: {
        'content-type': 'application/json',
        'Polar-Webhook-Event': event,
        'Polar-Webhook-Signature': createHmac('sha256', webhook.secret).update(body).digest('hex'),
      },
      body,
      retry: {
        delaysSeconds,
        timeoutMs: 10_000,
        isSuccess: (status) => status === 200,
        onEnd: (outcome) => webhooks.note(webhook, outcome),
      },
    };
  };
  frame.pushes.onDocument(pushesFor, {
    documents: (person, date) => documentsOf(lifeOf(frame, person), date),
  });
}

function documentsOf({ person, dayOf }: Life, date: string): TimedDocument[] {
  const day = dayOf(date);
  const one = (kind: string, key: string, endedAt: number): TimedDocument => ({
    document: { person: person.id, kind, key },
    endedAt,
  });
  return [
    ...syncsOf(person.id, day),
    ...day.sleeps.filter(({ isMain }) => isMain).map(({ key, end }) => one('sleep', key, end)),
    ...day.workouts.map(({ key, end }) => one('workout', key, end)),
    ...(day.body ? [one('body', date, day.body.at)] : []),
  ];
}

/** Nightly recharge has no event. It arrives with the sleep. */
function eventsOf(life: Life, { kind, key }: DocumentKey): Event[] {
  const date = key.slice(0, 10);
  const ofDate = (event: string, path: string): Event => ({
    event,
    fields: { date },
    path: `${path}/${date}`,
  });
  if (kind === 'sleep') return [ofDate('SLEEP', '/users/sleep')];
  if (kind === 'sync')
    return [
      ofDate('ACTIVITY_SUMMARY', '/users/activities'),
      ofDate('CONTINUOUS_HEART_RATE', '/users/continuous-heart-rate'),
    ];
  if (kind === 'body') return [{ event: 'PHYSICAL_INFORMATION', fields: {}, path: '/users/physical-info' }];
  const exercise = exercisesOn(life, date).find(({ workout }) => workout.key === key);
  return exercise
    ? [{ event: 'EXERCISE', fields: { entity_id: exercise.id }, path: `/exercises/${exercise.id}` }]
    : [];
}
