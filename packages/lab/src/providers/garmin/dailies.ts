import type { Day } from '../../world/people/day.ts';
import type { Person } from '../../world/people/person.ts';
import { bodyBatteryOf, chargeOf, stressOf, stressSeconds } from './stress.ts';
import { byOffset, seconds, shareOf, summary } from './summary.ts';
import type { Row } from './summary.ts';

const hourMs = 3_600_000;
/** Steps that arrive when the watch syncs again. */
const stepsPerRevision = 41;

/** A day up to a given time. It is sent repeatedly as it grows. */
export function daily(
  person: Person,
  day: Day,
  until: number,
  revision: number,
  lastWeek: readonly Day[],
): Row {
  const hours = Math.round((until - day.start) / hourMs);
  const steps = sum(day.hourlySteps.slice(0, hours));
  const byStep = (total: number) => shareOf(total, 0, steps, day.steps);
  const byTime = (total: number) => shareOf(total, 0, until - day.start, day.end - day.start);
  const rates = day.heartRate.filter(({ at }) => at < until);
  const stress = stressOf(day).filter(({ at }) => at < until);
  const known = stress.filter(({ value }) => value > 0).map(({ value }) => value);
  const { low, medium } = stressSeconds(stress);
  const { charged, drained } = chargeOf(bodyBatteryOf(day).filter(({ at }) => at < until));
  const { low: light, medium: moderate, high: vigorous } = day.activeSeconds;
  return {
    ...summary(person, day, day.start, 'dailies', String(hours), String(revision)),
    // A complete day is reported with 24 hours, even when a clock change makes it longer or shorter.
    durationInSeconds: until >= day.end ? 86_400 : seconds(until - day.start),
    steps: steps + stepsPerRevision * revision,
    distanceInMeters: byStep(day.distanceM),
    activeTimeInSeconds: byStep(light + moderate + vigorous),
    activeKilocalories: byStep(day.activeKcal),
    bmrKilocalories: byTime(day.basalKcal),
    floorsClimbed: byStep(day.floors),
    moderateIntensityDurationInSeconds: byStep(moderate),
    vigorousIntensityDurationInSeconds: byStep(vigorous),
    restingHeartRateInBeatsPerMinute: Math.round(day.restingHeartRate),
    ...(rates.length > 0
      ? {
          minHeartRateInBeatsPerMinute: Math.round(Math.min(...rates.map(({ value }) => value))),
          maxHeartRateInBeatsPerMinute: Math.round(Math.max(...rates.map(({ value }) => value))),
        }
      : {}),
    // Despite its name, the field covers the last seven days.
    averageHeartRateInBeatsPerMinute: Math.round(
      mean(lastWeek.map((one) => mean(one.heartRate.map(({ value }) => value)))),
    ),
    timeOffsetHeartRateSamples: byOffset(
      rates.map(({ at, value }) => ({ at, value: Math.round(value) })),
      day.start,
    ),
    averageStressLevel: known.length > 0 ? Math.round(mean(known)) : -1,
    maxStressLevel: known.length > 0 ? Math.max(...known) : -1,
    lowStressDurationInSeconds: low,
    mediumStressDurationInSeconds: medium,
    highStressDurationInSeconds: byTime(day.stressHighSeconds),
    stressQualifier: known.length === 0 ? 'UNKNOWN' : mean(known) < 40 ? 'CALM' : 'BALANCED',
    bodyBatteryChargedValue: charged,
    bodyBatteryDrainedValue: drained,
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : sum(values) / values.length;
}
