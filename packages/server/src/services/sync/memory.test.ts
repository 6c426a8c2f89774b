import { expect, test } from 'vitest';
import { v8FromHash } from './hashed-id.ts';
import { Memory } from './keep-documents.ts';

const a = { id: 1, value: 'a' };
const b = { id: 1, value: 'b' };

/** A look at a stream: what is news of it, and what is remembered. */
function look(
  seen: Buffer | null,
  documents: readonly unknown[],
): { news: readonly unknown[]; seen: Buffer } {
  const memory = new Memory(seen);
  return { news: memory.newsOf(documents), seen: memory.bytes() };
}

test('what was seen like this at the last look is no news', () => {
  const first = look(null, [a]);
  expect(first.news).toEqual([a]);
  expect(look(first.seen, [a]).news).toEqual([]);
  expect(look(first.seen, [a, b]).news).toEqual([b]);
});

test('what came back to what it was is news again', () => {
  const first = look(null, [a]);
  const second = look(first.seen, [b]);
  expect(second.news).toEqual([b]);
  expect(look(second.seen, [a]).news).toEqual([a]);
});

test('nothing is known after nothing was remembered', () => {
  expect(look(Buffer.alloc(0), [a]).news).toEqual([a]);
});

test('an id that follows from content is a UUID of version 8, its own for each owner and content', () => {
  const ids = [
    v8FromHash('x', Buffer.from('1')),
    v8FromHash('x', Buffer.from('2')),
    v8FromHash('y', Buffer.from('1')),
  ];
  expect(new Set(ids).size).toBe(3);
  expect(v8FromHash('x', Buffer.from('1'))).toBe(ids[0]);
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
