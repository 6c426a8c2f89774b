import type { Day, Sleep } from '../../world/people/day.ts';
import { addDays } from '../../world/people/local-time.ts';
import type { Frame } from '../../provider.ts';
import { documentId } from '../document-id.ts';
import type { Life } from '../life.ts';
import { offsetAt } from '../local-time.ts';
import { editBedtime, sumSleep } from '../sleep-sums.ts';
import { cycleId } from './cycle-id.ts';
import { percent, stampOf } from './wire.ts';

/** How long after a sleep or workout its score is available. */
export const scoringMs = 15 * 60_000;

export interface SleepEntry {
  id: string;
  key: string;
  date: string;
  truth: Day;
  sleep: Sleep;
}

/** A sleep in its current state. */
export interface SeenSleep extends SleepEntry {
  createdAt: number;
  updatedAt: number;
  scoreState: 'SCORED' | 'PENDING_SCORE' | 'UNSCORABLE';
  scoreRevision: number;
}

/** The sleeps that end on a date, in chronological order. */
export function keepSleeps(life: Life, date: string): SleepEntry[] {
  const truth = life.dayOf(date);
  return truth.sleeps.map((sleep) => ({
    id: documentId(life.person.id, 'sleep', date, sleep.key),
    key: `${date} ${sleep.key}`,
    date,
    truth,
    sleep,
  }));
}

/** Whether the user deletes it in a second edit: half of the naps and a few nights. */
export function isSleepDeleted({ id, sleep }: SleepEntry, revision: number): boolean {
  return revision >= 2 && Number.parseInt(id.slice(-1), 16) % (sleep.isMain ? 16 : 2) === 0;
}

/** The visible state of a sleep. Null while it is not visible and after it is deleted. */
export function seeSleep(frame: Frame, life: Life, entry: SleepEntry): SeenSleep | null {
  const person = life.person.id;
  const seen = frame.visible({ person, kind: 'sleep', key: entry.key }, entry.sleep.end);
  if (!seen || isSleepDeleted(entry, seen.revision)) return null;
  const score = frame.visible({ person, kind: 'sleep score', key: entry.key }, entry.sleep.end + scoringMs);
  const isUnscorable = isSleepUnscorable(frame, life, entry);
  return {
    ...entry,
    sleep: editBedtime(entry.sleep, seen.revision),
    createdAt: seen.createdAt,
    updatedAt: Math.max(seen.updatedAt, isUnscorable ? 0 : (score?.updatedAt ?? 0)),
    scoreState: isUnscorable ? 'UNSCORABLE' : score ? 'SCORED' : 'PENDING_SCORE',
    scoreRevision: score?.revision ?? 0,
  };
}

/** A few naps are never scored. */
export function isSleepUnscorable(frame: Frame, life: Life, { sleep, key }: SleepEntry): boolean {
  return !sleep.isMain && frame.chance('unscorable', life.person.id, key) < 0.04;
}

/** A sleep on the wire. The score is omitted until it exists. */
export function sleepRecord(seen: SeenSleep, userId: string, life: Life): Record<string, unknown> {
  const { sleep, truth, date } = seen;
  return {
    id: seen.id,
    cycle_id: cycleId(life.person.id, date),
    user_id: Number(userId),
    created_at: stampOf(seen.createdAt),
    updated_at: stampOf(seen.updatedAt),
    start: stampOf(sleep.start),
    end: stampOf(sleep.end),
    timezone_offset: offsetText(sleep.end, truth.timezone),
    nap: !sleep.isMain,
    score_state: seen.scoreState,
    ...(seen.scoreState === 'SCORED' && { score: sleepScore(seen, life) }),
  };
}

/** `Z` where others write +00:00. */
export function offsetText(at: number, timezone: string): string {
  const offset = offsetAt(at, timezone);
  return offset === '+00:00' ? 'Z' : offset;
}

function sleepScore({ sleep, date, scoreRevision }: SeenSleep, life: Life): Record<string, unknown> {
  const sums = sumSleep(sleep);
  const before = life.dayOf(addDays(date, -1)).sleeps.find(({ isMain }) => isMain);
  const shiftMinutes = before ? Math.abs(sleep.start - before.start - 86_400_000) / 60_000 : 0;
  return {
    stage_summary: {
      total_in_bed_time_milli: sums.inBed,
      total_awake_time_milli: sums.awake,
      total_no_data_time_milli: 0,
      total_light_sleep_time_milli: sums.light,
      total_slow_wave_sleep_time_milli: sums.deep,
      total_rem_sleep_time_milli: sums.rem,
      disturbance_count: sleep.disturbances,
    },
    respiratory_rate: sleep.respiratoryRate,
    sleep_performance_percentage: percent(sums.asleep / (8 * 3_600_000) - scoreRevision / 100),
    sleep_consistency_percentage: percent(1 - shiftMinutes / 300),
    sleep_efficiency_percentage: (100 * sums.asleep) / sums.inBed,
  };
}
