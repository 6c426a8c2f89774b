/** Compares docs/metrics.md with the catalog, or rewrites it with --write. Needs no running services. */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { methodDescriptions } from '@tributary/contract';
import {
  findMetric,
  groups,
  isOptIn,
  methods,
  metrics,
  sourcesOf,
  type Level,
  type Metric,
  type MetricKind,
  type MetricSource,
} from '@tributary/domain';
import { providers } from '@tributary/providers';

const file = fileURLToPath(new URL('../docs/metrics.md', import.meta.url));
const command = 'npm run metrics:page -- --write';

const kinds: Record<MetricKind, string> = {
  daily_total: 'the total of the local day',
  daily_average: 'the time-weighted mean of the local day',
  daily_min: 'the lowest value of the local day',
  daily_max: 'the highest value of the local day',
  latest: 'the last value of the local day',
  session: 'a value of one workout, not of a day',
  score: 'a score that the service computes from other metrics',
};

const sourceNames: Record<MetricSource, string> = {
  apple_health: 'Apple Health',
  health_connect: 'Health Connect',
  upload: 'upload',
  sessions: 'computed from sessions',
  derived: 'computed from other metrics',
  scores: 'computed with scores',
};

const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
const text = writePage();
const checkedIn = await readFile(file, 'utf8').catch(() => null);

if (values.write) {
  await writeFile(file, text);
  console.log(checkedIn === text ? 'docs/metrics.md is already up to date.' : 'Updated docs/metrics.md.');
} else if (checkedIn === text) {
  console.log('docs/metrics.md matches the catalog.');
} else {
  const problem = checkedIn === null ? 'docs/metrics.md does not exist.' : firstDifference(checkedIn, text);
  console.error(`${problem}\nIf the change is intended, run \`${command}\` and commit the file.`);
  process.exitCode = 1;
}

function writePage(): string {
  const byCategory = Map.groupBy(metrics, ({ category }) => category);
  const categories = [...byCategory].map(([category, some]) =>
    [`## ${category}`, ...optInNote(some), tableOfMetrics(some), ...levelTables(some)].join('\n\n'),
  );
  return `${[introduction(), ...categories].join('\n\n')}\n`;
}

function introduction(): string {
  return [
    '# Metrics',
    `<!-- Generated from the catalog by \`${command}\`. Manual changes are overwritten. -->`,
    `Tributary has ${metrics.length} metrics. \`GET /v1/metrics\` returns the same list, with the code of each metric in other systems.
\`GET /v1/consolidation/catalog\` returns the settings that you can change.`,
    `Values are in metric units. The unit in parentheses applies with \`unit_system=imperial\`, if it is different. A field whose name
contains its unit is never converted. IDs are case-sensitive. Metrics with _samples_ are also available as a time series.`,
    `Heart rate variability has two kinds, and no formula converts one into the other: \`heart_rate_variability\` is SDNN and
\`heart_rate_variability_rmssd\` is rMSSD. Tributary never mixes them or substitutes one for the other.`,
    '## Kinds',
    'The kind defines what the daily value represents.',
    table(
      ['kind', 'value'],
      Object.entries(kinds).map(([kind, meaning]) => [code(kind), meaning]),
    ),
    '## Methods',
    `When several devices report the same metric for the same day, the method determines the canonical value. Each metric has a default
method, and you can choose another allowed method per user. The metrics of a group belong together, such as the sleep stages of one
night, and share one setting under the name of the group. Derived metrics and scores have no method, because they are computed from
canonical values. Workouts have none either, because they are chosen as whole sessions.`,
    table(
      ['method', 'description'],
      methods.map((method) => [code(method), methodDescriptions[method]]),
    ),
    `The sources of a metric are the health stores and providers that report it. _Upload_ means that only devices of your own report it, through
the [upload API](uploads.md). Values that are computed from other metrics follow the canonical values of the same day. Those that are computed
with scores need samples or several days, and are recomputed with the scores.`,
    `The groups are ${groups.map(({ key }) => code(key)).join(', ')}.`,
  ].join('\n\n');
}

