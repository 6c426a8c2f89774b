import { describe, expect, test } from 'vitest';
import { isAllowedRedirect, normalizeRedirect, redirectWith } from './allowed-redirect.ts';

describe('normalizeRedirect', () => {
  test.each([
    ['https://app.example.com/connected', 'https://app.example.com/connected'],
    ['HTTPS://App.Example.COM:443/connected', 'https://app.example.com/connected'],
    ['  https://app.example.com/a/../connected\n', 'https://app.example.com/connected'],
    ['https:\\\\app.example.com\\connected', 'https://app.example.com/connected'],
    ['https://app.example.com', 'https://app.example.com/'],
    ['http://localhost:3000/connected', 'http://localhost:3000/connected'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['myapp://connected', 'myapp://connected'],
    ['com.example.app:/connected', 'com.example.app:/connected'],
  ])('normalizes %j to %s', (text, expected) => {
    expect(normalizeRedirect(text)).toBe(expected);
  });

  test.each([
    'app.example.com/connected',
    '//app.example.com/connected',
    '/connected',
    '',
    'https://',
    'https://app.example.com:99999/',
    'javascript:alert(1)',
    ' JavaScript://app.example.com/%0aalert(1)',
    'java\tscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'blob:https://app.example.com/1',
    'file:///etc/passwd',
    'vbscript:x',
    'about:blank',
    'https://app.example.com/connected#part',
    'https://app.example.com/connected?a=b',
    'https://someone@app.example.com/connected',
    'https://someone:word@app.example.com/connected',
    'https://:word@app.example.com/connected',
    'https://app.example.com@evil.example/connected',
    'myapp://someone@connected',
  ])('rejects %j', (text) => {
    expect(normalizeRedirect(text)).toBeNull();
  });
});

describe('isAllowedRedirect', () => {
  const allowed = ['https://app.example.com/connected', 'myapp://connected'];

  test.each([
    'https://app.example.com/connected',
    'https://app.example.com/connected?session=1&next=%2Fhome',
    'https://app.example.com/connected?',
    'HTTPS://APP.EXAMPLE.COM/connected',
    'https://app.example.com/x/../connected',
    'myapp://connected',
    'myapp://connected?session=1',
  ])('allows %s', (url) => {
    expect(isAllowedRedirect(allowed, url)).toBe(true);
  });

  test.each([
    'https://app.example.com/',
    'https://app.example.com/connected/',
    'https://app.example.com/connected/more',
    'https://app.example.com/Connected',
    'https://app.example.com/%63onnected',
    'https://app.example.com/connected;x',
    'https://app.example.com/connected#part',
    'https://app.example.com/connected?x=1#part',
    'http://app.example.com/connected',
    'https://app.example.com:444/connected',
    'https://app.example.com./connected',
    'https://app.example.com.evil.example/connected',
    'https://evil.example/connected',
    'https://app.example.com@evil.example/connected',
    'https://evil.example\\@app.example.com/connected',
    'https://evil.example\\app.example.com/connected',
    'https://evil.example/?https://app.example.com/connected',
    'https://someone@app.example.com/connected',
    'https://app.example.com\u2044connected',
    'https://app．example．com:1/connected',
    '//app.example.com/connected',
    '/connected',
    'javascript:alert(1)//https://app.example.com/connected',
    'MYAPP://CONNECTED',
    'myapp://connected/more',
    'myapp:connected',
    'myapp:\\\\connected',
    'otherapp://connected',
    '',
  ])('does not allow %j', (url) => {
    expect(isAllowedRedirect(allowed, url)).toBe(false);
  });

  test('allows nothing if the list is empty', () => {
    expect(isAllowedRedirect([], 'https://app.example.com/connected')).toBe(false);
  });
});

describe('redirectWith', () => {
  test('adds the outcome and keeps the existing query', () => {
    expect(
      redirectWith('https://app.example.com/connected?session=a%20b', {
        status: 'connected',
        device_id: 'dev_1',
      }),
    ).toBe('https://app.example.com/connected?session=a+b&status=connected&device_id=dev_1');
    expect(redirectWith('myapp://connected', { status: 'declined' })).toBe(
      'myapp://connected?status=declined',
    );
  });

  test('replaces an outcome that the query already contains', () => {
    const url = 'https://app.example.com/connected?status=connected&status=connected';
    expect(redirectWith(url, { status: 'failed' })).toBe('https://app.example.com/connected?status=failed');
  });

  test('escapes values so that they cannot break out of the query', () => {
    const url = redirectWith('https://app.example.com/connected', {
      error: 'a&status=connected#x\r\nSet-Cookie: y',
    });
    expect(url).toBe(
      'https://app.example.com/connected?error=a%26status%3Dconnected%23x%0D%0ASet-Cookie%3A+y',
    );
  });
});
