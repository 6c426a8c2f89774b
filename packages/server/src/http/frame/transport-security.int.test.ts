import { describe, expect, test } from 'vitest';
import { startTestApp } from '../../test/apps/test-app.ts';

const paths = [
  '/healthz',
  '/v1/users',
  '/v1/none',
  '/v1/users/%zz',
  '/',
  '/invitations/x',
  '/dashboard',
  '/docs',
];

describe('Strict-Transport-Security', () => {
  test.each([
    ['https://health.example.com', 'max-age=31536000'],
    ['http://health.example.com', null],
  ])('with the public URL %s is %j on every response', async (publicUrl, value) => {
    await using app = await startTestApp({ PUBLIC_URL: publicUrl });
    for (const path of paths) {
      const { headers } = await app.request('GET', path);
      expect(headers.get('strict-transport-security'), path).toBe(value);
    }
    const signIn = await app.request('POST', '/dashboard/api/sign-in', { body: {} });
    expect(signIn.headers.get('strict-transport-security')).toBe(value);
  });
});

describe('a request with the header of a proxy', () => {
  const forwarded = { headers: { 'x-forwarded-for': '192.0.2.77' } };
  const startWith = async (env: Record<string, string>) => {
    const lines: string[] = [];
    const app = await startTestApp({ LOG_LEVEL: 'warn', ...env }, (line) => void lines.push(line));
    return { app, warnings: () => lines.filter((line) => line.includes('TRUST_PROXY')) };
  };

  test('causes one warning without addresses if no proxy is trusted', async () => {
    const { app, warnings } = await startWith({});
    await using _ = app;
    await app.request('GET', '/v1/users');
    expect(warnings()).toHaveLength(0);
    for (let count = 0; count < 3; count += 1) await app.request('GET', '/v1/users', forwarded);
    await app.request('GET', '/v1/users', { headers: { forwarded: 'for=192.0.2.77' } });
    expect(warnings()).toHaveLength(1);
    expect(warnings()[0]).not.toContain('192.0.2.77');
  });

  test('causes no warning if one is trusted', async () => {
    const { app, warnings } = await startWith({ TRUST_PROXY: '127.0.0.1' });
    await using _ = app;
    await app.request('GET', '/v1/users', forwarded);
    expect(warnings()).toHaveLength(0);
  });
});
