import type { Day } from '../../world/people/day.ts';
import type { Frame, TimedDocument } from '../../provider.ts';
import type { Life } from '../life.ts';

const hourMs = 3_600_000;

/** How far the device has synced a day, and the revision of that sync. */
export interface SyncState {
  until: number;
  revision: number;
}

/** A device syncs at noon, in the evening and at the end of the day. */
export function syncsOf(person: string, day: Day): TimedDocument[] {
  return [day.start + 12 * hourMs, day.start + 18 * hourMs, day.end]
    .filter((moment) => moment <= day.end)
    .map((endedAt, index) => ({
      document: { person, kind: 'sync', key: `${day.date} ${index}` },
      endedAt,
    }));
}

/** The last sync of a day that is visible now, or null before the first. */
export function lastSyncOf(frame: Frame, { person }: Life, day: Day): SyncState | null {
  const visibleSyncs = syncsOf(person.id, day).flatMap(({ document, endedAt }) => {
    const seen = frame.visible(document, endedAt);
    return seen ? [{ until: endedAt, revision: seen.revision }] : [];
  });
  return visibleSyncs.at(-1) ?? null;
}
