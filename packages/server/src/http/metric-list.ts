import { ApiError } from '@tributary/contract';
import { findMetric, metrics as catalog, type Metric } from '@tributary/domain';
import { invalid } from './date-range.ts';
import type { Form } from './form.ts';

/** Daily metrics of each form, in the order of the catalog. */
const daily = {
  1: catalog.filter(({ form1Surfaces }) => form1Surfaces.includes('daily')),
  2: catalog.filter(({ form2Surfaces }) => form2Surfaces.includes('daily')),
};

/** The daily metrics that Form 2 asks for, each once, in the order asked for; all without a list. */
export function readTypes(types: string | undefined): readonly Metric[] {
  if (types === undefined) return daily[2];
  const recent = recentTypes.get(types);
  if (recent) return recent;
  const { found, unknown } = lookUp(types, (metric) => metric.form2Surfaces.includes('daily'));
  if (unknown.length > 0) throw new ApiError('invalid_types', { details: { types: unknown } });
  if (recentTypes.size >= mostRecentTypes) recentTypes.clear();
  if (types.length <= longestRecentTypes) recentTypes.set(types, found);
  return found;
}

/** An app asks for the same list with every request. */
const recentTypes = new Map<string, readonly Metric[]>();
const mostRecentTypes = 1000;
const longestRecentTypes = 2000;

/** The daily metrics that Form 1 asks for. */
export function readMetrics(metrics: string | undefined): readonly Metric[] {
  if (metrics === undefined) return daily[1];
  const { found, unknown } = lookUp(metrics, (metric) => metric.form1Surfaces.includes('daily'));
  if (unknown.length > 0) throw unknownMetrics(unknown);
  return found;
}

/** Scores of each form, in the order of the catalog. */
const scores = {
  1: catalog.filter(({ form1Surfaces }) => form1Surfaces.includes('scores')),
  2: catalog.filter(({ form2Surfaces }) => form2Surfaces.includes('scores')),
};

/** The scores that a list asks for, each once, in the order asked for; all of the form without a list. */
export function readScoreTypes(types: string | undefined, form: Form): readonly Metric[] {
  if (types === undefined) return scores[form];
  const { found, unknown } = lookUp(types, (metric) => scores[form].includes(metric));
  if (unknown.length > 0) throw new ApiError('invalid_types', { details: { types: unknown } });
  return found;
}

/** The metrics with samples that are asked for. */
export function readTimeseriesMetrics(metrics: string): readonly Metric[] {
  const { found, unknown } = lookUp(metrics, (metric) => metric.timeseries);
  if (unknown.length > 0) throw unknownMetrics(unknown);
  return found;
}

function lookUp(
  list: string,
  isServed: (metric: Metric) => boolean,
): { found: readonly Metric[]; unknown: string[] } {
  const found = new Set<Metric>();
  const unknown = new Set<string>();
  for (const word of list.split(',')) {
    const id = word.trim();
    const metric = findMetric(id);
    if (metric && isServed(metric)) found.add(metric);
    else unknown.add(id);
  }
  return { found: [...found], unknown: [...unknown] };
}

function unknownMetrics(unknown: readonly string[]): ApiError {
  const named = unknown.filter((id) => id !== '').map((id) => id.slice(0, 64));
  const problem =
    named.length > 0
      ? `must list metrics that this endpoint has, which ${named.slice(0, 5).join(', ')} is not; GET /v1/metrics lists them`
      : 'must not be empty; leave it out for all';
  return invalid('metrics', problem);
}
