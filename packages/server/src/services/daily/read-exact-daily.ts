import {
  decodeMonth,
  fromMicros,
  placeInMonth,
  roundTo,
  toImperial,
  type CanonicalMonth,
  type CanonicalValue,
  type DayNumber,
  type DayRange,
  type Metric,
} from '@tributary/domain';
import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import { readDetailedMonths } from '../../store/reads/daily.ts';
import type { Tenant } from '../../store/database/tenant.ts';
import { userNotFound } from '../users/user-not-found.ts';
import { keyOf, wantedMonths, type DailyValues, type DayChoice } from './read-daily.ts';

export type UnitSystem = 'metric' | 'imperial';

/** Returns daily values converted from the exact ones, so that they are rounded only once. */
export async function readExactDaily(
  ctx: Pick<Context, 'db'>,
  tenant: Tenant,
  userId: string,
  metrics: readonly Metric[],
  choice: DayChoice,
  units: UnitSystem,
): Promise<DailyValues> {
  const result = await readDetailedMonths(ctx.db, tenant, userId, wantedMonths(metrics, choice.widest));
  if (!result) throw userNotFound(formatId('user', userId));
  const range = choice.resolve(result.user);
  const canonicalValues = new CanonicalValuesByDay(result.months);
  return { user: result.user, range, values: printExact(metrics, range, canonicalValues, units) };
}

/** Canonical values by metric and day, decoded from months. */
export class CanonicalValuesByDay {
  readonly #months: Map<number, CanonicalMonth>;

  constructor(months: readonly { metricNo: number; month: number; content: Buffer }[]) {
    this.#months = new Map(
      months.map(({ metricNo, month, content }) => [keyOf(metricNo, month), decodeMonth(content)]),
    );
  }

  of({ no }: Metric, day: DayNumber): CanonicalValue | null {
    const { month, index } = placeInMonth(day);
    return this.#months.get(keyOf(no, month))?.[index] ?? null;
  }
}

/** Per metric, the values as comma-separated JSON. */
export function printExact(
  metrics: readonly Metric[],
  { from, to }: DayRange,
  canonicalValues: CanonicalValuesByDay,
  units: UnitSystem,
): string[] {
  return metrics.map((metric) => {
    const values: (number | null)[] = [];
    for (let day = from; day <= to; day += 1) {
      const canonicalValue = canonicalValues.of(metric, day);
      values.push(canonicalValue && shownValue(metric, canonicalValue.micros, units));
    }
    return values.map(String).join(',');
  });
}

/** Converts a value to the requested unit system and rounds it once. */
export function shownValue(metric: Metric, micros: number, units: UnitSystem): number {
  const value = fromMicros(micros);
  if (units === 'metric') return roundTo(value, metric.precision);
  return roundTo(toImperial(metric, value), metric.imperial.precision);
}

export function shownUnit(metric: Metric, units: UnitSystem): string {
  return units === 'metric' ? metric.unit : metric.imperial.unit;
}
