import { Temporal } from 'temporal-polyfill';

interface Change {
  atMs: number;
  from: string;
  to: string;
}

/** One zone for each rule of clock changes, the most populous first. If two rules match, the first is used. */
const zones = [
  'Europe/Berlin',
  'Europe/London',
  'Europe/Athens',
  'America/New_York',
  'America/Chicago',
  'America/Los_Angeles',
  'America/Denver',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Australia/Sydney',
  'America/Santiago',
  'Asia/Jerusalem',
  'America/Halifax',
  'Pacific/Auckland',
  'America/Havana',
  'Asia/Beirut',
  'Asia/Gaza',
  'Europe/Chisinau',
  'Australia/Adelaide',
  'America/Asuncion',
  'America/Anchorage',
  'America/St_Johns',
  'America/Nuuk',
  'Atlantic/Azores',
  'Pacific/Easter',
  'Pacific/Chatham',
  'Australia/Lord_Howe',
  'Pacific/Norfolk',
];

/** Computed once for each requested year. No other years have data. */
const changesByYear = new Map<number, readonly Change[]>();
const years = { first: 2000, last: 2100 };

/**
 * When clocks changed between two times whose offsets are known, in a zone that changed from one offset to the other. Null if no zone did, as for a
 * user who traveled.
 */
export function clockChangeBetween(
  startMs: number,
  endMs: number,
  { from, to }: { from: string; to: string },
): number | null {
  if (from === to) return null;
  const candidateYears = new Set([startMs, endMs].map((ms) => new Date(ms).getUTCFullYear()));
  const change = [...candidateYears]
    .flatMap(changesIn)
    .find((one) => startMs < one.atMs && one.atMs <= endMs && one.from === from && one.to === to);
  return change?.atMs ?? null;
}

function changesIn(year: number): readonly Change[] {
  if (!(year >= years.first && year <= years.last)) return [];
  const known = changesByYear.get(year);
  if (known) return known;
  const changes = zones.flatMap((zone) => changesOf(zone, Date.UTC(year, 0, 1), Date.UTC(year + 1, 0, 1)));
  changesByYear.set(year, changes);
  return changes;
}

function changesOf(zone: string, startMs: number, endMs: number): Change[] {
  const changes: Change[] = [];
  let before = Temporal.Instant.fromEpochMilliseconds(startMs - 1).toZonedDateTimeISO(zone);
  for (;;) {
    const after = before.getTimeZoneTransition('next');
    if (!after || after.epochMilliseconds >= endMs) return changes;
    changes.push({ atMs: after.epochMilliseconds, from: before.offset, to: after.offset });
    before = after;
  }
}
