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

data: cut in the mid`;

const expected = [
  { event: 'feed.position', data: '{"cursor":"a"}', id: 'a' },
  { event: 'data.updated', data: '{"n":1}', id: 'b' },
  { event: 'message', data: 'no name', id: 'c' },
  { event: 'score.updated', data: 'two\nlines', id: 'd' },
];

describe('messages', () => {
  test('whole, with their names and ids; comments and what was cut are none', () => {
    const parser = new StreamParser();
    expect(parser.push(stream)).toEqual(expected);
    expect(parser.retryMs).toBe(1234);
  });

  test('the same wherever the text is cut, and with both ends of lines', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(stream.length + 40), { maxLength: 20 }),
        fc.boolean(),
        (cuts, hasReturns) => {
          const text = hasReturns ? stream.replaceAll('\n', '\r\n') : stream;
          const places = [0, ...cuts.map((cut) => Math.min(cut, text.length)), text.length].sort(
            (a, b) => a - b,
          );
          const parser = new StreamParser();
          const found = places.slice(1).flatMap((to, at) => parser.push(text.slice(places[at], to)));
          expect(found).toEqual(expected);
        },
      ),
    );
  });
});

test('a line without end is refused instead of kept', () => {
  const parser = new StreamParser();
  expect(() => parser.push('x'.repeat(2_000_000))).toThrow('has no end');
});

test('a time to wait that is none is left alone', () => {
  const parser = new StreamParser();
  parser.push('retry: soon\n');
  expect(parser.retryMs).toBeNull();
});
