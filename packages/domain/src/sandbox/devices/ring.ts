import { clamp } from '../../clamp.ts';
import { formatDay } from '../../days.ts';
import { roundTo } from '../../round.ts';
import { maxHeartRateOf } from '../day/heart.ts';
import type { DayPlan } from '../day/plan.ts';
import { slotMinutes } from '../day/slots.ts';
import type { DayTruth } from '../day/truth.ts';
import { leastHeartRate, observeNight, readRmssd, sleepReport, type StageErrors } from './observed-sleep.ts';
import { endsInside, seriesOf, timeAt, totalOf, type Report, type ReportedDay } from './report.ts';

const stageErrors: StageErrors = { asleep: [0, 8], deep: [0, 12], rem: [0, 12] };
const usualBodyTemperature = 36.5;
/** The share of workouts that the ring detects by itself. */
const detectedWorkouts = 0.6;

/** The ring measures nights best. It counts some movements of the hand as steps, of which it reports only the total of the day. */
export function reportOfRing(reported: ReportedDay): Report {
  const { truth, window } = reported;
  const { chance, traits } = truth.plan;
  const hrvFactor = 1 + 0.06 * chance.normal('ring|heart_rate_variability_rmssd');
  const stepsFactor = 1.05 + 0.08 * chance.normal('ring|steps');
  const stepsSeen = truth.steps.reduce((sum, count) => sum + count, 0) * stepsFactor;
  const beatsOff = 1.2 * chance.normal('ring|heart_rate');
  const highest = Math.floor(maxHeartRateOf(traits));
  const heartRate = truth.heart.heartRate.map((bpm) =>
    clamp(Math.round(bpm + beatsOff), leastHeartRate, highest),
  );
  const rmssd = truth.heart.rmssd.map((value) => (value === null ? null : readRmssd(value, hrvFactor)));
  const night = observeNight(chance, truth.night, 'ring', stageErrors);
  return {
    series: [
      ...seriesOf(window, 'heart_rate', slotMinutes, heartRate),
      ...seriesOf(window, 'heart_rate_variability_rmssd', slotMinutes, rmssd),
    ],
    records: [],
    daily: totalOf(reported, 'steps', Math.round(stepsSeen)),
    sleep: [...sleepReport(reported, night, 'ring', nightVitals(truth, hrvFactor)), ...napReport(reported)],
    workouts: detectedWorkout(reported),
  };
}

function nightVitals(
  { vitals, plan: { chance, traits } }: DayTruth,
  hrvFactor: number,
): Record<string, number> {
  return {
    sleep_heart_rate: Math.round(vitals.sleepHeartRate + 0.8 * chance.normal('ring|sleep_heart_rate')),
    sleep_heart_rate_variability: readRmssd(Math.exp(vitals.lnRmssd), hrvFactor),
    sleep_respiratory_rate: vitals.respiratoryRate,
    sleep_skin_temperature: vitals.skinTemperature,
    sleep_body_temperature: bodyTemperatureOf(traits, vitals.skinTemperature),
    sleep_blood_oxygen: vitals.bloodOxygen,
  };
}

/** The temperature inside the body follows that of the skin, with smaller changes. */
function bodyTemperatureOf(traits: DayPlan['traits'], skinTemperature: number): number {
  return roundTo(usualBodyTemperature + 0.5 * (skinTemperature - traits.skinTemperature), 2);
}

/** Naps are too short to distinguish stages. */
function napReport({ truth: { nap, plan }, window }: ReportedDay): Report['sleep'] {
  if (!nap || !endsInside(window, nap.endMinute)) return [];
  const [start, end] = [timeAt(window, nap.startMinute), timeAt(window, nap.endMinute)];
  return [{ id: `nap-${formatDay(plan.day)}`, start, end, stages: [{ stage: 'asleep', start, end }] }];
}

/** A workout that the ring noticed a little late, and without any details. */
function detectedWorkout({ truth: { workout, plan }, window }: ReportedDay): Report['workouts'] {
  const { chance, day } = plan;
  if (!workout || chance.uniform('ring|workout') >= detectedWorkouts) return [];
  const startMinute = workout.startMinute + Math.round(5 * chance.uniform('ring|workout_start'));
  const endMinute = workout.endMinute - Math.round(3 * chance.uniform('ring|workout_end'));
  if (!endsInside(window, endMinute)) return [];
  return [
    {
      id: `workout-${formatDay(day)}`,
      sport_type: workout.sport,
      start: timeAt(window, startMinute),
      end: timeAt(window, endMinute),
    },
  ];
}
