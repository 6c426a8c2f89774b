import { healthConnect } from './codes/health-connect.ts';
import { healthkit } from './codes/healthkit.ts';
import { loinc } from './codes/loinc.ts';
import { openMhealth } from './codes/open-mhealth.ts';
import { groupRows } from './group.ts';
import type { Category, Imperial, Metric } from './metric.ts';
import type { Row } from './row.ts';
import { dailyOnly, surfaces } from './surfaces.ts';
import { imperialUnits, ucumCodes } from './unit-labels.ts';

/** Builds the complete metric from a catalog row. */
export function buildMetric(row: Row, category: Category, description: string): Metric {
  const { no, id, unit, kind, aggregation, origin } = row;
  const group = row.group ?? null;
  const choice = group === null ? row.by : groupRows[group]?.by;
  const { form1, form2, field } = surfaces[id] ?? dailyOnly;
  return {
    no,
    id,
    displayName: row.name,
    category,
    unit,
    ucumUnit: ucumCodes[unit],
    imperial: imperialOf(row),
    kind,
    aggregation,
    defaultMethod: choice?.preset ?? null,
    allowedMethods: choice?.allowed ?? [],
    group,
    timeseries: form1.includes('timeseries'),
    min: row.range[0],
    max: row.range[1],
    maxPerMinute: row.perMinute ?? null,
    precision: row.decimals ?? 0,
    levels: row.levels ?? null,
    loinc: loinc[id] ?? null,
    openMhealth: openMhealth[id] ?? null,
    healthkit: healthkit[id] ?? null,
    healthConnect: healthConnect[id] ?? null,
    form1Surfaces: form1,
    form2Surfaces: form2,
    form2Field: field ?? null,
    origin,
    description,
  };
}

function imperialOf(row: Row): Imperial {
  const imperial = row.imperial === undefined ? imperialUnits[row.unit] : row.imperial;
  const precision = row.imperialDecimals ?? row.decimals ?? 0;
  return { ...(imperial ?? { unit: row.unit, factor: 1, offset: 0 }), precision };
}
