import { ApiError } from '@tributary/contract';
import { didYouMean, findMetric, isOptIn, metrics as catalog, type Metric } from '@tributary/domain';
import { invalid } from './date-range.ts';
import type { Form } from './choose-form.ts';

/** Daily metrics of each form, in catalog order. */
const daily = {
  1: catalog.filter(({ form1Surfaces }) => form1Surfaces.includes('daily')),
  2: catalog.filter(({ form2Surfaces }) => form2Surfaces.includes('daily')),
};

/** Without a list, people's reproductive health stays out of responses that did not ask for it. */
const defaultDaily = {
  1: daily[1].filter((metric) => !isOptIn(metric)),
  2: daily[2].filter((metric) => !isOptIn(metric)),
};

/** The daily metrics that a Form 2 request selects, each once, in the requested order; the default ones without a list. */
export function readTypes(types: string | undefined): readonly Metric[] {
  if (types === undefined) return defaultDaily[2];
  const recent = recentTypes.get(types);
  if (recent) return recent;
  const { matches, unknown } = parseMetricList(types, daily[2]);
  if (unknown.length > 0) throw unknownTypes(unknown, daily[2]);
  if (recentTypes.size >= mostRecentTypes) recentTypes.clear();
  if (types.length <= longestRecentTypes) recentTypes.set(types, matches);
  return matches;
}

/** Cached because an app sends the same list with every request. */
const recentTypes = new Map<string, readonly Metric[]>();
const mostRecentTypes = 1000;
const longestRecentTypes = 2000;

/** The daily metrics that a Form 1 request selects. */
export function readMetrics(metrics: string | undefined): readonly Metric[] {
  if (metrics === undefined) return defaultDaily[1];
  const { matches, unknown } = parseMetricList(metrics, daily[1]);
  if (unknown.length > 0) throw unknownMetrics(unknown, daily[1]);
  return matches;
}

/** Scores of each form, in catalog order. */
const scores = {
  1: catalog.filter(({ form1Surfaces }) => form1Surfaces.includes('scores')),
  2: catalog.filter(({ form2Surfaces }) => form2Surfaces.includes('scores')),
};

/** Without a list, Form 2 returns the scores that its daily values do not contain. */
const defaultScores = {
  1: scores[1],
  2: scores[2].filter(({ form2Surfaces }) => !form2Surfaces.includes('daily')),
};

/** The scores that a list selects, each once, in the requested order; the default scores of the form without a list. */
export function readScoreTypes(types: string | undefined, form: Form): readonly Metric[] {
  if (types === undefined) return defaultScores[form];
  const { matches, unknown } = parseMetricList(types, scores[form]);
  if (unknown.length > 0) throw unknownTypes(unknown, scores[form]);
  return matches;
}

const sampled = catalog.filter(({ timeseries }) => timeseries);

/** The selected metrics, which must have samples. */
export function readTimeseriesMetrics(metrics: string): readonly Metric[] {
  const { matches, unknown } = parseMetricList(metrics, sampled);
  if (unknown.length > 0) throw unknownMetrics(unknown, sampled);
  return matches;
}

function parseMetricList(
  list: string,
  served: readonly Metric[],
): { matches: readonly Metric[]; unknown: string[] } {
  const matches = new Set<Metric>();
  const unknown = new Set<string>();
  for (const word of list.split(',')) {
    const id = word.trim();
    const metric = findMetric(id);
    if (metric && served.includes(metric)) matches.add(metric);
    else unknown.add(id);
  }
  return { matches: [...matches], unknown: [...unknown] };
}

const hint = 'List all metrics with `GET /v1/metrics`';

function unknownMetrics(unknown: readonly string[], served: readonly Metric[]): ApiError {
  const named = nameUnknown(unknown);
  if (named === '') return invalid('metrics', `must not be empty. ${hint}`);
  return new ApiError('invalid_request', {
    message: describeUnknown(unknown, named, served),
    details: { fields: [{ in: 'query', name: 'metrics', problem: `must not include ${named}` }] },
  });
}

function unknownTypes(unknown: readonly string[], served: readonly Metric[]): ApiError {
  const named = nameUnknown(unknown);
  const message = describeUnknown(unknown, named, served);
  return new ApiError('invalid_types', { ...(named !== '' && { message }), details: { types: unknown } });
}

function describeUnknown(unknown: readonly string[], named: string, served: readonly Metric[]): string {
  if (unknown.every((id) => findMetric(id)))
    return `This endpoint does not serve ${named}. \`GET /v1/metrics\` describes every metric.`;
  return `Unknown ${named} for this endpoint.${suggestFor(unknown, served)} ${hint}.`;
}

/** "metric `step`", or the first few of several; empty if only empty names were given. */
function nameUnknown(unknown: readonly string[]): string {
  const named = unknown.filter((id) => id !== '').map((id) => `\`${id.slice(0, 64)}\``);
  if (named.length === 0) return '';
  return `${named.length === 1 ? 'metric' : 'metrics'} ${named.slice(0, 5).join(', ')}`;
}

/** A suggestion for a single unknown name. For several it would not be clear which one it is for. */
function suggestFor(unknown: readonly string[], served: readonly Metric[]): string {
  const [first = '', ...more] = unknown;
  if (more.length > 0) return '';
  return didYouMean(
    first,
    served.map(({ id }) => id),
  );
}
