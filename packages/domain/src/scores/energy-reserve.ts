import { clamp } from '../clamp.ts';
import { entryOf, scoreOf } from './factors.ts';
import type { Scored } from './score.ts';

/** What charged and drained a date until a moment of it. */
export interface EnergyReserveInput {
  /** The reserve with which the day before closed. */
  readonly previousClose: number | null;
  readonly asleepMinutes: number | null;
  readonly recoveryScore: number | null;
  /** Since the main sleep. */
  readonly hoursAwake: number | null;
  readonly strainScore: number | null;
  readonly stressScore: number | null;
}

/** A ledger begins with nothing: the balance is the sum of its entries. */
const neutral = 0;

/** What a day starts from when the one before is unknown. */
const unknownClose = 25;

// Borbely 1982, Daan 1984: the pressure to sleep climbs with a time constant of 18.2 hours awake and falls with 4.2 hours asleep; the
// reserve is what it leaves.
const awakeHours = 18.2;
const asleepHours = 4.2;

// Rusterholz 2010: people differ (14.1 to 26.4 hours, 1.2 to 2.9 hours), hence recovery quickens or slows the charge.
const slowestCharge = 0.6;
const fastestCharge = 1.4;
const chargePerRecovery = 0.008;
const usualRecovery = 50;

// Chosen so that an ordinary day ends between 20 and 40, and an exhausting one near 0. That strain and stress drain, and rest charges, is
// how Garmin describes its gauge.
const drainPerStrain = 0.25;
const drainPerStress = 0.3;
const usualStress = 30;
const wakingHours = 16;
const mostCharge = 8;
const mostDrain = 20;

/** How much is left in the tank now? Null without sleep. A model: nothing in it senses energy. */
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
  if (stressScore !== null) {
    const drain = (drainPerStress * (stressScore - usualStress) * hoursAwake) / wakingHours;
    entries.push(entryOf('stress', -clamp(drain, -mostCharge, mostDrain)));
  }
  const figures = { energy_reserve_high: Math.floor(morning * 10 + 0.5) / 10 };
  return scoreOf('energy_reserve_score', neutral, entries, { figures });
}