function tableOfMetrics(some: readonly Metric[]): string {
  const head = ['ID', 'unit', 'kind', 'description', 'sources', 'default', 'allowed', 'samples'];
  return table(
    head,
    some.map((metric) => [
      code(metric.id),
      unitsOf(metric),
      code(metric.kind),
      markIds(metric.description),
      namesOfSources(metric),
      metric.defaultMethod === null ? '' : code(metric.defaultMethod),
      methodsOf(metric),
      metric.timeseries ? 'yes' : '',
    ]),
  );
}

/** What is different about metrics that people have to turn on. */
function optInNote(some: readonly Metric[]): string[] {
  if (!some.every(isOptIn)) return [];
  return [
    `People have to turn on this category. A session needs the scope \`reproductive_health\`, and a provider its own consent
([uploads.md](uploads.md#reproductive-health), [connecting.md](connecting.md#reproductive-health)). Reads return these metrics only if
the request names them, and events name neither them nor their days. \`basal_body_temperature\` itself is one of the vitals.`,
    `Nothing here is computed by the service: \`cycle_day\` and \`basal_body_temperature_shift\` have a value only on days for which an
app or provider reported one.`,
  ];
}

/** The levels of metrics in codes, with their numbers on the phone platforms. */
function levelTables(some: readonly Metric[]): string[] {
  const coded = some.filter(({ levels }) => levels !== null);
  if (coded.length === 0) return [];
  return [
    'Values in the unit `code` represent levels. Upload the code, not the number of the platform.',
    table(
      ['metric', 'code', 'level', 'HealthKit', 'Health Connect'],
      coded.flatMap(({ id, levels }) => levels!.map((level) => levelRow(id, level))),
    ),
  ];
}

function levelRow(id: string, { value, name, healthkit, healthConnect }: Level): string[] {
  return [code(id), String(value), name, String(healthkit ?? ''), String(healthConnect ?? '')];
}

function isStore(source: MetricSource): boolean {
  return source === 'apple_health' || source === 'health_connect';
}

/** The health stores and providers that report a metric, then how else it gets values. */
function namesOfSources(metric: Metric): string {
  const sources = sourcesOf(metric);
  const sending = providers.filter(({ metrics: sent }) => sent.includes(metric.id));
  return [
    ...sources.filter(isStore).map((source) => sourceNames[source]),
    ...sending.map(({ name }) => name),
    ...sources.filter((source) => !isStore(source)).map((source) => sourceNames[source]),
  ].join(', ');
}

function unitsOf({ unit, imperial }: Metric): string {
  return imperial.unit === unit ? unit : `${unit} (${imperial.unit})`;
}

function methodsOf({ group, allowedMethods, origin }: Metric): string {
  if (allowedMethods.length === 0) return origin === 'measured' ? 'chosen with its session' : origin;
  const allowed = allowedMethods.map(code).join(', ');
  return group === null ? allowed : `${allowed}, with group ${code(group)}`;
}

/** Formats the metric IDs in a sentence as code. */
function markIds(sentence: string): string {
  return sentence.replaceAll(/\w+/g, (word) => (word.includes('_') && findMetric(word) ? code(word) : word));
}

function code(word: string): string {
  return `\`${word}\``;
}

/** A table in the formatter's layout, so that formatting does not change the page. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = head.map((_, column) => Math.max(3, ...cells.map((row) => row[column]!.length)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  const rule = line(widths.map((width) => '-'.repeat(width)));
  return [line(cells[0]!), rule, ...cells.slice(1).map(line)].join('\n');
}

function firstDifference(was: string, is: string): string {
  const before = was.split('\n');
  const after = is.split('\n');
  const at = after.findIndex((one, index) => one !== before[index]);
  const place = at === -1 ? after.length : at;
  return [
    `docs/metrics.md differs from the catalog, starting at line ${place + 1}:`,
    `  is        ${before[place] ?? '(end of file)'}`,
    `  should be ${after[place] ?? '(end of file)'}`,
  ].join('\n');
}
