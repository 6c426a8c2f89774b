import { formatDay } from '../../days.ts';
import { observeNight, readRmssd, sleepReport, type StageErrors } from './observed-sleep.ts';
import { endsInside, seriesOf, timeAt, type Report, type ReportedDay } from './report.ts';
import { shareOut } from '../day/share-out.ts';
import { slotMinutes } from '../day/slots.ts';

const stageErrors: StageErrors = { asleep: [0, 8], deep: [0, 12], rem: [0, 12] };

/** The ring measures nights best and slightly overcounts steps. */
export function reportOfRing(reported: ReportedDay): Report {
  const { truth, window } = reported;
  const { chance } = truth.plan;
  const hrvFactor = 1 + 0.06 * chance.normal('ring|heart_rate_variability_rmssd');
  const stepsFactor = 1.05 + 0.08 * chance.normal('ring|steps');
  const stepsSeen = truth.steps.reduce((sum, count) => sum + count, 0) * stepsFactor;
  const rmssd = truth.heart.rmssd.map((value) => (value === null ? null : readRmssd(value, hrvFactor)));
  const night = observeNight(chance, truth.night, 'ring', stageErrors);
  return {
    series: [
      ...seriesOf(window, 'heart_rate_variability_rmssd', slotMinutes, rmssd),
      ...seriesOf(window, 'steps', slotMinutes, shareOut(Math.round(stepsSeen), truth.steps)),
    ],
    records: [],
    sleep: [
      ...sleepReport(reported, night, 'ring', {
        sleep_heart_rate: Math.round(
          truth.vitals.sleepHeartRate + 0.8 * chance.normal('ring|sleep_heart_rate'),
        ),
        sleep_heart_rate_variability: readRmssd(Math.exp(truth.vitals.lnRmssd), hrvFactor),
        sleep_respiratory_rate: truth.vitals.respiratoryRate,
        sleep_skin_temperature: truth.vitals.skinTemperature,
        sleep_blood_oxygen: truth.vitals.bloodOxygen,
      }),
      ...napReport(reported),
    ],
    workouts: [],
  };
}

/** Naps are too short to distinguish stages. */
function napReport({ truth: { nap, plan }, window }: ReportedDay): Report['sleep'] {
  if (!nap || !endsInside(window, nap.endMinute)) return [];
  const [start, end] = [timeAt(window, nap.startMinute), timeAt(window, nap.endMinute)];
  return [{ id: `nap-${formatDay(plan.day)}`, start, end, stages: [{ stage: 'asleep', start, end }] }];
}
