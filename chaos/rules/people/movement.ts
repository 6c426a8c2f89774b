import type { Day } from '../reference/calendar.ts';
import { iso, type Diary, type Scene, type Wear } from './diary.ts';
import type { Person } from './person.ts';

const minuteMs = 60_000;

/** A stretch of movement, as it happened. */
interface Bout {
  startMs: number;
  endMs: number;
  steps: number;
}

export function boutsOf({ random, day }: Scene): Bout[] {
  const bouts: Bout[] = [];
  let at = day.startMs + random.int(300, 500) * minuteMs;
  while (at < day.endMs - 90 * minuteMs) {
    const minutes = random.int(5, 75);
    bouts.push({ startMs: at, endMs: at + minutes * minuteMs, steps: minutes * random.int(10, 100) });
    at += (minutes + random.int(10, 150)) * minuteMs;
  }
  if (random.chance(0.3)) {
    const startMs = Math.max(at, day.endMs - 40 * minuteMs);
    const endMs = Math.max(startMs, day.endMs) + random.int(5, 50) * minuteMs;
    bouts.push({ startMs, endMs, steps: Math.round(((endMs - startMs) / minuteMs) * random.int(10, 100)) });
  }
  return bouts;
}

/** Counts of one device for one day: samples, a total, both, or an early total with later samples. */
export function addMovement(
  diary: Diary,
  { person, day }: Scene,
  bouts: readonly Bout[],
  wear: Wear,
  next: Wear,
): void {
  const { random } = diary;
  const noon = day.startMs + random.int(9 * 60, 21 * 60) * minuteMs + random.int(1, 50_000);
  if (wear === 'gap') return;
  if (wear === 'unworn') return addZeros(diary, person, day);
  const seen =
    wear === 'briefly' ? bouts.slice(2, 3) : bouts.filter(() => random.chance(wear === 'worn' ? 0.85 : 0.4));
  // A total of zero would contradict a bout that lasts into the day.
  const ended = seen.filter(({ endMs }) => next !== 'unworn' || endMs <= day.endMs);
  const counted = ended.map((bout) => jitter(diary, bout));
  const style = random.weighted([
    [9, 'samples'],
    [4, 'total'],
    [3, 'both'],
    [4, 'early total'],
  ]);
  const total = counted.reduce((sum, { steps }) => sum + steps, 0) + random.int(0, 900);
  const beforeNoon = counted.filter(({ endMs }) => endMs <= noon).reduce((sum, { steps }) => sum + steps, 0);
  if (style !== 'total') addIntervals(diary, counted, wear);
  if (style === 'total') addTotals(diary, day.endMs + 6 * 60 * minuteMs, day.date, total);
  if (style === 'both')
    addTotals(
      diary,
      day.endMs + 6 * 60 * minuteMs,
      day.date,
      random.chance(0.8) ? total : Math.floor(total * 0.6),
    );
  if (style === 'early total') addTotals(diary, noon, day.date, beforeNoon + random.int(0, 2500), true);
}

/** A device never counts the same time twice, so its version of a bout lies within the bout. */
function jitter({ random }: Diary, { startMs, endMs, steps }: Bout): Bout {
  const most = Math.floor((endMs - startMs) / minuteMs / 4);
  return {
    startMs: startMs + random.int(0, most) * minuteMs,
    endMs: endMs - random.int(0, most) * minuteMs,
    steps: random.chance(0.08) ? 0 : Math.round(steps * (0.7 + random.int(0, 50) / 100)),
  };
}

function addIntervals(diary: Diary, bouts: readonly Bout[], wear: Wear): void {
  const { random } = diary;
  const hasDistance = random.chance(0.7);
  const hasEnergy = random.chance(0.7);
  for (const { startMs, endMs, steps } of bouts) {
    if (random.chance(0.1)) {
      addColumns(diary, { startMs, endMs, steps });
      continue;
    }
    const [start, end] = [iso(startMs), iso(endMs)];
    const id = random.chance(0.15) ? diary.newId('steps') : null;
    diary.add(endMs, 'records', { metric: 'steps', start, end, value: steps, ...(id ? { id } : {}) });
    if (id) correct(diary, { startMs, endMs, steps }, id);
    if (hasDistance)
      diary.add(endMs, 'records', { metric: 'distance', start, end, value: Math.round(steps * 0.7) / 1000 });
    if (hasEnergy && wear !== 'briefly')
      diary.add(endMs, 'records', { metric: 'active_calories', start, end, value: Math.round(steps * 0.04) });
  }
}

/** The steps of a bout as a column of counts per minute. */
function addColumns(diary: Diary, { startMs, endMs, steps }: Bout): void {
  const minutes = (endMs - startMs) / minuteMs;
  const values = Array.from({ length: minutes }, () => Math.floor(steps / minutes));
  diary.add(endMs, 'series', { metric: 'steps', start: iso(startMs), interval_seconds: 60, values });
}

/** Sends a record again with another value or start, or deletes it. */
function correct(diary: Diary, { startMs, endMs, steps }: Bout, id: string): void {
  const { random } = diary;
  const atMs = endMs + random.int(1, 200) * 3_600_000;
  if (random.chance(0.3)) return diary.add(atMs, 'deletions', { kind: 'record', id });
  const start = iso(random.chance(0.5) ? startMs : startMs + minuteMs);
  const value = Math.max(0, steps + random.int(-100, 200));
  diary.add(atMs, 'records', { metric: 'steps', start, end: iso(endMs), value, id });
}

function addTotals(diary: Diary, atMs: number, date: string, steps: number, inOwnSync = false): void {
  const items = [
    { metric: 'steps', date, value: steps },
    { metric: 'distance', date, value: Math.round(steps * 0.7) / 1000 },
    { metric: 'active_calories', date, value: Math.round(steps * 0.04) },
  ].filter(() => diary.random.chance(0.8));
  for (const item of items)
    if (inOwnSync) diary.addInOwnSync(atMs, 'daily', item);
    else diary.add(atMs, 'daily', item);
}

/** Zero intervals or zero totals, and nothing else. */
export function addZeros(diary: Diary, person: Person, { date, startMs, endMs }: Day): void {
  const hasIntervals = diary.random.chance(0.5);
  for (const metric of ['steps', 'distance', 'active_calories'])
    if (hasIntervals)
      for (let at = startMs; at < endMs; at += 4 * 3_600_000) {
        const end = iso(Math.min(endMs, at + 4 * 3_600_000));
        diary.add(endMs, 'records', { metric, start: iso(at), end, value: 0 });
      }
    else diary.add(endMs, 'daily', { metric, date, value: 0 });
}
