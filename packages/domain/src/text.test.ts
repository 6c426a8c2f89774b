import { expect, test } from 'vitest';
import { isStorableText } from './text.ts';

test.each(['ada', 'Žofie', '👩‍🔬', '<script>', "'; drop table users; --", '\u0001'])(
  '%j can be stored',
  (text) => expect(isStorableText(text)).toBe(true),
);

test.each(['a\u0000b', '\ud800', 'x\udc00'])('%j cannot', (text) => expect(isStorableText(text)).toBe(false));
