import type { LabClock } from './clock.ts';
import { documentsOf } from './documents.ts';
import type { Faults } from './faults.ts';
import type { Person } from './people/person.ts';
import type { Frame, Grant, Pushes, TimedDocument, Visible } from '../provider.ts';
import { DEFAULT_RETRY, type PushLog } from './pushes.ts';
import type { Visibility } from './visibility.ts';

type Listener = Parameters<Pushes['onDocument']>;

export interface WatchParts {
  frame: Pick<Frame, 'provider' | 'person' | 'dayOf' | 'datesBetween'>;
  clock: LabClock;
  faults: Faults;
  visibility: Visibility;
  log: PushLog;
  grants: () => Grant[];
}

/** A change of a document: it appears or is revised. */
interface Happening {
  timed: TimedDocument;
  seen: Visible;
}

const MOST_LISTS = 5000;
const DAY = 86_400_000;

/** Notifies a provider of documents that appear or are revised as the clock moves, and sends the pushes that it returns. */
export function watchDocuments(parts: WatchParts): Pushes['onDocument'] {
  const { frame, clock, faults, visibility, log, grants } = parts;
  const listeners: Listener[] = [];
  const lists = new Map<string, { list: Happening[]; changes: number | null }>();

  /** The changes of a date's documents, in order. They are cached, because a running clock reads the same dates repeatedly. */
  const listOf = (number: number, person: Person, date: string, from: number): Happening[] => {
    const key = `${number} ${person.id} ${date}`;
    const known = lists.get(key);
    if (known && (known.changes === null || known.changes === faults.changes())) return known.list;
    const documents =
      listeners[number]![1]?.documents?.(person, date) ?? documentsOf(person.id, frame.dayOf(person, date));
    const list = documents
      .flatMap((timed) => visibility.story(timed.document, timed.endedAt).map((seen) => ({ timed, seen })))
      .sort((a, b) => a.seen.updatedAt - b.seen.updatedAt);
    if (lists.size >= MOST_LISTS) lists.clear();
    // Faults that are switched on later apply to documents that end later.
    const isComplete = documents.every(({ endedAt }) => endedAt < from);
    lists.set(key, { list, changes: isComplete ? null : faults.changes() });
    return list;
  };
  const sendPushes = async (
    [buildPushes, options]: Listener,
    grant: Grant,
    timed: TimedDocument,
    seen: Visible,
  ): Promise<void> => {
    const { kind, key } = timed.document;
    if (grant.revoked || faults.strike('push_silent', frame.provider, grant.personId, kind, key)) return;
    for (const push of buildPushes(grant, timed.document, seen))
      await log.send(frame.provider, push, push.retry ?? options?.retry ?? DEFAULT_RETRY);
  };
  const plan = (grant: Grant, person: Person, from: number, to: number): void => {
    // A document of a date may end on the next date, and may change long after that.
    const dates = frame.datesBetween(person, from - visibility.longestMs() - DAY, to);
    for (const [number, listener] of listeners.entries())
      for (const list of dates.map((date) => listOf(number, person, date, from))) {
        // Most dates have no changes left to announce.
        if ((list.at(-1)?.seen.updatedAt ?? from) <= from) continue;
        for (const { timed, seen } of list)
          if (from < seen.updatedAt && seen.updatedAt <= to)
            clock.at(seen.updatedAt, () => sendPushes(listener, grant, timed, seen));
      }
  };

  clock.onMove((from, to) => {
    if (listeners.length === 0) return;
    for (const grant of grants()) {
      const person = grant.revoked ? undefined : frame.person(grant.personId);
      if (person) plan(grant, person, from, to);
    }
  });
  return (...listener) => void listeners.push(listener);
}
