import { describe, expect, test } from 'vitest';
import { parseSmtpUrl, tlsDemand } from './smtp-url.ts';

describe('parseSmtpUrl', () => {
  test('parses the host, port and percent-encoded password', () => {
    expect(parseSmtpUrl('smtp://ada%40example.com:p%2Fw%3A@mail.example.com:2525')).toEqual({
      host: 'mail.example.com',
      port: 2525,
      secure: false,
      auth: { user: 'ada@example.com', pass: 'p/w:' },
    });
    expect(parseSmtpUrl('smtps://[::1]/')).toEqual({ host: '::1', port: 465, secure: true, auth: null });
    expect(parseSmtpUrl('smtp://mail.example.com')).toMatchObject({ port: 587, secure: false });
  });

  test.each([
    'mail.example.com',
    'https://mail.example.com',
    'smtp://',
    'smtp://ada@mail.example.com',
    'smtp://ada:%zz@mail.example.com',
    'smtp://mail.example.com/inbox',
    'smtp://mail.example.com?ignoreTLS=true',
    'smtp://mail.example.com:99999',
  ])('rejects %s', (url) => {
    expect(parseSmtpUrl(url)).toBeNull();
  });
});

describe('tlsDemand', () => {
  const demand = (url: string, setting: 'required' | 'optional') => tlsDemand(parseSmtpUrl(url)!, setting);

  test.each([
    'smtp://127.0.0.1:25',
    'smtp://127.8.8.8',
    'smtp://localhost',
    'smtp://LOCALHOST',
    'smtp://[::1]',
  ])('requires no TLS for %s, which is this machine', (url) => {
    expect(demand(url, 'required')).toBe('none');
  });

  test.each([
    'smtp://mail.example.com',
    'smtp://10.0.0.1',
    'smtp://127.1',
    'smtp://localhost.example.com',
    'smtp://127.0.0.1.example.com',
    'smtp://[::2]',
  ])('requires TLS for %s unless it is optional', (url) => {
    expect(demand(url, 'required')).toBe('required');
    expect(demand(url, 'optional')).toBe('offered');
  });

  test('smtps always uses TLS', () => {
    expect(demand('smtps://127.0.0.1', 'optional')).toBe('required');
  });
});
