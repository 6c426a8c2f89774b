import type { Day } from '../../world/people/day.ts';
import type { Person } from '../../world/people/person.ts';
import { seconds, shareOf, summary } from './summary.ts';
import type { Row } from './summary.ts';

const epochMs = 900_000;
const walkingStepsASecond = 1.8;

/** The 15-minute epochs between two times of a day, with one row per activity type. */
export function epochs(person: Person, day: Day, from: number, until: number): Row[] {
  const rows: Row[] = [];
  for (let start = day.start; start < until; start += epochMs) {
    const stretch = stepsIn(day, start);
    if (start < from) continue;
    const share = (total: number) =>
      shareOf(total, stretch.before, stretch.before + stretch.steps, day.steps);
    const activeSeconds = Math.min(900, Math.round(stretch.steps / walkingStepsASecond));
    const row = (activityType: string) => ({
      ...summary(person, day, start, 'epochs', String(start), activityType),
      activityType,
      durationInSeconds: seconds(epochMs),
    });
    if (stretch.steps > 0)
      rows.push({
        ...row('WALKING'),
        activeTimeInSeconds: activeSeconds,
        steps: stretch.steps,
        distanceInMeters: share(day.distanceM),
        activeKilocalories: share(day.activeKcal),
        met: 3.5,
        intensity: stretch.steps > 1200 ? 'HIGHLY_ACTIVE' : 'ACTIVE',
      });
    if (activeSeconds < 900)
      rows.push({
        ...row('SEDENTARY'),
        activeTimeInSeconds: 900 - activeSeconds,
        steps: 0,
        distanceInMeters: 0,
        activeKilocalories: 0,
        met: 1,
        intensity: 'SEDENTARY',
      });
  }
  return rows;
}

/** The steps in an epoch, and those earlier on the same day. */
function stepsIn(day: Day, start: number): { before: number; steps: number } {
  const quarter = Math.round((start - day.start) / epochMs);
  const hour = Math.floor(quarter / 4);
  const inHour = day.hourlySteps[hour] ?? 0;
  const earlier = day.hourlySteps.slice(0, hour).reduce((sum, steps) => sum + steps, 0);
  const part = quarter % 4;
  return { before: earlier + shareOf(inHour, 0, part, 4), steps: shareOf(inHour, part, part + 1, 4) };
}
