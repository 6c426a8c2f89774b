import { iso, type Diary, type Draft } from '../diary.ts';
import type { Random } from '@tributary/rig';

/** Adds weights in pounds, only in odd tenths: their millionths of a kilogram never end in a half, so the rounding is unambiguous. */
export function addWeights(random: Random, diary: Diary, { body }: Draft): number {
  let refused = 0;
  for (let left = random.int(1, 3); left > 0; left -= 1) {
    const corrects = diary.weights.length > 0 && random.chance(0.3);
    const record = corrects ? random.pick(diary.weights) : diary.newRecord('weight', random);
    if (!corrects) diary.weights.push(record);
    const tooLight = random.chance(0.05);
    if (tooLight) refused += 1;
    const tenths = tooLight ? 31 : 901 + 2 * random.int(0, 800);
    (body.records ??= []).push({
      metric: 'weight',
      start: iso(record.startMs),
      value: tenths / 10,
      unit: 'lb',
      id: record.id,
    });
  }
  return refused;
}
