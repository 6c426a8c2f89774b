import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const source = fileURLToPath(new URL('..', import.meta.url));
const sheets = globSync('**/*.css', { cwd: source }).map((name) => ({
  name,
  text: readFileSync(source + name, 'utf8'),
}));
const tokens = readFileSync(fileURLToPath(import.meta.resolve('@tributary/design/tokens.css')), 'utf8');
/** Set at runtime: the width of a list's trigger, and the share of a bar. */
const setByScript = ['trigger-width', 'level'];

test('components use tokens that exist', () => {
  const known = new Set([
    ...setByScript,
    ...[tokens, ...sheets.map(({ text }) => text)].flatMap((text) =>
      [...text.matchAll(/--([\w-]+):/g)].map(([, name]) => name!),
    ),
  ]);
  const used = sheets.flatMap(({ name, text }) =>
    [...text.matchAll(/var\(--([\w-]+)/g)].map(([, token]) => ({ name, token: token! })),
  );
  expect(used.filter(({ token }) => !known.has(token))).toEqual([]);
  expect(used.length).toBeGreaterThan(200);
});

test.each(sheets)('$name has no color of its own', ({ text }) => {
  expect(text).not.toMatch(/#[0-9a-f]{3,8}\b|\b(rgb|hsl)a?\(|[ :,](white|black)[;, ]/i);
});

test.each(sheets)('$name has no text under 12 px', ({ text }) => {
  const sizes = [...text.matchAll(/(?:font-size:|font:[^;]*?)\s([\d.]+)(rem|px)/g)];
  for (const [whole, size, unit] of sizes)
    expect(Number(size) * (unit === 'rem' ? 16 : 1), whole).toBeGreaterThanOrEqual(12);
});
