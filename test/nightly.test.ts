import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '@tributary/rig';
import { expect, test } from 'vitest';
import { sharing } from '../bench/smoke/sharing.ts';
import { stages } from '../scripts/ci/steps.ts';
import { parts } from '../scripts/nightly/parts.ts';
import { summarize } from '../scripts/nightly/summarize.ts';

/** A proof that is in neither CI nor the nightly run would rot. */
const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
const proofs = Object.keys(scripts).filter(
  (name) => /^(chaos|bench):/.test(name) && !['bench:smoke', 'bench:compare'].includes(name),
);

test.each(proofs)('includes %s in its full form in the nightly run', (name) => {
  expect(parts.filter(({ script, args }) => script === name && args.length === 0)).toHaveLength(1);
});

test.each(proofs)('includes a short form of %s in CI', (name) => {
  const inSteps = stages.flat().some(({ command }) => command.includes(name) && command.includes('--short'));
  const inSmoke = sharing.some((file) => scripts[name] === `node bench/${file}.ts`);
  expect([inSteps, inSmoke]).toContain(true);
});

test('plants the faults of every proof that has some in the nightly run', async () => {
  const planting: string[] = [];
  for (const name of proofs) {
    const file = scripts[name]!.split(' ').at(-1)!;
    if ((await readFile(join(root, file), 'utf8')).includes('/plants.ts')) planting.push(name);
  }
  const planted = parts.filter(({ name }) => name.startsWith('plants/')).map(({ script }) => script);
  expect(planted.toSorted()).toEqual(planting.toSorted());
});

test('gives parts unique names and existing commands', () => {
  expect(new Set(parts.map(({ name }) => name)).size).toBe(parts.length);
  for (const { script } of parts) expect(scripts).toHaveProperty(script);
});

test.each([
  ['figure …\n\nAll bounds kept.\n', 'All bounds kept.'],
  ['2 bounds broken.\nsomething else', '2 bounds broken.'],
  ['table\n\nPlanted faults: 4 of 5 found\n', 'Planted faults: 4 of 5 found'],
  ['first\nlast', 'last'],
])('summarizes %j as %j', (output, summary) => {
  expect(summarize(output)).toBe(summary);
});
