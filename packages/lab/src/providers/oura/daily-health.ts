import type { Day } from '../../world/people/day.ts';
import type { Person } from '../../world/people/person.ts';
import { documentId } from '../document-id.ts';
import { keepNight } from './daily-scores.ts';
import type { Life } from '../life.ts';
import type { DocumentState, OuraDocument } from './document-state.ts';

/** Blood oxygen over the night. */
export function keepDailySpo2(life: Life, date: string): DocumentState[] {
  return keepNight(life, date, 'daily_spo2', (main, revision) => ({
    spo2_percentage: { average: Math.max(0, tenth(main.bloodOxygenPercent - revision / 10)) },
    breathing_disturbance_index: Math.min(100, main.disturbances),
  }));
}

/** Daytime stress and recovery. */
export function keepDailyStress(life: Life, date: string): DocumentState[] {
  return keepWholeDay(life, date, 'daily_stress', (truth, revision) => ({
    stress_high: truth.stressHighSeconds + 60 * revision,
    recovery_high: truth.recoveryHighSeconds,
    day_summary: summaryOf(truth),
  }));
}

/** Resilience to stress, in five levels. */
export function keepDailyResilience(life: Life, date: string): DocumentState[] {
  return keepWholeDay(life, date, 'daily_resilience', (truth) => ({ level: levelOf(truth) }));
}

/** The path has a capital O that the field and the pushes do not have. */
export function keepVo2Max(life: Life, date: string): DocumentState[] {
  return keepWholeDay(life, date, 'vO2_max', (truth, revision) => ({
    vo2_max: tenth(truth.vo2Max + revision / 10),
  }));
}

/** The age of the arteries. */
export function keepCardiovascularAge(life: Life, date: string): DocumentState[] {
  return keepWholeDay(life, date, 'daily_cardiovascular_age', (truth, revision) => {
    const age = vascularAge(life.person, truth) + revision;
    return { vascular_age: age, pulse_wave_velocity: tenth(5 + age / 20) };
  });
}

/** Derived from the person's age and fitness. */
function vascularAge(person: Person, truth: Day): number {
  const years = (Date.parse(truth.date) - Date.parse(person.birthDate)) / (365.2425 * 86_400_000);
  return Math.max(18, Math.min(100, Math.round(years - (truth.vo2Max - 40) / 4)));
}

function keepWholeDay(
  life: Life,
  date: string,
  name: string,
  buildFields: (truth: Day, revision: number) => Omit<OuraDocument, 'id' | 'day'>,
): DocumentState[] {
  const truth = life.dayOf(date);
  const id = documentId(life.person.id, name, date, 'day');
  return [
    {
      id,
      day: date,
      key: date,
      endedAt: truth.end,
      state: 0,
      toDocument: (revision) => ({ id, day: date, ...buildFields(truth, revision) }),
    },
  ];
}

function summaryOf(truth: Day): string {
  if (truth.recoveryHighSeconds > 2 * truth.stressHighSeconds) return 'restored';
  return truth.stressHighSeconds > 2 * truth.recoveryHighSeconds ? 'stressful' : 'normal';
}

function levelOf(truth: Day): string {
  const share = truth.recoveryHighSeconds / Math.max(1, truth.recoveryHighSeconds + truth.stressHighSeconds);
  return (
    ['limited', 'adequate', 'solid', 'strong', 'exceptional'][Math.min(4, Math.floor(share * 5))] ?? 'solid'
  );
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
