import { iso, type Diary, type Draft } from '../diary.ts';
import { daysOfData } from '../personas.ts';
import type { Random } from '@tributary/rig';

const minuteMs = 60_000;

/**
 * Adds nights and naps. All versions of a session share the same core, so those of two devices always overlap and different sessions of one
 * device never do.
 */
export function addSleep(random: Random, diary: Diary, { body }: Draft): number {
  const { persona, phaseHours } = diary;
  for (let left = random.int(1, 2); left > 0; left -= 1) {
    const isNight = random.chance(0.6);
    const day = random.int(0, daysOfData - 1);
    const id = `${isNight ? 'night' : 'nap'}-${day}`;
    const coreMs = persona.firstMs + (day * 24 + phaseHours + (isNight ? 2 : 12)) * 60 * minuteMs;
    const startMs = coreMs - 2 * random.int(0, isNight ? 45 : 10) * minuteMs;
    const endMs = coreMs + ((isNight ? 420 : 30) + 2 * random.int(0, isNight ? 45 : 15)) * minuteMs;
    const [deep, light, rem, awake] = (isNight ? [40, 120, 40, 5] : [2, 8, 2, 1]).map((least) =>
      random.int(least, 2 * least),
    ) as [number, number, number, number];
    const asleep = deep + light + rem;
    (body.sleep ??= []).push({
      id,
      start: iso(startMs),
      end: iso(endMs),
      minutes: { asleep, deep, light, rem, awake, in_bed: asleep + awake },
      ...(random.chance(0.7) ? { vitals: { sleep_heart_rate: random.int(40, 70) } } : {}),
    });
    diary.sleep.push(id);
  }
  return 0;
}

export function deleteSleep(random: Random, diary: Diary, { body }: Draft): number {
  const id = diary.sleep.length > 0 ? random.pick(diary.sleep) : 'night-0';
  (body.deletions ??= []).push({ kind: 'sleep', id });
  return 0;
}
