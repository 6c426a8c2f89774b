import type { AuditEntryWire } from '@tributary/contract';
import { expect, test } from 'vitest';
import { csvOf } from './audit-csv.ts';

const entry: AuditEntryWire = {
  id: 'aud_1',
  position: 42,
  at: '2026-03-02T07:14:31.120Z',
  environment: null,
  action: 'user.updated',
  actor: { type: 'operator', id: 'op_1' },
  target: { type: 'user', id: 'user_1' },
  address: null,
  request_id: null,
  details: { fields: ['timezone'] },
  text: null,
  hash: 'abc',
};

test('writes a line per entry with doubled quotes', () => {
  const [head, line, rest] = csvOf([entry], { op_1: 'Ada' }).split('\r\n');
  expect(head).toMatch(/^"at","position",/);
  expect(line).toContain('"op_1","Ada","user","user_1","","","{""fields"":[""timezone""]}",""');
  expect(rest).toBe('');
});

test('escapes names that would be formulas', () => {
  expect(csvOf([entry], { op_1: '=HYPERLINK("x")' })).toContain(`"'=HYPERLINK(""x"")"`);
});
