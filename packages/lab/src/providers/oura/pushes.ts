import { addDays } from '../../world/people/local-time.ts';
import { createHmac } from 'node:crypto';
import type { DocumentKey, Frame, Grant, Push, PushRetry, Visible } from '../../provider.ts';
import { lifeOf } from '../life.ts';
import { collections } from './collections.ts';
import type { Collection } from './collections.ts';
import type { DocumentState } from './document-state.ts';
import type { Subscription, Subscriptions } from './subscriptions.ts';

/** Ten retries within about an hour. */
const delaysSeconds = [10, 30, 60, 120, 240, 360, 480, 600, 720, 900];
const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** Notifies subscribers of created, updated and deleted documents. Heart rate has no notifications. */
export function pushDocuments(frame: Frame, subscriptions: Subscriptions): void {
  const pushesFor = (grant: Grant, document: DocumentKey, seen: Visible): Push[] => {
    const match = findDocumentState(frame, document);
    const secret = frame.app(grant.clientId)?.clientSecret;
    if (!match || secret === undefined) return [];
    const { collection, documentState } = match;
    if (!collection.scopes.some((scope) => grant.scopes.includes(scope))) return [];
    const eventType = eventOf(documentState, seen.revision);
    return subscriptions
      .list(grant.clientId)
      .filter((one) => one.dataType === collection.dataType && one.eventType === eventType)
      .map((one) => pushTo(one, secret, documentState.id));

    function pushTo(subscription: Subscription, clientSecret: string, objectId: string): Push {
      const body = JSON.stringify({
        event_type: eventType,
        data_type: collection.dataType,
        object_id: objectId,
        event_time: new Date(seen.updatedAt).toISOString(),
        user_id: grant.userId,
      });
      return {
        personId: grant.personId,
        clientId: grant.clientId,
        method: 'POST',
        url: subscription.callbackUrl,
        headers: { 'content-type': 'application/json' },
        sign: (atMs) => signatureOf(clientSecret, atMs, body),
        body,
        retry: retryFor(subscription, subscriptions),
      };
    }
  };
  frame.pushes.onDocument(pushesFor, {
    documents: (person, date) =>
      collections.flatMap((collection) =>
        collection.keep(lifeOf(frame, person), date).map(({ key, endedAt }) => ({
          document: { person: person.id, kind: collection.name, key },
          endedAt,
        })),
      ),
  });
}

/** The unit of the timestamp is undocumented. Seconds are what most senders use. */
function signatureOf(clientSecret: string, atMs: number, body: string): Record<string, string> {
  const timestamp = String(Math.floor(atMs / 1000));
  const signature = createHmac('sha256', clientSecret)
    .update(timestamp + body)
    .digest('hex')
    .toUpperCase();
  return { 'x-oura-timestamp': timestamp, 'x-oura-signature': signature };
}

/** A 410 response means that the receiver is gone for good. */
function retryFor(subscription: Subscription, subscriptions: Subscriptions): PushRetry {
  return {
    delaysSeconds,
    timeoutMs: 10_000,
    isSuccess,
    isFinal: (status) => status === 410,
    onEnd: (_outcome, status) => {
      if (status === 410) subscriptions.remove(subscription.id);
    },
  };
}

function eventOf(documentState: DocumentState, revision: number): string {
  if (documentState.isDeleted?.(revision)) return 'delete';
  return documentState.state === 0 && revision === 0 ? 'create' : 'update';
}

function findDocumentState(
  frame: Frame,
  document: DocumentKey,
): { collection: Collection; documentState: DocumentState } | null {
  const collection = collections.find(({ name }) => name === document.kind);
  const person = frame.person(document.person);
  if (!collection || !person) return null;
  const day = document.key.slice(0, 10);
  for (const date of [day, addDays(day, -1)]) {
    const state = collection.keep(lifeOf(frame, person), date).find(({ key }) => key === document.key);
    if (state) return { collection, documentState: state };
  }
  return null;
}
