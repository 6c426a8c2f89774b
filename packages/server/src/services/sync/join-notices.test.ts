import { expect, test } from 'vitest';
import type { StoredNotice } from '../../store/connections/sync-notices.ts';
import { joinNotices } from './join-notices.ts';

const hourMs = 3_600_000;
const span = (stream: string, fromHour: number, toHour: number): StoredNotice => ({
  kind: 'span',
  stream,
  fromMs: fromHour * hourMs,
  toMs: toHour * hourMs,
});
const document = (id: string): StoredNotice => ({ kind: 'document', stream: 'sleep', id });
const deleted = (id: string): StoredNotice => ({ kind: 'deleted', stream: 'sleep', id });
const join = (...notices: StoredNotice[]) =>
  joinNotices(
    notices.map((notice, at) => ({ id: at, notice })),
    () => 7,
  );

test('joins the hours of a stream', () => {
  expect(join(span('steps', 0, 1), span('steps', 1, 2), span('steps', 5, 6))).toEqual([
    { ids: [0, 1, 2], notice: span('steps', 0, 6) },
  ]);
});

test('keeps streams apart', () => {
  expect(join(span('steps', 0, 1), span('heart', 0, 1), span('steps', 1, 2))).toEqual([
    { ids: [1], notice: span('heart', 0, 1) },
    { ids: [0, 2], notice: span('steps', 0, 2) },
  ]);
});

test('keeps spans apart that are a day apart or together too long for one read', () => {
  expect(join(span('steps', 0, 1), span('steps', 25, 26))).toHaveLength(2);
  expect(join(span('steps', 0, 100), span('steps', 100, 169))).toHaveLength(2);
  expect(join(span('steps', 0, 100), span('steps', 100, 168))).toHaveLength(1);
});

test('reads a document once, at the place of its last notice', () => {
  expect(join(document('a'), deleted('a'), document('b'), document('a'))).toEqual([
    { ids: [1], notice: deleted('a') },
    { ids: [2], notice: document('b') },
    { ids: [0, 3], notice: document('a') },
  ]);
});
