import { expect, test } from 'vitest';
import { startTestApp } from '../test/apps/test-app.ts';
import { createTestWebhook } from '../test/webhooks.ts';
import { createBoss } from '../queue/boss.ts';
import { schedules } from '../queue/queues.ts';
import { runJobs } from './run-jobs.ts';

test('deletes the deliveries of removed webhooks every hour', async () => {
  await using app = await startTestApp();
  const webhook = await createTestWebhook(app);
  await webhook.call('POST', '/test', {});
  await webhook.call('DELETE');
  await using _jobs = await runJobs(app.ctx);
  const { rows } = await app.admin.query('SELECT cron FROM pgboss.schedule WHERE name = $1', [
    schedules.pruneDeliveries,
  ]);
  expect(rows).toEqual([{ cron: '41 * * * *' }]);
  const boss = createBoss(app.ctx.operator);
  await boss.start();
  await boss.send(schedules.pruneDeliveries, {});
  const left = async () => (await app.admin.query('SELECT FROM deliveries')).rowCount;
  await expect.poll(left, { timeout: 15_000 }).toBe(0);
  await boss.stop({ graceful: false });
});
