/** Compares openapi.json with the routes, or writes it with --write. Needs no engines. */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { describeApi } from '@tributary/server/testing/openapi';
import { findDifferences } from './openapi/find-differences.ts';

const file = fileURLToPath(new URL('../openapi.json', import.meta.url));
const command = 'node scripts/openapi.ts --write';
const mostShown = 30;

const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
const document = await describeApi();
const text = `${JSON.stringify(document, null, 2)}\n`;
const checkedIn = await readFile(file, 'utf8').catch(() => null);

if (values.write) {
  await writeFile(file, text);
  console.log(checkedIn === text ? 'openapi.json is up to date.' : 'Wrote openapi.json.');
} else if (checkedIn === null) {
  fail('openapi.json does not exist.');
} else if (checkedIn !== text) {
  const differences = findDifferences(JSON.parse(checkedIn), JSON.parse(text));
  const shown = differences.slice(0, mostShown).map((difference) => `  ${difference}`);
  const rest = differences.length - shown.length;
  fail(
    [
      'openapi.json does not match the routes:',
      ...(differences.length === 0 ? ['  only order or whitespace differs'] : shown),
      ...(rest > 0 ? [`  and ${rest} more`] : []),
    ].join('\n'),
  );
} else {
  console.log('openapi.json matches the routes.');
}

function fail(problem: string): void {
  console.error(`${problem}\nIf the change is intentional, run \`${command}\` and commit the file.`);
  process.exitCode = 1;
}
