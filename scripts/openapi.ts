/** Compares the OpenAPI files with the routes, or writes them with --write. Needs no engines. */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { describeApi, describeForm } from '@tributary/server/testing/openapi';
import { findDifferences } from './openapi/find-differences.ts';

const root = new URL('../', import.meta.url);
const command = 'npm run openapi -- --write';
const mostShown = 30;

const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
const document = await describeApi();
const [form1, form2] = [describeForm(document, 1), describeForm(document, 2)];
const files: Record<string, string> = {
  'openapi.json': print(document),
  'openapi.form1.json': print(form1),
  'openapi.form2.json': print(form2),
};

for (const [path, text] of Object.entries(files)) {
  const file = fileURLToPath(new URL(path, root));
  const checkedIn = await readFile(file, 'utf8').catch(() => null);
  if (checkedIn === text) console.log(`${path} matches the routes.`);
  else if (values.write) {
    await writeFile(file, text);
    console.log(`Wrote ${path}.`);
  } else fail(path, checkedIn, text);
}

function print(content: object): string {
  return `${JSON.stringify(content, null, 2)}\n`;
}

function fail(path: string, checkedIn: string | null, text: string): void {
  const problem =
    checkedIn === null
      ? `${path} does not exist.`
      : [`${path} does not match the routes:`, ...describeDifferences(checkedIn, text)].join('\n');
  console.error(`${problem}\nIf the change is intentional, run \`${command}\` and commit the file.`);
  process.exitCode = 1;
}

function describeDifferences(checkedIn: string, text: string): string[] {
  const differences = findDifferences(JSON.parse(checkedIn), JSON.parse(text));
  if (differences.length === 0) return ['  only order or whitespace differs'];
  const shown = differences.slice(0, mostShown).map((difference) => `  ${difference}`);
  const rest = differences.length - shown.length;
  return rest > 0 ? [...shown, `  and ${rest} more`] : shown;
}
