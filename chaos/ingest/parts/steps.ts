import { iso, type Diary, type Draft, type KnownRecord } from '../diary.ts';
import type { Random } from '@tributary/rig';

/** Adds step intervals: new, corrected, without an id, deleted before they arrive, and some too fast to be plausible. */
export function addSteps(random: Random, diary: Diary, { body }: Draft): number {
  let refused = 0;
  for (let left = random.int(3, 25); left > 0; left -= 1) {
    const minutes = random.int(1, 12);
    const tooFast = random.chance(0.03);
    const record = nextRecord(random, diary);
    if (tooFast) refused += 1;
    (body.records ??= []).push({
      metric: 'steps',
      start: iso(record.startMs),
      end: iso(record.startMs + minutes * 60_000),
      value: tooFast ? 301 * minutes : random.int(0, 120) * minutes,
      ...(record.id === '' ? {} : { id: record.id }),
    });
  }
  return refused;
}

function nextRecord(random: Random, diary: Diary): KnownRecord {
  const ahead = random.chance(0.3) ? diary.deletedAhead.shift() : undefined;
  if (ahead) {
    diary.steps.push(ahead);
    return ahead;
  }
  const known = diary.steps.length > 0 ? random.pick(diary.steps) : null;
  if (known && random.chance(0.25)) return known;
  // An id that moves to another time leaves its first one.
  if (known && random.chance(0.02)) return { id: known.id, startMs: diary.newMinute(random) };
  if (random.chance(0.15)) return { id: '', startMs: diary.newMinute(random) };
  const record = diary.newRecord('steps', random);
  diary.steps.push(record);
  return record;
}

/** Deletes known records, and occasionally one that has not arrived yet. */
export function addDeletions(random: Random, diary: Diary, { body }: Draft): number {
  for (let left = random.int(1, 4); left > 0; left -= 1) {
    const known = [...diary.steps, ...diary.weights];
    let record: KnownRecord;
    if (known.length === 0 || random.chance(0.3)) {
      record = diary.newRecord('steps', random);
      diary.deletedAhead.push(record);
    } else {
      record = random.pick(known);
    }
    (body.deletions ??= []).push({ kind: 'record', id: record.id });
  }
  return 0;
}
