import type { Day, Lab, Sleep } from '@tributary/lab';
import { addDays, chanceOf, isEchoOfPhone } from '@tributary/lab/testing';
import type { CanonicalValues, Dates, Difference } from './canonical-values.ts';
import type { Consent } from './world.ts';

const minuteMs = 60_000;
const dayMs = 1440 * minuteMs;
/** Tolerance for values that were converted and rounded. */
const tolerance = 1e-4;
const mgInMmol = 18.018;

/** A day of a simulated user, and how a provider reports it. */
interface Lived {
  person: string;
  day: Day;
  chance: (...words: (string | number)[]) => number;
  /** Final number of revisions of a document. */
  revisionsOf: (kind: string, key: string, endedAt: number) => number;
}

/** The value that the service must return for a metric, or null if the provider does not report it. */
type Expected = Record<string, (lived: Lived) => number | null>;

/**
 * Daily values of each provider that follow from the simulated user's activity and that no revision changes. The service's values are
 * compared with the lab's ground truth directly, without any reader or mapper of the service.
 */
const always: Record<string, Expected> = {
  oura: { heart_rate_min: lowestRate, heart_rate_max: highestRate },
  whoop: {
    resting_heart_rate: ofRetainedNight(({ restingHeartRate }) => restingHeartRate),
    heart_rate_variability_rmssd: ofRetainedNight(({ hrvRmssd }) => hrvRmssd),
  },
  withings: {
    distance: byWatch(({ distanceM }) => Math.round(distanceM) / 1000),
    floors_climbed: byWatch(({ floors }) => floors),
    active_calories: byWatch(({ activeKcal }) => Math.round(activeKcal)),
    low_intensity_activity: byWatch(({ activeSeconds }) => activeSeconds.low / 60),
    moderate_intensity_activity: byWatch(({ activeSeconds }) => activeSeconds.medium / 60),
    vigorous_intensity_activity: byWatch(({ activeSeconds }) => activeSeconds.high / 60),
  },
  garmin: {
    distance: distanceKm,
    floors_climbed: ({ day }) => day.floors,
    active_calories: ({ day }) => day.activeKcal,
    resting_energy: ({ day }) => day.basalKcal,
    resting_heart_rate: ({ day }) => Math.round(day.restingHeartRate),
    device_stress_high_time: ({ day }) => day.stressHighSeconds / 60,
    vo2_max: ({ day }) => day.vo2Max,
  },
  google_health: {
    distance: distanceKm,
    active_calories: ({ day }) => day.activeKcal,
    resting_energy: ({ day }) => day.basalKcal,
    heart_rate_min: lowestRate,
    heart_rate_max: highestRate,
  },
  polar: {
    distance: distanceKm,
    active_calories: ({ day }) => day.activeKcal,
    heart_rate_min: lowestRate,
    heart_rate_max: highestRate,
  },
};

const night: Expected = {
  time_in_bed: ofOneSleep(({ start, end }) => (end - start) / minuteMs),
  deep_sleep: ofOneSleep((sleep) => minutesIn(sleep, 'deep')),
  REM: ofOneSleep((sleep) => minutesIn(sleep, 'rem')),
};

const nightInMinutes: Expected = {
  ...night,
  deep_sleep: ofOneSleep((sleep) => Math.round(minutesIn(sleep, 'deep'))),
  REM: ofOneSleep((sleep) => Math.round(minutesIn(sleep, 'rem'))),
};

/** Additional values, for days on which nothing is revised. */
const unrevised: Record<string, Expected> = {
  oura: night,
  whoop: night,
  withings: { ...night, steps: byWatch((day) => day.steps) },
  garmin: { ...night, steps },
  google_health: { ...nightInMinutes, steps },
  polar: { ...night, steps },
  dexcom: { blood_glucose_min: glucose(Math.min), blood_glucose_max: glucose(Math.max) },
};

export interface TruthVerdict {
  /** Number of compared values by provider. */
  values: Map<string, number>;
  differences: Difference[];
}

interface Check {
  what: string;
  expected: string;
  actual: string;
  isRight: boolean;
}

/** Compares the service's values with what the lab's simulated users did. */
export function compareWithTruth(
  lab: Lab,
  consents: readonly Consent[],
  actual: ReadonlyMap<string, CanonicalValues>,
  datesOf: (member: Consent['member']) => Dates,
  isRevisable: (day: Day) => boolean,
): TruthVerdict {
  const verdict: TruthVerdict = { values: new Map(), differences: [] };
  for (const consent of consents) {
    const { person } = consent.member;
    const { id } = consent.provider;
    const values = actual.get(person) ?? new Map<string, string>();
    const others = consents.filter((one) => one.member === consent.member && one !== consent);
    const rivals = others.map(({ provider }) => provider.id);
    for (const lived of daysOf(lab, consent, datesOf(consent.member))) {
      const expected = { ...always[id], ...(!isRevisable(lived.day) && unrevised[id]) };
      const checks = checkDaily(lived, expected, values, rivals);
      if (id === 'strava' && rivals.length === 0) checks.push(...checkTraining(lived, values));
      verdict.values.set(id, (verdict.values.get(id) ?? 0) + checks.length);
      for (const { isRight, ...check } of checks)
        if (!isRight) verdict.differences.push({ person, ...check });
    }
  }
  return verdict;
}

