import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { verifyWebhook, WebhookVerificationError, type WebhookRequest } from './verify.ts';

const secret = `whsec_${randomBytes(32).toString('base64')}`;
const event = { event_id: 'evt_1', event_type: 'data.updated', metrics: ['steps'], user_id: 'user_1' };
const body = JSON.stringify(event);

/** A genuine request, signed by the reference implementation. */
function signed(change: { by?: string; at?: Date; body?: string } = {}): Omit<WebhookRequest, 'headers'> & {
  headers: Record<string, string>;
} {
  const { by = secret, at = new Date(), body: text = body } = change;
  return {
    secret,
    body: text,
    headers: {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(by).sign('evt_1', at, text),
    },
  };
}

const refused = (code: string) =>
  expect.objectContaining({ constructor: WebhookVerificationError, code }) as Error;

describe('a genuine request', () => {
  test('returns its event, from text and from bytes', async () => {
    const request = signed();
    expect(await verifyWebhook(request)).toEqual(event);
    expect(await verifyWebhook({ ...request, body: new TextEncoder().encode(body) })).toEqual(event);
  });

  test('may have Headers, or an object with names in any case', async () => {
    const request = signed();
    expect(await verifyWebhook({ ...request, headers: new Headers(request.headers) })).toEqual(event);
    const upper = Object.entries(request.headers).map(([name, value]) => [name.toUpperCase(), value]);
    expect(await verifyWebhook({ ...request, headers: Object.fromEntries(upper) })).toEqual(event);
  });

  test('may be signed with either secret of a rotation, among other signatures', async () => {
    const other = `whsec_${randomBytes(32).toString('base64')}`;
    const request = signed();
    const both = `${signed({ by: other }).headers['webhook-signature']} ${request.headers['webhook-signature']}`;
    const rotated = { ...request, headers: { ...request.headers, 'webhook-signature': `v1a,x ${both}` } };
    expect(await verifyWebhook(rotated)).toEqual(event);
    expect(await verifyWebhook({ ...rotated, secret: other })).toEqual(event);
    expect(await verifyWebhook({ ...request, secret: [other, secret] })).toEqual(event);
  });
});

// The vector of the Standard Webhooks specification and its reference libraries.
describe('the published vector', () => {
  beforeEach(() => vi.useFakeTimers({ now: 1_614_265_330_000, toFake: ['Date'] }));
  afterEach(() => vi.useRealTimers());

  const vector = {
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    body: '{"test": 2432232314}',
    headers: {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    },
  };

  test('is accepted, with and without the prefix of the secret', async () => {
    expect(await verifyWebhook(vector)).toEqual({ test: 2_432_232_314 });
    expect(await verifyWebhook({ ...vector, secret: vector.secret.slice(6) })).toEqual({
      test: 2_432_232_314,
    });
  });

  const bytes = (text: string) => new TextEncoder().encode(text);
  const flip = (text: string, bit: number) =>
    bytes(text).map((byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));

  test('is refused with any bit of the body changed', async () => {
    for (let bit = 0; bit < vector.body.length * 8; bit += 1)
      await expect(verifyWebhook({ ...vector, body: flip(vector.body, bit) })).rejects.toThrow(
        refused('no_match'),
      );
  });

  test.each(Object.entries(vector.headers))('is refused with any bit of %s changed', async (name, value) => {
    for (let bit = 0; bit < value.length * 8; bit += 1) {
      const changed = new TextDecoder('latin1').decode(flip(value, bit));
      const request = { ...vector, headers: { ...vector.headers, [name]: changed } };
      await expect(verifyWebhook(request), `${name} ${changed}`).rejects.toThrow(WebhookVerificationError);
    }
  });

  test('is refused with any bit of the secret changed', async () => {
    const key = Buffer.from(vector.secret.slice(6), 'base64');
    for (let bit = 0; bit < key.length * 8; bit += 1) {
      const changed = key.map((byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
      const other = `whsec_${Buffer.from(changed).toString('base64')}`;
      await expect(verifyWebhook({ ...vector, secret: other })).rejects.toThrow(refused('no_match'));
    }
  });
});

describe('a forged request', () => {
  test.each([
    ['six minutes old', { at: new Date(Date.now() - 360_000) }, 'expired'],
    ['six minutes ahead', { at: new Date(Date.now() + 360_000) }, 'expired'],
    ['signed with another secret', { by: `whsec_${randomBytes(32).toString('base64')}` }, 'no_match'],
    ['not JSON', { body: 'text' }, 'invalid_body'],
  ])('is refused: %s', async (_, change, code) => {
    await expect(verifyWebhook(signed(change))).rejects.toThrow(refused(code));
  });

  test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
    'is refused without %s',
    async (name) => {
      const { headers, ...request } = signed();
      for (const value of ['', undefined, ['a', 'b']])
        await expect(verifyWebhook({ ...request, headers: { ...headers, [name]: value } })).rejects.toThrow(
          refused('missing_header'),
        );
    },
  );

  test.each(['1.5', '-1', ' 1', '1e9', 'now', '9999999999999'])('is refused at the time %s', async (time) => {
    const { headers, ...request } = signed();
    const changed = { ...headers, 'webhook-timestamp': time };
    await expect(verifyWebhook({ ...request, headers: changed })).rejects.toThrow(
      refused('invalid_timestamp'),
    );
  });

  test('is refused with an empty signature, and with the signature twice in one', async () => {
    const { headers, ...request } = signed();
    const own = headers['webhook-signature']!;
    for (const signature of [' ', 'v1,', own.slice(3), `${own}${own}`, own.slice(0, -1), `${own}=`])
      await expect(
        verifyWebhook({ ...request, headers: { ...headers, 'webhook-signature': signature } }),
      ).rejects.toThrow(refused('no_match'));
  });
});

test.each(['', 'whsec_', 'whsec_*', '*'])('rejects the secret "%s" without printing it', async (one) => {
  await expect(verifyWebhook({ ...signed(), secret: one })).rejects.toThrow(
    new TypeError('The webhook secret must be `whsec_` and base64.'),
  );
});
