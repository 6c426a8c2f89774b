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

interface Told {
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
      return toldOf(frame, document, seen)
        .filter(({ type }) => grant.scopes.includes(`read:${type.split('.')[0]}`))
        .map((told) => pushOf(grant, app.clientSecret, url, told, seen));
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
    ...keepSleeps(life, date).flatMap((kept) => {
      const { key, sleep } = kept;
      const scoredAt = sleep.end + scoringMs;
      return [
        one('sleep', key, sleep.end),
        ...(isSleepUnscorable(frame, life, kept) ? [] : [one('sleep score', key, scoredAt)]),
        ...(sleep.isMain ? [one('recovery', key, scoredAt)] : []),
      ];
    }),
    ...keepWorkouts(life, date).flatMap((kept) => [
      one('workout', kept.key, kept.workout.end),
      ...(isWorkoutUnscorable(frame, life, kept)
        ? []
        : [one('workout score', kept.key, kept.workout.end + scoringMs)]),
    ]),
  ];
}

function toldOf(frame: Frame, document: DocumentKey, seen: Visible): Told[] {
  const person = frame.person(document.person);
  if (!person) return [];
  const life = lifeOf(frame, person);
  const date = document.key.slice(0, 10);
  if (document.kind.startsWith('workout')) {
    const kept = keepWorkouts(life, date).find(({ key }) => key === document.key);
    if (!kept) return [];
    const revision = revisionNow(frame, { ...document, kind: 'workout' }, kept.workout.end);
    if (revision === null || !isWorkoutDeleted(kept, revision))
      return [{ type: 'workout.updated', id: kept.id }];
    return document.kind === 'workout' && seen.revision === revision
      ? [{ type: 'workout.deleted', id: kept.id }]
      : [];
  }
  const kept = keepSleeps(life, date).find(({ key }) => key === document.key);
  if (!kept) return [];
  // A recovery is identified by its sleep.
  const { id } = kept;
  const revision = revisionNow(frame, { ...document, kind: 'sleep' }, kept.sleep.end);
  if (revision === null || !isSleepDeleted(kept, revision))
    return [{ type: document.kind === 'recovery' ? 'recovery.updated' : 'sleep.updated', id }];
  if (document.kind !== 'sleep' || seen.revision !== revision) return [];
  return [{ type: 'sleep.deleted', id }, ...(kept.sleep.isMain ? [{ type: 'recovery.deleted', id }] : [])];
}

function revisionNow(frame: Frame, document: DocumentKey, endedAt: number): number | null {
  return frame.visible(document, endedAt)?.revision ?? null;
}

function pushOf(grant: Grant, clientSecret: string, url: string, told: Told, seen: Visible): Push {
  const trace = documentId(grant.personId, told.type, '2020-01-01', `${told.id} ${seen.updatedAt}`);
  const body = JSON.stringify({
    user_id: Number(grant.userId),
    id: told.id,
    type: told.type,
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
