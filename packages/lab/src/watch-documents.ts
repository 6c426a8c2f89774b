import type { LabClock } from './clock.ts';
import { documentsOf } from './documents.ts';
import type { Faults } from './faults.ts';
import type { Person } from './people/person.ts';
import type { Frame, Grant, Pushes, TimedDocument, Visible } from './provider.ts';
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

const MOST_LISTS = 5000;
const DAY = 86_400_000;

/** Tells a provider of documents that appear or are revised while the clock moves, and sends the pushes that it answers. */
export function watchDocuments(parts: WatchParts): Pushes['onDocument'] {
  const { frame, clock, faults, visibility, log, grants } = parts;
  const listeners: Listener[] = [];
  const lists = new Map<string, TimedDocument[]>();

  /** A clock that goes asks again and again for days that are over, so their documents are kept. */
  const listOf = (number: number, person: Person, date: string, from: number): TimedDocument[] => {
    const key = `${number} ${person.id} ${date}`;
    const known = lists.get(key);
    if (known) return known;
    const day = frame.dayOf(person, date);
    const list = listeners[number]![1]?.documents?.(person, date) ?? documentsOf(person.id, day);
    if (lists.size >= MOST_LISTS) lists.clear();
    if (day.end <= from) lists.set(key, list);
    return list;
  };
  const tell = async (
    [answer, options]: Listener,
    grant: Grant,
    timed: TimedDocument,
    seen: Visible,
  ): Promise<void> => {
    const { kind, key } = timed.document;
    if (grant.revoked || faults.strike('push_silent', frame.provider, grant.personId, kind, key)) return;
    for (const push of answer(grant, timed.document, seen))
      await log.send(frame.provider, push, push.retry ?? options?.retry ?? DEFAULT_RETRY);
  };
  const plan = (grant: Grant, person: Person, from: number, to: number): void => {
    // What belongs to a date may end on the next, and something may happen to it long after.
    const since = from - visibility.longestMs();
    const dates = frame.datesBetween(person, since - DAY, to);
    for (const [number, listener] of listeners.entries())
      for (const timed of dates.flatMap((date) => listOf(number, person, date, from))) {
        if (timed.endedAt > to || timed.endedAt < since) continue;
        for (const seen of visibility.story(timed.document, timed.endedAt))
          if (from < seen.updatedAt && seen.updatedAt <= to)
            clock.at(seen.updatedAt, () => tell(listener, grant, timed, seen));
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
