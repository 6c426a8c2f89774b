import { describe, expect, test } from 'vitest';
import { domainOf, isMailAddress, parseSender } from './mail-address.ts';

describe('isMailAddress', () => {
  test.each(['a@b', 'ada.lovelace+tag@mail.example.com', "o'hara@example.com", 'jürgen@bücher.example'])(
    'accepts %s',
    (address) => {
      expect(isMailAddress(address)).toBe(true);
    },
  );

  test.each([
    '',
    'ada',
    '@example.com',
    'ada@',
    'ada@exa mple.com',
    'a da@example.com',
    'ada@example.com\r\nBcc: eve@example.com',
    'ada@-example.com',
    'ada@example..com',
    '.ada@example.com',
    '"ada b"@example.com',
    'ada@[127.0.0.1]',
    'ada@example.com,eve@example.com',
    `${'a'.repeat(65)}@example.com`,
    `ada@${'a.'.repeat(130)}com`,
  ])('rejects %j', (address) => {
    expect(isMailAddress(address)).toBe(false);
  });
});

describe('parseSender', () => {
  test.each([
    ['ada@example.com', null],
    ['<ada@example.com>', null],
    ['Ada Lovelace <ada@example.com>', 'Ada Lovelace'],
    ['"Health, Inc." <ada@example.com>', 'Health, Inc.'],
    ['Ada\r\nBcc: x <ada@example.com>', 'Ada Bcc: x'],
  ])('parses %j', (text, name) => {
    expect(parseSender(text)).toEqual({ name, address: 'ada@example.com' });
  });

  test.each(['Ada', 'Ada <ada>', 'Ada ada@example.com', '<a@b> <c@d>', `${'n'.repeat(201)} <a@b>`])(
    'rejects %j',
    (text) => {
      expect(parseSender(text)).toBeNull();
    },
  );
});

test('domainOf returns the part after the @', () => {
  expect(domainOf('ada@mail.example.com')).toBe('mail.example.com');
});
