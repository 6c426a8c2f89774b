import { addDays } from '../../world/people/local-time.ts';
import type { Day, Sleep } from '../../world/people/day.ts';
import { documentId } from '../document-id.ts';
import { sumSleep } from '../sleep-sums.ts';
import { toScore } from './document-state.ts';
import type { Life } from '../life.ts';
import type { DocumentState, OuraDocument } from './document-state.ts';

/** The score of a night, available together with the main sleep. */
export function keepDailySleep(life: Life, date: string): DocumentState[] {
  return keepNight(life, date, 'daily_sleep', (main, revision) => {
    const { asleep, deep, rem, inBed } = sumSleep(main);
    const contributors = {
      total_sleep: toScore((100 * asleep) / (8 * 3_600_000)),
      efficiency: toScore((100 * asleep) / inBed),
      deep_sleep: toScore((100 * deep) / (1.5 * 3_600_000)),
      rem_sleep: toScore((100 * rem) / (2 * 3_600_000)),
    };
    return { score: toScore(mean(Object.values(contributors)) - revision), contributors };
  });
}

/** Readiness, reported with the main sleep. */
export function keepDailyReadiness(life: Life, date: string): DocumentState[] {
  return keepNight(life, date, 'daily_readiness', (_main, revision) => ({
    ...readinessOf(life, date, revision),
  }));
}

/** Readiness of a date. Its contributors are named after measurements but are scores. */
export function readinessOf(life: Life, date: string, revision: number): Record<string, unknown> {
  const truth = life.dayOf(date);
  const contributors = {
    resting_heart_rate: toScore(100 - (truth.restingHeartRate - 40)),
    hrv_balance: toScore(40 + truth.hrvRmssd / 2),
    body_temperature: toScore(100 - 40 * Math.abs(truth.temperatureDeviationC)),
  };
  const lastDays: Day[] = [truth, life.dayOf(addDays(date, -1)), life.dayOf(addDays(date, -2))];
  return {
    score: toScore(mean(Object.values(contributors)) - revision),
    temperature_deviation: truth.temperatureDeviationC,
    temperature_trend_deviation:
      Math.round(100 * mean(lastDays.map((day) => day.temperatureDeviationC))) / 100,
    contributors,
  };
}

/** One document for each date with a main sleep. */
export function keepNight(
  life: Life,
  date: string,
  name: string,
  buildFields: (main: Sleep, revision: number) => Omit<OuraDocument, 'id' | 'day'>,
): DocumentState[] {
  const main = life.dayOf(date).sleeps.find((sleep) => sleep.isMain);
  if (!main) return [];
  const id = documentId(life.person.id, name, date, 'night');
  return [
    {
      id,
      day: date,
      key: date,
      endedAt: main.end,
      state: 0,
      toDocument: (revision) => ({ id, day: date, ...buildFields(main, revision) }),
    },
  ];
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
