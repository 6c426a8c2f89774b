import type { Day } from '../../people/day.ts';
import type { Frame, TimedDocument } from '../../provider.ts';
import type { Life } from '../life.ts';

const hourMs = 3_600_000;

/** How much of a day the device has told, and how often the telling was corrected. */
export interface Told {
  until: number;
  revision: number;
}

/** A device tells its day at noon, in the evening and when it is over. */
export function syncsOf(person: string, day: Day): TimedDocument[] {
  return [day.start + 12 * hourMs, day.start + 18 * hourMs, day.end]
    .filter((moment) => moment <= day.end)
    .map((endedAt, index) => ({
      document: { person, kind: 'sync', key: `${day.date} ${index}` },
      endedAt,
    }));
}

/** How much of a day has been told by now; null before the first time. */
export function toldOf(frame: Frame, { person }: Life, day: Day): Told | null {
  const told = syncsOf(person.id, day).flatMap(({ document, endedAt }) => {
    const seen = frame.visible(document, endedAt);
    return seen ? [{ until: endedAt, revision: seen.revision }] : [];
  });
  return told.at(-1) ?? null;
}
