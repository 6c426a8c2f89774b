import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { findQuoteProblems, quotesIn } from '../scripts/docs/quotes.ts';

const root = resolve(import.meta.dirname, '..');
const quote = (file: string, code: string) => `# A guide\n\n\`\`\`ts file=${file}\n${code}\`\`\`\n`;
const problemsOf = (text: string) => findQuoteProblems(root, 'test/guide.md', text);

test('accepts quotes of a whole file and of a part of it', async () => {
  const source = await readFile(join(root, 'vitest.config.ts'), 'utf8');
  const part = source.split('\n').slice(2, 5).join('\n') + '\n';
  expect(quotesIn(quote('../vitest.config.ts', part))).toEqual([
    { line: 3, file: '../vitest.config.ts', code: part },
  ]);
  expect(await problemsOf(quote('../vitest.config.ts', source))).toEqual([]);
  expect(await problemsOf(quote('../vitest.config.ts', part))).toEqual([]);
});

test.each([
  ['one letter off', '../vitest.config.ts', 'import { defineConfiq }\n', 'incorrectly'],
  ['nothing at all', '../vitest.config.ts', '', 'incorrectly'],
  ['no such file', 'nowhere.ts', 'x\n', 'test/nowhere.ts, which does not exist'],
])('reports an incorrect quote: %s', async (_, file, code, problem) => {
  const [firstProblem, ...more] = await problemsOf(quote(file, code));
  expect(firstProblem).toContain('line 3');
  expect(firstProblem).toContain(problem);
  expect(more).toEqual([]);
});
