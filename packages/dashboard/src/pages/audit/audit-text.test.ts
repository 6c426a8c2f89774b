import type { AuditEntryWire } from '@tributary/contract';
import { expect, test } from 'vitest';
import { changesOf, filterOf, hasText, describeAction, describeActor } from './audit-text.ts';

const names = { op_01m7hhnbf7ea3bpq0q6wtfxka7: 'Ada Lovelace', op_2: 'Grace Hopper' };
const nothing = { search: '', action: '', from: '', to: '' };
const entry = {
  action: 'account.updated',
  actor: { type: 'operator', id: 'op_2' },
  target: { type: 'account', id: 'acc_1' },
  address: '203.0.113.7',
  request_id: null,
  details: { fields: ['name'], before: { name: 'Demo' }, after: { name: 'Acme' } },
  text: { reference_id: 'patient-7' },
} as unknown as AuditEntryWire;

test('describes an action in words', () => {
  expect(describeAction('api_key.created')).toBe('API key created');
  expect(describeAction('webhook.secret_rotated')).toBe('Webhook secret rotated');
});

test("filters by actor or target id, and by a colleague's name", () => {
  const user = 'user_01m7hhnbf7ea3bpq0q6wtfxka7';
  expect(filterOf({ ...nothing, search: user }, names)).toMatchObject({ target_id: user, actor_id: null });
  expect(filterOf({ ...nothing, search: 'key_01m7hhnbf7ea3bpq0q6wtfxka7' }, names).actor_id).toMatch(/^key_/);
  expect(filterOf({ ...nothing, search: 'lovel' }, names).actor_id).toBe('op_01m7hhnbf7ea3bpq0q6wtfxka7');
  expect(filterOf({ ...nothing, search: 'a' }, names).actor_id).toBeNull();
});

test('both days are included', () => {
  const { since, until } = filterOf({ ...nothing, from: '2026-03-01', to: '2026-03-01' }, names);
  expect(Date.parse(until!) - Date.parse(since!)).toBe(86_400_000);
});

test.each(['abc', '+275760-09-13', '2026-13-01', '2026-03-01T00:00'])('ignores the date %s', (date) => {
  expect(filterOf({ ...nothing, from: date, to: date }, names)).toMatchObject({ since: null, until: null });
});

test('describes actor and changes and searches the text of an entry', () => {
  expect(describeActor(entry, names)).toBe('Grace Hopper');
  expect(describeActor(entry, {})).toBe('Former colleague');
  expect(changesOf(entry)).toEqual([{ name: 'name', before: 'Demo', after: 'Acme' }]);
  expect(hasText(entry, 'PATIENT')).toBe(true);
  expect(hasText(entry, '203.0')).toBe(true);
  expect(hasText(entry, 'withings')).toBe(false);
  expect(hasText({ ...entry, details: { operation: 'listDaily' } }, 'daily')).toBe(true);
});
