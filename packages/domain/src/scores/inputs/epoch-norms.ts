import type { DayNumber } from '../../days.ts';
import { baselineOfEpochs, type Baseline } from './baseline.ts';
import type { DayFacts, Epoch, HrvKind } from './day-facts.ts';
import type { PersonDays } from './person-days.ts';
import { epochNorms, type EpochBaseline } from '../recipes/stress.ts';
import type { EpochNorms } from './epoch-norms-type.ts';

/** Number of previous days that epoch norms are computed from. */
export const epochNormDays = 14;
const fewestDays = 3;

/** The epochs of a date with the norms to compare them with. */
export interface ComparedEpochs {
  readonly epochs: readonly Epoch[];
  readonly baseline: EpochBaseline | null;
  readonly hrvKind: HrvKind | null;
}

/** The norms before a date: stored ones, or computed from all epochs of the previous two weeks. */
export function epochNormsOn(days: PersonDays, day: DayNumber): EpochNorms {
  const known = days.norms.get(day);
  if (known) return known;
  const earlier: DayFacts[] = [];
  for (let at = day - epochNormDays; at < day; at += 1) {
    const facts = days.facts.get(at);
    if (facts && facts.epochs.length > 0) earlier.push(facts);
  }
  const hrvKind =
    (['rmssd', 'sdnn'] as const).find((kind) => withHrv(earlier, kind).length >= fewestDays) ?? null;
  const norms = {
    heartRate: heartRateOf(earlier),
    hrvKind,
    lnHrv: hrvKind && lnHrvOf(withHrv(earlier, hrvKind)),
  };
  days.norms.set(day, norms);
  return norms;
}

/** The epochs of a date with their norms. Drops variability in another measure than usual. */
export function compareEpochs(days: PersonDays, day: DayNumber): ComparedEpochs {
  const { heartRate, hrvKind, lnHrv } = epochNormsOn(days, day);
  const today = days.facts.get(day);
  const epochs = today?.epochs ?? [];
  const isComparable = hrvKind !== null && today?.hrvKind === hrvKind;
  return {
    epochs: isComparable ? epochs : epochs.map(({ slot, bpm }) => ({ slot, bpm, hrv: null })),
    baseline: heartRate && { heartRate, lnHrv: isComparable ? lnHrv : null },
    hrvKind: isComparable ? hrvKind : null,
  };
}

function withHrv(days: readonly DayFacts[], kind: HrvKind): DayFacts[] {
  return days.filter(({ hrvKind, epochs }) => hrvKind === kind && epochs.some(({ hrv }) => hrv !== null));
}

function heartRateOf(days: readonly DayFacts[]): Baseline | null {
  const readings: number[] = [];
  for (const { epochs } of days) for (const { bpm } of epochs) readings.push(bpm);
  return baselineOfEpochs(readings, days.length, epochNorms.heartRate);
}

function lnHrvOf(days: readonly DayFacts[]): Baseline | null {
  const readings: number[] = [];
  for (const { epochs } of days) for (const { hrv } of epochs) if (hrv) readings.push(Math.log(hrv));
  return baselineOfEpochs(readings, days.length, epochNorms.lnHrv);
}
