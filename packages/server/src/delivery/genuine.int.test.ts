import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runSequencer } from '../jobs/sequencer.ts';
import { deliver, ring } from '../test/data/deliver.ts';
import { startReceiver, type Received, type Receiver } from '../test/receiver.ts';
import { scoreThrough } from '../test/data/score-through.ts';
import { createSdkUser, phone } from '../test/data/sdk-user.ts';
import { startTestApp, type TestApp } from '../test/apps/test-app.ts';
import { createTestWebhook, type TestWebhook } from '../test/webhooks.ts';
import { runDeliveries } from './run-deliveries.ts';

let app: TestApp;
let receiver: Receiver;
let webhook: TestWebhook;
let running: AsyncDisposableStack;
beforeAll(async () => {
  running = new AsyncDisposableStack();
  app = running.use(await startTestApp());
  receiver = running.use(await startReceiver());
  running.use(runSequencer(app.ctx));
  running.use(runDeliveries(app.ctx));
  webhook = await createTestWebhook(app, { url: receiver.url, coalesce_seconds: 0 });
});
afterAll(() => running.disposeAsync());

/** Values with five decimals, which no id, date or time contains by chance. */
let valueCount = 0;
function value(around: number): number {
  valueCount += 1;
  return around + Number(`0.${String(10_007 + valueCount * 37)}`);
}

function uploads(): object[] {
  const dates = ['2026-03-01', '2026-03-02', '2026-03-03'];
  return [
    {
      device: ring,
      series: [
        {
          metric: 'heart_rate',
          start: `${dates[0]}T10:00:00Z`,
          interval_seconds: 60,
          values: Array.from({ length: 90 }, () => value(70)),
        },
        {
          metric: 'blood_oxygen',
          start: `${dates[1]}T03:00:00Z`,
          interval_seconds: 60,
          values: Array.from({ length: 30 }, () => value(95)),
        },
      ],
      daily: dates.flatMap((date) => [
        { metric: 'resting_heart_rate', date, value: value(54) },
        { metric: 'active_calories', date, value: value(412) },
      ]),
    },
    {
      device: phone,
      records: dates.map((date) => ({ metric: 'weight', start: `${date}T07:00:00Z`, value: value(72) })),
      sleep: dates.map((date) => ({
        id: date,
        start: new Date(Date.parse(`${date}T06:00:00Z`) - 8 * 3_600_000).toISOString(),
        end: `${date}T06:00:00Z`,
        minutes: { asleep: value(440), deep: value(90), rem: value(100), light: value(250) },
      })),
      workouts: [
        {
          id: 'run',
          start: `${dates[0]}T10:00:00Z`,
          end: `${dates[0]}T11:00:00Z`,
          sport_type: 'running',
          values: { distance: value(7) },
        },
      ],
    },
  ];
}

test('sends neither uploaded values nor values derived from them', async () => {
  const user = await createSdkUser(app, { timezone: 'UTC' });
  const parts = uploads();
  await deliver(app, user, ...parts);
  await scoreThrough(app);
  await expect
    .poll(() => new Set(receiver.received.map(({ body }) => body.event_type)).size, { timeout: 10_000 })
    .toBeGreaterThan(1);
  await new Promise((resolve) => setTimeout(resolve, 1_500));

  const uploaded = JSON.stringify(parts).match(/\d+\.\d{4,}/g) ?? [];
  expect(uploaded.length).toBeGreaterThan(130);
  const daily = await app.request(
    'GET',
    `/v1/users/${user.id}/daily?start_date=2026-03-01&end_date=2026-03-03`,
  );
  const canonical = (daily.body.data as { value: number }[])
    .map(({ value: shown }) => String(shown))
    .filter((shown) => /\.\d{2,}/.test(shown));
  expect(canonical.length).toBeGreaterThan(3);
  for (const { text, headers } of receiver.received) {
    const sent = text + JSON.stringify(headers);
    for (const number of [...uploaded, ...canonical]) expect(sent).not.toContain(number);
    // Nor any digit except in ids, dates and times.
    expect(JSON.stringify(withoutNames(JSON.parse(text) as ReceivedEvent))).not.toMatch(/\d/);
  }
});

type ReceivedEvent = Record<string, unknown> & { data?: Record<string, unknown> };

function withoutNames(event: ReceivedEvent): object {
  const { event_id: _event, user_id: _user, device_id: _device, timestamp: _at, data, ...rest } = event;
  const { first_date: _first, last_date: _last, ...content } = data ?? {};
  return { ...rest, ...content };
}

test('rejects every single-bit change', async () => {
  await expect.poll(() => receiver.received.length, { timeout: 10_000 }).toBeGreaterThan(0);
  const { text, headers } = receiver.received[0]!;
  const verifier = new Webhook(webhook.secret);
  expect(verifier.verify(text, signedHeaders(headers))).toEqual(JSON.parse(text));

  const accepted: string[] = [];
  for (const changed of oneBitOff(Buffer.from(text)))
    if (isAccepted(verifier, changed, signedHeaders(headers))) accepted.push(changed.toString());
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
    for (const changed of oneBitOff(Buffer.from(String(headers[name])))) {
      // Base64 spellings that decode to the same bytes are the same signature.
      const bytes = (header: string) => Buffer.from(header.slice(3), 'base64').toString('hex');
      const isSame =
        name === 'webhook-signature' &&
        changed.toString().startsWith('v1,') &&
        bytes(changed.toString()) === bytes(String(headers[name]));
      if (
        !isSame &&
        isAccepted(verifier, Buffer.from(text), { ...signedHeaders(headers), [name]: changed.toString() })
      )
        accepted.push(`${name}: ${changed.toString()}`);
    }
  expect(accepted).toEqual([]);
});

function signedHeaders(headers: Received['headers']): Record<string, string> {
  return Object.fromEntries(
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, String(headers[name])]),
  );
}

function isAccepted(verifier: Webhook, body: Buffer, headers: Record<string, string>): boolean {
  try {
    verifier.verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

function* oneBitOff(bytes: Buffer): Generator<Buffer> {
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const changed = Buffer.from(bytes);
    changed[bit >> 3]! ^= 1 << (bit & 7);
    yield changed;
  }
}
