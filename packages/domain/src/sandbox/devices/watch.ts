import { clamp } from '../../clamp.ts';
import { maxHeartRateOf } from '../day/heart.ts';
import type { Night } from '../day/night.ts';
import { observeNight, readRmssd, sleepReport, type StageErrors } from './observed-sleep.ts';
import { recordOf, seriesOf, type Report, type ReportedDay } from './report.ts';
import { shareOut } from '../day/share-out.ts';
import { slotMinutes } from '../day/slots.ts';
import type { DayTruth } from '../day/truth.ts';
import { reportWorkout } from './watch-workout.ts';

/** The watch mistakes lying still for sleep, and deep sleep for light sleep. */
const stageErrors: StageErrors = { asleep: [10, 12], deep: [-20, 14], rem: [0, 14] };
const hourMinutes = 60;
const dayHours = 24;
/** The lowest value that an optical sensor reports. */
const leastHeartRate = 30;

/** The watch is worn all day and measures heart rate, movement, energy and workouts. It measures nights less accurately than the ring. */
export function reportOfWatch(reported: ReportedDay): Report {
  const { truth, window } = reported;
  const { chance, traits } = truth.plan;
  const beatsOff = 2 * chance.normal('watch|heart_rate');
  const highest = Math.floor(maxHeartRateOf(traits));
  const heartRate = truth.heart.heartRate.map((bpm) =>
    clamp(Math.round(bpm + beatsOff), leastHeartRate, highest),
  );
  const hrvFactor = 1 + 0.11 * chance.normal('watch|heart_rate_variability_rmssd');
  // The watch measures heart rate variability only during sleep.
  const rmssd = truth.heart.rmssd.map((value, slot) =>
    value !== null && truth.heart.states[slot] === 'asleep' ? readRmssd(value, hrvFactor) : null,
  );
  const stepsFactor = 1 + 0.03 * chance.normal('watch|steps');
  const stepsSeen = truth.steps.reduce((sum, count) => sum + count, 0) * stepsFactor;
  const steps = shareOut(Math.round(stepsSeen), truth.steps);
  const energyFactor = Math.max(0, 1.05 + 0.18 * chance.normal('watch|active_calories'));
  const active = shareOut(Math.round(truth.energy.activeCalories * energyFactor), truth.energy.activeBySlot);
  const resting = shareOut(
    Math.round(truth.energy.restingCalories),
    Array.from({ length: dayHours }, () => 1),
  );
  const { endMinute } = truth.night;
  return {
    series: [
      ...seriesOf(window, 'heart_rate', slotMinutes, heartRate),
      ...seriesOf(window, 'heart_rate_variability_rmssd', slotMinutes, rmssd),
      ...seriesOf(window, 'steps', slotMinutes, steps),
      ...seriesOf(window, 'active_calories', slotMinutes, active),
      ...seriesOf(window, 'resting_energy', hourMinutes, resting),
    ],
    records: recordOf(window, 'resting_heart_rate', endMinute, Math.round(truth.vitals.restingHeartRate)),
    sleep: sleepReport(reported, observeNight(chance, nightOfWatch(truth), 'watch', stageErrors), 'watch', {
      sleep_heart_rate: Math.round(truth.vitals.sleepHeartRate + beatsOff),
      sleep_heart_rate_variability: readRmssd(Math.exp(truth.vitals.lnRmssd), hrvFactor),
    }),
    workouts: reportWorkout(reported, { heartRate, steps, active }, highest),
  };
}

/** The watch detects bedtime a little late and getting up a little early. */
function nightOfWatch({ night, plan: { chance } }: DayTruth): Night {
  const late = Math.min(Math.round(6 * chance.uniform('watch|bedtime')), night.latencyMinutes - 1);
  const early = Math.round(2 * chance.uniform('watch|wake_time'));
  return {
    ...night,
    startMinute: night.startMinute + late,
    latencyMinutes: night.latencyMinutes - late,
    endMinute: night.endMinute - early,
    arisingMinutes: night.arisingMinutes - early,
  };
}
