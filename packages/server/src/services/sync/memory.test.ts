import { expect, test } from 'vitest';
import { v8FromHash } from './hashed-id.ts';
import { Memory } from './store-documents.ts';

const a = { id: 1, value: 'a' };
const b = { id: 1, value: 'b' };

/** Polls a stream: returns its new documents and the state to store. */
function poll(
  seen: Buffer | null,
  documents: readonly unknown[],
): { news: readonly unknown[]; seen: Buffer } {
  const memory = new Memory(seen);
  return { news: memory.newsOf(documents), seen: memory.bytes() };
}

test('does not return documents that the last poll saw unchanged', () => {
  const first = poll(null, [a]);
  expect(first.news).toEqual([a]);
  expect(poll(first.seen, [a]).news).toEqual([]);
  expect(poll(first.seen, [a, b]).news).toEqual([b]);
});

test('returns a document that changed back', () => {
  const first = poll(null, [a]);
  const second = poll(first.seen, [b]);
  expect(second.news).toEqual([b]);
  expect(poll(second.seen, [a]).news).toEqual([a]);
});

test('returns everything if nothing is stored', () => {
  expect(poll(Buffer.alloc(0), [a]).news).toEqual([a]);
});

test('derives a UUID version 8 that is unique per owner and content', () => {
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