/** Skips days with travel, which belong to two time zones. */
function daysOf(lab: Lab, { member, provider }: Consent, { from, to }: Dates): Lived[] {
  const { person, timezone } = member;
  const dates = Array.from({ length: (Date.parse(to) - Date.parse(from)) / dayMs + 1 }, (_, at) =>
    addDays(from, at),
  );
  return dates.flatMap((date) => {
    const around = [-1, 0, 1].map((days) => lab.truth(person, addDays(date, days)));
    if (around.some((day) => day.timezone !== timezone)) return [];
    return {
      person,
      day: around[1]!,
      chance: (...words) => chanceOf(lab.seed, provider.id, ...words),
      revisionsOf: (kind, key, endedAt) => lab.finalOf(provider.id, { person, kind, key }, endedAt).revision,
    };
  });
}

/** Skips values that another provider of the user reported. */
function checkDaily(
  lived: Lived,
  expectations: Expected,
  values: CanonicalValues,
  rivals: readonly string[],
): Check[] {
  return Object.entries(expectations).flatMap(([metric, expect]) => {
    const what = `${lived.day.date} ${metric}`;
    const expected = expect(lived);
    const reportedValue = parseCanonicalValue(values.get(what));
    if (expected === null || (reportedValue && rivals.includes(reportedValue.provider))) return [];
    const isRight =
      reportedValue !== null &&
      Math.abs(reportedValue.value - inUnit(expected, reportedValue.unit)) < tolerance;
    return { what, expected: String(expected), actual: JSON.stringify(reportedValue), isRight };
  });
}

/** Checks the energy of each workout of a date, unless one may have been deleted. */
function checkTraining({ day, revisionsOf }: Lived, values: CanonicalValues): Check[] {
  if (day.workouts.some(({ key, end }) => revisionsOf('workout', key, end) > 1)) return [];
  const calories = [...values]
    .filter(([what]) => what.startsWith(`workouts ${day.date}`))
    .map(([, text]) => (JSON.parse(text) as { calories: number }).calories);
  const expected = listOf(day.workouts.map(({ activeKcal }) => Math.round(activeKcal)));
  return [
    {
      what: `${day.date} workouts`,
      expected,
      actual: listOf(calories),
      isRight: listOf(calories) === expected,
    },
  ];
}

/** The reported value, before it was rounded for the response. */
function parseCanonicalValue(
  text: string | undefined,
): { value: number; unit: string; provider: string } | null {
  if (text === undefined) return null;
  const { source } = JSON.parse(text) as {
    source: { provider: string; original_value: number; original_unit: string } | null;
  };
  return source && { value: source.original_value, unit: source.original_unit, provider: source.provider };
}

/** The lab simulates glucose in mg/dL. In mmol/L it is reported in tenths. */
function inUnit(expected: number, unit: string): number {
  return unit === 'mmol/L' ? Math.round((10 * expected) / mgInMmol) / 10 : expected;
}

function listOf(values: readonly number[]): string {
  return values.toSorted((one, other) => one - other).join(', ');
}

function steps({ day }: Lived): number {
  return day.steps;
}

function distanceKm({ day }: Lived): number {
  return day.distanceM / 1000;
}

function lowestRate({ day }: Lived): number {
  return Math.min(...day.heartRate.map(({ value }) => value));
}

function highestRate({ day }: Lived): number {
  return Math.max(...day.heartRate.map(({ value }) => value));
}

function glucose(pick: (...values: number[]) => number): Expected[string] {
  return ({ day }) => (day.glucose.length > 0 ? pick(...day.glucose.map(({ value }) => value)) : null);
}

/** Skips days with a nap, because not every provider reports naps. */
function ofOneSleep(getValue: (sleep: Sleep) => number): Expected[string] {
  return ({ day: { sleeps } }) => (sleeps.length === 1 ? getValue(sleeps[0]!) : null);
}

function minutesIn({ stages }: Sleep, stage: Sleep['stages'][number]['stage']): number {
  const spans = stages.filter((span) => span.stage === stage);
  return spans.reduce((sum, { start, end }) => sum + (end - start) / minuteMs, 0);
}

/** Values of a night are deleted with it, which happens at its second revision. */
function ofRetainedNight(getValue: (day: Day) => number): Expected[string] {
  return ({ day, revisionsOf }) => {
    const main = day.sleeps.find(({ isMain }) => isMain);
    return main && revisionsOf('sleep', main.key, main.end) < 2 ? getValue(day) : null;
  };
}

/** Skips steps that a phone counted and Withings repeats, since the service does not take them from Withings. */
function byWatch(getValue: (day: Day) => number): Expected[string] {
  return ({ person, day, chance }) => (isEchoOfPhone(chance, person, day.date) ? null : getValue(day));
}
