import type { Day } from '../../world/people/day.ts';
import type { Person } from '../../world/people/person.ts';
import type { Frame, Visible } from '../../provider.ts';
import type { Entry, NewEntry } from './entry.ts';
import { hrvSummary, sleepSummary } from './sleeps.ts';
import type { Row } from './summary.ts';
import { pulseOx, skinTemperature } from './vitals.ts';

/** How long after waking up the watch has a final result for a night. */
const finalAfterMs = 30 * 60_000;

/** The states of a night that are sent: first a tentative one, then the final one, and an update after each nap. */
export function nightEntries(frame: Frame, person: Person, day: Day, entry: NewEntry): Entry[] {
  const night = day.sleeps.find((sleep) => sleep.isMain);
  if (!night) return [];
  const final = entry('sleeps', night.key, night.start, night.end + finalAfterMs, (seen) => buildRows(seen));
  const naps = day.sleeps
    .filter((sleep) => !sleep.isMain)
    .map((nap) => entry('naps', nap.key, night.start, nap.end, () => buildRows(seen(final)), false));
  const seen = (one: Entry) => frame.visible(one.document, one.endedAt);
  const buildRows = (certain: Visible | null): Record<string, Row[]> => {
    const slept = day.sleeps.filter((sleep) => {
      const napEntry = naps.find((nap) => nap.document.key === `${day.date}/${sleep.key}`);
      return napEntry !== undefined && seen(napEntry) !== null;
    });
    const certainty = { isFinal: certain !== null, edits: certain?.revision ?? 0 };
    return { sleeps: [sleepSummary(person, day, night, slept, certainty)] };
  };
  const atWaking = (kind: string, row: () => Row) =>
    entry(kind, night.key, night.start, night.end, () => ({ [kind]: [row()] }));
  return [
    // Tentative data is not sent once the final data is known.
    entry(
      'sleeps-tentative',
      night.key,
      night.start,
      night.end,
      () => (seen(final) ? {} : buildRows(null)),
      false,
    ),
    final,
    ...naps,
    atWaking('hrv', () => hrvSummary(person, day, night)),
    atWaking('pulseox', () => pulseOx(person, day, night)),
    atWaking('skinTemp', () => skinTemperature(person, day, night)),
  ];
}
