import { expect, test } from 'vitest';
import { describeCredential, describeDays, filterOf } from './access-text.ts';

const id = '01jcqz4w5ve9prdk6r9f4vg1yx';
const names = { [`op_${id}`]: 'Ada Lovelace', op_2: 'Grace Hopper' };
const search = (text: string) => filterOf({ search: text, from: '', to: '' }, names);

test('filters by the id of a user or credential, or by the name of a colleague', () => {
  expect(search('')).toEqual({ user_id: null, credential_id: null, from: null, to: null });
  expect(search(` user_${id} `)).toMatchObject({ user_id: `user_${id}`, credential_id: null });
  expect(search(`key_${id}`)).toMatchObject({ user_id: null, credential_id: `key_${id}` });
  expect(search(`tok_${id}`)).toMatchObject({ credential_id: `tok_${id}` });
  expect(search('lovel')).toMatchObject({ credential_id: `op_${id}` });
});

test.each(['unknown', 'user_', `user_${id}0`, `dev_${id}`])('finds nothing for %s', (text) =>
  expect(search(text)).toBeNull(),
);

test('includes both days', () => {
  const { from, to } = filterOf({ search: '', from: '2026-03-01', to: '2026-03-01' }, names)!;
  expect(Date.parse(to!) - Date.parse(from!)).toBe(86_400_000);
});

test('describes credential and days', () => {
  expect(describeCredential({ credential: { type: 'operator', id: 'op_2' } }, names)).toBe('Grace Hopper');
  expect(describeCredential({ credential: { type: 'operator', id: 'op_3' } }, names)).toBe(
    'Former colleague',
  );
  expect(describeCredential({ credential: { type: 'user_token', id: 'tok_1' } }, names)).toBe('User token');
  expect(describeDays({ first_day: null, last_day: null })).toBeNull();
  expect(describeDays({ first_day: '2026-03-02', last_day: '2026-03-02' })).toMatch(/^Mar 2/);
  expect(describeDays({ first_day: '2026-03-01', last_day: '2026-03-31' })).toMatch(/^Mar 1.* – Mar 31/);
});
