import type { AuditEntryWire } from '@tributary/contract';
import { expect, test } from 'vitest';
import { linesOf, readsOf, describeOperation } from './audit-visits.ts';

let readCount = 0;
/** Creates a read that happened the given number of minutes ago. */
function read(minutes: number, operation: string, change: Partial<AuditEntryWire> = {}): AuditEntryWire {
  return {
    id: `aud_${(readCount += 1)}`,
    at: new Date(Date.UTC(2026, 2, 2, 12) - minutes * 60_000).toISOString(),
    action: 'user.read',
    environment: 'live',
    actor: { type: 'operator', id: 'op_1' },
    target: { type: 'user', id: 'user_1' },
    address: '203.0.113.7',
    details: { operation },
    ...change,
  } as AuditEntryWire;
}
const sizes = (entries: readonly AuditEntryWire[]) => linesOf(entries).map((line) => line.entries.length);

test('groups the reads of one visit into one line that lists them', () => {
  const lines = linesOf([read(0, 'listDaily'), read(0.1, 'getUser'), read(0.2, 'listDaily')]);
  expect(lines).toHaveLength(1);
  expect(readsOf(lines[0]!)).toMatchObject([
    { what: 'daily', count: 2, at: '2026-03-02T12:00:00.000Z' },
    { what: 'user', count: 1 },
  ]);
});

test('keeps every entry and the order', () => {
  const entries = [
    read(0, 'listDaily'),
    read(1, 'x', { action: 'user.updated' }),
    read(2, 'getUser'),
    read(3, 'getUser', { target: { type: 'user', id: 'user_2' } }),
  ];
  const lines = linesOf(entries);
  expect(lines.map(({ entries: [newest] }) => newest.id)).toEqual(
    [entries[0], entries[1], entries[3]].map((entry) => entry!.id),
  );
  expect(
    lines
      .flatMap((line) => line.entries)
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual(entries.map(({ id }) => id).toSorted());
});

test.each([
  ['another colleague', { actor: { type: 'operator', id: 'op_2' } }],
  ['another person', { target: { type: 'user', id: 'user_2' } }],
  ['another address', { address: '203.0.113.8' }],
  ['the other environment', { environment: 'sandbox' }],
] as [string, Partial<AuditEntryWire>][])('%s starts another visit', (_name, change) => {
  expect(sizes([read(0, 'getUser'), read(1, 'getUser', change)])).toEqual([1, 1]);
});

test('a visit continues with each read and ends after a pause', () => {
  expect(sizes([read(0, 'getUser'), read(9, 'getUser'), read(18, 'getUser'), read(29, 'getUser')])).toEqual([
    3, 1,
  ]);
});

test('never groups changes', () => {
  expect(sizes([read(0, 'x', { action: 'user.updated' }), read(0, 'x', { action: 'user.updated' })])).toEqual(
    [1, 1],
  );
});

test.each([
  ['listDaily', 'daily'],
  ['listScoreHistory', 'score history'],
  ['getSamples', 'samples'],
  ['explainDaily', 'explain daily'],
  ['', 'data'],
])('describes %s as %s', (operation, expected) => expect(describeOperation(operation)).toBe(expected));
