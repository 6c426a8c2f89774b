import { expect, test } from 'vitest';
import { parsePushUrls } from './introduce-service.ts';

test('reads push URLs from the list of providers', () => {
  const printed = [
    'a warning',
    '[{"provider":"oura","sandbox_push_url":"http://a"},{"provider":"dexcom","sandbox_push_url":null}]',
    '',
  ].join('\n');
  expect(parsePushUrls(printed)).toEqual({ oura: 'http://a' });
});

test.each(['', 'nothing', '{}', '[null]'])('rejects %j', (printed) => {
  expect(() => parsePushUrls(printed)).toThrow('is not valid');
});
