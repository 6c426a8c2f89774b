import { iso, type Diary, type Draft } from '../diary.ts';
import type { Random } from '@tributary/rig';

/** Adds daily step totals from the platform. Only the first two days get them, so that the sums of the other days stay visible. */
export function addTotals(random: Random, { persona }: Diary, { body }: Draft): number {
  let refused = 0;
  for (let left = random.int(1, 3); left > 0; left -= 1) {
    const date = iso(persona.firstMs + random.int(0, 1) * 86_400_000).slice(0, 10);
    const tooMany = random.chance(0.05);
    if (tooMany) refused += 1;
    (body.daily ??= []).push({ metric: 'steps', date, value: tooMany ? 200_001 : random.int(0, 30_000) });
  }
  return refused;
}
