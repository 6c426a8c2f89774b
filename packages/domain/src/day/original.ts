import type { Metric } from '../catalog/metric.ts';
import { roundTo } from '../round.ts';
import { fromMicros } from '../samples/micros.ts';
import { convertFromCatalogUnit, unitOfCode } from '../units.ts';

/** A value as its source reported it. */
export interface Original {
  readonly value: number;
  readonly unit: string;
}

/** Converts a value back to its original unit. Values are stored in millionths of the catalog unit, so no digits beyond that are shown. */
export function originalOf(metric: Metric, micros: number, unitCode: number): Original {
  const unit = unitOfCode(metric, unitCode);
  const value = convertFromCatalogUnit(metric, fromMicros(micros), unit)!;
  return { value: roundTo(value, knownDecimals(metric, unit)), unit };
}

const decimals = new Map<string, number>();

function knownDecimals(metric: Metric, unit: string): number {
  const key = `${metric.no}/${unit}`;
  let known = decimals.get(key);
  if (known === undefined) {
    const scale = convertFromCatalogUnit(metric, 2, unit)! - convertFromCatalogUnit(metric, 1, unit)!;
    known = Math.min(6, Math.max(0, Math.floor(5.7 - Math.log10(scale))));
    decimals.set(key, known);
  }
  return known;
}
