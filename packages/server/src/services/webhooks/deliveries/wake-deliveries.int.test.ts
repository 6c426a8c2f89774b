import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSequenced } from '../../../stream/sequenced-stream.ts';
import { subjects } from '../../../stream/subjects.ts';
import { startTestApp, type TestApp } from '../../../test/apps/test-app.ts';
import { createTestWebhook, insertTestUser, setDeliveryState, emitEvents } from '../../../test/webhooks.ts';

let app: TestApp;
/** The webhooks with a notification, in order. */
const pointedAt: string[] = [];
beforeAll(async () => {
  app = await startTestApp();
  await new Promise((connected) => app.ctx.broker.whenConnected(connected));
  app.ctx.broker.connection!.subscribe(subjects.sequenced, {
    callback: (_error, message) => void pointedAt.push(...readSequenced(message.string()).webhooks),
  });
  await app.ctx.broker.connection!.flush();
});
afterAll(() => app[Symbol.asyncDispose]());

test('notifies dispatchers of deliveries that a test, resend, recovery or activation made due, and of nothing else', async () => {
  const userId = await insertTestUser(app, app.account);
  const webhook = await createTestWebhook(app, { events: ['score.updated'] });
  const [id] = await emitEvents(app, app.account, userId, ['score.updated']);
  await setDeliveryState(app, webhook, [id!], 'failed');
  const since = '2020-01-01T00:00:00Z';
  const calls = [
    () => webhook.call('POST', `/deliveries/${id}/resend`),
    () => webhook.call('POST', '/test', {}),
    () => webhook.call('PATCH', '', { status: 'active' }),
    async () => {
      await setDeliveryState(app, webhook, [id!], 'failed');
      return webhook.call('POST', '/recover', { since });
    },
  ];
  const ofThis = () => pointedAt.filter((uuid) => uuid === webhook.uuid).length;
  for (const [at, call] of calls.entries()) {
    expect((await call()).status).toBeLessThan(300);
    await expect.poll(ofThis, { timeout: 5_000 }).toBe(at + 1);
  }
  // These make nothing due.
  await webhook.call('POST', '/recover', { since });
  await webhook.call('PATCH', '', { status: 'inactive' });
  await webhook.call('POST', '/test', {});
  await app.ctx.broker.connection!.flush();
  expect(ofThis()).toBe(calls.length);
});
