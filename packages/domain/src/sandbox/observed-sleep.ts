import { formatDay } from '../days.ts';
import { roundTo } from '../round.ts';
import { clamp } from '../clamp.ts';
import type { Chance } from './day-plan.ts';
import { hypnogramOf, type Stage } from './hypnogram.ts';
import type { Night } from './night.ts';
import { endsInside, timeAt, type DayWindow, type Report, type ReportedDay } from './report.ts';

/** How far a device is off the truth of a night, in minutes: what it always adds, and its standard deviation. */
export interface StageErrors {
  readonly asleep: readonly [shift: number, sd: number];
  readonly deep: readonly [shift: number, sd: number];
  readonly rem: readonly [shift: number, sd: number];
}

/** The night as a device sees it. Light sleep and time awake take up what is left, and none of the stages vanishes. */
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

/** A reading of the variability of the heart, within what a device can show. */
export function readRmssd(rmssd: number, factor: number): number {
  return clamp(roundTo(rmssd * factor, 1), 1, 300);
}

/** A night as a session with its stages, if its end is reported. */
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
