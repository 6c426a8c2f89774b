import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { StreamParser } from './stream-parser.ts';

const stream = `retry: 1234
event: feed.position
data: {"cursor":"a"}
id: a

:
event: data.updated
data: {"n":1}
id: b

:
:
data: no name
id: c

event: score.updated
id: never sent without data

event: score.updated
data:two
data: lines
id:d

data: without an ID

data: cut in the mid`;

const expected = [
  { event: 'feed.position', data: '{"cursor":"a"}', id: 'a' },
  { event: 'data.updated', data: '{"n":1}', id: 'b' },
  { event: 'message', data: 'no name', id: 'c' },
  { event: 'score.updated', data: 'two\nlines', id: 'd' },
  { event: 'message', data: 'without an ID', id: 'd' },
];

describe('messages', () => {
  test('parses complete messages with names and IDs, and skips comments and incomplete ones', () => {
    const parser = new StreamParser();
    expect(parser.push(stream)).toEqual(expected);
    expect(parser.retryMs).toBe(1234);
  });

  test('parses the same messages for any chunking and both line endings', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(stream.length + 40), { maxLength: 20 }),
        fc.boolean(),
        (splits, hasReturns) => {
          const text = hasReturns ? stream.replaceAll('\n', '\r\n') : stream;
          const places = [0, ...splits.map((split) => Math.min(split, text.length)), text.length].sort(
            (a, b) => a - b,
          );
          const parser = new StreamParser();
          const messages = places.slice(1).flatMap((to, at) => parser.push(text.slice(places[at], to)));
          expect(messages).toEqual(expected);
        },
      ),
    );
  });
});

test('rejects a message that is too long instead of buffering it', () => {
  const parser = new StreamParser();
  expect(() => parser.push(`data: ${'x'.repeat(2_000_000)}`)).toThrow('is longer than 1048576 characters');
});

test.each(['soon', '-1', '1000000000'])('ignores the invalid retry delay %s', (delay) => {
  const parser = new StreamParser();
  parser.push(`retry: ${delay}\n`);
  expect(parser.retryMs).toBeNull();
});
