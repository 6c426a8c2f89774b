import { expect, test } from 'vitest';
import { redirectUrl, startConnectApp } from '../../test/apps/connect-app.ts';

const hourMs = 3_600_000;

test('accepts the signed pushes of a lab whose clock was moved ahead', { timeout: 60_000 }, async () => {
  await using app = await startConnectApp();
  const { body } = await app.connect(await app.createUser(), 'whoop', redirectUrl);
  const back = await app.authorize(body.data.auth_url);
  expect(back.headers.get('location')).toContain('status=connected');
  await app.lab.clock.advance(36 * hourMs);
  const { sent, succeeded, failed } = app.lab.counts('whoop').pushes;
  expect(sent).toBeGreaterThan(0);
  expect([succeeded, failed]).toEqual([sent, 0]);
});
