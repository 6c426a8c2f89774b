import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const source = readFileSync(new URL('tokens.css', import.meta.url), 'utf8');
const schemes = {
  light: readTable(":root,\n[data-scheme='light']"),
  dark: readTable("[data-scheme='dark']"),
};

const grounds = ['canvas', 'surface', 'sunken', 'hover'];
const texts = ['text', 'text-2', 'text-3', 'accent', 'ok', 'warn', 'bad', 'info', 'heart-rate'];
const marks = [
  ...['deep', 'light', 'rem', 'awake'].map((stage) => `sleep-${stage}`),
  ...[1, 2, 3, 4, 5].map((zone) => `zone-${zone}`),
];
const onTheirOwn = [
  ['on-accent', 'accent'],
  ['on-ink', 'ink'],
  ...['accent', 'ok', 'warn', 'bad', 'info'].map((state) => [state, `${state}-soft`]),
  ...['accent', 'ok', 'warn', 'bad', 'info'].map((state) => ['text', `${state}-soft`]),
] as [string, string][];

/** Documented contrast ratios on `surface` and on ink. */
const promised: Record<keyof typeof schemes, [string, string, number][]> = {
  light: [
    ['line-strong', 'surface', 3.3],
    ['text', 'surface', 17.8],
    ['text-2', 'surface', 7.7],
    ['text-3', 'surface', 5.3],
    ['accent', 'surface', 6.2],
    ['on-ink', 'ink', 17.8],
    ['ok', 'surface', 6.1],
    ['warn', 'surface', 6.3],
    ['bad', 'surface', 6.5],
    ['info', 'surface', 6.4],
    ['heart-rate', 'surface', 5.4],
  ],
  dark: [
    ['line-strong', 'surface', 3.7],
    ['text', 'surface', 15.6],
    ['text-2', 'surface', 9.1],
    ['text-3', 'surface', 6],
    ['accent', 'surface', 8.8],
    ['on-ink', 'ink', 15.6],
    ['ok', 'surface', 8.8],
    ['warn', 'surface', 9.1],
    ['bad', 'surface', 7.3],
    ['info', 'surface', 8.4],
    ['heart-rate', 'surface', 6.5],
  ],
};

describe.each(Object.entries(schemes))('%s', (scheme, table) => {
  test.each(texts.flatMap((text) => grounds.map((ground) => [text, ground] as const)))(
    'shows %s legibly on %s',
    (text, ground) => expect(contrast(table, text, ground)).toBeGreaterThanOrEqual(4.5),
  );

  test.each(onTheirOwn)('shows %s legibly on %s', (text, ground) =>
    expect(contrast(table, text, ground)).toBeGreaterThanOrEqual(4.5),
  );

  test.each(['canvas', 'surface'])('shows strong lines and the focus ring visibly on %s', (ground) => {
    expect(contrast(table, 'line-strong', ground)).toBeGreaterThanOrEqual(3);
    expect(contrast(table, 'accent', ground)).toBeGreaterThanOrEqual(3);
  });

  test.each(marks)('shows %s visibly on surface', (mark) =>
    expect(contrast(table, mark, 'surface')).toBeGreaterThanOrEqual(3),
  );

  test.each(promised[scheme as keyof typeof schemes])(
    'gives %s on %s a contrast ratio of %s',
    (text, ground, ratio) => expect(Math.round(contrast(table, text, ground) * 10) / 10).toBe(ratio),
  );
});

test('uses the same dark scheme for the system preference and the explicit choice', () => {
  expect(readTable(':root:not([data-scheme])')).toEqual(schemes.dark);
});

test('defines the same tokens in both schemes', () => {
  expect(Object.keys(schemes.dark)).toEqual(Object.keys(schemes.light));
  expect(Object.keys(schemes.light)).toEqual(expect.arrayContaining([...grounds, ...texts, ...marks]));
});

test('uses only defined tokens and no literal colors on hosted pages', () => {
  const page = readFileSync(new URL('page.css', import.meta.url), 'utf8');
  const used = [...page.matchAll(/var\(--([\w-]+)/g)].map(([, name]) => name!);
  const known = new Set([...source.matchAll(/--([\w-]+):/g)].map(([, name]) => name!));
  expect(used.filter((name) => !known.has(name))).toEqual([]);
  expect(used.length).toBeGreaterThan(20);
  expect(page).not.toMatch(/#[0-9a-f]{3,8}\b|rgb|hsl|url\(|@import/i);
});

/** The custom properties of the one rule with this selector. */
function readTable(selector: string): Record<string, string> {
  const rules = source.split('}').map((rule) => rule.split('{'));
  const bodies = rules.filter((parts) => parts.at(-2)?.split('*/').at(-1)?.trim() === selector);
  expect(bodies, selector).toHaveLength(1);
  const pairs = [...bodies[0]!.at(-1)!.matchAll(/--([\w-]+):\s*([^;]+);/g)];
  return Object.fromEntries(pairs.map(([, name, value]) => [name!, value!]));
}

function contrast(table: Record<string, string>, one: string, other: string): number {
  const [darker, lighter] = [one, other].map((name) => luminance(table[name]!)).sort((a, b) => a - b);
  return (lighter! + 0.05) / (darker! + 0.05);
}

/** Relative luminance as defined in WCAG 2.2. */
function luminance(color: string): number {
  expect(color).toMatch(/^#[0-9a-f]{6}$/);
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}
