/** Every proof, benchmark and planted fault in its full form, one after another. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { progress, renderTable, root } from '@tributary/rig';
import { parts, type Part } from './nightly/parts.ts';
import { openState, readCommit, saveResult, type PartResult } from './nightly/state.ts';
import { summarize } from './nightly/summarize.ts';

const { values } = parseArgs({
  options: {
    list: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    'max-minutes': { type: 'string' },
    again: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(`npm run nightly [-- --list] [--only <text>] [--max-minutes <number>] [--again]

Runs every proof, benchmark and planted fault in full, with its real bounds. Results are stored per commit in
.tributary/nightly. An interrupted run continues with the parts that have not passed yet.

  --list         list every part with its usual duration and its last result for this commit
  --only         run only the parts whose name contains the text: plants, benchmarks, proofs/sync …
  --max-minutes  run only the parts that usually take at most this long
  --again        also repeat parts that have passed`);
  process.exit(0);
}

const most = Number(values['max-minutes'] ?? Number.POSITIVE_INFINITY);
const chosen = parts.filter(({ name, minutes }) => name.includes(values.only) && minutes <= most);
if (chosen.length === 0) {
  console.error(`No part matches "${values.only}". List all parts with npm run nightly -- --list.`);
  process.exit(1);
}
const commit = values.list ? await readCommit(root).catch(() => '') : await readCommit(root);
const dir = join(root, '.tributary/nightly', commit);
const state = await openState(dir, commit);
const resultOf = ({ name }: Part): PartResult | undefined => state.results.find((one) => one.name === name);

if (!values.list) {
  for (const part of chosen) {
    if (!values.again && resultOf(part)?.passed) continue;
    progress(`${part.name}, usually ${part.minutes} min`);
    const result = await runPart(part);
    if ((await readCommit(root).catch(() => '')) !== commit)
      throw new Error(
        `Files changed while ${part.name} ran, so its result belongs to no commit. Run it again.`,
      );
    await saveResult(dir, state, result);
    progress(`${part.name}: ${result.passed ? 'passed' : 'FAILED'}, ${result.summary}`);
  }
}
print();

async function runPart({ name, script, args }: Part): Promise<PartResult> {
  const startedAt = performance.now();
  const log = join(dir, `${name.replace('/', '-')}.log`);
  const output = createWriteStream(log);
  await once(output, 'open');
  const child = spawn('npm', ['run', '--silent', script, '--', ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.pipe(output, { end: false });
  child.stderr.pipe(output, { end: false });
  const [code] = (await once(child, 'close')) as [number | null];
  output.end();
  await finished(output);
  return {
    name,
    passed: code === 0,
    summary: summarize(await readFile(log, 'utf8')),
    seconds: Math.round((performance.now() - startedAt) / 1000),
    endedAt: new Date().toISOString(),
  };
}

function print(): void {
  const rows = chosen.map((part) => {
    const result = resultOf(part);
    const outcome = result === undefined ? '' : result.passed ? 'passed' : 'FAILED';
    const took = result === undefined ? '' : (result.seconds / 60).toFixed(1);
    return [part.name, String(part.minutes), took, outcome, result?.summary ?? ''];
  });
  const header = ['part', 'usual minutes', 'minutes', 'result', 'summary'];
  console.log(`\nNightly${commit && `, commit ${commit}`}\n\n${renderTable(header, rows)}`);
  const failed = chosen.filter((part) => resultOf(part)?.passed === false);
  const passed = chosen.filter((part) => resultOf(part)?.passed);
  const total = chosen.reduce((sum, { minutes }) => sum + minutes, 0);
  console.log(
    `\n${chosen.length} parts, usually ${total} minutes. ${passed.length} passed, ${failed.length} failed.`,
  );
  if (failed.length > 0) process.exitCode = 1;
}
