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

test('an answer belongs to the commands directly above it', () => {
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
])('nothing differs: %s', (_, shown, real) => {
  expect(findDifference(shown, real)).toBeNull();
});

test.each<[string, Json, Json, string]>([
  ['a number', { a: 1 }, { a: 2 }, 'the answer.a is shown as 1, and is 2'],
  ['null is not 0', [null], [0], 'the answer[0] is shown as null, and is 0'],
  ['a text is no number', ['1'], [1], 'the answer[0] is shown as "1", and is 1'],
  ['a text', 'dev_…', 'user_01', 'the answer is shown as "dev_…", and is "user_01"'],
  ['a field too many', { a: 1 }, {}, 'the answer.a is shown, and is not there'],
  ['a new field', {}, { a: 1 }, 'the answer.a is there, and is not shown'],
  ['a new element', [1], [1, 2], 'the answer shows 1 elements, and has 2'],
  ['too few elements', [1, '…', 2], [1], 'the answer shows 2 or more elements, and has 1'],
  ['the last element', [1, '…', 4], [1, 2, 5], 'the answer[2] is shown as 4, and is 5'],
  ['another kind of value', { a: [] }, { a: {} }, 'the answer.a is shown as [], and is {}'],
])('a difference is named: %s', (_, shown, real, difference) => {
  expect(findDifference(shown, real)).toBe(difference);
});

test('texts are compared as they stand, but for what was left out', () => {
  expect(textMatches('200 *', '200 *')).toBe(true);
  expect(textMatches('200 *', '200 **')).toBe(false);
  expect(textMatches('a\n…\nd', 'a\nb\nc\nd')).toBe(true);
  expect(textMatches('MS  WHY\n…  a b', 'MS   WHY\n169  a b')).toBe(true);
  expect(textMatches('MS  WHY\n…  a b', 'MS   WHY\n169  a  b')).toBe(false);
});

test('a refreshed answer stays short, and hides what is another at every run', () => {
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

test('commands run in one shell, and what they print is compared', async () => {
  const text = ['```sh', 'A=1', '```', '```sh', 'echo "{\\"a\\":$A}"', '```', json('{"a":1}')].join('\n');
  expect(await problemsOf(text)).toEqual([]);
  expect(await problemsOf(text.replace('"a":1', '"a":2'))).toEqual([
    'line 4: the answer.a is shown as 2, and is 1',
  ]);
});

test('commands that fail, or print what is not shown, are problems', async () => {
  expect(await problemsOf('```sh\necho secret\n```\n')).toEqual([
    'line 1: the commands print what the guide does not show: secret',
  ]);
  expect(await problemsOf('```sh\n:\n```\n\n```sh\necho oh >&2; false\n```\n')).toEqual([
    'line 5: the commands failed: oh\n',
  ]);
});

test('what commands start in the background ends with them, also when one fails', async () => {
  // A process that is left behind keeps the output open, and the run from ending.
  const run = (last: string) => runGuide(readGuide(`\`\`\`sh\nsleep 60 &\n${last}\n\`\`\`\n`), '.', String);
  expect(await run(':')).toEqual({ printed: [''], failure: null });
  expect(await run('echo oh >&2; false')).toEqual({ printed: [''], failure: 'oh\n' });
});

test('ids and secrets of webhooks are hidden', () => {
  const real = { id: 'wh_01m7f62ncjejgtm65khfvfbevf', secret: 'whsec_ab+/cdEF==', url: 'http://a/wh_1' };
  expect(refresh(undefined, real, now)).toEqual({ id: 'wh_…', secret: 'whsec_…', url: 'http://a/wh_1' });
});

test('only answers that are no longer true are written anew', () => {
  const text = guide(json('{ "a": 1 }'));
  const printed = (answer: string) => ({ printed: [answer], failure: null });
  expect(refreshGuide(text, printed('{"a":1}'), now)).toBe(text);
  expect(refreshGuide(text, printed('{"a":2}'), now)).toBe(guide(json('{"a":2}')));
});
