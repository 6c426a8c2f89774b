import type { Chance } from './plan.ts';
import type { Night } from './night.ts';
import { shareOut } from './share-out.ts';

export interface Stage {
  readonly stage: 'awake' | 'light' | 'deep' | 'rem';
  readonly minutes: number;
}

const cycleMinutes = 95;
const awakeningMinutes = 9;

/**
 * The stages of a night in order. They add up exactly to its minutes. Every cycle goes from light to deep to REM sleep. Deep sleep is
 * mostly early and REM sleep mostly late. Awakenings lie within cycles and between them, never before or after all sleep.
 */
export function hypnogramOf(night: Night, chance: Chance, device: string): Stage[] {
  const { asleepMinutes, deepMinutes, remMinutes, latencyMinutes, arisingMinutes } = night;
  const cycles = Math.max(1, Math.round(asleepMinutes / cycleMinutes));
  const luck = Array.from(
    { length: cycles },
    (_, cycle) => 0.7 + 0.6 * chance.uniform(`${device}|cycle|${cycle}`),
  );
  const deep = shareOut(
    deepMinutes,
    luck.map((one, cycle) => one * (cycles - cycle) ** 2),
  );
  const rem = shareOut(
    remMinutes,
    luck.map((one, cycle) => one * (cycle + 1)),
  );
  const light = shareOut(
    asleepMinutes - deepMinutes - remMinutes,
    luck.flatMap((one) => [one, 1]),
  );
  const awake = awakeningsOf(night, luck);
  const stages: Stage[] = [{ stage: 'awake', minutes: latencyMinutes }];
  for (let cycle = 0; cycle < cycles; cycle += 1)
    stages.push(
      { stage: 'light', minutes: light[2 * cycle]! },
      { stage: 'awake', minutes: awake[2 * cycle]! },
      { stage: 'deep', minutes: deep[cycle]! },
      { stage: 'light', minutes: light[2 * cycle + 1]! },
      { stage: 'rem', minutes: rem[cycle]! },
      { stage: 'awake', minutes: awake[2 * cycle + 1] ?? 0 },
    );
  stages.push({ stage: 'awake', minutes: arisingMinutes });
  return stages.filter(({ minutes }) => minutes > 0);
}

/** Minutes awake in the middle and at the end of every cycle except at the end of the last one, in a few stretches. */
function awakeningsOf(night: Night, luck: readonly number[]): number[] {
  const { startMinute, endMinute, asleepMinutes, latencyMinutes, arisingMinutes } = night;
  const minutes = endMinute - startMinute - asleepMinutes - latencyMinutes - arisingMinutes;
  const places = 2 * luck.length - 1;
  const wanted = Math.min(places, Math.max(1, Math.round(minutes / awakeningMinutes)));
  const awakePlaces = new Set(
    Array.from({ length: wanted }, (_, one) => Math.floor(((one + 0.5) * places) / wanted)),
  );
  return shareOut(
    minutes,
    Array.from({ length: places }, (_, place) => (awakePlaces.has(place) ? luck[place >> 1]! : 0)),
  );
}
