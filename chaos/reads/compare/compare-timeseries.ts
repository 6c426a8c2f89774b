import { convertFromCatalogUnit, findMetric, unitOfCode } from '@tributary/domain';
import type { ShownSample, UserModel } from '../model/user-model.ts';
import { shown, unitOf, type Units } from '../model/shown.ts';
import type { TestUser, World } from '../world.ts';
import { isClose, type Comparison } from './differences.ts';

/** Metrics with samples. */
export const sampledMetrics = [
  'heart_rate',
  'heart_rate_variability',
  'stress_score',
  'blood_oxygen',
  'steps',
  'active_calories',
  'heart_rate_variability_rmssd',
];

interface SampleWire {
  timestamp: string;
  metric: string;
  value: number;
  unit: string;
  source: {
    provider: string;
    device_id: string;
    original_value: number | null;
    original_unit: string | null;
  };
}

/** Compares samples and their sources. */
export async function compareTimeseries(
  world: World,
  who: TestUser,
  { samples, days }: UserModel,
  dates: readonly string[],
  units: Units,
  comparison: Comparison,
): Promise<void> {
  const query = `metrics=${sampledMetrics.join(',')}&start_date=${dates[0]}&end_date=${dates.at(-1)}&unit_system=${units}&include_sources=true`;
  const actualSamples: SampleWire[] = (await world.get(who, `timeseries?${query}`)).data;
  const inRange = samples.filter(({ atMs }) => {
    const date = days.dateOf(atMs);
    return date >= dates[0]! && date <= dates.at(-1)!;
  });
  const place = ({ metric }: ShownSample) => sampledMetrics.indexOf(metric);
  const expected = inRange
    .map((sample, at) => ({ sample, at }))
    .sort((a, b) => a.sample.atMs - b.sample.atMs || place(a.sample) - place(b.sample) || a.at - b.at);
  comparison.sameList(
    `timeseries, ${units}`,
    expected.map(({ sample }, at) => wireOf(sample, units, actualSamples[at])),
    actualSamples,
  );
}

function wireOf(sample: ShownSample, units: Units, actual: SampleWire | undefined): SampleWire {
  const metric = findMetric(sample.metric)!;
  const unit = sample.unitCode === null ? null : unitOfCode(metric, sample.unitCode);
  const value = unit === null ? null : convertFromCatalogUnit(metric, sample.micros / 1e6, unit)!;
  const originalValue = actual?.source.original_value;
  return {
    timestamp: new Date(sample.atMs).toISOString(),
    metric: sample.metric,
    value: shown(sample.metric, sample.micros / 1e6, units)!,
    unit: unitOf(sample.metric, units),
    source: {
      provider: sample.device.provider,
      device_id: sample.device.id,
      original_value: value !== null && isClose(value, originalValue) ? originalValue! : value,
      original_unit: unit,
    },
  };
}
