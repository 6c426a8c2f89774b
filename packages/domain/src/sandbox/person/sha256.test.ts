import { expect, test } from 'vitest';
import { sha256 } from './sha256.ts';

const encoder = new TextEncoder();

function hex(words: Readonly<Int32Array>): string {
  return [...words].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

test.each([
  ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  [
    'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
    '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
  ],
  ['a'.repeat(1_000_000), 'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0'],
])('returns the published hash of %.60s', (text, expected) => {
  expect(hex(sha256(encoder.encode(text)))).toBe(expected);
});

test('pads messages that end at a block boundary', () => {
  const hashes = [55, 56, 63, 64].map((length) => hex(sha256(encoder.encode('x'.repeat(length)))));
  expect(hashes.map((hash) => hash.slice(0, 8))).toEqual(['d5e28568', '04c26261', '75220b47', '7ce10097']);
});

test('hashes only the given number of bytes', () => {
  expect(hex(sha256(encoder.encode('abcdef'), 3))).toBe(hex(sha256(encoder.encode('abc'))));
});
