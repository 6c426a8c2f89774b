import { formatDay } from '../../days.ts';
import { roundTo } from '../../round.ts';
import { clamp } from '../../clamp.ts';
import type { Chance } from '../day/plan.ts';
import { hypnogramOf, type Stage } from '../day/hypnogram.ts';
import type { Night } from '../day/night.ts';
import { endsInside, timeAt, type DayWindow, type Report, type ReportedDay } from './report.ts';

/** Measurement error of a device for a night, in minutes: its bias and standard deviation. */
export interface StageErrors {
  readonly asleep: readonly [shift: number, sd: number];
  readonly deep: readonly [shift: number, sd: number];
  readonly rem: readonly [shift: number, sd: number];
}

/** The night as a device measures it. Light sleep and time awake absorb the difference, and every stage keeps some time. */
export function observeNight(chance: Chance, night: Night, device: string, errors: StageErrors): Night {
  const seen = (metric: string, minutes: number, [shift, sd]: readonly [number, number]) =>
    Math.round(minutes + shift + sd * chance.normal(`${device}|${metric}`));
  const { startMinute, endMinute, latencyMinutes, arisingMinutes } = night;
  const longest = endMinute - startMinute - latencyMinutes - arisingMinutes;
  const asleepMinutes = clamp(seen('asleep', night.asleepMinutes, errors.asleep), 60, longest);
  const most = Math.floor(0.35 * asleepMinutes);
  return {
    ...night,
    asleepMinutes,
    deepMinutes: clamp(seen('deep_sleep', night.deepMinutes, errors.deep), 1, most),
    remMinutes: clamp(seen('REM', night.remMinutes, errors.rem), 1, most),
  };
}

/** The lowest value that an optical sensor reports. */
export const leastHeartRate = 30;

/** A heart rate variability reading, limited to the range of the device. */
export function readRmssd(rmssd: number, factor: number): number {
  return clamp(roundTo(rmssd * factor, 1), 1, 300);
}

/** A night as a session with stages, if its end is in the reported window. */
export function sleepReport(
  { truth, window }: ReportedDay,
  night: Night,
  device: string,
  vitals: Record<string, number>,
): Report['sleep'] {
  if (!endsInside(window, night.endMinute)) return [];
  return [
    {
      id: `sleep-${formatDay(truth.plan.day)}`,
      start: timeAt(window, night.startMinute),
      end: timeAt(window, night.endMinute),
      stages: placed(window, night.startMinute, hypnogramOf(night, truth.plan.chance, device)),
      vitals,
    },
  ];
}

function placed(
  window: DayWindow,
  startMinute: number,
  stages: readonly Stage[],
): NonNullable<Report['sleep'][number]['stages']> {
  let minute = startMinute;
  return stages.map(({ stage, minutes }) => {
    const start = timeAt(window, minute);
    minute += minutes;
    return { stage, start, end: timeAt(window, minute) };
  });
}
