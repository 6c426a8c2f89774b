import { randomUUID } from 'node:crypto';
import { gzipSync, zstdDecompressSync } from 'node:zlib';
import type { ApiError } from '@tributary/contract';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { checkUpload } from './check-upload.ts';
import { UploadChecks } from './upload-checks.ts';

const log = pino({ level: 'silent' });
const device = { provider: 'apple_health', id: 'watch', kind: 'watch' };

function open(program?: URL): UploadChecks {
  const checks = new UploadChecks(log, program);
  onTestFinished(() => checks[Symbol.asyncDispose]());
  return checks;
}

function upload(values: number): Buffer {
  const records = Array.from({ length: values }, (_, at) => ({
    metric: 'heart_rate',
    start: new Date(Date.UTC(2026, 0, 1) + at * 60_000).toISOString(),
    value: 60,
  }));
  return Buffer.from(JSON.stringify({ batch_id: randomUUID(), device, records }));
}

test.each([
  ['small', 10, undefined],
  ['large', 20_000, undefined],
  ['large and compressed to a few bytes', 20_000, 'gzip'],
])('returns a %s upload without its lists', async (_, values, encoding) => {
  const body = upload(values);
  const sent = encoding === undefined ? body : gzipSync(body, { level: 9 });
  const { head, digest, payload, ...counts } = await open().check('a', sent, encoding);
  expect(head).toEqual({ batch_id: expect.any(String), device });
  expect(counts).toEqual({ values, days: Math.ceil(values / 1440) });
  expect(zstdDecompressSync(payload).equals(body)).toBe(true);
  expect(digest.equals(checkUpload(body, undefined).digest)).toBe(true);
});

test('reports the same problem for small and large uploads', async () => {
  const problemOf = async (values: number) => {
    const body = Buffer.from(upload(values).toString().replace('heart_rate', 'x'.repeat(300)));
    return open()
      .check('a', body, undefined)
      .catch((error: ApiError) => [error.code, error.message, error.details]);
  };
  const [small, large] = [await problemOf(10), await problemOf(20_000)];
  expect(small).toEqual(large);
  expect(small).toMatchObject(['invalid_request', expect.stringContaining('records.0.metric'), {}]);
});

test('does not block the event loop while it checks large uploads', async () => {
  const checks = open();
  const body = upload(20_000);
  await checks.check('a', body, undefined); // starts the thread
  const startedAt = performance.now();
  checkUpload(body, undefined);
  const checkMs = performance.now() - startedAt;
  let longestMs = 0;
  let tickedAt = performance.now();
  const timer = setInterval(() => {
    longestMs = Math.max(longestMs, performance.now() - tickedAt);
    tickedAt = performance.now();
  }, 1);
  await Promise.all(Array.from({ length: 10 }, () => checks.check('a', body, undefined)));
  clearInterval(timer);
  longestMs = Math.max(longestMs, performance.now() - tickedAt);
  // Blocked by ten checks, no timer would run for ten times this long.
  expect(longestMs).toBeLessThan(4 * checkMs);
});

test('alternates between accounts', async () => {
  const checks = open();
  const order: string[] = [];
  const check = (account: string) =>
    checks.check(account, upload(2_000), undefined).then(() => order.push(account));
  await Promise.all([...Array.from({ length: 5 }, () => check('a')), check('b')]);
  expect(order).toEqual(['a', 'a', 'b', 'a', 'a', 'a']);
});

test('asks clients to send uploads again whose thread ended, and starts another one', async () => {
  const checks = open(new URL('data:text/javascript,process.exit(1)'));
  for (let tries = 0; tries < 2; tries += 1) {
    const both = [checks.check('a', upload(2_000), undefined), checks.check('b', upload(2_000), undefined)];
    for (const result of await Promise.allSettled(both))
      expect(result).toMatchObject({ reason: { code: 'unavailable', retryAfterSeconds: 1 } });
  }
});
