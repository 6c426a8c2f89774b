/** Compares docs/metrics.md with the catalog, or writes it anew with --write. Needs no engines. */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { methodDescriptions } from '@tributary/contract';
import { findMetric, groups, methods, type Metric, type MetricKind, metrics } from '@tributary/domain';

const file = fileURLToPath(new URL('../docs/metrics.md', import.meta.url));
const mend = 'npm run metrics:page -- --write';

const kinds: Record<MetricKind, string> = {
  daily_total: 'what adds up over the local day',
  daily_average: 'the mean over the local day, weighted by time',
  daily_min: 'the lowest of the local day',
  daily_max: 'the highest of the local day',
  latest: 'the last one of the local day',
  session: 'belongs to one workout, not to a day',
  score: 'computed by the service from the other metrics',
};

const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
const text = writePage();
const checkedIn = await readFile(file, 'utf8').catch(() => null);

if (values.write) {
  await writeFile(file, text);
  console.log(checkedIn === text ? 'docs/metrics.md was up to date.' : 'docs/metrics.md is written.');
} else if (checkedIn === text) {
  console.log('docs/metrics.md is what the catalog says.');
} else {
  const problem = checkedIn === null ? 'There is no docs/metrics.md.' : firstDifference(checkedIn, text);
  console.error(`${problem}\nIf the change is meant, run \`${mend}\` and commit the file.`);
  process.exitCode = 1;
}

function writePage(): string {
  const byCategory = Map.groupBy(metrics, ({ category }) => category);
  const categories = [...byCategory].map(([category, some]) => `## ${category}\n\n${tableOfMetrics(some)}`);
  return `${[introduction(), ...categories].join('\n\n')}\n`;
}

function introduction(): string {
  return [
    '# The metrics',
    `<!-- Written from the catalog by \`${mend}\`; a change by hand would be lost. -->`,
    `Tributary knows ${metrics.length} metrics. \`GET /v1/metrics\` answers with the same list, and with the codes that others have for
each; \`GET /v1/consolidation/catalog\` answers with what can be set about them.`,
    `Values are metric; the unit in brackets is that of \`unit_system=imperial\`, where there is another one. A field whose name holds its
unit never converts. Ids are spelled as here, capitals too. Metrics marked under _samples_ can also be read as timeseries.`,
    `Heart rate variability comes in two kinds that no formula turns into each other: \`heart_rate_variability\` is SDNN and
\`heart_rate_variability_rmssd\` is rMSSD. They never fill in for each other and never mix.`,
    '## Kinds',
    'The kind says what the value of a day is.',
    table(
      ['kind', 'the value is'],
      Object.entries(kinds).map(([kind, meaning]) => [code(kind), meaning]),
    ),
    '## Methods',
    `Where several devices report the same metric for the same day, the method decides. Each metric has a default, and a user may be given
another one that is allowed. Metrics of a group share one setting, because they belong together as the stages of one night do: it is
set under the name of the group. What is derived or scored comes from values that are settled already, and workouts are chosen as whole
sessions; neither has a method.`,
    table(
      ['method', 'what it gives'],
      methods.map((method) => [code(method), methodDescriptions[method]]),
    ),
    `The groups are ${groups.map(({ key }) => code(key)).join(', ')}.`,
  ].join('\n\n');
}

function tableOfMetrics(some: readonly Metric[]): string {
  const head = ['id', 'unit', 'kind', 'what it is', 'default', 'allowed', 'samples'];
  return table(
    head,
    some.map((metric) => [
      code(metric.id),
      unitsOf(metric),
      code(metric.kind),
      markIds(metric.description),
      metric.defaultMethod === null ? '' : code(metric.defaultMethod),
      methodsOf(metric),
      metric.timeseries ? 'yes' : '',
    ]),
  );
}

function unitsOf({ unit, imperial }: Metric): string {
  return imperial.unit === unit ? unit : `${unit} (${imperial.unit})`;
}

function methodsOf({ group, allowedMethods, origin }: Metric): string {
  if (allowedMethods.length === 0) return origin === 'measured' ? 'the session decides' : origin;
  const allowed = allowedMethods.map(code).join(', ');
  return group === null ? allowed : `${allowed}, with group ${code(group)}`;
}

/** Ids in a sentence, set as such. */
function markIds(sentence: string): string {
  return sentence.replaceAll(/\w+/g, (word) => (word.includes('_') && findMetric(word) ? code(word) : word));
}

function code(word: string): string {
  return `\`${word}\``;
}

/** A table as the formatter would set it, so that it has nothing left to change. */
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
    `docs/metrics.md is not what the catalog says, from line ${place + 1} on:`,
    `  is        ${before[place] ?? '(the end)'}`,
    `  should be ${after[place] ?? '(the end)'}`,
  ].join('\n');
}
