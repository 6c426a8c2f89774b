import { createHmac } from 'node:crypto';
import type { DocumentKey, Frame, Grant, Push, PushRetry, TimedDocument, Visible } from '../../provider.ts';
import { documentId } from '../document-id.ts';
import { lifeOf, type Life } from '../life.ts';
import { isSleepDeleted, isSleepUnscorable, keepSleeps, scoringMs } from './sleep.ts';
import { isWorkoutDeleted, isWorkoutUnscorable, keepWorkouts } from './workout.ts';

/** About five attempts in an hour. */
const retry: PushRetry = {
  delaysSeconds: [60, 240, 900, 2400],
  timeoutMs: 10_000,
  isSuccess: (status) => status >= 200 && status < 300,
};

interface WebhookEvent {
  type: string;
  id: string;
}

/** Notifies the app's single URL of updates and deletions. There are no created events, and a finished score is another update. */
export function pushDocuments(frame: Frame): void {
  frame.pushes.onDocument(
    (grant, document, seen) => {
      const app = frame.app(grant.clientId);
      const url = app?.pushUrl;
      if (!app || !url) return [];
      return eventsOf(frame, document, seen)
        .filter(({ type }) => grant.scopes.includes(`read:${type.split('.')[0]}`))
        .map((event) => pushOf(grant, app.clientSecret, url, event, seen));
    },
    { retry, documents: (person, date) => documentsOf(frame, lifeOf(frame, person), date) },
  );
}

/** All documents of a date that can be announced. */
function documentsOf(frame: Frame, life: Life, date: string): TimedDocument[] {
  const one = (kind: string, key: string, endedAt: number): TimedDocument => ({
    document: { person: life.person.id, kind, key },
    endedAt,
  });
  return [
    ...keepSleeps(life, date).flatMap((entry) => {
      const { key, sleep } = entry;
      const scoredAt = sleep.end + scoringMs;
      return [
        one('sleep', key, sleep.end),
        ...(isSleepUnscorable(frame, life, entry) ? [] : [one('sleep score', key, scoredAt)]),
        ...(sleep.isMain ? [one('recovery', key, scoredAt)] : []),
      ];
    }),
    ...keepWorkouts(life, date).flatMap((entry) => [
      one('workout', entry.key, entry.workout.end),
      ...(isWorkoutUnscorable(frame, life, entry)
        ? []
        : [one('workout score', entry.key, entry.workout.end + scoringMs)]),
    ]),
  ];
}

function eventsOf(frame: Frame, document: DocumentKey, seen: Visible): WebhookEvent[] {
  const person = frame.person(document.person);
  if (!person) return [];
  const life = lifeOf(frame, person);
  const date = document.key.slice(0, 10);
  if (document.kind.startsWith('workout')) {
    const entry = keepWorkouts(life, date).find(({ key }) => key === document.key);
    if (!entry) return [];
    const revision = revisionNow(frame, { ...document, kind: 'workout' }, entry.workout.end);
    if (revision === null || !isWorkoutDeleted(entry, revision))
      return [{ type: 'workout.updated', id: entry.id }];
    return document.kind === 'workout' && seen.revision === revision
      ? [{ type: 'workout.deleted', id: entry.id }]
      : [];
  }
  const sleepEntry = keepSleeps(life, date).find(({ key }) => key === document.key);
  if (!sleepEntry) return [];
  // A recovery is identified by its sleep.
  const { id } = sleepEntry;
  const revision = revisionNow(frame, { ...document, kind: 'sleep' }, sleepEntry.sleep.end);
  if (revision === null || !isSleepDeleted(sleepEntry, revision))
    return [{ type: document.kind === 'recovery' ? 'recovery.updated' : 'sleep.updated', id }];
  if (document.kind !== 'sleep' || seen.revision !== revision) return [];
  return [
    { type: 'sleep.deleted', id },
    ...(sleepEntry.sleep.isMain ? [{ type: 'recovery.deleted', id }] : []),
  ];
}

function revisionNow(frame: Frame, document: DocumentKey, endedAt: number): number | null {
  return frame.visible(document, endedAt)?.revision ?? null;
}

function pushOf(grant: Grant, clientSecret: string, url: string, event: WebhookEvent, seen: Visible): Push {
  const trace = documentId(grant.personId, event.type, '2020-01-01', `${event.id} ${seen.updatedAt}`);
  const body = JSON.stringify({
    user_id: Number(grant.userId),
    id: event.id,
    type: event.type,
    trace_id: trace,
  });
  return {
    personId: grant.personId,
    clientId: grant.clientId,
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json' },
    sign: (atMs) => ({
      'X-WHOOP-Signature-Timestamp': String(atMs),
      'X-WHOOP-Signature': createHmac('sha256', clientSecret)
        .update(String(atMs) + body)
        .digest('base64'),
    }),
    body,
  };
}
