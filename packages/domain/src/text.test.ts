import { expect, test } from 'vitest';
import { isStorableText } from './text.ts';

test.each(['ada', 'Žofie', '👩‍🔬', '<script>', "'; drop table users; --", '\u0001'])('accepts %j', (text) =>
  expect(isStorableText(text)).toBe(true),
);

test.each(['a\u0000b', '\ud800', 'x\udc00'])('rejects %j', (text) =>
  expect(isStorableText(text)).toBe(false),
);
