import { expect, test } from 'vitest';
import { findProblems, refreshGuide } from '../scripts/guides/check-guide.ts';
import { findDifference, textMatches, type Json } from '../scripts/guides/compare.ts';
import { readGuide } from '../scripts/guides/read-guide.ts';
import { refresh } from '../scripts/guides/refresh.ts';
import { runGuide } from '../scripts/guides/run-guide.ts';

const now = Date.parse('2026-06-01T12:00:00Z');
const guide = (shown: string) => ['# A guide', '```sh', 'echo commands', '```', '', shown, ''].join('\n');
const json = (value: string) => `\`\`\`json\n${value}\n\`\`\``;

async function problemsOf(text: string): Promise<string[]> {
  const steps = readGuide(text);
  return findProblems(steps, await runGuide(steps, import.meta.dirname, (commands) => commands));
}

test('assigns a response to the commands directly above it', () => {
  const [step] = readGuide(guide(json('{}')));
  expect(step).toMatchObject({
    line: 2,
    commands: 'echo commands\n',
    shown: { language: 'json', text: '{}\n' },
  });
  expect(readGuide(guide(`A sentence between.\n\n${json('{}')}`))[0]!.shown).toBeNull();
  expect(readGuide(guide('```js\n1\n```'))[0]!.shown).toBeNull();
});

test.each<[string, Json, Json]>([
  ['equal values', { a: [1, null, 'x'] }, { a: [1, null, 'x'] }],
  ['part of a text', 'dev_…', 'dev_01'],
  ['any value', { a: '…' }, { a: { b: 1 } }],
  ['further elements', [1, '…', 4], [1, 2, 3, 4]],
  ['no further elements', [1, '…'], [1]],
  ['further fields', { a: 1, '…': '…' }, { a: 1, b: 2 }],
])('finds no difference: %s', (_, shown, real) => {
  expect(findDifference(shown, real)).toBeNull();
});

test.each<[string, Json, Json, string]>([
  ['a number', { a: 1 }, { a: 2 }, 'the response.a is shown as 1 but is 2'],
  ['null is not 0', [null], [0], 'the response[0] is shown as null but is 0'],
  ['a text is no number', ['1'], [1], 'the response[0] is shown as "1" but is 1'],
  ['a text', 'dev_…', 'user_01', 'the response is shown as "dev_…" but is "user_01"'],
  ['a field too many', { a: 1 }, {}, 'the response.a is shown but is missing'],
  ['a new field', {}, { a: 1 }, 'the response.a exists but is not shown'],
  ['a new element', [1], [1, 2], 'the response shows 1 elements but has 2'],
  ['too few elements', [1, '…', 2], [1], 'the response shows 2 or more elements but has 1'],
  ['the last element', [1, '…', 4], [1, 2, 5], 'the response[2] is shown as 4 but is 5'],
  ['another kind of value', { a: [] }, { a: {} }, 'the response.a is shown as [] but is {}'],
])('describes a difference: %s', (_, shown, real, difference) => {
  expect(findDifference(shown, real)).toBe(difference);
});

test('compares texts exactly, except for omitted parts', () => {
  expect(textMatches('200 *', '200 *')).toBe(true);
  expect(textMatches('200 *', '200 **')).toBe(false);
  expect(textMatches('a\n…\nd', 'a\nb\nc\nd')).toBe(true);
  expect(textMatches('MS  WHY\n…  a b', 'MS   WHY\n169  a b')).toBe(true);
  expect(textMatches('MS  WHY\n…  a b', 'MS   WHY\n169  a  b')).toBe(false);
});

test('keeps a refreshed response short and masks what differs in every run', () => {
  const real = {
    id: 'user_01m7f62ncjejgtm65khfvfbevf',
    seen_at: '2026-06-01T11:59:00.000Z',
    day: '2026-03-02T00:00:00.000Z',
    data_version: 5,
    list: [1, 2, 3],
    rest: true,
  };
  expect(refresh(undefined, real, now)).toEqual({
    ...real,
    id: 'user_…',
    seen_at: '…',
    data_version: '…',
  });
  expect(refresh({ day: 'old', list: [9, '…'], '…': '…' }, real, now)).toEqual({
    day: real.day,
    list: [1, '…'],
    '…': '…',
  });
});

test('runs commands in one shell and compares their output', async () => {
  const text = ['```sh', 'A=1', '```', '```sh', 'echo "{\\"a\\":$A}"', '```', json('{"a":1}')].join('\n');
  expect(await problemsOf(text)).toEqual([]);
  expect(await problemsOf(text.replace('"a":1', '"a":2'))).toEqual([
    'line 4: the response.a is shown as 2 but is 1',
  ]);
});

test('reports commands that fail or print output that is not shown', async () => {
  expect(await problemsOf('```sh\necho secret\n```\n')).toEqual([
    'line 1: the commands print output that the guide does not show: secret',
  ]);
  expect(await problemsOf('```sh\n:\n```\n\n```sh\necho oh >&2; false\n```\n')).toEqual([
    'line 5: the commands failed: oh\n',
  ]);
});

test('ends background processes with the commands, also when one fails', async () => {
  // A remaining process would keep the output open, and the run from ending.
  const run = (last: string) => runGuide(readGuide(`\`\`\`sh\nsleep 60 &\n${last}\n\`\`\`\n`), '.', String);
  expect(await run(':')).toEqual({ printed: [''], failure: null });
  expect(await run('echo oh >&2; false')).toEqual({ printed: [''], failure: 'oh\n' });
});

test('masks ids and secrets of webhooks', () => {
  const real = { id: 'wh_01m7f62ncjejgtm65khfvfbevf', secret: 'whsec_ab+/cdEF==', url: 'http://a/wh_1' };
  expect(refresh(undefined, real, now)).toEqual({ id: 'wh_…', secret: 'whsec_…', url: 'http://a/wh_1' });
});

test('rewrites only responses that are no longer true', () => {
  const text = guide(json('{ "a": 1 }'));
  const printed = (response: string) => ({ printed: [response], failure: null });
  expect(refreshGuide(text, printed('{"a":1}'), now)).toBe(text);
  expect(refreshGuide(text, printed('{"a":2}'), now)).toBe(guide(json('{"a":2}')));
});
