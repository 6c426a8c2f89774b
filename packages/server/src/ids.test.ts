import fc from 'fast-check';
import { fromString, fromUUID, toUUID } from 'typeid-js';
import { expect, test } from 'vitest';
import { createIdSource, formatId, parseId, parseUuid } from './ids.ts';

test('parses the IDs it formats', () => {
  fc.assert(fc.property(fc.uuid(), (uuid) => parseId('user', formatId('user', uuid)) === uuid));
});

test('formats and parses IDs like the TypeID reference implementation', () => {
  fc.assert(
    fc.property(fc.uuid(), (uuid) => {
      const id = fromUUID(uuid, 'user');
      return formatId('user', uuid) === id && parseId('user', id) === toUUID(fromString(id, 'user'));
    }),
    { numRuns: 1_000 },
  );
  const ends = ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];
  for (const uuid of [...ends, '0193B7E2-5C1F-7D4E-9F5A-3C2B1A0D9E8F']) {
    expect(formatId('user', uuid)).toBe(fromUUID(uuid, 'user'));
    expect(parseId('user', formatId('user', uuid))).toBe(uuid.toLowerCase());
  }
});

test('sorts IDs by creation, also within a millisecond and when the clock steps back', () => {
  let now = 1_700_000_000_000;
  const next = createIdSource({ now: () => now });
  const ids: string[] = [];
  for (let step = 0; step < 500; step += 1) {
    now += [0, 0, 1, -5][step % 4]!;
    ids.push(next());
  }
  expect(ids).toEqual(ids.toSorted());
  expect(new Set(ids).size).toBe(ids.length);
});

test('fills each ID with other random bytes', () => {
  const next = createIdSource({ now: () => 1_700_000_000_000 });
  const ends = Array.from({ length: 2_000 }, () => next().slice(-12));
  expect(new Set(ends).size).toBe(ends.length);
});

const valid = formatId('user', '0193b7e2-5c1f-7d4e-9f5a-3c2b1a0d9e8f');

test.each([
  '',
  'user_',
  valid.toUpperCase(),
  valid.slice(0, -1),
  `${valid}0`,
  valid.replace('user_', 'dev_'),
  'user_zzzzzzzzzzzzzzzzzzzzzzzzzz',
  'user_11atfgvrhttmz4rfrhzhxtpkgk', // 128 bits, but no valid UUID version
  'user_0000000000000000000000000u',
  `user_${'0'.repeat(25)}\u0000`,
  '0193b7e2-5c1f-7d4e-9f5a-3c2b1a0d9e8f',
])('rejects %j as a user ID', (id) => expect(parseId('user', id)).toBeNull());

test('parses or rejects any string without failing', () => {
  const letters = fc.constantFrom(...Array.from('0123456789abcdefghjkmnpqrstvwxyz'));
  const suffix = fc.string({ unit: letters, minLength: 26, maxLength: 26 });
  fc.assert(
    fc.property(fc.oneof(suffix, fc.string()), (text) => {
      const uuid = parseId('user', `user_${text}`);
      return uuid === null || formatId('user', uuid) === `user_${text}`;
    }),
    { numRuns: 1_000 },
  );
});

test('accepts a plain UUID in any letter case, and nothing else', () => {
  const uuid = '0193b7e2-5c1f-7d4e-9f5a-3c2b1a0d9e8f';
  expect(parseUuid(uuid)).toBe(uuid);
  expect(parseUuid(uuid.toUpperCase())).toBe(uuid);
  const wrong = ['', `${uuid}0`, uuid.slice(1), uuid.replaceAll('-', ''), `urn:uuid:${uuid}`, `{${uuid}}`];
  for (const text of [...wrong, ` ${uuid}`, `${uuid}\n`, uuid.replace('0', 'g')])
    expect(parseUuid(text)).toBeNull();
});
