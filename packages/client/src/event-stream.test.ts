import { StreamParser } from '@tributary/contract/stream-parser';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EventStream } from './event-stream.ts';

function messagesOf(chunks: readonly string[]): unknown[] {
  const stream = new EventStream();
  return chunks.flatMap((chunk) => stream.push(chunk));
}

test('completes a message at the blank line after it', () => {
  const stream = new EventStream();
  expect(stream.push('retry: 1500\nid: 7\nevent: data.updated\ndata: {"a"')).toEqual([]);
  expect(stream.push(':1}\n')).toEqual([]);
  expect(stream.push('\n')).toEqual([{ event: 'data.updated', data: '{"a":1}', id: '7' }]);
  expect(stream.retryMs).toBe(1500);
  expect(stream.push(':\n\ndata: x\n\n')).toEqual([{ event: 'message', data: 'x', id: '7' }]);
});

test('understands every line end, wherever a chunk ends', () => {
  for (const end of ['\n', '\r\n', '\r']) {
    const text = ['event: a', 'id: 1', 'data: x', 'data:y', '', 'data: z', '', ''].join(end) + end;
    const expected = [
      { event: 'a', data: 'x\ny', id: '1' },
      { event: 'message', data: 'z', id: '1' },
    ];
    for (let at = 0; at <= text.length; at += 1)
      expect(messagesOf([text.slice(0, at), text.slice(at)]), JSON.stringify(text.slice(0, at))).toEqual(
        expected,
      );
  }
});

test('ignores an unfinished message', () => {
  expect(messagesOf(['data: x\n'])).toEqual([]);
  expect(messagesOf(['event: a\n\ndata: x\n\n'])).toEqual([{ event: 'message', data: 'x', id: '' }]);
});

test('rejects a message that never ends', () => {
  const stream = new EventStream();
  expect(() => stream.push(`data: ${'x'.repeat(1_048_577)}`)).toThrow('too long');
});

test('reads what the parser of the service reads', () => {
  const line = fc.oneof(
    fc.constantFrom(
      '',
      ':',
      'data: x',
      'data:y',
      'data',
      'event: a',
      'event:',
      'id: 1',
      'id',
      'retry: 10',
      'retry: x',
    ),
    fc.string({ maxLength: 8 }).map((text) => text.replaceAll(/[\r\n]/g, '')),
  );
  const end = fc.constantFrom('\n', '\r\n');
  const text = fc.array(fc.tuple(line, end)).map((lines) => lines.flat().join(''));
  fc.assert(
    fc.property(text, fc.nat(), (whole, cut) => {
      const at = whole.length === 0 ? 0 : cut % whole.length;
      const chunks = [whole.slice(0, at), whole.slice(at)];
      const parser = new StreamParser();
      expect(messagesOf(chunks)).toEqual(chunks.flatMap((chunk) => parser.push(chunk)));
    }),
  );
});
