/** Compares the OpenAPI files and the generated parts of the client with the routes, or writes them with --write. Needs no engines. */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { describeApi, describeForm } from '@tributary/server/testing/openapi';
import { findDifferences } from './openapi/find-differences.ts';
import { writeClient } from './openapi/write-client.ts';

const root = new URL('../', import.meta.url);
const command = 'npm run openapi -- --write';
const mostShown = 30;

const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
const document = await describeApi();
const [form1, form2] = [describeForm(document, 1), describeForm(document, 2)];
const client = Object.entries(writeClient(form1, form2));
const files: Record<string, string> = {
  'openapi.json': print(document),
  'openapi.form1.json': print(form1),
  'openapi.form2.json': print(form2),
  ...Object.fromEntries(client.map(([path, text]) => [`packages/client/src/${path}`, text])),
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
      : [`${path} does not match the routes:`, ...describeDifferences(path, checkedIn, text)].join('\n');
  console.error(`${problem}\nIf the change is intentional, run \`${command}\` and commit the file.`);
  process.exitCode = 1;
}

function describeDifferences(path: string, checkedIn: string, text: string): string[] {
  if (!path.endsWith('.json')) return ['  the generated code differs'];
  const differences = findDifferences(JSON.parse(checkedIn), JSON.parse(text));
  if (differences.length === 0) return ['  only order or whitespace differs'];
  const shown = differences.slice(0, mostShown).map((difference) => `  ${difference}`);
  const rest = differences.length - shown.length;
  return rest > 0 ? [...shown, `  and ${rest} more`] : shown;
}
