import type { TestApp } from '../apps/test-app.ts';
import { createPhoneUser, workThrough, type PhoneUser } from './uploads.ts';
import { scoreThrough } from './score-through.ts';

export const dayMs = 86_400_000;

/** Consecutive dates. */
export function datesFrom(first: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) =>
    new Date(Date.parse(first) + at * dayMs).toISOString().slice(0, 10),
  );
}

/** A night of eight hours in bed that ends at 06:00 UTC. */
export function nightOf(date: string) {
  return {
    id: date,
    start: new Date(Date.parse(`${date}T06:00:00Z`) - 8 * 3_600_000).toISOString(),
    end: `${date}T06:00:00Z`,
    minutes: { asleep: 450, deep: 90, rem: 100, light: 260, awake: 30, in_bed: 480 },
  };
}

/** A woman of 36 with a night, a resting heart rate and active calories on each of these days, and with their scores. She has no nutrition data. */
export async function createScoredUser(
  app: TestApp,
  dates: readonly string[],
  user: object = {},
): Promise<PhoneUser> {
  const created = await createPhoneUser(app, {
    timezone: 'Europe/Berlin',
    profile: { birth_date: '1990-01-01', sex: 'female', weight_kg: 60 },
    ...user,
  });
  await created.upload(
    { id: 'watch', kind: 'watch' },
    {
      daily: dates.flatMap((date, at) => [
        { metric: 'resting_heart_rate', date, value: 54 + (at % 3) },
        { metric: 'active_calories', date, value: 300 + 60 * at },
      ]),
      sleep: dates.map(nightOf),
    },
  );
  await workThrough(app);
  await scoreThrough(app);
  return created;
}
