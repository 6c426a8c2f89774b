import { clamp } from '../../../clamp.ts';
import { entryOf, scoreOf } from '../../publish/factors.ts';
import type { Scored } from '../../score.ts';

/** Everything that charged and drained the reserve of a date up to a moment. */
export interface EnergyReserveInput {
  /** The reserve at the close of the previous day. */
  readonly previousClose: number | null;
  readonly asleepMinutes: number | null;
  readonly recoveryScore: number | null;
  /** Hours since the main sleep. */
  readonly hoursAwake: number | null;
  readonly strainScore: number | null;
  readonly stressScore: number | null;
}

/** A ledger starts at zero, and the balance is the sum of its entries. */
export const neutral = 0;

/** The reserve to start a day with if that of the previous day is unknown. */
export const unknownClose = 25;

// Borbely 1982, Daan 1984: sleep pressure rises with a time constant of 18.2 hours awake and falls with 4.2 hours asleep. The reserve is its
// complement.
const awakeHours = 18.2;
const asleepHours = 4.2;

// Rusterholz 2010: people differ (14.1 to 26.4 hours, 1.2 to 2.9 hours), hence recovery speeds up or slows down charging.
const slowestCharge = 0.6;
const fastestCharge = 1.4;
const chargePerRecovery = 0.008;
export const usualRecovery = 50;

// Chosen so that an ordinary day ends between 20 and 40, and an exhausting one near 0. Garmin describes its gauge in the same way: strain and stress
// drain it, and rest charges it.
const drainPerStrain = 0.25;
const drainPerStress = 0.3;
const usualStress = 30;
const wakingHours = 16;
const mostCharge = 8;
const mostDrain = 20;

/** How much energy is left now? Null without sleep. This is a model: nothing in it measures energy. */
export function scoreEnergyReserve(input: EnergyReserveInput): Scored | null {
  const { asleepMinutes, hoursAwake, strainScore, stressScore } = input;
  if (asleepMinutes === null || hoursAwake === null) return null;
  const carriedOver = input.previousClose ?? unknownClose;
  const pace = clamp(
    slowestCharge + chargePerRecovery * (input.recoveryScore ?? usualRecovery),
    slowestCharge,
    fastestCharge,
  );
  const charge = (100 - carriedOver) * (1 - Math.exp((-(asleepMinutes / 60) * pace) / asleepHours));
  const morning = carriedOver + charge;
  const entries = [
    entryOf('carried_over', carriedOver),
    entryOf('sleep_charge', charge),
    entryOf('time_awake', -morning * (1 - Math.exp(-hoursAwake / awakeHours))),
  ];
  if (strainScore !== null) entries.push(entryOf('strain', -drainPerStrain * strainScore));
  if (stressScore !== null) entries.push(entryOf('stress', -stressDrain(stressScore, hoursAwake)));
  const figures = { energy_reserve_high: Math.floor(morning * 10 + 0.5) / 10 };
  return scoreOf('energy_reserve_score', neutral, entries, { figures });
}

/** What stress takes from the reserve. Negative if the day was calmer than usual. */
export function stressDrain(stressScore: number, hoursAwake: number): number {
  const drain = (drainPerStress * (stressScore - usualStress) * hoursAwake) / wakingHours;
  return clamp(drain, -mostCharge, mostDrain);
}
