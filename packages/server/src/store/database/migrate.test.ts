import { expect, test } from 'vitest';
import { pendingMigrations } from './migrate.ts';

const migrations = ['0001-a.sql', '0002-b.sql'].map((name) => ({
  name,
  sql: '',
  checksum: `sum of ${name}`,
}));

test('returns the migrations that are not applied, in order', () => {
  expect(pendingMigrations(migrations, [])).toEqual(migrations);
  expect(pendingMigrations(migrations, [migrations[0]!])).toEqual([migrations[1]]);
});

test('rejects an edited migration', () => {
  expect(() => pendingMigrations(migrations, [{ name: '0001-a.sql', checksum: 'other' }])).toThrow(
    /was edited/,
  );
});

test('ignores a migration of a newer version', () => {
  expect(pendingMigrations(migrations, [...migrations, { name: '0003-c.sql', checksum: 'x' }])).toEqual([]);
});
