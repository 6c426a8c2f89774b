import type { EventRowWire } from '@tributary/contract';
import { expect, test } from 'vitest';
import { addOlder, addRows, emptyTail, mostRows, readAll, type Tail } from './tail-rows.ts';

const row = (id: number) => ({ cursor: `c${id}`, event: { event_id: `evt_${id}` } }) as EventRowWire;
/** From the first to the last, oldest first. */
const rows = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, at) => row(first + at));
const idsOf = (shown: readonly EventRowWire[]) => shown.map(({ event }) => event.event_id);

test('adds new rows at the top, newest first', () => {
  const tail = addRows(emptyTail, rows(1, 2), false);
  expect(idsOf(addRows(tail, [row(3)], false).rows)).toEqual(['evt_3', 'evt_2', 'evt_1']);
});

test('holds new rows back while the user reads', () => {
  const tail = addRows({ ...emptyTail, rows: [row(1)] }, rows(2, 3), true);
  expect(idsOf(tail.rows)).toEqual(['evt_1']);
  expect(idsOf(tail.unread)).toEqual(['evt_3', 'evt_2']);
  expect(idsOf(readAll(tail).rows)).toEqual(['evt_3', 'evt_2', 'evt_1']);
});

test('drops the oldest rows beyond the limit and continues from there', () => {
  const tail = addRows(emptyTail, rows(1, mostRows + 50), false);
  expect(tail.rows).toHaveLength(mostRows);
  expect(idsOf(tail.rows)[0]).toBe(`evt_${mostRows + 50}`);
  expect(tail.older).toBe('c51');
});

test('leaves no gap when too many rows were held back', () => {
  const many = { ...emptyTail, rows: rows(-mostRows - 100, 0).toReversed() };
  const tail = readAll(addRows(many, rows(1, mostRows + 50), true));
  expect(idsOf(tail.rows).at(-1)).toBe('evt_51');
  expect(tail.older).toBe('c51');
});

test('appends older rows and keeps them beyond the limit', () => {
  const before: Tail = { ...emptyTail, rows: rows(101, 300).toReversed(), older: 'c101' };
  const tail = addOlder(before, 'c101', { data: rows(1, 100).toReversed(), cursor: 'c300', older: null });
  expect(tail.rows).toHaveLength(300);
  expect(tail.older).toBeNull();
  const later = addRows(tail, [row(301)], false);
  expect(idsOf(later.rows)).toHaveLength(300);
  expect(later.older).toBe('c2');
});

test('ignores older rows that no longer adjoin the table', () => {
  const tail = addRows(
    { ...emptyTail, rows: rows(1, mostRows).toReversed(), older: 'c1' },
    [row(201)],
    false,
  );
  expect(addOlder(tail, 'c1', { data: [row(0)], cursor: 'c201', older: null })).toBe(tail);
});
