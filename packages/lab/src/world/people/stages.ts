import { chanceOf } from '../hash.ts';
import type { Stage, StageSpan } from './day.ts';
import type { SleepPlan } from './nights.ts';

const HALF_MINUTE = 30_000;

/** The course of a sleep: cycles of about ninety minutes, deep sleep early, REM late, and short periods awake in between. */
export function stagesOf(seed: number, plan: SleepPlan): StageSpan[] {
  const draw = (...words: (string | number)[]): number => chanceOf(seed, 'stage', plan.key, ...words);
  const spans: StageSpan[] = [];
  let at = plan.start;
  const put = (stage: Stage, minutes: number): void => {
    const end = Math.min(plan.end, at + Math.max(1, Math.round(minutes * 2)) * HALF_MINUTE);
    if (end <= at) return;
    const last = spans.at(-1);
    if (last?.stage === stage) last.end = end;
    else spans.push({ stage, start: at, end });
    at = end;
  };

  put('awake', 4 + 18 * draw('latency'));
  for (let cycle = 0; at < plan.end; cycle += 1) {
    const length = 75 + 35 * draw('cycle', cycle);
    const deepShare = Math.max(0, 0.34 - 0.09 * cycle + 0.08 * draw('deep', cycle));
    const remShare = Math.min(0.38, 0.06 + 0.07 * cycle + 0.06 * draw('rem', cycle));
    const lightShare = 1 - deepShare - remShare;
    put('light', length * lightShare * 0.45);
    if (deepShare > 0.04) put('deep', length * deepShare);
    put('light', length * lightShare * 0.55);
    put('rem', length * remShare);
    if (draw('wakes', cycle) < 0.6) put('awake', 1 + 7 * draw('awake', cycle));
  }
  return spans;
}

/** The stage at a time during a sleep. */
export function stageAt(spans: readonly StageSpan[], moment: number): Stage {
  return spans.find(({ end }) => moment < end)?.stage ?? 'awake';
}
