import { addDays, dateAt } from '../../world/people/local-time.ts';
import type { Frame } from '../../provider.ts';
import type { Life } from '../life.ts';
import { egvsOf, type Placed } from './egv.ts';
import { eventsOf } from './events.ts';
import { uploadsOf } from './uploads.ts';
import { firstDate } from './wearer.ts';

const dayMs = 86_400_000;
/** Older requests return a wrong range, according to one source. The lab then returns the range of this many days. */
const mostDaysBack = 100;
/** The longest delay after which a record still arrives or changes. */
const latestDays = 11;

type ListRecords = (date: string) => Placed[];

/** The first and last record that arrived or changed after a given time, or of all records. */
export function dataRangeOf(
  frame: Frame,
  life: Life,
  lastSync: number | undefined,
): Record<string, object | null> {
  const since = lastSync === undefined ? -Infinity : Math.max(lastSync, frame.now() - mostDaysBack * dayMs);
  const egvs: ListRecords = (date) => {
    const uploads = uploadsOf(frame, life, date).filter(({ seen }) => seen.updatedAt > since);
    return egvsOf(frame, life, date, uploads);
  };
  const events: ListRecords = (date) =>
    eventsOf(frame, life, date).filter(({ seen }) => seen.updatedAt > since);

  const today = dateAt(life.person, frame.now());
  const earliest = since === -Infinity ? firstDate : addDays(dateAt(life.person, since), -latestDays);
  const first = earliest < firstDate ? firstDate : earliest;
  // Simulated users do not calibrate their sensors.
  return { calibrations: null, egvs: rangeOf(egvs, first, today), events: rangeOf(events, first, today) };
}

function rangeOf(listRecords: ListRecords, first: string, last: string): object | null {
  const start = search(listRecords, first, last, 1);
  const end = search(listRecords, last, first, -1);
  return start && end ? { start: stampsOf(start), end: stampsOf(end) } : null;
}

/** The first record found when scanning from one date to another. */
function search(listRecords: ListRecords, from: string, to: string, step: 1 | -1): Placed | undefined {
  const isOnWay = (date: string): boolean => (step > 0 ? date <= to : date >= to);
  for (let date = from; isOnWay(date); date = addDays(date, step)) {
    const [outermost] = listRecords(date).toSorted((one, other) => step * (one.at - other.at));
    if (outermost) return outermost;
  }
  return undefined;
}

function stampsOf({ record }: Placed): Record<string, unknown> {
  return { systemTime: record['systemTime'], displayTime: record['displayTime'] };
}
