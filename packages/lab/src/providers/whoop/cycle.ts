import { addDays } from '../../world/people/local-time.ts';
import type { Frame } from '../../provider.ts';
import type { Life } from '../life.ts';
import { cycleId } from './cycle-id.ts';
import { keepSleeps, offsetText, type SleepEntry } from './sleep.ts';
import { kilojoules, stampOf, strainOf } from './wire.ts';

/** A cycle lasts from one bedtime to the next. It is open and has no end until WHOOP knows the next night. */
export function cycleRecord(
  frame: Frame,
  life: Life,
  date: string,
  userId: string,
): Record<string, unknown> | null {
  const night = nightOf(life, date);
  const seen = night && seenNight(frame, life, night);
  if (!night || !seen) return null;
  const next = nightOf(life, addDays(date, 1));
  const nextSeen = next && seenNight(frame, life, next);
  const end = next && nextSeen ? next.sleep.start : null;
  return {
    id: cycleId(life.person.id, date),
    user_id: Number(userId),
    created_at: stampOf(seen.createdAt),
    updated_at: stampOf(nextSeen ? nextSeen.createdAt : Math.max(seen.createdAt, hourBefore(frame.now()))),
    start: stampOf(night.sleep.start),
    ...(end !== null && { end: stampOf(end) }),
    timezone_offset: offsetText(night.sleep.end, night.truth.timezone),
    score_state: 'SCORED',
    score: cycleScore(life, night, end, hourBefore(frame.now())),
  };
}

/** The night with which a cycle begins. */
export function nightOf(life: Life, date: string): SleepEntry | undefined {
  return keepSleeps(life, date).find(({ sleep }) => sleep.isMain);
}

/** Energy and strain of the date on which the night ended, as far as it has passed. */
function cycleScore(
  life: Life,
  { sleep, truth, date }: SleepEntry,
  end: number | null,
  now: number,
): Record<string, unknown> {
  const share = end === null ? Math.max(0, Math.min(1, (now - truth.start) / (truth.end - truth.start))) : 1;
  const until = end ?? Math.max(now, sleep.end);
  const beats = [addDays(date, -1), date, addDays(date, 1)]
    .flatMap((day) => life.dayOf(day).heartRate)
    .filter(({ at }) => sleep.start <= at && at < until)
    .map(({ value }) => value);
  return {
    strain: strainOf(share * truth.activeKcal),
    kilojoule: kilojoules(share * (truth.activeKcal + truth.basalKcal)),
    average_heart_rate: Math.round(beats.reduce((sum, value) => sum + value, 0) / beats.length),
    max_heart_rate: Math.max(...beats),
  };
}

function seenNight(frame: Frame, life: Life, { key, sleep }: SleepEntry) {
  return frame.visible({ person: life.person.id, kind: 'sleep', key }, sleep.end);
}

/** An open cycle is updated every hour. */
function hourBefore(now: number): number {
  return Math.floor(now / 3_600_000) * 3_600_000;
}
