import { expect, test } from 'vitest';
import { hostOfAddress, isListed, normalizeEntry } from './allow-list.ts';

test.each([
  ['localhost', 'localhost'],
  ['LocalHost:8080', 'localhost:8080'],
  ['hooks.example.com:443', 'hooks.example.com:443'],
  ['hooks.example.com:0443', 'hooks.example.com:443'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['my_host', 'my_host'],
  ['127.1', '127.0.0.1'],
  ['127.0.0.1:80', '127.0.0.1:80'],
  ['::1', '[::1]'],
  ['[0:0::1]', '[::1]'],
  ['[::1]:8080', '[::1]:8080'],
])('normalizes %s to %s', (entry, expected) => {
  expect(normalizeEntry(entry)).toBe(expected);
});

test.each([
  '',
  '*',
  '*.example.com',
  'http://example.com',
  'example.com/path',
  'user@example.com',
  'example.com:0',
  'example.com:65536',
  'example.com:http',
  'example.com.',
  '10.0.0.0/8',
  '[::1',
  '[]',
  'a b',
  '1.2.3.4.5',
])('rejects %j as an entry', (entry) => {
  expect(normalizeEntry(entry)).toBeNull();
});

test('allows a listed host at every port, or only at the listed port', () => {
  expect(isListed(['localhost'], 'localhost', 1)).toBe(true);
  expect(isListed(['localhost:80'], 'localhost', 80)).toBe(true);
  expect(isListed(['localhost:80'], 'localhost', 81)).toBe(false);
  expect(isListed(['localhost'], 'a.localhost', 80)).toBe(false);
  expect(isListed(['localhost:8'], 'localhost', 80)).toBe(false);
});

test('normalizes addresses so that all spellings compare equal', () => {
  expect(hostOfAddress('0:0:0:0:0:0:0:1')).toBe('[::1]');
  expect(hostOfAddress('::FFFF:127.0.0.1')).toBe('[::ffff:7f00:1]');
  expect(hostOfAddress('127.0.0.1')).toBe('127.0.0.1');
});
