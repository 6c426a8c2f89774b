import { expect, test } from 'vitest';
import { isLikelyId } from './find.ts';

test.each([' user_01jcqz4w5ve9prdk6r9f4vg1yx\n', '01931e2c-9b7e-7a4e-b6d3-0c3d4f5a6b7c'])(
  'accepts %s as a possible id',
  (text) => {
    expect(isLikelyId(text)).toBe(true);
  },
);

test.each(['users', 'user_short', 'user_01jcqz4w5ve9prdk6r9f4vg1yx/../keys', ''])('rejects %s', (text) => {
  expect(isLikelyId(text)).toBe(false);
});
