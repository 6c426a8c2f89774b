import { clamp } from '../../../clamp.ts';
import { interpolate, type Knots } from '../../inputs/interpolate.ts';
import { entryOf, scoreOf } from '../../publish/factors.ts';
import type { Scored } from '../../score.ts';
import {
  neutral,
  stressDrain,
  unknownClose,
  usualRecovery,
  type EnergyReserveInput,
} from '../one/energy-reserve.ts';

// Van Dongen 2003, Belenky 2003: two weeks of eight hours keep performance stable, six hours reduce it, and four or five hours reduce it far more.
/** The reserve that a night leads to, by hours asleep. */
const reserveAfterSleep: Knots = [
  [0, 5],
  [3, 30],
  [5, 58],
  [7, 86],
  [8, 95],
  [9, 100],
];

/** Chosen: how far a night moves the reserve to the level that it leads to. The rest is carried over from the previous day. */
const chargeShare = 0.85;
const reservePerRecovery = 0.2;

/** Chosen: points per hour awake, so that 16 hours use 40. An ordinary day ends between 20 and 45. */
const drainPerHour = 2.5;
const drainPerStrain = 0.3;

/** How much energy is left now? Null without sleep. This is a model: nothing in it measures energy. */
export function scoreEnergyReserveTwo(input: EnergyReserveInput): Scored | null {
  const { asleepMinutes, hoursAwake, strainScore, stressScore } = input;
  if (asleepMinutes === null || hoursAwake === null) return null;
  const carriedOver = input.previousClose ?? unknownClose;
  const recovery = input.recoveryScore ?? usualRecovery;
  const reached = interpolate(reserveAfterSleep, asleepMinutes / 60);
  const level = clamp(reached + reservePerRecovery * (recovery - usualRecovery), 0, 100);
  const charge = chargeShare * (level - carriedOver);
  const entries = [
    entryOf('carried_over', carriedOver),
    entryOf('sleep_charge', charge),
    entryOf('time_awake', -drainPerHour * hoursAwake),
  ];
  if (strainScore !== null) entries.push(entryOf('strain', -drainPerStrain * strainScore));
  if (stressScore !== null) entries.push(entryOf('stress', -stressDrain(stressScore, hoursAwake)));
  const figures = { energy_reserve_high: Math.floor((carriedOver + charge) * 10 + 0.5) / 10 };
  return scoreOf('energy_reserve_score', neutral, entries, { figures, version: 2 });
}
