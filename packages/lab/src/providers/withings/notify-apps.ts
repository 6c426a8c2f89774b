import type { Day } from '../../world/people/day.ts';
import type { DocumentKey, Frame, Grant, Push, PushRetry } from '../../provider.ts';
import { addDays } from '../document-id.ts';
import { bedtimesOf, dateOf, documentsOf } from './documents.ts';
import { measurementsOf } from './measures.ts';
import type { Subscriptions } from './notify.ts';

/** Any status below 400 is a success. Otherwise it retries after ten seconds, one minute, one hour and four hours. */
const retry: PushRetry = {
  delaysSeconds: [10, 60, 3600, 14_400],
  timeoutMs: 2000,
  isSuccess: (status) => status < 400,
};

/** How often a notification is sent twice in a row. */
const duplicateRate = 0.25;

const applis: Record<string, number> = {
  activity: 16,
  workout: 16,
  sleep: 44,
  'sleep-completed': 44,
  'bed-in': 50,
  'bed-out': 51,
  body: 1,
  skin: 2,
  'blood-pressure': 4,
  oxygen: 4,
};

/** Notifies apps of new or changed data through their subscriptions. Notifications contain the person and kind, never a value. */
export function notifyApps(frame: Frame, subscriptions: Subscriptions): void {
  frame.pushes.onDocument(
    (grant, document) => {
      const appli = applis[document.kind];
      const person = frame.person(document.person);
      if (!appli || !person) return [];
      const when = whenOf(document, frame.dayOf(person, dateOf(document)));
      const pushes = notifications(subscriptions, grant, appli, when);
      return frame.chance('duplicate', grant.id, document.kind, document.key) < duplicateRate
        ? [...pushes, ...pushes]
        : pushes;
    },
    {
      retry,
      documents: (person, date) => [
        ...documentsOf(person, frame.dayOf(person, date)),
        ...bedtimesOf(person, frame.dayOf(person, addDays(date, 1))),
      ],
    },
  );
  frame.oauth.onRevoked?.((grant) => {
    const pushes = notifications(subscriptions, grant, 46, { action: 'unlink' });
    subscriptions.drop(grant);
    return pushes;
  });
}

function notifications(
  subscriptions: Subscriptions,
  grant: Grant,
  appli: number,
  more: Record<string, string>,
): Push[] {
  const body = new URLSearchParams({ userid: grant.userId, appli: String(appli), ...more }).toString();
  return subscriptions
    .of(grant)
    .filter((subscription) => subscription.appli === appli)
    .map(({ callbackurl }) => ({
      personId: grant.personId,
      clientId: grant.clientId,
      method: 'POST',
      url: callbackurl,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body,
      retry,
    }));
}

function whenOf(document: DocumentKey, day: Day): Record<string, string> {
  if (applis[document.kind] === 16) return { date: day.date };
  const key = document.key.slice(day.date.length + 1);
  const sleep = day.sleeps.find((one) => one.key === key);
  const measurement = measurementsOf(day).find((one) => one.kind === document.kind);
  const start = sleep?.start ?? measurement?.at ?? day.start;
  const end = sleep?.end ?? start + 1000;
  const [from, to] =
    document.kind === 'bed-in' ? [start, start] : document.kind === 'bed-out' ? [end, end] : [start, end];
  return { startdate: String(Math.floor(from / 1000)), enddate: String(Math.floor(to / 1000)) };
}
