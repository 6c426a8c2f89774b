import { iso, type Diary, type Draft } from '../diary.ts';
import { daysOfData } from '../personas.ts';
import type { Random } from '@tributary/rig';

const stepMs = 5_000;
const stepsOfData = (daysOfData * 86_400_000) / stepMs;

/** Adds a dense series of heart rates. It is new, or overwrites an earlier one with different values. */
export function addHeartRate(random: Random, diary: Diary, { body }: Draft): number {
  const { firstMs } = diary.persona;
  const corrects = diary.series.length > 0 && random.chance(0.45);
  const startMs = corrects
    ? Math.max(firstMs, random.pick(diary.series) + random.int(-40, 40) * stepMs)
    : firstMs +
      random.int(0, stepsOfData - 500) * stepMs +
      random.weighted([
        [9, 0],
        [1, 1_700],
      ]);
  diary.series.push(startMs);
  const length = random.int(50, 400);
  let bpm = random.int(50, 150);
  const values = Array.from({ length }, () => {
    bpm = Math.min(180, Math.max(45, bpm + random.int(-4, 4)));
    return bpm;
  });
  if (random.chance(0.1)) values.forEach((value, at) => (values[at] = value + random.int(0, 9) / 10));
  let refused = 0;
  if (random.chance(0.15)) {
    for (let left = random.int(1, 5); left > 0; left -= 1) {
      const at = random.int(0, length - 1);
      if (values[at]! >= 25 && values[at]! <= 250) refused += 1;
      values[at] = random.pick([3, 24, 251, 900]);
    }
  }
  const placed = random.chance(0.1)
    ? { offsets_seconds: values.map((_, at) => at * 4 + random.int(0, 3)) }
    : { interval_seconds: stepMs / 1000 };
  const offset = random.chance(0.3) ? { utc_offset: '+02:00' } : {};
  (body.series ??= []).push({ metric: 'heart_rate', start: iso(startMs), values, ...placed, ...offset });
  return refused;
}
