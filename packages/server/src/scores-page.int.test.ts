import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runIngest } from './ingest/run-ingest.ts';
import { runScoring } from './jobs/compute-scores.ts';
import { startTestApp } from './test/apps/test-app.ts';

/** A text that starts like this is abbreviated on the page. */
function withGaps(shown: unknown): unknown {
  if (typeof shown === 'string' && shown.endsWith('…'))
    return expect.stringMatching(new RegExp(`^${shown.slice(0, -1)}.`));
  if (Array.isArray(shown)) return shown.map(withGaps);
  if (shown === null || typeof shown !== 'object') return shown;
  return Object.fromEntries(Object.entries(shown).map(([key, value]) => [key, withGaps(value)]));
}

test('matches the worked example in docs/scores.md', async () => {
  const page = await readFile(join(import.meta.dirname, '../../../docs/scores.md'), 'utf8');
  const example = page.slice(page.indexOf('\n## Compute one by hand\n'));
  const shown: unknown = JSON.parse(/```json\n([\s\S]*?)```/.exec(example)![1]!);

  await using resources = new AsyncDisposableStack();
  const app = resources.use(await startTestApp({ SANDBOX_WAIT_MS: '20000' }));
  await app.moveClock(Date.parse('2026-03-08T18:02:00Z') - Date.now());
  resources.use(await runIngest(app.ctx));
  resources.use(runScoring(app.ctx));
  const key = app.account.sandboxKey;
  const body = { reference_id: 'ada', timezone: 'Europe/Berlin' };
  const { id } = (await app.request('POST', '/v1/users', { key, body })).body.data;
  const response = await app.request(
    'GET',
    `/v1/users/${id}/scores/explain?type=sleep_score&date=2026-03-08`,
    {
      key,
    },
  );
  expect(response.status).toBe(200);
  expect(response.body).toEqual(withGaps(shown));
});
