import type { Sleep, Stage } from '../world/people/day.ts';

const order: readonly Stage[] = ['awake', 'light', 'deep', 'rem'];

/** The duration of each sleep stage and of the whole sleep, in milliseconds. */
export interface SleepSums extends Record<Stage, number> {
  asleep: number;
  inBed: number;
  /** Time awake before falling asleep. */
  latency: number;
}

/** Adds up the stages of a sleep. */
export function sumSleep(sleep: Sleep): SleepSums {
  const sums: Record<Stage, number> = { awake: 0, light: 0, deep: 0, rem: 0 };
  for (const span of sleep.stages) sums[span.stage] += span.end - span.start;
  const first = sleep.stages[0];
  return {
    ...sums,
    asleep: sums.light + sums.deep + sums.rem,
    inBed: sleep.end - sleep.start,
    latency: first?.stage === 'awake' ? first.end - first.start : 0,
  };
}

/** The longest stage in each interval of the given number of milliseconds. The last interval may be shorter. */
export function stagesByStretch(sleep: Sleep, stretchMs: number): Stage[] {
  const stages: Stage[] = [];
  let first = 0;
  for (let from = sleep.start; from < sleep.end; from += stretchMs) {
    while ((sleep.stages[first]?.end ?? Infinity) <= from) first += 1;
    const lasted: Record<Stage, number> = { awake: 0, light: 0, deep: 0, rem: 0 };
    for (let place = first; place < sleep.stages.length; place += 1) {
      const span = sleep.stages[place]!;
      if (span.start >= from + stretchMs) break;
      lasted[span.stage] += Math.min(span.end, from + stretchMs) - Math.max(span.start, from);
    }
    stages.push(order.reduce((longest, stage) => (lasted[stage] > lasted[longest] ? stage : longest)));
  }
  return stages;
}

/** The sleep after the person's edits. Each edit moves the bedtime halfway to the time of falling asleep, in whole minutes. */
export function editBedtime(sleep: Sleep, edits: number): Sleep {
  const [first, ...others] = sleep.stages;
  if (first?.stage !== 'awake' || others.length === 0) return sleep;
  const left = (first.end - sleep.start) / 2 ** edits;
  const start = sleep.start + Math.floor((first.end - sleep.start - left) / 60_000) * 60_000;
  if (start === sleep.start) return sleep;
  return {
    ...sleep,
    start,
    stages: [{ ...first, start }, ...others],
    heartRate: sleep.heartRate.filter((sample) => sample.at >= start),
    hrv: sleep.hrv.filter((sample) => sample.at >= start),
  };
}
