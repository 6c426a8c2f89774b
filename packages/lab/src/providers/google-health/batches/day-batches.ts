import type { Day, Sleep } from '../../../world/people/day.ts';
import type { Person } from '../../../world/people/person.ts';
import { roundTo } from '../../../world/people/live-sleep.ts';
import type { Batch, Point } from './batch.ts';
import { dateOf, int64 } from '../wire.ts';

/** Values recorded once per date, available as soon as the night is over. A revision recalculates them. */
export function dailyBatch(day: Day): Batch[] {
  const night = day.sleeps.find(({ isMain }) => isMain);
  if (!night) return [];
  const daily = (value: Record<string, unknown>): Point[] => [
    { start: day.start, end: day.end, source: 'watch', value: { date: dateOf(day.date), ...value } },
  ];
  return [
    {
      kind: 'daily',
      key: day.date,
      endedAt: night.end,
      day,
      points: {
        'daily-resting-heart-rate': ({ revision }) =>
          daily({ beatsPerMinute: int64(day.restingHeartRate + revision) }),
        'daily-heart-rate-variability': ({ revision }) =>
          daily({
            averageHeartRateVariabilityMilliseconds: night.averageHrv + revision,
            deepSleepRootMeanSquareOfSuccessiveDifferencesMilliseconds: deepSleepHrv(night) + revision,
          }),
        'daily-oxygen-saturation': ({ revision }) => {
          const average = roundTo(1, night.bloodOxygenPercent - 0.1 * revision);
          return daily({
            averagePercentage: average,
            lowerBoundPercentage: roundTo(1, average - 1.5),
            upperBoundPercentage: Math.min(100, roundTo(1, average + 1.2)),
          });
        },
        'daily-respiratory-rate': ({ revision }) =>
          daily({ breathsPerMinute: roundTo(1, day.respiratoryRate + 0.1 * revision) }),
        'daily-sleep-temperature-derivations': ({ revision }) =>
          daily({
            nightlyTemperatureCelsius: roundTo(2, night.skinTemperatureC + 0.1 * revision),
            baselineTemperatureCelsius: roundTo(2, night.skinTemperatureC - day.temperatureDeviationC),
          }),
        'daily-vo2-max': ({ revision }) => daily({ vo2Max: roundTo(1, day.vo2Max + 0.1 * revision) }),
        'vo2-max': () => [
          { start: night.end, end: night.end, source: 'watch', value: { vo2Max: day.vo2Max } },
        ],
      },
    },
  ];
}

/** A weight measurement. A revision corrects it slightly. */
export function bodyBatch(day: Day): Batch[] {
  const { body } = day;
  if (!body) return [];
  const one = (value: Record<string, unknown>): Point[] => [
    { start: body.at, end: body.at, source: 'scale', value },
  ];
  return [
    {
      kind: 'body',
      key: day.date,
      endedAt: body.at,
      day,
      points: {
        weight: ({ revision }) => one({ weightGrams: Math.round(body.weightKg * 1000) + 100 * revision }),
        'body-fat': () => one({ percentage: body.fatPercent }),
      },
    },
  ];
}

/** Profile data that a person entered when they joined. */
export function heightBatch(person: Person, day: Day): Batch {
  const at = day.start;
  const value = { heightMillimeters: int64(person.heightM * 1000) };
  return {
    kind: 'height',
    key: day.date,
    endedAt: at,
    day,
    points: { height: () => [{ start: at, end: at, source: 'phone', value }] },
  };
}

function deepSleepHrv(night: Sleep): number {
  const deep = night.stages.filter(({ stage }) => stage === 'deep');
  const values = night.hrv
    .filter(({ at }) => deep.some(({ start, end }) => start <= at && at < end))
    .map(({ value }) => value);
  return values.length === 0
    ? night.averageHrv
    : Math.round(values.reduce((sum, value) => sum + value, 0) / values.length);
}
