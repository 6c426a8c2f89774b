import { expect, test } from 'vitest';
import { startTestApp } from '../test/test-app.ts';
import { runIngest } from './run-ingest.ts';

test('the ingest role makes its stream and measures what waits in it', async () => {
  await using app = await startTestApp();
  await using _ingest = await runIngest(app.ctx);
  const publishAndMeasure = async () => {
    app.ctx.broker.publish('tributary.ingest.7', 'pointer'); // nobody keeps it until the stream is there
    return (await app.ctx.metrics.streamLag.get()).values[0]?.value;
  };
  await expect.poll(publishAndMeasure, { timeout: 20_000 }).toBeGreaterThan(0);
});
