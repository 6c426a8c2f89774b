import { glob, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

// A client that is small enough to read is one that users can audit and debug.
test('the handwritten part has fewer than 900 lines of code', async () => {
  let count = 0;
  for await (const file of glob('*.ts', { cwd: import.meta.dirname })) {
    if (file.endsWith('.test.ts')) continue;
    const text = await readFile(new URL(file, import.meta.url), 'utf8');
    count += text.split('\n').filter((line) => !/^\s*($|\/\/|\/?\*)/.test(line)).length;
  }
  expect(count).toBeGreaterThan(500);
  expect(count).toBeLessThan(900);
});
