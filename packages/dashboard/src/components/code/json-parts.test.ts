import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonParts } from './json-parts.ts';

test('distinguishes names, strings, numbers and literals', () => {
  const parts = jsonParts('{"a": "b: 1", "c": -2.5e3, "d": [true, null]}').filter(
    ({ kind }) => kind !== null,
  );
  expect(parts.map(({ kind, text }) => [kind, text])).toEqual([
    ['key', '"a"'],
    ['string', '"b: 1"'],
    ['key', '"c"'],
    ['number', '-2.5e3'],
    ['key', '"d"'],
    ['word', 'true'],
    ['word', 'null'],
  ]);
});

test('keeps the whole text', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value, null, 2);
      expect(
        jsonParts(text)
          .map((part) => part.text)
          .join(''),
      ).toBe(text);
    }),
  );
});
