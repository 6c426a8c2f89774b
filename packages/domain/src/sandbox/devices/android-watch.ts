import type { Night } from '../day/night.ts';
import { slotMinutes } from '../day/slots.ts';
import type { DayTruth } from '../day/truth.ts';
import { observeNight, sleepReport, type StageErrors } from './observed-sleep.ts';
import { seriesOf, type Report, type ReportedDay } from './report.ts';
import { hrvOf, reportOfWatch } from './watch.ts';

/** The watch mistakes lying still for sleep, and deep sleep for light sleep (Robbins 2024). */
const stageErrors: StageErrors = { asleep: [5, 10], deep: [-15, 14], rem: [0, 14] };

/** The watch of an Android phone tracks sleep too, less accurately than the ring, and measures rMSSD during sleep. */
export function reportOfAndroidWatch(reported: ReportedDay): Report {
  const { truth, habits, window } = reported;
  const { vitals, heart, plan } = truth;
  const read = hrvOf(truth);
  const rmssd = heart.rmssd.map((value, slot) =>
    value !== null && heart.states[slot] === 'asleep' && habits.worn[slot] ? read(value) : null,
  );
  const watch = reportOfWatch(reported);
  const night = observeNight(plan.chance, nightOfWatch(truth), 'watch', stageErrors);
  return {
    ...watch,
    series: [...watch.series, ...seriesOf(window, 'heart_rate_variability_rmssd', slotMinutes, rmssd)],
    sleep: sleepReport(reported, night, 'watch', {
      sleep_heart_rate: Math.round(vitals.sleepHeartRate + plan.chance.normal('watch|sleep_heart_rate')),
      sleep_heart_rate_variability: read(Math.exp(vitals.lnRmssd)),
      sleep_respiratory_rate: vitals.respiratoryRate,
      sleep_skin_temperature: vitals.skinTemperature,
      sleep_wrist_temperature: vitals.skinTemperature,
      sleep_blood_oxygen: vitals.bloodOxygen,
    }),
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
