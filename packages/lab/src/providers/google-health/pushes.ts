import type { DocumentKey, Frame, Grant, Push, PushRetry, Visible } from '../../provider.ts';
import { lifeOf } from '../life.ts';
import { wallClockAt } from '../local-time.ts';
import type { Batch } from './batches/batch.ts';
import { batchesOf } from './batches/batches.ts';
import { dataTypes } from './batches/data-types.ts';
import { scopeOf } from './policy.ts';
import type { SigningKeys } from './signing-keys.ts';
import { nameOf } from './subscriber-routes.ts';
import type { Subscriber, Subscribers } from './subscribers.ts';
import { civilAt, stampOf } from './wire.ts';

const delaysSeconds = [60, 300, 900, 3600];

/** Notifies subscribers of intervals with new data. Data that a device sent together is announced together. */
export function pushDocuments(frame: Frame, subscribers: Subscribers, keys: SigningKeys): void {
  const pushesFor = (grant: Grant, document: DocumentKey, seen: Visible): Push[] => {
    const batch = findBatch(frame, document);
    if (!batch) return [];
    return subscribers
      .list(grant.clientId)
      .filter(({ isActive }) => isActive)
      .flatMap((subscriber) => {
        const notifications = notificationsOf(batch, grant, subscriber, seen);
        if (notifications.length === 0) return [];
        const body = JSON.stringify(notifications.length === 1 ? notifications[0] : notifications);
        return [pushOf(grant, subscriber, body)];
      });
  };
  const pushOf = (grant: Grant, subscriber: Subscriber, body: string): Push => ({
    personId: grant.personId,
    clientId: grant.clientId,
    method: 'POST',
    url: subscriber.endpointUri,
    headers: { 'content-type': 'application/json', authorization: subscriber.secret },
    sign: () => ({ 'GOOGLE-HEALTH-API-SIGNATURE': keys.sign(body) }),
    body,
    retry: retryFor(subscriber),
  });
  frame.pushes.onDocument(pushesFor, {
    documents: (person, date) =>
      batchesOf(frame, lifeOf(frame, person), date).map(({ kind, key, endedAt }) => ({
        document: { person: person.id, kind, key },
        endedAt,
      })),
  });
}

function notificationsOf(batch: Batch, grant: Grant, subscriber: Subscriber, seen: Visible): object[] {
  return Object.entries(batch.points).flatMap(([name, points]) => {
    const type = dataTypes.get(name);
    const subscription = subscriptionFor(subscriber, grant.userId, name);
    if (!type?.isPushed || !points || !subscription || !grant.scopes.includes(scopeOf(type.scope))) return [];
    const visiblePoints = points(seen);
    if (visiblePoints.length === 0) return [];
    const start = Math.min(...visiblePoints.map((point) => point.start));
    // Extends the interval so that it contains a single sample.
    const end = Math.max(start + 1000, ...visiblePoints.map((point) => point.end));
    return [
      {
        data: {
          version: '1',
          clientProvidedSubscriptionName: subscription,
          healthUserId: grant.userId,
          operation: batch.isDeleted?.(name, seen.revision) ? 'DELETE' : 'UPSERT',
          dataType: name,
          intervals: [intervalsOf(start, end, batch.day.timezone)],
          ...(type.shape === 'session' && { recordId: batch.recordId }),
        },
      },
    ];
  });
}

/** The subscription that covers a user's data of a type, or null. */
function subscriptionFor(subscriber: Subscriber, userId: string, type: string): string | null {
  const config = subscriber.configs.find(({ dataTypes: types }) => types.includes(type));
  if (!config) return null;
  if (config.subscriptionCreatePolicy === 'AUTOMATIC') return `${nameOf(subscriber)}/subscriptions/${userId}`;
  const manual = subscriber.subscriptions.find(
    (one) => one.user === `users/${userId}` && one.dataTypes.includes(type),
  );
  return manual ? `${nameOf(subscriber)}/subscriptions/${manual.id}` : null;
}

function intervalsOf(start: number, end: number, timezone: string): Record<string, unknown> {
  const civilTimeAt = (ms: number): string => wallClockAt(ms, timezone).slice(0, 19);
  return {
    physicalTimeInterval: { startTime: stampOf(start), endTime: stampOf(end) },
    civilDateTimeInterval: { startDateTime: civilAt(start, timezone), endDateTime: civilAt(end, timezone) },
    civilIso8601TimeInterval: { startTime: civilTimeAt(start), endTime: civilTimeAt(end) },
  };
}

function retryFor(subscriber: Subscriber): PushRetry {
  return {
    delaysSeconds,
    timeoutMs: 10_000,
    isSuccess: (status) => status >= 200 && status < 300,
    onEnd: (outcome) => {
      if (outcome === 'failed') subscriber.isActive = false;
    },
  };
}

function findBatch(frame: Frame, { person: id, kind, key }: DocumentKey): Batch | undefined {
  const person = frame.person(id);
  if (!person) return undefined;
  return batchesOf(frame, lifeOf(frame, person), key.slice(0, 10)).find(
    (batch) => batch.kind === kind && batch.key === key,
  );
}
